"""Entries of a ledger as safetensors: names are the ledger's, numbers as they lie in memory.

Masked cells hold what the kernel holds there: −∞ in S, 0 elsewhere. A scalar has shape [1].
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ..checkpoint import write_whole
from ..ledger.trace import Ledger
from .files import LeftOverError
from .selection import origin


def contents(ledger: Ledger, names: list[str]) -> bytes:
    """The file.

    Parameters
    ----------
    ledger
        A prompt or the batch.
    names
        Entries, from `selection.select`.
    """
    from safetensors.numpy import load, save

    arrays = {name: np.ascontiguousarray(ledger.array(name)) for name in names}
    known = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in origin(ledger).items()
    }
    content = save(arrays, known)
    back = load(content)
    if back.keys() != arrays.keys():
        raise LeftOverError(f"left over: {', '.join(back.keys() ^ arrays.keys())}")
    for name, cells in arrays.items():
        found = back[name]
        if (found.dtype, found.shape, found.tobytes()) != (cells.dtype, cells.shape, cells.tobytes()):
            raise LeftOverError(f"{name} does not come back with the same bits")
    return content


def write(ledger: Ledger, names: list[str], path: Path, overwrite: bool = False) -> None:
    """Write the file.

    Parameters
    ----------
    ledger, names
        See `contents`.
    path
        The file.
    overwrite
        Whether a file that is there may be replaced.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    write_whole(path, contents(ledger, names), overwrite)
