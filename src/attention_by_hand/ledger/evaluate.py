"""Evaluates a formula for all cells of an entry at once, in float32, term by term in the written order.

This is how the ledger is held against the kernels: the result has to be the stored bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .formulas import Formula

Array = NDArray[Any]
Environment = dict[str, Array]


class Cells(Protocol):
    """What an evaluation reads from."""

    def array(self, name: str) -> Array:
        """All cells of an entry."""

    def extent(self, symbol: str) -> int:
        """Length of an axis."""

    def function(self, name: str, x: np.float32) -> np.float32:
        """The kernels' exp or ln."""


_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
}


def future(cells: Cells, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which cells of an attention table [n, source] are masked."""
    last = cells.array("position").astype(np.int64)[: shape[0], None]
    return np.asarray(np.arange(shape[1])[None, :] > last, np.bool_)


def evaluate(formula: Formula, cells: Cells, shape: tuple[int, ...]) -> Array:
    """Compute every cell of an entry of this shape; masked cells come out as 0."""
    environment: Environment = {}
    for axis, variable in enumerate(formula.index):
        spread = [1] * len(shape)
        spread[axis] = shape[axis]
        environment[variable] = np.arange(shape[axis], dtype=np.int64).reshape(spread)
    with np.errstate(all="ignore"):
        if formula.masked:
            environment[formula.index[1]] = np.where(future(cells, shape), 0, environment[formula.index[1]])
        found = np.broadcast_to(_Evaluation(cells).run(formula.value, environment), shape)
    return np.where(future(cells, shape), np.float32(0), found) if formula.masked else np.array(found)


class _Evaluation:
    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    def run(self, node: list[Any], env: Environment) -> Array:
        """The float32 value of an expression for every combination of the variables in `env`."""
        kind = node[0]
        if kind in _BINARY:
            return _BINARY[kind](self.run(node[1], env), self.run(node[2], env))
        handler: Callable[[list[Any], Environment], Array] = getattr(self, f"_{kind}")
        return handler(node, env)

    def index(self, at: Any, env: Environment) -> Array:
        """The whole numbers an index stands for."""
        if isinstance(at, str):
            return env[at]
        if isinstance(at, int):
            return np.array(at, np.int64)
        if at[0] == "plus":
            return np.asarray(env[at[1]] + at[2])
        whole: Array = self.cells.array(at[1])[tuple(self.index(x, env) for x in at[2:])].astype(np.int64)
        return whole

    def _cell(self, node: list[Any], env: Environment) -> Array:
        array = self.cells.array(node[1])
        at = tuple(self.index(x, env) for x in node[2:])
        found: Array = array[at] if at else array[0]
        return found

    def _head(self, node: list[Any], env: Environment) -> Array:
        column, width = env[node[1]], node[2]
        others = tuple(self.index(x, env) for x in node[4:])
        parts = [self.cells.array(name)[(*others, column % width)] for name in node[3]]
        return np.select([column // width == head for head in range(len(parts))], parts)

    def _number(self, node: list[Any], env: Environment) -> Array:
        del env
        return np.float32(node[1])  # type: ignore[return-value]

    def _neg(self, node: list[Any], env: Environment) -> Array:
        return np.negative(self.run(node[1], env))

    def _sqrt(self, node: list[Any], env: Environment) -> Array:
        return np.sqrt(self.run(node[1], env))

    def _exp(self, node: list[Any], env: Environment) -> Array:
        return self._each("exp", self.run(node[1], env))

    def _ln(self, node: list[Any], env: Environment) -> Array:
        return self._each("ln", self.run(node[1], env))

    def _each(self, name: str, x: Array) -> Array:
        x = np.asarray(x)
        values = [self.cells.function(name, cell) for cell in x.reshape(-1)]
        return np.array(values, np.float32).reshape(x.shape)

    def _positive(self, node: list[Any], env: Environment) -> Array:
        return np.asarray(np.where(self.run(node[1], env) <= 0, np.float32(0), self.run(node[2], env)))

    def _clamp(self, node: list[Any], env: Environment) -> Array:
        a, low, high = (self.run(child, env) for child in node[1:])
        found = np.where(a < low, low, a)
        return np.asarray(np.where(found > high, high, found))

    def _nudged(self, node: list[Any], env: Environment) -> Array:
        return np.add(self.run(node[2], env), self.run(node[1], env))

    def _cut(self, node: list[Any], env: Environment) -> Array:
        return np.asarray(np.where(self.run(node[1], env) != 0, np.float32(-np.inf), self.run(node[2], env)))

    def _sum(self, node: list[Any], env: Environment) -> Array:
        found: Array = np.float32(0)  # type: ignore[assignment]
        for inner, valid in self._range(node[2], node[1], env):
            found = np.where(valid, found + self.run(node[3], inner), found)
        return found

    def _max(self, node: list[Any], env: Environment) -> Array:
        found: Array | None = None
        for inner, valid in self._range(node[2], node[1], env):
            term = self.run(node[3], inner)
            found = term if found is None else np.where(valid & (term > found), term, found)
        if found is None:
            raise ValueError("the largest of nothing")
        return found

    def _range(self, over: list[Any], variable: str, env: Environment) -> Any:
        """Each value of the variable in turn, and for which combinations it belongs to the range."""
        kind = over[0]
        if kind == "axis":
            count, member = self.cells.extent(over[1]), None
        elif kind == "sources":
            last = self.cells.array("position").astype(np.int64)[self.index(over[1], env)]
            count, member = int(np.max(last)) + 1, lambda x: x <= last
        elif kind == "readers":
            row = self.index(over[1], env)
            ancestors = self.cells.array("ancestors").astype(np.int64)
            position = self.cells.array("position").astype(np.int64)
            place = position[row]
            count = len(position)

            def member(x: int) -> Array:
                on_path = ancestors[x, np.minimum(place, position[x])] == row
                return np.asarray((position[x] >= place) & on_path)

        elif kind == "rows":
            wanted = self.index(over[2], env)
            held = self.cells.array(over[1]).astype(np.int64)
            count, member = len(held), lambda x: held[x] == wanted
        else:
            row = self.index(over[1], env)
            counts = self.cells.array("counts")
            count, member = counts.shape[1], lambda x: counts[row, x] > 0
        for x in range(count):
            valid = np.array(True) if member is None else np.asarray(member(x))
            if valid.any():
                yield env | {variable: np.array(x, np.int64)}, valid
