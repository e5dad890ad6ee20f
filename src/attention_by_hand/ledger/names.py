"""Reading the name of a cell: ``layer1.head2.A[3,2]`` or ``layer1.head2.A["=","0"]``."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from ..tokens import TOKENS, parse_token

if TYPE_CHECKING:
    from .trace import Ledger

_SHAPE = re.compile(r"^\s*(?P<name>[A-Za-z_][\w.]*)\s*(?:\[(?P<index>.*)\]\s*)?$", re.DOTALL)
_ACCEPTED_INDEX = "accepted: numbers or tokens in quotes, with commas"
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,\s"']+))\s*""")


@dataclass(frozen=True)
class CellName:
    """An entry and the index of one of its cells, counted from 0."""

    name: str
    index: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.index))}]" if self.index else self.name


def unknown_entry(name: str, known: list[str]) -> InputError:
    """The error for a name that no entry has, with the closest names."""
    lower = {candidate.lower(): candidate for candidate in known}
    close = [lower[match] for match in difflib.get_close_matches(name.lower(), lower, n=4, cutoff=0.6)]
    offer = f"; closest: {', '.join(close)}" if close else "; `attention-by-hand ledger` lists all"
    return InputError(f"no entry is called {name!r}{offer}")


def parse_cell(text: str, ledger: Ledger) -> CellName:
    """Resolve the name of a cell against a ledger.

    Raises
    ------
    InputError
        The text is no cell name, the entry is unknown, an index is out of range, a token label
        occurs twice or not at all.
    """
    match = _SHAPE.match(text)
    if match is None:
        raise InputError(
            f'{text!r} is not the name of a cell; accepted: like layer1.head2.A[3,2] or A["=","0"]'
        )
    name = match["name"]
    entry = ledger.entry(name)
    shape = ledger.array(name).shape
    parts = _split(match["index"], text)
    if entry.scalar:
        if parts not in ([], [(False, "0")]):
            raise InputError(f"{name} is a single number; accepted: {name}")
        return CellName(name, ())
    if len(parts) != len(shape):
        kind = " by ".join(map(str, shape))
        raise InputError(
            f"{text!r} has {len(parts)} indices; {name} is {kind}, "
            f"so give {len(shape)}: {name}{_example(shape)}"
        )
    index = tuple(
        _resolve(part, quoted, entry.axes[axis], shape[axis], ledger, name)
        for axis, (quoted, part) in enumerate(parts)
    )
    return CellName(name, index)


def _example(shape: tuple[int, ...]) -> str:
    return f"[{','.join(str(extent - 1) for extent in shape)}]"


def _split(index: str | None, text: str) -> list[tuple[bool, str]]:
    """The parts between the brackets: whether quoted, and the text."""
    if index is None or not index.strip():
        return []
    parts: list[tuple[bool, str]] = []
    at = 0
    while True:
        match = _PART.match(index, at)
        if match is None:
            raise InputError(f'{text!r} cannot be read at "{index[at:]}"; {_ACCEPTED_INDEX}')
        quoted = match[3] is None
        parts.append((quoted, match[3] or match[1] or match[2] or ""))
        at = match.end()
        if at == len(index):
            return parts
        if index[at] != ",":
            raise InputError(f'{text!r} cannot be read at "{index[at:]}"; {_ACCEPTED_INDEX}')
        at += 1


def _resolve(part: str, quoted: bool, axis: str, extent: int, ledger: Ledger, name: str) -> int:
    if not quoted:
        if part.isdecimal() and int(part) < extent:
            return int(part)
        if part.lstrip("-").isdecimal():
            raise InputError(f"{name} has no index {part} there; accepted: 0 to {extent - 1}")
    token = parse_token(part)
    if axis == "vocabulary":
        return token
    if axis not in ("n", "source"):
        raise InputError(f"{part!r}: this axis of {name} has no tokens; accepted: 0 to {extent - 1}")
    if ledger.context == "batch":
        raise InputError(f"{part!r}: in the batch many rows have the same token; accepted: 0 to {extent - 1}")
    places = [at for at, held in enumerate(ledger.tokens) if held == token]
    if not places:
        shown = " ".join(TOKENS[held] for held in ledger.tokens)
        raise InputError(
            f"{TOKENS[token]!r} does not occur in the prompt {shown}; "
            f"accepted: its tokens, or 0 to {extent - 1}"
        )
    if len(places) > 1:
        listed = " and ".join(map(str, places))
        raise InputError(f"{TOKENS[token]!r} occurs at {listed}; give the number instead of the token")
    return places[0]
