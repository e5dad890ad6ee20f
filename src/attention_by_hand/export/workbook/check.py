"""The hidden sheet: the kernel's own numbers, and how far each formula is from them."""

from __future__ import annotations

import numpy as np

from .book import Sheet
from .places import LEFT, Block
from .sheets import Filling
from .translate import CUT, column

#: The cell that holds the largest difference of all.
WORST = (0, 1)
_FIRST = 3


def worst_address(filling: Filling) -> str:
    """The largest difference of all, by its full address."""
    return f"'{filling.names['check']}'!{column(WORST[1])}{WORST[0] + 1}"


def fill_check(filling: Filling) -> None:
    """Add and fill the sheet, and hide it."""
    sheet = filling.book.sheet(filling.names["check"])
    sheet.worksheet.set_column(0, 0, 26)
    sheet.worksheet.set_column(1, 70, 16)
    sheet.text(1, 0, filling.texts["check"], "note")
    at = _FIRST
    for block in filling.places.blocks.values():
        if block.entry.formula is None:
            continue
        sheet.text(at, 0, block.entry.name, "name")
        for row in range(block.rows):
            _row(filling, sheet, block, row, at + 1 + row)
        at += block.rows + 1
    sheet.text(0, 0, filling.texts["largest"], "label")
    # Names stand between the numbers; MAX passes over texts.
    sheet.formula(*WORST, f"=MAX(A{_FIRST + 1}:A{at})", 0.0, "kernel")
    sheet.worksheet.freeze_panes(_FIRST, 1)
    sheet.worksheet.hide()


def _row(filling: Filling, sheet: Sheet, block: Block, row: int, at: int) -> None:
    """One row of a matrix: the largest difference first, then the kernel's numbers."""
    cells = filling.ledger.array(block.entry.name)
    formula = block.entry.formula
    assert formula is not None
    name = filling.names[block.sheet]
    parts = []
    for index in block.indices():
        here, left = block.at(index)
        if here != block.top + row or (formula.masked and index[1] > index[0]):
            continue
        column_here = LEFT + left - block.left
        value = float(CUT) if np.isneginf(cells[index or 0]) else float(cells[index or 0])
        sheet.number(at, column_here, value, "kernel")
        held = f"{column(column_here)}{at + 1}"
        # −1/P of an unlikely token is in the hundred thousands: above 1 the difference is relative.
        scale = f"/ABS({held})" if abs(value) > 1 else ""
        parts.append(f"ABS('{name}'!{column(left)}{here + 1}-{held}){scale}")
    sheet.formula(at, 0, f"=MAX({','.join(parts)})", 0.0, "kernel")
