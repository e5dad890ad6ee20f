"""Chapters c10 to c12: one route twice, the swap, and the row that is equal before rows meet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

import attention_by_hand as abh

from .article import SEED, Article, cells, trained, verdict
from .conftest import Site, wait_for_step

HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]
STUDY = Path(__file__).parents[2] / "content" / "study.json"
#: Pairs of different digits for the swap and for the twins: the article's, and some others.
PAIRS = [(0, 7), (0, 1), (7, 0), (8, 3), (5, 9), (2, 6)]


@pytest.fixture(scope="module", params=["en", "zh"])
def article(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Article]:
    """Return the trained page in one language."""
    yield from trained(browser, site, request.param)


def choose_two(article: Article, figure: Locator, first: tuple[str, int], second: tuple[str, int]) -> None:
    """Choose in two lists that leave out each other's digit: on the way the second takes one that is free."""
    now = int(figure.locator(f"select[name='{first[0]}']").input_value())
    free = next(digit for digit in range(10) if digit not in (first[1], second[1], now))
    for name, digit in ((second[0], free), first, second):
        article.choose(figure, **{name: digit})


def moment(figure: Locator, name: str) -> dict[str, float]:
    """The cells of one column of a before-and-after table, by reference."""
    return {cell: value for (_, _, cell), value in cells(figure, f"td[data-moment='{name}']").items()}


def test_one_route_at_the_start_and_now(article: Article) -> None:
    article.go(0)
    figure = article.figure("abh-walk")
    start = moment(figure, "start")
    assert moment(figure, "now") == start, "at the first step both columns show the same moment"
    assert figure.locator(".verdict-line").get_attribute("data-way") == "same"
    for step in article.steps[1:]:
        article.go(step)
        figure = article.figure("abh-walk")
        assert moment(figure, "start") == start, "the numbers of the random start are kept"
        now = moment(figure, "now")
        assert now.keys() == start.keys()
        for cell in ("layer1.head2.A[3,2]", "P[3,0]", "layer1.head2.S[3,2]"):
            assert now[cell] != start[cell], f"step {step}: {cell} has not moved"
        query = [now[f"layer1.head2.Q[3,{c}]"] for c in range(4)]
        key = [now[f"layer1.head2.K[2,{c}]"] for c in range(4)]
        score = sum(q * k for q, k in zip(query, key, strict=True)) / 2
        assert now["layer1.head2.S[3,2]"] == pytest.approx(score, rel=1e-4)
        assert figure.locator(".verdict-line").get_attribute("data-way") in ("more", "less", "alike")
    assert now["P[3,0]"] > 0.9, "trained, the model has to answer 7×0= with 0"


def test_every_head_and_source_can_be_walked(article: Article) -> None:
    article.go(article.end)
    figure = article.figure("abh-walk")
    heads = figure.locator(".choose [role='group']").nth(0).get_by_role("button").all()
    assert len(heads) == 4
    for button, (layer, head) in zip(heads, HEADS, strict=True):
        button.click()
        for source, token in enumerate("7×0="):
            figure.locator(".choose [role='group']").nth(1).get_by_role("button", name=token).click()
            figure.evaluate("figure => figure.drawNow()")
            now = moment(figure, "now")
            name = f"layer{layer}.head{head}"
            parts = figure.evaluate(
                "figure => [...figure.querySelectorAll('td[data-moment=now] [data-part]')].map(e => e.value)"
            )
            share = now[f"{name}.A[3,{source}]"]
            for c, part in enumerate(parts):
                offered = now[f"{name}.V[{source},{c}]"]
                assert float(part) == pytest.approx(share * offered, rel=1e-5, abs=1e-9), f"{name}, {token}"
    heads[1].click()
    figure.locator(".choose [role='group']").nth(1).get_by_role("button", name="0").click()


def test_a_number_of_the_start_takes_the_page_there(article: Article) -> None:
    article.go(article.end)
    figure = article.figure("abh-walk")
    cell = figure.locator("td[data-moment='start'] [data-cell='layer1.head2.A[3,2]']")
    value = cell.get_attribute("data-value")
    cell.click()
    wait_for_step(article.page, 0)
    result = article.page.locator("abh-drawer .result [data-cell='layer1.head2.A[3,2]']")
    assert result.get_attribute("data-value") == value
    article.page.keyboard.press("Escape")


def follows(found: dict[tuple[str, str, str], float], head: str, x: int, z: int) -> tuple[int, int]:
    """The column read most in `x×z=` and in `z×x=`."""
    columns = [
        int(np.argmax([found[text, "", f"{head}.A[3,{column}]"] for column in range(4)]))
        for text in (f"{x}×{z}=", f"{z}×{x}=")
    ]
    return columns[0], columns[1]


KIND = {(2, 0): "follows", (0, 2): "other"}


def kind_of(columns: tuple[int, int]) -> str:
    """What a head does, from the columns it reads most."""
    return KIND.get(columns, "column" if columns[0] == columns[1] else "neither")


