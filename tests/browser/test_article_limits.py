"""Chapters 15 to 17: the loop, the experiments, the names; and the list of chapters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

import attention_by_hand as abh
from attention_by_hand.runtime import Kernel
from attention_by_hand.task import PROBLEMS

from .article import MIDDLE, SEED
from .conftest import Open, Site
from .reading import Article, numbers, opened

CHAPTERS = [f"c{number}" for number in range(18)]
CONTENT = Path(__file__).parents[2] / "content"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]
SOURCES = (
    "arxiv.org/abs/1706.03762",
    "3blue1brown.com/lessons/attention",
    "poloclub.github.io/transformer-explainer",
    "transformer-circuits.pub/2021/framework",
    "arxiv.org/abs/1902.10186",
    "arxiv.org/abs/2005.14165",
    "arxiv.org/abs/2303.08774",
)


@pytest.fixture(scope="module", params=["en", "zh"])
def shared(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Article]:
    """Open the article once a language."""
    with opened(browser, site, request.param) as article:
        yield article


@pytest.fixture
def article(shared: Article) -> Article:
    """Begin each test with the same text, layer and head."""
    shared.afresh()
    return shared


@pytest.fixture(scope="module")
def run(shared: Article) -> abh.Run:
    """Train in Python as far as the page went."""
    return abh.train(SEED, steps=shared.last)


def solved_with(model: abh.Model, cuts: list[tuple[str, int, int]]) -> int:
    """How many problems a model solves when connections are cut in every prefix of that length."""
    kernel = Kernel()
    model.state.write(kernel, model.step)
    position = kernel.view("position")
    for head, receiver, source in cuts:
        kernel.view(f"{head}.cut")[position == receiver, source] = 1
    kernel.call("batch_forward")
    return int(kernel.view("solved.count")[0])


def test_the_loop_writes_what_the_model_writes(article: Article, run: abh.Run) -> None:
    for step in article.steps:
        for text in ("7×8=", "0×9="):
            article.set(step=step, prompt=[abh.TOKENS.index(token) for token in text])
            figure = article.figure("c15", "abh-loop")
            lines = figure.locator("tbody tr")
            written = lines.evaluate_all("all => all.map(tr => tr.dataset.next)")
            expected = [abh.TOKENS[token] for token in run.at(step).write_on(text)]
            # The page also asks what would follow a text that is full.
            assert written[: len(expected)] == expected, f"step {step}, {text}: {written}"
            shares = numbers(figure, "tbody [data-cell]")
            assert np.float32(shares[0]) == run.at(step).probabilities(text)[-1].max()


@pytest.mark.parametrize("text", ["7×0=", "7×8="])
def test_each_cut_is_what_python_finds(article: Article, run: abh.Run, text: str) -> None:
    prompt = [abh.TOKENS.index(token) for token in text]
    target = abh.TOKENS.index({"7×0=": "0", "7×8=": "5"}[text])
    for step in article.steps:
        model = run.at(step)
        agreeing = 0
        for layer, head in HEADS:
            article.set(step=step, prompt=prompt, layer=layer, head=head)
            figure = article.figure("c16", "abh-each-cut")
            name = f"layer{layer}.head{head}"
            lines = figure.locator("tr[data-source]")
            shown = np.array(lines.evaluate_all("all => all.map(tr => Number(tr.dataset.p))"), np.float32)
            solved = lines.evaluate_all("all => all.map(tr => Number(tr.dataset.solved))")
            p = np.array([model.trace(text, cuts=[(name, 3, t)]).array("P")[3, target] for t in range(4)])
            np.testing.assert_array_equal(shown, p, f"step {step}, {name}: P with one cut")
            assert solved == [solved_with(model, [(name, 3, t)]) for t in range(4)], f"step {step}, {name}"
            whole = model.trace(text)
            largest, costliest = int(whole.array(f"{name}.A")[3].argmax()), int(p.argmin())
            helps = p.min() < whole.array("P")[3, target]
            agreeing += int(helps and largest == costliest)
            verdict = "none" if not helps else "same" if largest == costliest else "other"
            assert figure.locator("[data-verdict]").get_attribute("data-verdict") == verdict
        told = figure.locator("[data-agreeing]").get_attribute("data-agreeing")
        assert told == str(agreeing), (
            f"step {step}: in {agreeing} of 4 heads share and cost agree, not {told}"
        )


def test_largest_share_and_costliest_cut_can_differ(article: Article) -> None:
    article.set(step=article.last)
    seen = set()
    for layer, head in HEADS:
        article.set(layer=layer, head=head)
        figure = article.figure("c16", "abh-each-cut")
        seen.add(figure.locator("[data-verdict]").get_attribute("data-verdict"))
    assert seen - {"same"}, (
        "the chapter's claim: some head's largest share is not the one that is missed most"
    )


def test_cutting_and_silencing_stay_apart(article: Article, run: abh.Run) -> None:
    for step in article.steps:
        article.set(step=step)
        model = run.at(step)
        before = model.probabilities("7×0=")[-1]
        figure = article.figure("c16", "abh-cut")
        altered = figure.locator("[data-altered='p']")
        assert np.float32(altered.get_attribute("value")) == before[0], "nothing is cut yet"
        figure.locator("[data-cut='layer1.head2[3,2]']").click()
        cut = model.trace("7×0=", cuts=[("layer1.head2", 3, 2)]).array("P")[3]
        figure = article.figure("c16", "abh-cut")
        assert np.float32(altered.get_attribute("value")) == cut[0], f"step {step}: one connection cut"
        solved = figure.locator("[data-altered='solved']").get_attribute("value")
        assert solved == str(solved_with(model, [("layer1.head2", 3, 2)]))
        figure.locator("[data-silence='layer2.head1']").click()
        wo = model.parameter("layer2.WO").copy()
        wo[:4] = 0
        both = model.edited({"layer2.WO": wo}).trace("7×0=", cuts=[("layer1.head2", 3, 2)]).array("P")[3]
        figure = article.figure("c16", "abh-cut")
        assert np.float32(altered.get_attribute("value")) == both[0], f"step {step}: and a head silenced"
        marks = figure.locator("[data-outcome]").evaluate_all("all => all.map(td => td.dataset.outcome)")
        now = int(figure.locator("[data-altered='solved']").get_attribute("value") or -1)
        assert sum(mark in ("kept", "won") for mark in marks) == now
        # The run has not noticed.
        shown = figure.locator("[data-cell='P[3,0]']").first.get_attribute("data-value")
        assert np.float32(shown) == before[0]
        kept = article.page.evaluate(
            "() => [...document.querySelector('abh-timeline').app.engine.kernel.parameters]"
        )
        np.testing.assert_array_equal(np.array(kept, np.float32), model.state.parameters)
        figure.locator("[data-action='mend']").click()
        figure = article.figure("c16", "abh-cut")
        assert np.float32(altered.get_attribute("value")) == before[0], "mended, the model is whole again"


@pytest.mark.parametrize(("table", "rows"), [("TokenEmb", (7, 8)), ("PosEmb", (0, 2))])
def test_rows_change_places(article: Article, run: abh.Run, table: str, rows: tuple[int, int]) -> None:
    for step in article.steps:
        article.set(step=step)
        model = run.at(step)
        cells = model.parameter(table).copy()
        cells[list(rows)] = cells[list(rows[::-1])]
        edited = model.edited({table: cells})
        figure = article.figure("c16", "abh-cut")
        for name, choice in zip(
            ("table", "first", "second"), (table, *(str(row) for row in rows)), strict=True
        ):
            figure.locator(f"select[name='swap-{name}']").select_option(choice)
            article.figure("c16", "abh-cut")
        figure.locator("[data-action='swap']").click()
        article.figure("c16", "abh-cut")
        value = figure.locator("[data-altered='p']").get_attribute("value")
        assert np.float32(value) == edited.probabilities("7×0=")[-1][0], f"step {step}: rows swapped"
        solved = figure.locator("[data-altered='solved']").get_attribute("value")
        assert solved == str(solved_with(edited, []))
        figure.locator(f"[data-swapped='{table}[{rows[0]},{rows[1]}]']").click()
        article.figure("c16", "abh-cut")
        value = figure.locator("[data-altered='p']").get_attribute("value")
        assert np.float32(value) == model.probabilities("7×0=")[-1][0], "put back, the model is whole again"
    expect(figure.locator("[data-action='mend']")).to_be_disabled()


def test_a_row_does_not_change_places_with_itself(article: Article) -> None:
    figure = article.figure("c16", "abh-cut")
    for name in ("first", "second"):
        figure.locator(f"select[name='swap-{name}']").select_option("5")
        article.figure("c16", "abh-cut")
    expect(figure.locator("[data-action='swap']")).to_be_disabled()


def test_the_last_source_of_a_row_cannot_be_cut(article: Article) -> None:
    article.set(receiver=1)
    figure = article.figure("c16", "abh-cut")
    figure.locator("[data-cut='layer1.head1[1,0]']").click()
    article.figure("c16", "abh-cut")
    expect(figure.locator("[data-cut='layer1.head1[1,1]']")).to_be_disabled()
    figure.locator("[data-action='mend']").click()


@pytest.mark.parametrize("name", ["spread", "mirror", "zeros"])
def test_held_out_problems_are_counted_honestly(article: Article, name: str) -> None:
    figure = article.figure("c16", "abh-holdout")
    figure.locator(f"[data-set='{name}']").click()
    figure = article.figure("c16", "abh-holdout")
    pressed = figure.locator("[data-hold][aria-pressed='true']")
    held_out = [
        PROBLEMS[int(number)] for number in pressed.evaluate_all("all => all.map(b => b.dataset.hold)")
    ]
    assert 7 <= len(held_out) <= 45
    figure.locator("[data-action='hold']").click()
    figure = article.figure("c16", "abh-holdout")
    expect(figure.locator("[data-done]")).to_be_visible(timeout=30_000)
    step, train, test = (
        int(figure.locator(f"[data-{key}]").get_attribute(f"data-{key}") or -1)
        for key in ("hold-step", "train", "test")
    )
    python = abh.train(SEED, steps=step, hold_out=held_out)
    kernel = Kernel()
    python.states[-1].write(kernel, step)
    kernel.call("batch_forward")
    solved = {(a, b) for a, b in PROBLEMS if kernel.view("solved")[a, b] == 1}
    assert train == len(solved - set(held_out)) == 100 - len(held_out), "it stops when the rest is solved"
    assert test == len(solved & set(held_out)), f"{name}: never seen and solved"
    answers = figure.locator("[data-right]").evaluate_all("all => all.map(li => li.dataset.right)")
    assert answers.count("true") == test
    assert python.model.seed is None, "such a run is no run of the seed alone"
    # The run at the top is still the seed's own.
    digest = abh.train(SEED, steps=article.last).model.state.parameters
    kept = article.page.evaluate(
        "() => { const app = document.querySelector('abh-timeline').app;"
        " return [...app.session.history.value.parameters(app.session.last.value)]; }"
    )
    np.testing.assert_array_equal(np.array(kept, np.float32), digest)


def test_the_glossary_takes_its_names_from_the_ledger(article: Article, built: Path) -> None:
    article.set(layer=2, head=1)
    figure = article.figure("c17", "abh-glossary")
    ledger = json.loads((built.parent / "ledger.json").read_text(encoding="utf-8"))["entries"]
    rows = figure.locator("tbody tr").all()
    assert len(rows) >= 30
    for row in rows:
        name = row.locator("button").inner_text()
        shown = set(row.locator("code").all_inner_texts())
        assert shown == set(ledger[name].get("aliases", {}).values()), f"{name}: {shown}"


def test_attention_is_named_only_at_the_end(article: Article) -> None:
    for chapter in CHAPTERS[1:-1]:
        words = article.page.locator(
            f"section:has(> #{chapter}) > :is(p, h2, h3, ul, ol)"
        ).all_text_contents()
        text = " ".join(words).lower()
        assert "attention" not in text.replace("attention is not explanation", ""), (
            f"{chapter} names it too early"
        )
        assert "注意力" not in text, f"{chapter} 过早用了这个词"


def test_sources_are_links_that_nothing_follows_by_itself(article: Article) -> None:
    links = article.page.locator("section:has(> #c17) a[href^='http']").evaluate_all(
        "all => all.map(a => a.href)"
    )
    for source in SOURCES:
        assert sum(source in link for link in links) == 1, f"{source} is missing among {links}"


def test_scale_is_said_with_what_is_not_disclosed(article: Article) -> None:
    table = article.figure("c15", "abh-facts")
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    undisclosed = {row[2] for row in rows}
    assert [row[0] for row in rows] == ["3,136", "2", "2", "8"], "the first column is this model, computed"
    assert [row[1] for row in rows][1:] == ["96", "96", "12,288"], (
        "GPT-3 has 96 layers of 96 heads, rows of 12,288"
    )
    assert undisclosed in ({"not disclosed"}, {"未公开"}), "of GPT-4 nothing is claimed"


def test_axe_on_the_whole_article(article: Article) -> None:
    page = article.page
    scheme: Literal["light", "dark"] = (
        "light" if page.locator("html").get_attribute("lang") == "en" else "dark"
    )
    page.emulate_media(color_scheme=scheme)
    article.set(step=MIDDLE)
    for figure in page.locator("section.chapter > :not(p, h2, h3, ul, table, blockquote)").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(30)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # Whole matrices are thousands of cells of one kind: test_access.py looks at one.
    found = page.evaluate("axe.run({exclude: [['table.matrix']]}, {resultTypes: ['violations']})")[
        "violations"
    ]
    told = [f"{v['id']}: {v['help']} ({v['nodes'][0]['html'][:120]})" for v in found]
    page.emulate_media(color_scheme="null")
    assert not told, "\n".join(told)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [360, 1280, 1600])
def test_the_list_of_chapters_is_at_hand(visit: Open, language: str, width: int) -> None:
    page = visit(language, viewport={"width": width, "height": 800}).page
    links = page.locator(".contents a")
    assert links.evaluate_all("all => all.map(a => a.hash.slice(1))") == CHAPTERS
    page.locator("#c16").scroll_into_view_if_needed()
    back = page.locator(".to-contents")
    if width == 1600:
        assert not back.is_visible()
        box = page.locator(".contents").bounding_box()
        text = page.locator("#c16").bounding_box()
        assert box is not None
        assert text is not None
        assert box["x"] + box["width"] <= text["x"], "the list in the margin must not lie over the text"
    else:
        expect(back).to_be_in_viewport()
        back.click()
    links.nth(9).click()
    expect(page.locator("#c9")).to_be_in_viewport()
    expect(links.nth(9)).to_have_attribute("aria-current", "true")
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} px wider than its window"
