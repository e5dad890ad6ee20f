"""Entries as xarray arrays with named axes and token labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import xarray

from ..tokens import TOKENS

if TYPE_CHECKING:
    from .entries import Entry
    from .trace import Ledger

#: Axis symbol → dimension name; an attention table's rows are receivers.
_DIMENSIONS = {
    "n": "row",
    "source": "source",
    "d_model": "dim",
    "d_head": "head_dim",
    "d_ff": "hidden",
    "vocabulary": "token",
    "positions": "position",
    "digit": "digit",
}


def row_labels(ledger: Ledger) -> list[str]:
    """The token of each row."""
    return [TOKENS[token] for token in ledger.tokens]


def dimensions(entry: Entry) -> list[str]:
    """A name for each axis; where both axes are of one kind they are told apart by ``_in`` and ``_out``."""
    if entry.axes == ("n", "source"):
        return ["receiver", "source"]
    names = [_DIMENSIONS[axis] for axis in entry.axes]
    if len(names) == 2 and names[0] == names[1]:
        return [f"{names[0]}_in", f"{names[1]}_out"] if entry.group != "measure" else ["a", "b"]
    return names


def labelled(ledger: Ledger, entry: Entry) -> xarray.DataArray:
    """One entry as a DataArray: a window on the ledger's memory, read-only."""
    cells = ledger.array(entry.name)
    if entry.scalar:
        return xarray.DataArray(cells[0], name=entry.name, attrs={"meaning": entry.meaning["en"]})
    names = dimensions(entry)
    coordinates: dict[str, Any] = {}
    for name, axis, length in zip(names, entry.axes, cells.shape, strict=True):
        if axis == "vocabulary":
            coordinates[name] = list(TOKENS)
        elif axis == "n" or (axis == "source" and ledger.context == "prompt"):
            coordinates[name] = row_labels(ledger)
        else:
            coordinates[name] = range(length)
    return xarray.DataArray(cells, coordinates, names, entry.name, {"meaning": entry.meaning["en"]})
