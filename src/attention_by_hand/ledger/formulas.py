"""The formula of every entry, from the rows of the model's table and the rules of their kernels."""

from typing import Any

from ..model.table import Table
from .expression import cell, plus
from .formula import Formula, Found, Row
from .rules import WRITERS

__all__ = ["Formula", "formulas"]


def formulas(table: Table) -> Found:
    """The formula of every entry that is computed; parameters, token ids and counts have none."""
    found: Found = {}
    for stage in ("targets", "forward", "backward", "inspect", "circuits", "update"):
        for op in table.stages[stage]:
            if op.kernel in WRITERS:
                found |= WRITERS[op.kernel](Row(table, op, found))
    _whole_from_heads(table, found)
    _views(table, found)
    return {name: found[name] for name in table.tensors if name in found}


def _whole_from_heads(table: Table, found: Found) -> None:
    """H, and the gradients of Q, K and V, are made head by head: the whole is its heads side by side."""
    width = table.sizes.d_head
    for base, first in table.part_of:
        if first or base in found or table.part_of[base, first] not in found:
            continue
        names = [table.part_of[base, head * width] for head in range(table.sizes.heads)]
        found[base] = Formula(("i", "j"), ["head", "j", width, names, "i"])


def _views(table: Table, found: Found) -> None:
    parts = {part: key for key, part in table.part_of.items()}
    for name, tensor in table.tensors.items():
        if tensor.view is None or table.tensors[tensor.view.base].group == "block":
            continue
        if name in found and name not in parts:
            # A row may write a tensor under its second name (grad.layer2.X_in is grad.layer1.X_out).
            found[tensor.view.base] = found.pop(name)
        elif name in found:
            continue
        if name in parts:
            base, first = parts[name]
            if base in found and found[base].value[0] != "head":
                found[name] = _part(table, found[base], base, first)
        else:
            index = ("i", "j")[: len(tensor.axes)]
            found[name] = Formula(index, cell(tensor.view.base, *index))


def _part(table: Table, formula: Formula, base: str, first: int) -> Formula:
    """A head's columns (of WO: rows) of a formula, told with the head's own parts of its operands."""
    which = 0 if base.endswith(".WO") else 1
    variable = formula.index[which]
    index = tuple("c" if name == variable else name for name in formula.index)

    def rewrite(node: Any) -> Any:
        if node == variable:
            return plus("c", first)
        if not isinstance(node, list):
            return node
        if node[0] == "cell" and (node[1], first) in table.part_of and variable in node[2:]:
            return [
                "cell",
                table.part_of[node[1], first],
                *("c" if at == variable else at for at in node[2:]),
            ]
        return [node[0], *(rewrite(child) for child in node[1:])]

    return Formula(index, rewrite(formula.value), formula.masked)
