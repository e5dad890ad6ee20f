"""Entries as safetensors, JSON and CSV, and a derivation as LaTeX: what another program reads there."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

import runs
from attention_by_hand.errors import InputError
from attention_by_hand.export import entries_csv, entries_json, entries_safetensors, latex
from attention_by_hand.export.files import LeftOverError
from attention_by_hand.export.selection import masked, select
from attention_by_hand.ledger.trace import Ledger


def prompt() -> Ledger:
    return runs.trained(1).model.trace("7×0=", "0", cuts=[("layer2.head1", 3, 0)])


def batch() -> Ledger:
    return runs.trained(1).model.batch()


BATCH_NAMES = ["layer1.head2.*", "next.layer1.WQ", "grad.W*", "Loss", "solved", "TokenEmb"]


@pytest.mark.parametrize("of", ["prompt", "batch"])
def test_safetensors_hold_the_bits(of: str, tmp_path) -> None:
    ledger = prompt() if of == "prompt" else batch()
    names = select(ledger)
    content = entries_safetensors.contents(ledger, names)
    found = load(content)
    assert list(found) == sorted(names) or found.keys() == set(names)
    for name in names:
        assert found[name].tobytes() == ledger.array(name).tobytes(), f"{name} has other bits"
    (tmp_path / "entries.safetensors").write_bytes(content)
    with safe_open(tmp_path / "entries.safetensors", "numpy") as file:
        known = file.metadata()
    assert (known["step"], known["digest"]) == (str(ledger.model.step), ledger.model.digest)
    assert json.loads(known["prompt"]) == (["7", "×", "0", "="] if of == "prompt" else None)


@pytest.mark.parametrize("of", ["prompt", "batch"])
def test_json_reads_back_to_the_bits(of: str) -> None:
    ledger = prompt() if of == "prompt" else batch()
    names = select(ledger) if of == "prompt" else select(ledger, ["layer1.head2.*", "Loss", "solved"])
    found = json.loads(entries_json.contents(ledger, names))
    assert found["digest"] == ledger.model.digest
    assert list(found["entries"]) == names
    for name, entry in found["entries"].items():
        cells = ledger.array(name)
        read = np.array(entry["values"], object).reshape(cells.shape)
        hidden = read == "masked"
        assert np.array_equal(hidden, masked(ledger, name))
        assert np.array_equal(read[~hidden].astype(cells.dtype), cells[~hidden]), f"{name} has other bits"
        assert set(entry["meaning"]) == {"en", "zh"}


def test_json_tells_masked_cut_and_zero_apart() -> None:
    found = json.loads(entries_json.contents(prompt(), ["layer2.head1.S", "layer2.head1.A"]))["entries"]
    assert found["layer2.head1.S"]["values"][0][1:] == ["masked"] * 3
    assert found["layer2.head1.S"]["values"][3][0] == "-inf"
    assert found["layer2.head1.A"]["values"][3][0] == 0
    assert found["layer2.head1.A"]["labels"] == {
        "receiver": ["7", "×", "0", "="],
        "source": ["7", "×", "0", "="],
    }


@pytest.mark.parametrize("of", ["prompt", "batch"])
def test_csv_has_one_line_a_cell(of: str) -> None:
    ledger = prompt() if of == "prompt" else batch()
    names = select(ledger) if of == "prompt" else select(ledger, ["layer1.head2.A", "next.layer1.WQ", "Loss"])
    lines = list(csv.DictReader(io.StringIO(entries_csv.contents(ledger, names).decode(), newline="")))
    assert len(lines) == sum(ledger.array(name).size for name in names)
    for line in lines:
        index = tuple(int(line[key]) for key in ("row", "column") if line[key]) or (0,)
        cell = ledger.array(line["entry"])[index]
        if line["value"] == "masked":
            assert masked(ledger, line["entry"])[index]
        else:
            assert cell.dtype.type(float(line["value"])) == cell, f"{line}: the ledger has {cell}"


def test_csv_carries_token_labels() -> None:
    text = entries_csv.contents(prompt(), ["layer1.head2.A", "Loss"]).decode()
    assert text.startswith("entry,row,column,row_label,column_label,value\n")
    assert "layer1.head2.A,3,2,=,0," in text
    assert "layer1.head2.A,0,1,7,×,masked" in text
    assert f"Loss,,,,,{prompt().array('Loss')[0]!s}" in text


def test_a_cell_that_was_lost_is_noticed() -> None:
    text = entries_csv.contents(prompt(), ["Loss", "layer1.b2"]).decode()
    with pytest.raises(LeftOverError, match=r"not written: layer1\.b2"):
        entries_csv._check(prompt(), ["Loss", "layer1.b2"], text[: text.rindex("layer1.b2")])


def test_patterns() -> None:
    ledger = prompt()
    assert select(ledger, ["Loss", "layer1.head?.A"]) == ["layer1.head1.A", "layer1.head2.A", "Loss"]
    assert select(ledger, ["P"]) == ["P"]
    assert len(select(ledger)) == len(ledger.names)
    with pytest.raises(InputError, match=r"closest: .*layer1\.head2\.A"):
        select(ledger, ["layer1.head2.a"])
    with pytest.raises(InputError, match="no entry here matches 'layer9"):
        select(ledger, ["layer9.*"])
    with pytest.raises(InputError, match="needs a target"):
        select(runs.trained(1).model.trace("7"), ["grad.X"])


def test_latex_is_a_document_of_its_own() -> None:
    text = latex.contents(prompt().explain("layer1.head2.A[3,2]", 2)).decode()
    assert text.count(r"\begin{document}") == text.count(r"\end{document}") == 1
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert "% layer1.head2.A[3,2], seed 1, step" in text
    value = float(prompt().array("layer1.head2.A")[3, 2])
    assert f"{value:.4f}" in text
