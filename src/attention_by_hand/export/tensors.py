"""Names and shapes of another library as a table: what each of its tensors is made of, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.layout import standard_layout
from ..trained import Model
from .files import LeftOverError

Array = NDArray[Any]


@dataclass(frozen=True)
class How:
    """A change of shape: in words, there, and back."""

    words: str
    there: Callable[[list[Array]], Array]
    back: Callable[[Array], list[Array]]


AS_IS = How("as it is", lambda parts: parts[0], lambda whole: [whole])
TRANSPOSED = How("transposed", lambda parts: parts[0].T, lambda whole: [whole.T])
#: Three [8, 8] side by side: [8, 24].
SIDE_BY_SIDE = How(
    "side by side", lambda parts: np.concatenate(parts, axis=1), lambda whole: np.split(whole, 3, axis=1)
)


def by_columns(heads: int) -> How:
    """[d_model, heads·d_head] → [heads, d_model, d_head]: head h owns the columns from h·d_head."""
    return How(
        "each head's columns apart",
        lambda parts: np.stack(np.split(parts[0], heads, axis=1)),
        lambda whole: [np.concatenate(list(whole), axis=1)],
    )


def by_rows(heads: int) -> How:
    """[heads·d_head, d_model] → [heads, d_head, d_model]: head h owns the rows from h·d_head."""
    return How(
        "each head's rows apart",
        lambda parts: np.stack(np.split(parts[0], heads, axis=0)),
        lambda whole: [np.concatenate(list(whole), axis=0)],
    )


@dataclass(frozen=True)
class Rule:
    """One tensor of the other library.

    Attributes
    ----------
    theirs, shape
        Its name and shape there.
    ours
        Ledger names of the parameters it is made of; none where the other library has a bias and we
        have not: zeros.
    how
        What happens to the shape.
    """

    theirs: str
    shape: tuple[int, ...]
    ours: tuple[str, ...] = ()
    how: How = AS_IS


def translated(model: Model, rules: Iterable[Rule]) -> dict[str, Array]:
    """The tensors of the other library, by its names."""
    found: dict[str, Array] = {}
    for rule in rules:
        whole = np.zeros(rule.shape, np.float32)
        if rule.ours:
            whole = rule.how.there([model.parameter(name) for name in rule.ours])
        if whole.shape != rule.shape:
            raise LeftOverError(f"{rule.theirs} comes out as {whole.shape}, the map says {rule.shape}")
        found[rule.theirs] = np.ascontiguousarray(whole, np.float32)
    return found


def check_back(model: Model, rules: Iterable[Rule], tensors: Mapping[str, Array]) -> None:
    """Walk the table backwards: every tensor is used, every parameter comes back once, with the same bits.

    Raises
    ------
    LeftOverError
        Anything is missing, left over or changed.
    """
    rest = dict(tensors)
    found: dict[str, Array] = {}
    for rule in rules:
        whole = rest.pop(rule.theirs)
        if not rule.ours:
            if np.any(whole):
                raise LeftOverError(f"{rule.theirs} should be zeros")
            continue
        for name, part in zip(rule.ours, rule.how.back(whole), strict=True):
            if name in found:
                raise LeftOverError(f"{name} was written twice")
            found[name] = part
    if rest:
        raise LeftOverError(f"left over: {', '.join(rest)}")
    wanted = standard_layout().table.parameters
    if set(found) != set(wanted):
        raise LeftOverError(f"not written: {', '.join(sorted(set(wanted) - set(found)))}")
    for name in wanted:
        ours = model.parameter(name)
        if found[name].shape != ours.shape or found[name].tobytes() != ours.tobytes():
            raise LeftOverError(f"{name} does not come back with the same bits")
