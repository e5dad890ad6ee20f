"""`Derivation`: one cell, the formula that makes it, the numbers in it, and the cells to follow further."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .names import CellName

if TYPE_CHECKING:
    from .entries import Entry
    from .trace import Ledger

Environment = dict[str, int]


@dataclass(slots=True)
class Node:
    """A resolved expression: the operation, its float32 value, and what it was made from.

    ``kind`` is an operation of `ledger.expression`, ``cell`` for a cell of another entry, ``number``
    for a constant. A ``sum`` or ``max`` has one child a term, in order; ``at`` holds the value of its
    variable for each.
    """

    kind: str
    value: np.float32
    children: list[Node] = field(default_factory=list)
    cell: CellName | None = None
    via: tuple[CellName, ...] = ()
    """For a row of an embedding table: the token id or position that chose it."""
    variable: str = ""
    at: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Derivation:
    """How one cell is made.

    Attributes
    ----------
    cell
        The cell.
    value
        Its stored value, float32 or uint32.
    kind
        ``computed``, or for cells that end the search: ``parameter``, ``input`` (token id, position,
        count, cut), ``stored`` (Adam's averages, kept from the steps before), ``measure``,
        ``masked`` (a source in the future).
    entry
        What the entry is.
    work
        The formula with all its numbers; None for cells that end the search.
    follow
        Derivations of the cells in `work`, as deep as was asked for, each cell once.
    shown_before
        True where the same cell is explained further up; its own cells are not repeated.
    """

    ledger: Ledger
    cell: CellName
    value: Any
    kind: str
    entry: Entry
    work: Node | None
    follow: list[Derivation] = field(default_factory=list)
    shown_before: bool = False

    def references(self) -> list[CellName]:
        """The cells this one is made from, in order, each once."""
        if self.work is None:
            return []
        return list(
            dict.fromkeys(name for leaf in leaves(self.work) if leaf.cell for name in (leaf.cell, *leaf.via))
        )

    def walk(self) -> Iterator[Derivation]:
        """This derivation and all below it."""
        yield self
        for below in self.follow:
            yield from below.walk()

    def __str__(self) -> str:
        from .render_text import text

        return text(self)

    def _repr_html_(self) -> str:
        from .render_html import html

        return html(self)

    def latex(self, digits: int = 4) -> str:
        """The derivation as LaTeX source."""
        from .render_latex import latex

        return latex(self, digits)

    def document(self) -> dict[str, Any]:
        """The derivation as JSON-ready data."""
        from .render_json import document

        return document(self)


def leaves(node: Node) -> Iterator[Node]:
    """The cells and constants of an expression, left to right."""
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def explain(ledger: Ledger, cell: CellName, depth: int) -> Derivation:
    """Explain a cell `depth` levels down; see `Ledger.explain`."""
    seen: set[CellName] = set()
    top = _one(ledger, cell)
    level = [top]
    for _ in range(depth - 1):
        below: list[Derivation] = []
        for derivation in level:
            if derivation.cell in seen:
                derivation.shown_before = True
                continue
            seen.add(derivation.cell)
            derivation.follow = [_one(ledger, reference) for reference in derivation.references()]
            below += derivation.follow
        if not below:
            break
        level = below
    return top


def _one(ledger: Ledger, cell: CellName) -> Derivation:
    entry = ledger.entry(cell.name)
    value = ledger.array(cell.name)[cell.index or 0]
    formula = entry.formula
    if formula is None:
        kinds = {"parameter": "parameter", "head": "parameter", "optimizer": "stored", "measure": "measure"}
        return Derivation(ledger, cell, value, kinds.get(entry.group, "input"), entry, None)
    if formula.masked and cell.index[1] > ledger.array("position")[cell.index[0]]:
        return Derivation(ledger, cell, value, "masked", entry, None)
    environment = dict(zip(formula.index, cell.index, strict=True))
    with np.errstate(all="ignore"):
        work = Resolver(ledger).resolve(formula.value, environment)
    return Derivation(ledger, cell, value, "computed", entry, work)


_ONE = {"neg": np.negative, "sqrt": np.sqrt}


class Resolver:
    """Puts numbers into an expression."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def resolve(self, node: list[Any], env: Environment) -> Node:
        """The expression with numbers; every operation is rounded to float32 as in the kernel."""
        kind = node[0]
        if kind == "cell":
            found = self._cell(node[1], tuple([self._index(at, env) for at in node[2:]]))
            if node[1] in ("TokenEmb", "PosEmb") and node[2][0] == "value":
                found.via = (CellName(node[2][1], tuple(self._index(at, env) for at in node[2][2:])),)
            return found
        if kind == "number":
            return Node("number", np.float32(node[1]))
        if kind == "head":
            head, column = divmod(env[node[1]], node[2])
            return self._cell(node[3][head], (*(self._index(at, env) for at in node[4:]), column))
        if kind in ("sum", "max"):
            return self._many(kind, node, env)
        if kind in ("positive", "cut", "nudged"):
            return self._choice(kind, node, env)
        children = [self.resolve(child, env) for child in node[1:]]
        if kind == "clamp":
            low, high = children[1].value, children[2].value
            kept = low if children[0].value < low else children[0].value
            return Node(kind, high if kept > high else kept, children)
        a = children[0].value
        if kind in ("exp", "ln"):
            return Node(kind, self.ledger.function(kind, a), children)
        if kind in _ONE:
            return Node(kind, _ONE[kind](a), children)
        b = children[1].value
        if kind == "mul":
            result = a * b
        elif kind == "add":
            result = a + b
        elif kind == "sub":
            result = a - b
        else:
            result = a / b
        return Node(kind, result, children)

    def _cell(self, name: str, index: tuple[int, ...]) -> Node:
        return Node("cell", self.ledger.array(name)[index or 0], cell=CellName(name, index))

    def _choice(self, kind: str, node: list[Any], env: Environment) -> Node:
        test = self.resolve(node[1], env)
        chosen = self.resolve(node[2], env)
        if kind == "nudged":  # a nudge of 0 is not worth a reader's time
            return Node("add", chosen.value + test.value, [chosen, test]) if test.value else chosen
        if kind == "positive":
            return Node(kind, np.float32(0) if test.value <= 0 else chosen.value, [test, chosen])
        if test.value != 0:
            return Node(kind, np.float32(-np.inf), [test])
        return Node(kind, chosen.value, [chosen])

    def _many(self, kind: str, node: list[Any], env: Environment) -> Node:
        variable, term = node[1], node[3]
        at = self._range(node[2], env)
        inner = dict(env)
        children = []
        for inner[variable] in at:
            children.append(self.resolve(term, inner))
        if kind == "sum":
            value = np.float32(0)
            for child in children:
                value += child.value
        else:
            value = children[0].value
            for child in children:
                if child.value > value:
                    value = child.value
        return Node(kind, value, children, variable=variable, at=at)

    def _index(self, at: Any, env: Environment) -> int:
        if isinstance(at, str):
            return env[at]
        if isinstance(at, int):
            return at
        if at[0] == "plus":
            return env[at[1]] + int(at[2])
        return int(self.ledger.array(at[1])[tuple(self._index(x, env) for x in at[2:])])

    def _range(self, over: list[Any], env: Environment) -> list[int]:
        kind = over[0]
        if kind == "axis":
            return list(range(self.ledger.extent(over[1])))
        position = self.ledger.array("position")
        if kind == "sources":
            return list(range(int(position[self._index(over[1], env)]) + 1))
        if kind == "readers":
            row = self._index(over[1], env)
            place = int(position[row])
            reads = (position >= place) & (self.ledger.array("ancestors")[:, place] == row)
            return [int(x) for x in np.flatnonzero(reads)]
        if kind == "rows":
            return [int(x) for x in np.flatnonzero(self.ledger.array(over[1]) == self._index(over[2], env))]
        return [int(x) for x in np.flatnonzero(self.ledger.array("counts")[self._index(over[1], env)] > 0)]
