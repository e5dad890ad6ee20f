"""Chapters 13 and 14: the ledger's pages in full, and one layer handing on to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import expect

import attention_by_hand as abh

from .reading import Article, matrix, numbers

POSITIONS_USED = 6


def same(shown: NDArray[Any], expected: NDArray[Any], what: str) -> None:
    """The page shows Python's bits."""
    np.testing.assert_array_equal(shown.astype(np.float32), expected, f"{what}: the page and Python differ")


def test_embeddings_then_and_now(article: Article, run: abh.Run) -> None:
    for step in article.steps:
        article.set(step=step)
        figure = article.figure("c13", "abh-embeddings")
        for name in ("TokenEmb", "PosEmb"):
            same(matrix(figure, name, "0"), run.at(0).parameter(name), f"{name} at the start")
            same(matrix(figure, name), run.at(step).parameter(name), f"{name} at step {step}")
        gradient = matrix(figure, "grad.PosEmb")
        reached = [row for row in range(16) if gradient[row].any()]
        assert reached == list(range(POSITIONS_USED)), f"step {step}: problems have six tokens, not {reached}"
        told = figure.locator("[data-reached]")
        assert told.get_attribute("data-reached") == "0,1,2,3,4,5"
        still = told.get_attribute("data-still")
        expected = range(POSITIONS_USED if step > 0 else 0, 16)
        assert still == ",".join(map(str, expected)), f"step {step}: rows said to be still: {still}"
        assert figure.locator("[data-unread]").get_attribute("data-unread") == "END,PAD"


@pytest.mark.parametrize("layer", [1, 2])
def test_parameters_in_full(article: Article, run: abh.Run, layer: int) -> None:
    figures = {"WQ WK WV": 0, "WO": 1, "W1 W2": 2, "LM": 3}
    for step in article.steps:
        article.set(step=step, layer=layer)
        for names, which in figures.items():
            figure = article.figure("c13", "abh-matrices", which)
            for short in names.split():
                name = short if short == "LM" else f"layer{layer}.{short}"
                same(matrix(figure, name), run.at(step).parameter(name), f"{name} at step {step}")


@pytest.mark.parametrize(("layer", "head", "receiver"), [(1, 2, None), (2, 1, 2)])
def test_a_row_of_scores_is_its_products(
    article: Article, run: abh.Run, layer: int, head: int, receiver: int | None
) -> None:
    name = f"layer{layer}.head{head}"
    row = 3 if receiver is None else receiver
    for step in article.steps:
        article.set(step=step, layer=layer, head=head, receiver=receiver)
        figure = article.figure("c13", "abh-scores")
        ledger = run.at(step).trace("7×0=", "0")
        s, a = ledger.array(f"{name}.S")[row], ledger.array(f"{name}.A")[row]
        lines = figure.locator("tbody tr:not(.masked)")
        assert lines.count() == row + 1, f"row {row} can read {row + 1} sources; the rest is masked"
        for source in range(row + 1):
            parts = numbers(lines.nth(source), "data.part").astype(np.float32)
            assert len(parts) == 5, "four products and their sum make a score"
            assert np.isclose(parts[:4].sum(), parts[4], rtol=1e-5, atol=1e-6)
            assert parts[4] / np.float32(2) == s[source], f"step {step}: S is the sum divided by 2"
        assert figure.locator("tr.masked").count() == 3 - row
        shown = numbers(figure, f"[data-cell^='{name}.A[']")
        same(shown[: row + 1], a[: row + 1], f"shares at step {step}")
        assert numbers(figure, "data[data-shares]")[0] == pytest.approx(1, abs=1e-6), (
            "a row of A adds up to 1"
        )


@pytest.mark.parametrize(("layer", "head"), [(1, 1), (2, 2)])
def test_a_row_of_h_is_weighted_rows_of_v(article: Article, run: abh.Run, layer: int, head: int) -> None:
    name = f"layer{layer}.head{head}.H"
    for step in article.steps:
        article.set(step=step, layer=layer, head=head)
        figure = article.figure("c13", "abh-mix")
        parts = numbers(figure, "data.part").reshape(4, 4)
        shown = numbers(figure, f"tfoot [data-cell^='{name}[']")
        same(shown, run.at(step).trace("7×0=").array(name)[3], f"{name} at step {step}")
        np.testing.assert_allclose(parts.sum(axis=0), shown, atol=1e-5, err_msg="columns add up to H")


def test_the_last_step_to_a_probability(article: Article, run: abh.Run) -> None:
    for step, target in zip(article.steps, ("0", "7", "END"), strict=True):
        token = abh.TOKENS.index(target)
        article.set(step=step, target=token)
        figure = article.figure("c13", "abh-last-step")
        parts = numbers(figure, "tbody data.part").reshape(8, 2)
        ledger = run.at(step).trace("7×0=")
        logit = ledger.array("logits")[3, token]
        assert np.float32(parts[-1, 1]) == logit, "the running sum must end at the logit"
        assert parts[:, 0].sum() == pytest.approx(float(logit), abs=1e-5)
        shown = numbers(figure, f"[data-cell='P[3,{token}]']")
        same(shown, ledger.array("P")[3, token : token + 1], f"P at step {step}")


