"""Chapters 1 to 6: what each figure claims is read from its own cells, at the start, midway and at rest."""

from __future__ import annotations

import json

import numpy as np
from playwright.sync_api import Locator, expect

import attention_by_hand as abh

from .article import SEED
from .reading import Article, matrix, numbers


def cells(figure: Locator, name: str) -> dict[tuple[int, ...], np.float32]:
    """Return the numbers of an entry that the figure shows, by index."""
    found = figure.evaluate_all(
        """(figures, name) => figures.flatMap(figure => [...figure.querySelectorAll('[data-cell]')]
            .filter(cell => cell.dataset.cell.split('[')[0] === name)
            .map(cell => [cell.dataset.cell, cell.dataset.value]))""",
        name,
    )
    assert found, f"the figure shows no cell of {name}; see what its element draws"
    return {
        tuple(json.loads(text[text.index("[") :])): np.float32(value.replace("−", "-"))
        for text, value in found
    }


def test_c1_the_last_row_is_the_same_for_every_problem(article: Article) -> None:
    for step in article.steps:
        article.set(step=step)
        rows = []
        for a, b in ((7, 0), (8, 9), (0, 0)):
            figure = article.figure("c1", "abh-rows")
            figure.locator("select[name=a]").select_option(str(a))
            figure.locator("select[name=b]").select_option(str(b))
            figure = article.figure("c1", "abh-rows")
            x = matrix(figure, "X")
            rows.append(x)
            token, place = cells(figure, "TokenEmb"), cells(figure, "PosEmb")
            added = [t + p for t, p in zip(token.values(), place.values(), strict=True)]
            np.testing.assert_array_equal(x[3], added, "X is the token's row plus the position's row")
        assert (rows[0][3] == rows[1][3]).all(), f"step {step}: the “=” row must not know the problem"
        assert (rows[0][0] != rows[1][0]).any(), f"step {step}: the first row must know its digit"
        counts = figure.locator("[data-distinct]").evaluate_all("all => all.map(td => td.dataset.count)")
        assert counts == ["10", "1", "10", "1"], f"step {step}: different rows over all problems: {counts}"


def test_c2_a_row_sums_to_one_and_mixes_what_is_offered(article: Article) -> None:
    for step, layer, head in zip(article.steps, (1, 2, 1), (2, 1, 1), strict=True):
        article.set(step=step, layer=layer, head=head)
        figure = article.figure("c2", "abh-mixing")
        slider = figure.locator("input[name=share-1]")
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "ArrowRight"):
            slider.press(key)
        figure = article.figure("c2", "abh-mixing")
        hand = numbers(figure, "[data-hand]")
        assert hand[1] != 0.1, "the keys must move the share"
        assert round(hand.sum(), 9) == 1, f"the four shares must add up to 1 exactly: {hand}"
        assert figure.locator("[data-hand-sum]").inner_text() == "1.00"
        offered = matrix(figure, f"layer{layer}.head{head}.V")
        arrived = numbers(figure, ".factors > :last-child tr:last-child [data-value]")
        np.testing.assert_allclose(arrived, hand @ offered, atol=2e-6, err_msg="H is A·V")
        figure.locator("fieldset button").nth(2).click()
        figure = article.figure("c2", "abh-mixing")
        arrived = numbers(figure, ".factors > :last-child tr:last-child [data-value]")
        np.testing.assert_array_equal(
            arrived.astype(np.float32), offered[2], "reading only “0” must bring its row and nothing else"
        )


def test_c3_a_stored_table_reads_the_same_column_and_a_computed_one_is_worked_out(article: Article) -> None:
    run = abh.train(SEED, steps=article.last)
    for step in article.steps:
        for layer, head in ((1, 1), (1, 2), (2, 1), (2, 2)):
            article.set(step=step, layer=layer, head=head)
            figure = article.figure("c3", "abh-stored")
            peaks = figure.locator(".kind").first.locator("td.most")
            columns = peaks.evaluate_all("all => all.map(td => td.dataset.column)")
            assert columns[0] == columns[1], (
                "a stored row has its largest share in one column, whatever the text"
            )
            name = f"layer{layer}.head{head}.A"
            shown = [
                numbers(figure, f".kind:last-child .scroll:nth-of-type({which}) [data-cell]").astype(
                    np.float32
                )
                for which in (1, 2)
            ]
            model = run.model.at(step)
            for text, row in zip(("7×0=", "0×7="), shown, strict=True):
                expected = model.trace(text).array(name)[3]
                np.testing.assert_array_equal(row, expected, f"step {step}, {text}: {name} is not Python's")
            at = [int(row.argmax()) for row in shown]
            tokens = ["7×0="[at[0]], "0×7="[at[1]]]
            same_column, same_token = at[0] == at[1], tokens[0] == tokens[1]
            verdict = (
                ("still" if same_token else "column")
                if same_column
                else ("token" if same_token else "neither")
            )
            said = figure.locator(".kind").last.locator("[data-verdict]")
            assert said.get_attribute("data-verdict") == verdict, (
                f"step {step}: the sentence must fit {shown}"
            )
            assert said.get_attribute("data-equal") == "no", f"step {step}: the two rows are worked out anew"


def test_c3_a_cell_of_another_text_opens_with_that_text(article: Article) -> None:
    figure = article.figure("c3", "abh-stored")
    cell = figure.locator("[data-prompt='0×7=']").first
    value = cell.get_attribute("data-value")
    cell.press("Enter")
    opened = article.page.locator("abh-drawer .result [data-cell]")
    expect(opened).to_have_attribute("data-value", value or "")
    ids = article.page.evaluate("() => document.querySelector('abh-timeline').app.state.signals.prompt.value")
    assert "".join(abh.TOKENS[token] for token in ids) == "0×7=", "the page must go where the cell stands"
    article.page.keyboard.press("Escape")


