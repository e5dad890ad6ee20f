"""Chapter 16: connections cut, heads silenced, rows swapped, as Python finds it."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

import attention_by_hand as abh
from attention_by_hand.runtime import Kernel

from .reading import Article

HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]


def solved_with(model: abh.Model, cuts: list[tuple[str, int, int]]) -> int:
    """How many problems a model solves when connections are cut in every prefix of that length."""
    kernel = Kernel()
    model.state.write(kernel, model.step)
    position = kernel.view("position")
    for head, receiver, source in cuts:
        kernel.view(f"{head}.cut")[position == receiver, source] = 1
    kernel.call("batch_forward")
    return int(kernel.view("solved.count")[0])


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


def test_the_lists_show_what_is_swapped(article: Article) -> None:
    figure = article.figure("c16", "abh-cut")
    chosen = "all => all.map(list => list.selectedOptions[0].textContent)"
    for name, value in (("first", "5"), ("second", "9"), ("table", "PosEmb"), ("table", "TokenEmb")):
        figure.locator(f"select[name='swap-{name}']").select_option(value)
        article.figure("c16", "abh-cut")
    table, first, second = figure.locator(".swaps select").evaluate_all(chosen)
    figure.locator("[data-action='swap']").click()
    article.figure("c16", "abh-cut")
    assert figure.locator("[data-swapped]").get_attribute("data-swapped") == f"{table}[{first},{second}]"
    figure.locator("[data-action='mend']").click()
    article.figure("c16", "abh-cut")
    expect(figure.locator("[data-swapped]")).to_have_count(0)


def test_the_last_source_of_a_row_cannot_be_cut(article: Article) -> None:
    article.set(receiver=1)
    figure = article.figure("c16", "abh-cut")
    figure.locator("[data-cut='layer1.head1[1,0]']").click()
    article.figure("c16", "abh-cut")
    expect(figure.locator("[data-cut='layer1.head1[1,1]']")).to_be_disabled()
    figure.locator("[data-action='mend']").click()
