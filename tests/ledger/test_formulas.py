"""Every cell of every entry, computed from its formula and the stored inputs, is the stored bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import runs
from attention_by_hand.ledger.entries import entries
from attention_by_hand.ledger.evaluate import evaluate
from attention_by_hand.ledger.explain import explain
from attention_by_hand.ledger.formulas import Formula
from attention_by_hand.ledger.names import CellName
from attention_by_hand.ledger.trace import same_bits

SEEDS = (1, 2, 3)
#: Lengths 1 to 16; runs.PROMPTS holds 16, mostly unknown to training; these four occur in it.
PROMPTS = [*runs.PROMPTS, "0×7=", "7×0=", "9×9=8", "3×3"]
TARGETS = "0123456789×="


def models(seed):
    run = runs.trained(seed)
    return {0: run.at(0), 50: run.at(50), "last": run.model}


def report(wrong):
    return f"formula and kernel disagree in {', '.join(wrong)}: mend ledger/formulas.py or the kernel"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("step", [0, 50, "last"])
def test_prompts(seed, step, record_property):
    model = models(seed)[step]
    cells = 0
    for number, prompt in enumerate(PROMPTS):
        ledger = model.trace(prompt, TARGETS[number % len(TARGETS)])
        count, wrong = ledger.verify()
        cells += count
        assert not wrong, f"{prompt}, seed {seed}, step {step}: {report(wrong)}"
    record_property("cells", cells)
    assert cells > 200_000


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("step", [0, 50, "last"])
def test_training_batch_with_adam(seed, step):
    ledger = models(seed)[step].batch()
    count, wrong = ledger.verify()
    assert not wrong, f"batch, seed {seed}, step {step}: {report(wrong)}"
    assert count > 500_000
    assert {"next.layer1.WQ", "next.adam.v.LM", "adam.rate", "grad.TokenEmb"} <= set(ledger.names)


def test_cut_connections_and_odd_parameters():
    ledger = runs.own_parameters(5).trace(
        "7×8=56", "×", cuts=[("layer1.head2", 3, 1), ("layer2.head1", 5, 5)]
    )
    _, wrong = ledger.verify()
    assert not wrong, report(wrong)
    assert ledger.array("layer1.head2.A")[3, 1] == 0
    assert ledger.array("layer1.head2.S")[3, 1] == -np.inf
    assert ledger.array("layer1.head2.A")[3].sum() == pytest.approx(1, abs=1e-6)


def test_a_wrong_order_of_terms_is_found():
    """The comparison is not blind: the same sum in another order gives other bits somewhere."""
    ledger = runs.trained(1).model.trace("7×8=", "5")
    formula = ledger.entry("layer1.FFNOut").formula
    kind, (total, variable, over, (mul, a, b)), bias = formula.value
    swapped = replace(formula, value=[kind, bias, [total, variable, over, [mul, b, a]]])
    assert same_bits(evaluate(swapped, ledger, (4, 8)), ledger.array("layer1.FFNOut")), (
        "a·b and b·a are equal"
    )
    late_bias = Formula(
        formula.index, [total, variable, over, ["add", [mul, a, b], ["div", bias, ["number", 64]]]]
    )
    assert not same_bits(evaluate(late_bias, ledger, (4, 8)), ledger.array("layer1.FFNOut"))


def test_every_cell_explained_one_by_one():
    """The drawer's way of evaluating, cell by cell, gives the stored bits too."""
    ledger = runs.trained(1).at(50).trace("7×0=", "0")
    checked = 0
    for name in ledger.names:
        scalar = ledger.entry(name).scalar
        for index in np.ndindex(ledger.array(name).shape):
            found = explain(ledger, CellName(name, () if scalar else index), 1)
            if found.work is not None:
                assert same_bits(np.float32(found.work.value), np.float32(found.value)), (
                    f"{found.cell} differs"
                )
                checked += 1
    assert checked > 9000


def test_formulas_speak_of_known_entries_only():
    known = entries()

    def names(node):
        if isinstance(node, list):
            if node[0] in ("cell", "value", "rows"):
                yield node[1]
            if node[0] == "head":
                yield from node[3]
            for child in node:
                yield from names(child)

    for entry in known.values():
        if entry.formula is not None:
            unknown = set(names(entry.formula.value)) - set(known)
            assert not unknown, f"{entry.name} is made from {unknown}, which the ledger does not have"


def test_entries_are_told_in_both_languages():
    for entry in entries().values():
        assert entry.meaning["en"].endswith("."), f"{entry.name} has no English sentence; see ledger/texts.py"
        assert entry.meaning["zh"].endswith("。"), (
            f"{entry.name} has no Chinese sentence; see ledger/texts.py"
        )
        assert not set("。，：") & set(entry.meaning["en"])
        assert entry.latex
        if entry.group not in ("parameter", "input", "optimizer", "measure") and entry.name.split(".")[
            -1
        ] not in ("WQ", "WK", "WV", "WO"):
            assert entry.formula is not None, f"{entry.name} is computed and has no formula"