def test_the_way_back(article: Article, run: abh.Run) -> None:
    for step, (layer, head) in zip(article.steps, ((1, 2), (2, 1), (2, 2)), strict=True):
        article.set(step=step, layer=layer, head=head)
        ledger = run.at(step).trace("7×0=", "0")
        at = f"layer{layer}.head{head}"
        g: dict[str, NDArray[np.float32]] = {}
        groups = [("logits", "Final"), *[tuple(f"{at}.{x}" for x in part) for part in ("HVA", "SQK")]]
        groups.append(tuple(f"layer{layer}.W{x}" for x in "QKV"))
        for which, names in enumerate(groups, start=4):
            figure = article.figure("c13", "abh-matrices", which)
            for name in names:
                g[name.removeprefix(f"{at}.")] = matrix(figure, f"grad.{name}")
                same(
                    g[name.removeprefix(f"{at}.")], ledger.array(f"grad.{name}"), f"grad.{name}, step {step}"
                )
        q, k, v, a = (ledger.array(f"{at}.{name}") for name in "QKVA")
        p = ledger.array("P")[3].astype(np.float64)
        p[0] -= 1

        def close(found: NDArray[Any], expected: NDArray[Any], rule: str, step: int = step) -> None:
            scale = float(np.abs(expected).max()) or 1.0
            np.testing.assert_allclose(found, expected, atol=1e-5 * scale, err_msg=f"step {step}: {rule}")

        close(g["logits"][3], p, "G_logits = P − Y")
        close(g["Final"], g["logits"] @ run.at(step).parameter("LM").T, "G_Final = G_logits·LMᵀ")
        close(g["V"], a.T @ g["H"], "G_V = Aᵀ·G_H")
        close(g["A"], np.tril(g["H"] @ v.T), "G_A = G_H·Vᵀ")
        mean = (a * g["A"]).sum(axis=1, keepdims=True)
        close(g["S"], a * (g["A"] - mean), "G_S = A∘(G_A − row sum of A∘G_A)")
        close(g["Q"], g["S"] @ k / 2, "G_Q = G_S·K/2")
        close(g["K"], g["S"].T @ q / 2, "G_K = G_Sᵀ·Q/2")
        x = ledger.array(f"layer{layer}.X_norm")
        columns = slice(4 * (head - 1), 4 * head)
        for letter in "QKV":
            close(
                g[f"layer{layer}.W{letter}"][:, columns], x.T @ g[letter], f"G_W{letter} = X_normᵀ·G_{letter}"
            )


def test_looking_changes_nothing(article: Article, run: abh.Run) -> None:
    for step in article.steps:
        article.set(step=step)
        figure = article.figure("c13", "abh-untouched")
        figure.locator("[data-action='look']").click()
        expect(figure.locator(".verdict")).to_have_attribute("data-same", "true")
        digests = figure.locator("code[data-digest]").evaluate_all("all => all.map(x => x.dataset.digest)")
        assert digests == [run.at(step).digest] * 2, f"step {step}: the fingerprints are not Python's"


def test_layer_2_is_given_what_layer_1_hands_on(article: Article) -> None:
    for step in article.steps:
        article.set(step=step)
        figure = article.figure("c14", "abh-layer")
        handed = figure.locator(".handed-on")
        assert handed.get_attribute("data-cells") == "32"
        assert handed.get_attribute("data-equal") == "32", f"step {step}: X_in of layer 2 is X_out of layer 1"
        same(matrix(handed, "layer1.X_out"), matrix(handed, "layer2.X_in"), f"step {step}")


def test_a_box_shows_its_matrix_in_both_layers(article: Article, run: abh.Run) -> None:
    article.set(step=60, head=1)
    figure = article.figure("c14", "abh-layer")
    boxes = figure.locator("abh-diagram a[data-entry]").evaluate_all("all => all.map(a => a.dataset.entry)")
    article.set(layer=2)
    article.figure("c14", "abh-layer abh-diagram")
    expect(figure.locator("abh-diagram a[data-entry='layer2.X_out']")).to_have_count(1)
    twins = figure.locator("abh-diagram a[data-entry]").evaluate_all("all => all.map(a => a.dataset.entry)")
    expected = [name.replace("layer1.", "layer2.") for name in boxes[1:]]
    assert twins[1:] == expected, "layer 2 must have the boxes of layer 1 in the same places"
    figure.locator("abh-diagram a[data-entry='layer2.head1.A']").press("Enter")
    both = figure.locator("[data-shown]")
    expect(both).to_have_attribute("data-shown", "layer1.head1.A layer2.head1.A")
    ledger = run.at(60).trace("7×0=")
    for name in ("layer1.head1.A", "layer2.head1.A"):
        same(matrix(both, name), ledger.array(name), name)
