"""Entries of a ledger as CSV, one cell a line, so that any number of matrices of any shape fit one table.

Columns: ``entry``, ``row``, ``column`` (counted from 0; empty where there is none), ``row_label``,
``column_label`` (tokens), ``value``: the shortest decimal that float32 reads back to the same bits,
or ``masked``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from ..ledger.numbers import MASKED, full
from ..ledger.trace import Ledger
from ..tokens import TOKENS
from .files import LeftOverError
from .selection import masked

COLUMNS = ("entry", "row", "column", "row_label", "column_label", "value")


def _label(ledger: Ledger, axis: str, at: int) -> str:
    if axis == "vocabulary":
        return TOKENS[at]
    if axis == "n" or (axis == "source" and ledger.context == "prompt"):
        return TOKENS[ledger.tokens[at]]
    return ""


def rows(ledger: Ledger, names: list[str]) -> Iterator[tuple[str, ...]]:
    """The lines of the table, its head left out.

    Parameters
    ----------
    ledger
        A prompt or the batch.
    names
        Entries, from `selection.select`.
    """
    for name in names:
        entry, cells = ledger.entry(name), ledger.array(name)
        hidden = masked(ledger, name)
        for index in np.ndindex(cells.shape):
            value = MASKED if hidden[index] else full(cells[index])
            if entry.scalar:
                yield name, "", "", "", "", value
                continue
            labels = [_label(ledger, axis, at) for axis, at in zip(entry.axes, index, strict=True)]
            places = [str(at) for at in index]
            if len(index) == 1:
                places, labels = [*places, ""], [*labels, ""]
            yield name, *places, *labels, value


def contents(ledger: Ledger, names: list[str]) -> bytes:
    """The file.

    Parameters
    ----------
    ledger, names
        See `rows`.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(ledger, names))
    _check(ledger, names, text.getvalue())
    return text.getvalue().encode()


def _check(ledger: Ledger, names: list[str], text: str) -> None:
    """Read the table back and hold every cell against the ledger."""
    rest = {name: np.ones(ledger.array(name).shape, bool) for name in names}
    for line in csv.DictReader(io.StringIO(text, newline="")):
        name, cells = line["entry"], ledger.array(line["entry"])
        index = tuple(int(line[key]) for key in ("row", "column") if line[key]) or (0,)
        if not rest[name][index]:
            raise LeftOverError(f"{name}{list(index)} was written twice")
        rest[name][index] = False
        if (line["value"] == MASKED) != masked(ledger, name)[index]:
            raise LeftOverError(f"{name}{list(index)}: a masked cell does not come back")
        if line["value"] != MASKED and full(cells.dtype.type(float(line["value"]))) != full(cells[index]):
            raise LeftOverError(f"{name}{list(index)} does not come back with the same bits")
    missing = [name for name, cells in rest.items() if cells.any()]
    if missing:
        raise LeftOverError(f"not written: {', '.join(missing)}")
