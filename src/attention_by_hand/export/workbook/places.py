"""Where every cell of the ledger stands in the workbook: one sheet a stage, matrices below one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...ledger.entries import Entry, entries
from ...ledger.trace import Ledger
from ...model.layout import standard_layout

#: First row of the first matrix of a sheet, and the column of its first cell (column 0 has the row labels).
TOP, LEFT = 3, 1
#: Rows above a matrix: name and meaning, formula, column labels. One row stays empty below it.
HEAD, GAP = 3, 1
#: Rows that the sheet of the prompt keeps for the table of tokens and the target.
PROMPT_TOP = 9

_FEEDFORWARD = ("LN2.mean", "LN2.rstd", "LN2.xhat", "X_mid_norm", "U", "R", "FFNOut", "X_out")
#: Structure that a formula of the workbook has built in, and what belongs to training only.
_LEFT_OUT = ("ancestors", "seed")


@dataclass(frozen=True)
class Block:
    """The cells of one entry on a sheet.

    Attributes
    ----------
    entry
        The entry.
    sheet
        Key of its sheet.
    top, left
        Its first cell, counted from 0.
    rows, columns
        Its size; a vector over the rows of the prompt stands upright, any other lies.
    """

    entry: Entry
    sheet: str
    top: int
    left: int
    rows: int
    columns: int
    upright: bool

    def at(self, index: tuple[int, ...]) -> tuple[int, int]:
        """Row and column of a cell."""
        if len(index) == 2:
            return self.top + index[0], self.left + index[1]
        if not index:
            return self.top, self.left
        return (self.top + index[0], self.left) if self.upright else (self.top, self.left + index[0])

    def indices(self) -> list[tuple[int, ...]]:
        """The index of every cell, row by row."""
        if self.entry.scalar:
            return [()]
        if len(self.entry.axes) == 1:
            return [(i,) for i in range(self.rows * self.columns)]
        return [(i, j) for i in range(self.rows) for j in range(self.columns)]


@dataclass
class Places:
    """All blocks by entry name, and the keys of the sheets in reading order."""

    blocks: dict[str, Block] = field(default_factory=dict)
    sheets: list[str] = field(default_factory=list)

    def home(self, name: str, index: tuple[int, ...]) -> tuple[Block, tuple[int, ...]]:
        """The block that holds a cell, and the cell's index there: a head's Q is columns of Q."""
        base = base_of(name)
        if base is None:
            return self.blocks[name], index
        view = standard_layout().table.tensors[name].view
        assert view is not None
        block = self.blocks[base]
        if view.keeps_rows:
            down, right = divmod(view.first, block.columns)
            return block, (index[0] + down, index[1] + right)
        return block, index

    def find(self, name: str, index: tuple[int, ...]) -> tuple[str, int, int]:
        """Sheet key, row and column of a cell."""
        block, inner = self.home(name, index)
        return (block.sheet, *block.at(inner))


def base_of(name: str) -> str | None:
    """The entry that another one is a part or a second name of, or None if it stands for itself."""
    table = standard_layout().table
    view = table.tensors[name].view
    return None if view is None or table.tensors[view.base].group == "block" else view.base


def second_names(name: str) -> list[tuple[str, int | None]]:
    """Other names of an entry: ``(name, None)``, or for a head's part ``(name, its first column or row)``."""
    table = standard_layout().table
    found: list[tuple[str, int | None]] = []
    for other in table.tensors.values():
        if other.view is None or other.view.base != name or other.name not in entries():
            continue
        if not other.view.keeps_rows:
            found.append((other.name, None))
        elif other.axes[0] == "d_head":
            found.append((other.name, other.view.first // table.extent["d_model"]))
        else:
            found.append((other.name, other.view.first))
    return found


def stage(entry: Entry) -> str:
    """Key of the sheet an entry stands on."""
    name = entry.name
    if entry.group == "parameter":
        return "parameters"
    if name in ("token", "position", "counts", "weight", "total"):
        return "prompt"
    if entry.group == "circuit":
        return "circuits"
    if entry.group == "contribution":
        return "parts"
    of = name.removeprefix("grad.")
    if entry.group == "gradient":
        return (
            "gradients" if of in standard_layout().table.parameters else f"back.{_forward_stage(entry, of)}"
        )
    return _forward_stage(entry, of)


def _forward_stage(entry: Entry, name: str) -> str:
    if name == "X":
        return "embedding"
    if entry.layer is None:
        return "output"
    local = name.removeprefix(f"layer{entry.layer}.")
    return f"layer{entry.layer}.{'feedforward' if local in _FEEDFORWARD else 'attention'}"


def stages(layers: int, gradients: bool) -> list[str]:
    """Keys of the sheets in reading order: forward, what can be read off, backward."""
    forward = ["embedding"]
    for number in range(1, layers + 1):
        forward += [f"layer{number}.attention", f"layer{number}.feedforward"]
    forward.append("output")
    backward = [f"back.{key}" for key in reversed(forward)] + ["gradients"] if gradients else []
    return ["prompt", "parameters", *forward, "parts", "circuits", *backward]


def _in_order_of_making(ledger: Ledger) -> list[str]:
    """The entries that get cells; each after those it is made of, so that a sheet reads downwards."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        name = base_of(name) or name
        entry = ledger.entry(name)
        # Without a target there is no loss, and nothing to count.
        idle = name == "counts" and ledger.target is None
        if name in found or idle or name in _LEFT_OUT or entry.group in ("optimizer", "measure"):
            return
        for other in _read(ledger, name):
            visit(other)
        found[name] = None

    # Parameters keep their order. Other given numbers come where they are first read: cut before S.
    made = [name for name in ledger.names if ledger.entry(name).formula is not None]
    for name in (*standard_layout().table.parameters, "token", "position", *made, *ledger.names):
        visit(name)
    return list(found)


def _read(ledger: Ledger, name: str) -> Iterator[str]:
    """Names of the entries that one is made of; for a whole made of heads, what the heads are made of."""
    formula = ledger.entry(name).formula
    if formula is None:
        return
    if formula.value[0] == "head":
        for part in formula.value[3]:
            yield from _read(ledger, part)
        return
    rest: list[Any] = [formula.value]
    while rest:
        node = rest.pop()
        if node[0] == "cell":
            yield node[1]
        rest += [child for child in reversed(node) if isinstance(child, list) and child]


def place(ledger: Ledger) -> Places:
    """Give every entry of a prompt's ledger its cells."""
    sizes = standard_layout().table.sizes
    found = Places(sheets=stages(sizes.layers, ledger.target is not None))
    free = dict.fromkeys(found.sheets, TOP) | {"prompt": PROMPT_TOP}
    for name in _in_order_of_making(ledger):
        entry = ledger.entry(name)
        shape = (1,) if entry.scalar else ledger.array(name).shape
        upright = entry.axes == ("n",)
        rows, columns = (shape[0], 1) if upright else (1, *shape)[-2:]
        key = stage(entry)
        top = free[key] + HEAD
        found.blocks[name] = Block(entry, key, top, LEFT, rows, columns, upright)
        free[key] = top + rows + GAP
    return found