def test_c4_scores_are_products_and_shares_add_up(article: Article) -> None:
    for step, (layer, head) in zip(article.steps, ((2, 2), (1, 1), (1, 2)), strict=True):
        article.set(step=step, layer=layer, head=head)
        base = f"layer{layer}.head{head}"
        for which, letter in enumerate("QK"):
            figure = article.figure("c4", "abh-product", which)
            x = matrix(figure, f"layer{layer}.X_norm")
            product = x @ matrix(figure, f"{base}.W{letter}")
            np.testing.assert_allclose(matrix(figure, f"{base}.{letter}"), product, atol=3e-5)
        figure = article.figure("c4", "abh-product", 2)
        scores = matrix(figure, f"{base}.Q") @ matrix(figure, f"{base}.K").T / 2
        shown = matrix(figure, f"{base}.S")
        allowed = np.tril(np.ones_like(shown, bool))
        np.testing.assert_allclose(shown[allowed], scores[allowed], atol=1e-4, err_msg="S is Q·Kᵀ / 2")
        masked = figure.locator("td[data-kind=masked]")
        assert masked.count() == 6, f"of 4×4 scores 6 lie in the future and are masked, not {masked.count()}"
        assert (
            float(figure.locator(".expansion b [data-value]").get_attribute("data-value") or "nan")
            == shown[3, 2]
        )
        for receiver in range(4):
            article.set(receiver=receiver)
            figure = article.figure("c4", "abh-shares")
            share = np.array([cells(figure, f"{base}.A")[receiver, source] for source in range(4)])
            assert abs(float(share.sum()) - 1) < 1e-6, f"step {step}: shares of a row add up to 1: {share}"
            assert (share[receiver + 1 :] == 0).all(), "a masked source has no share"
            assert figure.locator("tr.masked").count() == 3 - receiver
        article.set(receiver=None)


def test_c5_v_has_no_part_in_a(article: Article) -> None:
    for step in article.steps:
        article.set(step=step, layer=1, head=2)
        figure = article.figure("c5", "abh-product", 1)
        product = matrix(figure, "layer1.head2.A") @ matrix(figure, "layer1.head2.V")
        np.testing.assert_allclose(matrix(figure, "layer1.head2.H"), product, atol=1e-5, err_msg="H is A·V")
        figure = article.figure("c5", "abh-carried")
        knob = figure.locator("input[name=match]")
        rows = "[data-machine={}] tr[data-row={}] [data-value]"
        before = {kind: numbers(figure, rows.format(kind, "handed")) for kind in "KV"}
        share = numbers(figure, "[data-share]")
        knob.press("Home")
        figure = article.figure("c5", "abh-carried")
        after = {kind: numbers(figure, rows.format(kind, "handed")) for kind in "KV"}
        assert (before["V"] == after["V"]).all(), "with V the row handed over must stay"
        assert (before["K"] != after["K"]).any(), "with K it must change along with the score"
        assert numbers(figure, "[data-share]") != share, "another score is another share"
        for _ in range(30):
            knob.press("ArrowRight")
        figure = article.figure("c5", "abh-carried")
        expect(figure.locator("[data-factor]")).to_have_text("× 1.0")
        expected = [cells(article.figure("c5", "abh-product", 1), "layer1.head2.H")[3, c] for c in range(4)]
        figure = article.figure("c5", "abh-carried")
        arrived = numbers(figure, rows.format("V", "arrived")).astype(np.float32)
        np.testing.assert_array_equal(arrived, expected, "untouched, what arrives must be the model's H")


def test_c6_folded_is_step_by_step(article: Article) -> None:
    for step, (layer, head) in zip(article.steps, ((1, 2), (2, 1), (1, 2)), strict=True):
        article.set(step=step, layer=layer, head=head)
        base = f"layer{layer}.head{head}"
        for which, (left, right, folded) in enumerate((("WQ", "WK", "QK"), ("WV", "WO", "OV"))):
            figure = article.figure("c6", "abh-product", which)
            second = matrix(figure, f"{base}.{right}")
            product = matrix(figure, f"{base}.{left}") @ (second.T if folded == "QK" else second)
            shown = matrix(figure, f"{base}.{folded}")
            assert shown.shape == (8, 8)
            np.testing.assert_allclose(shown, product, atol=1e-5)
        figure = article.figure("c6", "abh-fold")
        for kind in ("S", "write"):
            row = f"[data-compare={kind}] tr[data-row={{}}] [data-value]"
            stepwise, folded_row, difference = (
                numbers(figure, row.format(name)) for name in ("stepwise", "folded", "difference")
            )
            assert len(stepwise) == (4 if kind == "S" else 8)
            apart = folded_row.astype(np.float32).astype(float) - stepwise.astype(np.float32).astype(float)
            np.testing.assert_array_equal(difference.astype(np.float32), apart.astype(np.float32))
            scale = max(1.0, float(np.abs(stepwise).max()))
            assert np.abs(difference).max() <= 1e-5 * scale, (
                f"step {step}, {kind}: {difference} is more than rounding"
            )


def test_a_number_in_a_sentence_is_the_model_s(article: Article) -> None:
    for step in article.steps:
        article.set(step=step)
        value = article.figure("c4", "abh-value", 1).locator("[data-cell]").get_attribute("data-value")
        expected = (
            abh.train(SEED, steps=article.last).model.at(step).trace("0×7=").array("layer1.head2.A")[3, 0]
        )
        assert np.float32(value) == expected, f"step {step}: the sentence says {value}, Python {expected}"
