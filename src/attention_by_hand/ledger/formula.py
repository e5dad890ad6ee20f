"""`Formula`: how a cell is made; and what the rules of `ledger.rules` write formulas from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..model.table import Op, Table
from .expression import Expression, axis, number


@dataclass(frozen=True)
class Formula:
    """Index variables of a cell, its value as an expression, and whether future columns are masked."""

    index: tuple[str, ...]
    value: Expression
    masked: bool = False

    def document(self) -> dict[str, Any]:
        """The formula as JSON-ready data."""
        found: dict[str, Any] = {"index": list(self.index), "value": self.value}
        if self.masked:
            found["mask"] = ["future", *self.index]
        return found


Found = dict[str, Formula]


class Row:
    """One row of the table while its formulas are written: operands by label, axes by name."""

    def __init__(self, table: Table, op: Op, before: Found) -> None:
        self.table = table
        self.op = op
        self.before = before
        """Formulas found so far; a row that adds to its output builds on them."""

    def __getitem__(self, label: str) -> Any:
        return self.op.operands[label]

    def axis(self, label: str, which: int) -> list[Any]:
        """The range of one axis of an operand."""
        return axis(self.table.tensors[self[label]].axes[which])

    def width(self, label: str) -> Expression:
        """The length of an operand's last axis as a float32 constant."""
        return number(self.table.extent[self.table.tensors[self[label]].axes[-1]])

    def masked(self, label: str) -> bool:
        """Whether an operand is an attention table, whose future columns are masked."""
        return self.table.tensors[self[label]].axes[-1] == "source"

    def head(self, label: str) -> str:
        """The head's own part of an operand."""
        return self.table.part_of[self[label], self["first"]]
