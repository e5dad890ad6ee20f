"""Formulas as MathML: well formed, all text inside a token element, the same numbers as in text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import runs
from attention_by_hand.ledger.numbers import shown
from attention_by_hand.ledger.render_mathml import formulas

LEAVES = {"mi", "mn", "mo", "mtext"}


def parsed(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter())


def test_the_last_cell_of_every_entry_is_well_formed() -> None:
    ledger = runs.trained(1).model.trace("7×0=", "0")
    seen = 0
    for name in ledger.names:
        entry, shape = ledger.entry(name), ledger.array(name).shape
        place = "" if entry.scalar else f"[{','.join(str(extent - 1) for extent in shape)}]"
        for text in formulas(ledger.explain(name + place)):
            for element in parsed(text) if text else ():
                tag = element.tag.rpartition("}")[2]
                loose = "" if tag in LEAVES else (element.text or "").strip()
                assert not loose, f"{name}: {loose!r} stands outside of mi, mn, mo and mtext"
                assert not (element.tail or "").strip(), f"{name}: {element.tail!r} is no element"
                seen += 1
    assert seen > 3000


@pytest.mark.parametrize("cell", ["layer1.head2.A[3,2]", "layer1.LN1.rstd[3]", "layer2.U[1,5]"])
def test_names_indices_and_numbers_are_those_of_the_derivation(cell: str) -> None:
    ledger = runs.trained(1).model.trace("7×0=", "0")
    derivation = ledger.explain(cell)
    names, numbers = formulas(derivation)
    texts = {element.text for element in parsed(names)} | {element.text for element in parsed(numbers)}
    for reference in derivation.references():
        assert reference.name in texts
        if derivation.work.kind == "div" and reference in {child.cell for child in derivation.work.children}:
            assert shown(ledger.array(reference.name)[reference.index]) in texts


def test_a_notebook_shows_them() -> None:
    html = runs.trained(1).model.trace("7×0=").explain("layer1.head2.A[3,2]", 2)._repr_html_()
    assert html.count("<math") >= 4
    assert "<mfrac>" in html
