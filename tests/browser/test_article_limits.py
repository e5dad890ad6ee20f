"""Chapters 15 to 17: the loop, problems held out, the names; and the list of chapters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

import attention_by_hand as abh
from attention_by_hand.runtime import Kernel
from attention_by_hand.task import PROBLEMS

from .article import MIDDLE, SEED
from .conftest import Open, Site, wait_for_step
from .reading import Article, numbers

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


def test_a_missing_worker_is_told(browser: Browser, site: Site) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("**/assets/holdout-*.js", lambda route: route.abort())
    page.goto(f"{site.address}en/index.html")
    wait_for_step(page, 0)
    figure = page.locator("abh-holdout")
    figure.scroll_into_view_if_needed()
    figure.locator("[data-set='spread']").click()
    figure.locator("[data-action='hold']").click()
    expect(figure.locator("[role='alert']")).to_contain_text("holdout")
    context.close()


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
