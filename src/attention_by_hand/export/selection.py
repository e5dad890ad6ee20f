"""Which entries of a ledger, and where their numbers come from."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..ledger.evaluate import future
from ..ledger.names import unknown_entry
from ..ledger.trace import Ledger
from ..tokens import TOKENS

#: Written into every file of entries, so that another program knows what it has.
FORMAT = "attention-by-hand entries"
VERSION = 1


def select(ledger: Ledger, patterns: Iterable[str] = ("*",)) -> list[str]:
    """The entries that any of the patterns names, in the ledger's order.

    Parameters
    ----------
    ledger
        A prompt or the batch.
    patterns
        Names, or patterns with ``*`` and ``?``: ``layer1.head2.*``.

    Raises
    ------
    InputError
        A pattern names nothing; for a plain name the closest ones are offered.
    """
    found: set[str] = set()
    for pattern in patterns:
        if not set(pattern) & set("*?"):
            found.add(ledger.entry(pattern).name)
            continue
        matching = [name for name in ledger.names if fnmatchcase(name, pattern)]
        if not matching:
            raise InputError(f"no entry here matches {pattern!r}; `attention-by-hand ledger` lists all")
        found.update(matching)
    if not found:
        raise unknown_entry("", ledger.names)
    return [name for name in ledger.names if name in found]


def origin(ledger: Ledger) -> dict[str, Any]:
    """Format, seed, step, digest, and the prompt and target, or ``batch``."""
    model = ledger.model
    prompt = ledger.context == "prompt"
    return {
        "format": FORMAT,
        "version": VERSION,
        "seed": model.seed,
        "step": model.step,
        "digest": model.digest,
        "context": ledger.context,
        "prompt": [TOKENS[token] for token in ledger.tokens] if prompt else None,
        "target": None if ledger.target is None else TOKENS[ledger.target],
    }


def masked(ledger: Ledger, name: str) -> NDArray[np.bool_]:
    """Which cells of an entry are sources in the future."""
    formula, shape = ledger.entry(name).formula, ledger.array(name).shape
    if formula is None or not formula.masked:
        return np.zeros(shape, bool)
    return future(ledger, shape)