@pytest.mark.parametrize(("followed", "other"), PAIRS)
def test_the_verdict_is_that_of_the_cells(article: Article, followed: int, other: int) -> None:
    for step in article.steps:
        article.go(step)
        figure = article.figure("abh-swap")
        choose_two(article, figure, ("c11-followed", followed), ("c11-other", other))
        found = cells(figure)
        kinds = {}
        for layer, head in HEADS:
            name = f"layer{layer}.head{head}"
            row = figure.locator(f"tr[data-head='{name}']")
            kinds[name] = kind_of(follows(found, name, other, followed))
            said = row.locator(".badge").get_attribute("data-name")
            assert said == f"c11.{kinds[name]}", f"step {step}, {name}: the cells say {kinds[name]}"
            assert row.locator("[data-most='true']").count() == 2, "one largest share a text"
        some = [name for name, kind in kinds.items() if kind == "follows"]
        sentence = figure.locator(".badge[data-name='c11.some'], .badge[data-name='c11.none']")
        assert sentence.get_attribute("data-verdict") == ("yes" if some else "no")


def test_the_default_seed_follows_the_zero_after_training_and_not_before(article: Article) -> None:
    for step, expected in ((0, []), (article.end, ["layer1.head2"])):
        article.go(step)
        figure = article.figure("abh-swap")
        choose_two(article, figure, ("c11-followed", 0), ("c11-other", 7))
        yes = [
            row.get_attribute("data-head")
            for row in figure.locator("tr[data-head]:has(.badge[data-verdict='yes'])").all()
        ]
        assert set(yes) >= set(expected), f"step {step}: layer 1, head 2 has to follow the 0"
        if not expected:
            assert yes == [], "before training no head of the default seed follows the 0"
            assert verdict(figure, "c11.none") == "no"


def test_every_digit_and_partner(article: Article) -> None:
    """The table of counts against the model in Python."""
    model = abh.train(SEED, steps=article.end).at(article.end)
    article.go(article.end)
    figure = article.figure("abh-swap")
    for layer, head in HEADS:
        name = f"layer{layer}.head{head}"
        most = {
            (a, b): int(np.argmax(model.trace(f"{a}×{b}=").array(f"{name}.A")[3]))
            for a in range(10)
            for b in range(10)
        }
        expected = [sum(most[x, z] == 2 and most[z, x] == 0 for x in range(10) if x != z) for z in range(10)]
        shown = [
            int(cell.get_attribute("data-count") or -1)
            for cell in figure.locator(f".partners td[data-head='{name}']").all()
        ]
        assert shown == expected, name


def test_how_often_over_many_seeds(article: Article) -> None:
    study: dict[str, Any] = json.loads(STUDY.read_text(encoding="utf-8"))
    figure = article.figure("abh-study")
    some = study["some_head"]["follows_zero.7"]
    assert figure.locator("p[data-yes]").get_attribute("data-yes") == str(some["end"]["yes"])
    counts = [int(td.get_attribute("data-yes") or -1) for td in figure.locator("td[data-yes]").all()]
    measured = [some, *(head["follows_zero.7"] for head in study["heads"].values())]
    measured.append(study["some_head"]["follows_zero.all"])
    assert counts == [one[when]["yes"] for one in measured for when in ("start", "end")]
    assert study["commands"][0] in figure.inner_text(), "the command has to stand beside what it found"
    ends = [study["heads"][f"layer{layer}.head1"]["follows_zero.7"]["end"]["share"] for layer in (1, 2)]
    assert ends[0] > ends[1], "the text says: above all in layer 1"


@pytest.mark.parametrize(("a", "b"), [(7, 8), (0, 1), (9, 3)])
def test_one_last_row_before_rows_meet(article: Article, a: int, b: int) -> None:
    texts = (f"{a}×{b}=", f"{b}×{a}=")
    for step in article.steps:
        article.go(step)
        figure = article.figure("abh-twins")
        choose_two(article, figure, ("c12-a", a), ("c12-b", b))
        found = cells(figure)
        for name in ("X", "layer1.X_norm", "layer1.Q", "layer1.AttnOut", "layer1.X_mid", "layer2.X_out"):
            left, right = ([found[text, "", f"{name}[3,{d}]"] for d in range(8)] for text in texts)
            shown = [
                float(one.get_attribute("value") or "nan")
                for one in figure.locator(f"[data-place='{name}'] [data-difference]").all()
            ]
            assert shown == pytest.approx(np.subtract(right, left), abs=1e-6), f"step {step}: {name}"
            if name in ("X", "layer1.X_norm", "layer1.Q"):
                assert left == right, f"step {step}: {name} of “=” has to be the same in {texts}"
                assert shown == [0.0] * 8
            else:
                assert any(shown), f"step {step}: {name} has to differ between {texts}"
        assert verdict(figure, "c12.before") == "yes"
        assert verdict(figure, "c12.after") == "yes"


def test_a_seed_in_which_no_head_follows(browser: Browser, site: Site) -> None:
    """The page says so, says what the heads do instead, and offers a seed in which one does."""
    study = json.loads(STUDY.read_text(encoding="utf-8"))
    first = int(study["seeds"].split(":")[0])
    seed = first + study["verdicts"].index("0")
    solved = abh.train(seed).model.step
    for article in trained(browser, site, "en", seed):
        article.go(solved)
        figure = article.figure("abh-swap")
        assert verdict(figure, "c11.none") == "no", f"the study found that in seed {seed} no head follows"
        assert figure.locator("tr[data-head] .badge").count() == 4
        assert figure.locator("tr[data-head] .badge[data-verdict='yes']").count() == 0
        figure.locator("[data-action='try-seed']").click()
        article.page.wait_for_function(
            "seed => new URLSearchParams(location.search).get('seed') === String(seed)", arg=SEED
        )
