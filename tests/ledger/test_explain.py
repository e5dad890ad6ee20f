"""Explanations: how deep they go, what they refuse, and that no rounding is hidden."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runs
from attention_by_hand import InputError
from attention_by_hand.ledger.numbers import full, printed, remainder, shown

EVERYTHING = 10**9


@pytest.fixture(scope="module")
def ledger():
    return runs.trained(1).model.trace("7×0=", "0")


@pytest.mark.parametrize("cell", ['layer1.head2.A["=","0"]', "grad.layer1.WQ[0,0]", "Loss", 'P["=","0"]'])
def test_the_last_level_is_parameters_and_inputs(ledger, cell):
    kinds = {}
    for found in ledger.explain(cell, EVERYTHING).walk():
        empty_sum = found.kind == "computed" and not found.references()
        if not found.follow and not found.shown_before and not empty_sum:
            kinds.setdefault(found.kind, set()).add(found.cell.name)
    assert set(kinds) <= {"parameter", "input"}, f"{cell} ends in {kinds}"
    assert kinds.get("input", set()) <= {"token", "position", "counts"}


def test_a_cell_by_token_and_by_number(ledger):
    assert str(ledger.explain('layer1.head2.A["=","0"]').cell) == "layer1.head2.A[3,2]"
    assert str(ledger.explain('P["=","END"]').cell) == "P[3,12]"
    assert str(ledger.explain(" layer1.head2.A[ 3 , '0' ] ").cell) == "layer1.head2.A[3,2]"


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("layer1.head3.A[0,0]", ["layer1.head3.A", "closest", "layer1.head2.A"]),
        ("layer1.head1.a[0,0]", ["closest", "layer1.head1.A"]),
        ("nonsense", ["no entry", "nonsense"]),
        ("layer1.head1.A[4,0]", ["no index 4", "0 to 3"]),
        ("layer1.head1.A[-1,0]", ["no index -1", "0 to 3"]),
        ("layer1.head1.A[1]", ["1 indices", "4 by 4"]),
        ("layer1.head1.A", ["0 indices", "4 by 4"]),
        ('layer1.head1.A["5",0]', ["'5' does not occur", "7 × 0 ="]),
        ('layer1.WQ["7",0]', ["no tokens", "0 to 7"]),
        ("Loss[1]", ["single number"]),
        ('layer1.head1.A["=",', ["not the name of a cell"]),
        ('layer1.head1.A["=",]', ["cannot be read"]),
        ("", ["not the name of a cell"]),
        ("next.layer1.WQ[0,0]", ["training batch"]),
    ],
)
def test_refused(ledger, cell, parts):
    with pytest.raises(InputError) as error:
        ledger.explain(cell)
    message = str(error.value)
    assert "\n" not in message
    for part in parts:
        assert part in message, f"{part!r} is missing in: {message}"


def test_a_token_that_occurs_twice():
    with pytest.raises(InputError, match="occurs at 0 and 2"):
        runs.trained(1).model.trace("7×7=").explain('layer1.head1.A["=","7"]')


def test_gradients_need_a_target():
    with pytest.raises(InputError, match="needs a target"):
        runs.trained(1).model.trace("7×7=").explain("grad.X[0,0]")
    with pytest.raises(InputError, match="'q' is not a token"):
        runs.trained(1).model.trace("7×7=", "q")


def test_masked_zero_tiny_and_nan_differ_in_every_rendering():
    model = runs.trained(1).model
    broken = model.edited({"layer2.b1": np.full(64, np.nan, np.float32)})
    sharp = model.edited({"layer1.WQ": model.parameter("layer1.WQ") * 20})
    cases = {
        "masked": model.trace("7×0=").explain("layer1.head2.A[0,3]"),
        "NaN": broken.trace("7×0=").explain("layer2.U[0,0]"),
        "0": model.trace("7×0=", cuts=[("layer1.head2", 3, 2)]).explain("layer1.head2.A[3,2]"),
    }
    tiny = next(
        found
        for source in range(3)
        if (found := sharp.trace("7×0=").explain(f"layer1.head2.A[3,{source}]")).value < 1e-5
    )
    for text, found in cases.items():
        assert str(found).splitlines()[0].endswith(f"= {text}"), str(found)
        assert f">{text}<" in found._repr_html_()
        assert text in found.latex()
    assert cases["masked"].document()["kind"] == "masked"
    assert cases["NaN"].document()["value"] == "nan"
    first = str(tiny).splitlines()[0]
    assert tiny.value == 0 or re.search(r"e−\d\d$", first), f"a tiny share is shown as {first}"


def test_underflow_is_said():
    model = runs.trained(1).model
    sharp = model.edited({"layer1.WQ": model.parameter("layer1.WQ") * 1000})
    ledger = sharp.trace("7×0=")
    zeros = np.argwhere(ledger.array("layer1.head2.S.exp")[3] == 0)
    assert len(zeros), "choose a larger factor"
    assert "underflow" in str(ledger.explain(f"layer1.head2.S.exp[3,{zeros[0][0]}]"))


def test_printed_terms_add_up_or_the_remainder_is_printed(ledger):
    """Printed terms + printed remainder = printed result, to the last digit shown."""
    sums = 0
    for name in ("layer1.Q", "layer2.FFNOut", "layer1.head2.H", "grad.layer1.WV", "logits", "layer1.X_mid"):
        for index in np.ndindex(ledger.array(name).shape):
            text = str(ledger.explain(f"{name}[{','.join(map(str, index))}]"))
            terms = [
                printed(line.split()[-1]) for line in text.splitlines() if re.match(r"\s+[a-z]=\d", line)
            ]
            said = re.findall(r"rounding of the terms shown: (\S+)\n\s+sum", text)
            results = re.findall(r"^\s+sum (\S+)$", text, re.MULTILINE)
            if terms:
                rest = printed(said[0].replace("+", "")) if said else Decimal(0)
                missing = printed(results[0]) - sum(terms, rest)
                assert abs(missing) < Decimal("0.0001"), f"{name}{index} hides {missing}:\n{text}"
                sums += 1
    assert sums >= 200


@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.integers(1, 8))
def test_no_number_but_zero_is_shown_as_zero(x, digits):
    text = shown(np.float32(x), digits)
    assert (text == "0") == (x == 0), f"{x!r} is shown as {text}"
    assert np.float32(full(np.float32(x))) == np.float32(x)


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=20), st.integers(1, 6))
def test_remainder_closes_the_gap(terms, digits):
    texts = [shown(np.float32(term), digits) for term in terms]
    result = shown(np.float32(sum(terms)), digits)
    rest = remainder(texts, result, digits)
    gap = printed(result) - sum(map(printed, texts), Decimal(0))
    told = Decimal(0) if rest is None else printed(rest.replace("+", ""))
    assert abs(gap - told) * 2 <= Decimal(1).scaleb(-digits)


def test_json_is_whole(ledger):
    document = json.loads(json.dumps(ledger.explain('layer1.head2.A["=","0"]', 3).document()))
    assert document["cell"] == "layer1.head2.A[3,2]"
    assert document["formula"]["value"][0] == "div"
    assert np.float32(document["value"]) == ledger.array("layer1.head2.A")[3, 2]
    assert [below["cell"] for below in document["follow"]] == document["references"]


def test_latex_is_balanced(ledger):
    source = ledger.explain("grad.layer1.X_mid[3,1]", 3).latex()
    assert source.count(r"\begin{align*}") == source.count(r"\end{align*}") > 1
    assert source.count("{") == source.count("}")
    assert source.count(r"\left(") == source.count(r"\right)")
    assert not set("−×Σ·") & set(re.sub(r"^%.*$", "", source, flags=re.MULTILINE))


def test_a_matrix_as_text_and_html(ledger):
    text = str(ledger.show("layer1.head2.A"))
    assert text.splitlines()[0] == "layer1.head2.A  4×4"
    assert text.count("masked") == 6
    html = ledger.show("layer1.head2.A")._repr_html_()
    assert html.count("data-cell=") == 16
    assert f'data-value="{full(ledger.array("layer1.head2.A")[3, 2])}"' in html
    for name in ("Loss", "layer1.b2", "token", "LM"):
        assert str(ledger.show(name))
        assert "data-cell" in ledger.show(name)._repr_html_()
