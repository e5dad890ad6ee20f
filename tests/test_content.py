"""Markdown to HTML: formulas, figure tags, headings, Chinese; and what is refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from attention_by_hand.build.content import Chapter, chapter
from attention_by_hand.build.policy import check_page
from attention_by_hand.errors import InputError


def written(folder: Path, text: str) -> Chapter:
    """Read a chapter c3 with this text under its heading."""
    (folder / "c3.md").write_text(f"# The table\n\n{text}\n", encoding="utf-8")
    return chapter(folder / "c3.md")


def test_headings_go_one_level_down_and_are_numbered(tmp_path: Path) -> None:
    got = written(tmp_path, "## First *part*\n\n### Deeper\n\n## Second")
    assert (got.id, got.title) == ("c3", "The table")
    assert got.headings == ("c3", "c3-1", "c3-2", "c3-3")
    assert '<h2 id="c3">The table</h2>' in got.html
    assert '<h3 id="c3-1">First <em>part</em></h3>' in got.html
    assert '<h4 id="c3-2">Deeper</h4>' in got.html


def test_a_figure_on_its_own_lines_is_a_block(tmp_path: Path) -> None:
    got = written(tmp_path, "Text\n<abh-training></abh-training>\n\n<abh-facts>\nfallback\n</abh-facts>")
    assert "<p>Text</p>\n<abh-training></abh-training>" in got.html
    assert "<p><abh-" not in got.html
    assert "<abh-facts>\nfallback\n</abh-facts>" in got.html
    assert got.figures == ("abh-training", "abh-facts")


def test_an_element_in_a_sentence_stays_there(tmp_path: Path) -> None:
    got = written(tmp_path, '<abh-number of="floor">0.4</abh-number> is the floor.')
    assert '<p><abh-number of="floor">0.4</abh-number> is the floor.</p>' in got.html


def test_an_element_shown_as_code_is_no_figure(tmp_path: Path) -> None:
    assert written(tmp_path, "    <abh-training>").figures == ()


@pytest.mark.parametrize(
    "text",
    ["$A \\cdot V$", "$$\nA \\cdot V\n$$", "```math\nA \\cdot V\n```"],
    ids=["inline", "block", "fence"],
)
def test_formulas_become_mathml(tmp_path: Path, text: str) -> None:
    html = written(tmp_path, text).html
    assert "<math" in html
    assert "<mi>A</mi>" in html
    assert "cdot" not in html


@pytest.mark.parametrize("mark", [".", "?", ",", "。", "，", ")"])
def test_a_formula_keeps_the_punctuation_after_it(tmp_path: Path, mark: str) -> None:
    html = written(tmp_path, f"how well $j$ suits $i${mark} Then $k$ alone").html
    kept = html.split('<span class="unbroken">')
    assert len(kept) == 2, "one formula of three has punctuation after it: only that one is held together"
    assert kept[1].split("</math></span>")[1].startswith(f"{mark}</span>")


def test_dollars_that_are_money_stay(tmp_path: Path) -> None:
    assert "5$ and 6$" in written(tmp_path, "costs 5$ and 6$ today").html


def test_other_fences_stay_code(tmp_path: Path) -> None:
    assert "<pre><code" in written(tmp_path, "```python\nimport numpy\n```").html


def test_chinese_lines_join_without_a_space(tmp_path: Path) -> None:
    html = written(tmp_path, "这一行写到这里，\n下一行接着写。\nA word\nfollows.").html
    assert "这里，下一行接着写。" in html
    assert "A word\nfollows." in html


def test_cells_are_aligned_by_class(tmp_path: Path) -> None:
    html = written(tmp_path, "| a | b |\n|---|--:|\n| 1 | 2 |").html
    assert '<td class="align-right">2</td>' in html
    assert "style=" not in html


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<abh-training>", r"line 3: <abh-training> is never closed; write </abh-training>"),
        ("# Another title", r"line 3: a chapter has one heading of level 1"),
        ("$\\nosuchthing x$", r"formula .*command that is not known"),
        ("$\\frac{1}{2$", r"formula .*braces"),
        ("中文**“引号”**中文", r"line 3: \*\* around .*not taken as bold"),
    ],
)
def test_slips_are_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"{tmp_path.name}/c3\.md, .*{message}"):
        written(tmp_path, text)


@pytest.mark.parametrize("text", ["", "## Too deep", "Text first\n\n# Title"])
def test_a_chapter_without_its_title_first_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "c1.md").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"c1\.md, line \d+: a chapter"):
        chapter(tmp_path / "c1.md")


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ('<p style="color: red">', "style"),
        ('<p onclick="go()">', "onclick"),
        ("<script>go()</script>", "inline <script>"),
        ("<style>p {}</style>", "inline <style>"),
        ('<img src="https://elsewhere.example/a.png">', "no relative address"),
        ('<script src="/main.js"></script>', "no relative address"),
        ('<link rel="stylesheet" href="//elsewhere.example/a.css">', "no relative address"),
        ('<p id="a"></p><p id="a"></p>', "stands twice"),
        ('<a href="#nowhere">there</a>', "no heading has the id 'nowhere'"),
    ],
)
def test_what_the_policy_forbids_is_refused(html: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^page, .*{message}"):
        check_page(f"<!doctype html>\n{html}", "page")


def test_what_the_policy_allows_passes() -> None:
    check_page(
        '<!doctype html><link rel="stylesheet" href="../assets/a.css"><script src="a.js"></script>'
        '<h2 id="c1">One</h2><a href="#c1">One</a><a href="https://elsewhere.example/">a source</a>',
        "page",
    )
