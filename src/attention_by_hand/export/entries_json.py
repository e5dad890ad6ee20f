"""Entries of a ledger as one JSON object: axes, labels, meaning, and numbers that read back to the same bits.

A masked cell is the text ``masked``; NaN and infinities, which JSON does not have, are texts too.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..ledger.labels import dimensions
from ..ledger.numbers import MASKED
from ..ledger.render_json import number
from ..ledger.trace import Ledger
from .files import LeftOverError
from .selection import masked, origin


def document(ledger: Ledger, names: list[str]) -> dict[str, Any]:
    """The object, ready for JSON.

    Parameters
    ----------
    ledger
        A prompt or the batch.
    names
        Entries, from `selection.select`.
    """
    return {**origin(ledger), "entries": {name: _entry(ledger, name) for name in names}}


def _entry(ledger: Ledger, name: str) -> dict[str, Any]:
    entry, cells = ledger.entry(name), ledger.array(name)
    found: dict[str, Any] = {"meaning": entry.meaning, "dtype": entry.dtype}
    if entry.scalar:
        return found | {"axes": [], "shape": [], "values": number(cells[0])}
    labelled = ledger[name]
    labels = {
        str(axis): [str(x) for x in labelled[axis].values]
        for axis, symbol in zip(labelled.dims, entry.axes, strict=True)
        if symbol in ("n", "source", "vocabulary")
    }
    hidden = masked(ledger, name)
    values = [MASKED if out else number(x) for x, out in zip(cells.flat, hidden.flat, strict=True)]
    shape = list(cells.shape)
    for length in reversed(shape[1:]):
        values = [values[at : at + length] for at in range(0, len(values), length)]
    return found | {"axes": dimensions(entry), "shape": shape, "labels": labels, "values": values}


def contents(ledger: Ledger, names: list[str]) -> bytes:
    """The file: the object of `document` on one line.

    Parameters
    ----------
    ledger, names
        See `document`.
    """
    text = json.dumps(document(ledger, names), ensure_ascii=False, allow_nan=False)
    back = json.loads(text)["entries"]
    if list(back) != names:
        raise LeftOverError(f"left over: {', '.join(set(back) ^ set(names))}")
    for name in names:
        _check(ledger, name, back[name])
    return f"{text}\n".encode()


def _check(ledger: Ledger, name: str, found: dict[str, Any]) -> None:
    """Hold what was read against the ledger, bit for bit."""
    cells, hidden = ledger.array(name), masked(ledger, name)
    read = np.array(found["values"], object).reshape(cells.shape)
    if not np.array_equal(read == MASKED, hidden):
        raise LeftOverError(f"{name}: masked cells do not come back")
    kept = np.array([float(x) for x in read[~hidden]], cells.dtype)
    if not np.array_equal(kept, cells[~hidden], equal_nan=cells.dtype == np.float32):
        raise LeftOverError(f"{name} does not come back with the same bits")
