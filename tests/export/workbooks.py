"""Finds the matrices of a workbook the way a person does, by the names in its first column."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl

from attention_by_hand.ledger.trace import Ledger

#: From the row with a matrix's name to its first row of numbers; its first column is B.
DOWN, FIRST_COLUMN = 3, 2
Value = Callable[[str, int, int], Any]


@dataclass(frozen=True)
class Found:
    """Where the first cell of a matrix stands; rows and columns count from 1 as in a spreadsheet."""

    sheet: str
    row: int
    column: int = FIRST_COLUMN


def matrices(path: Path, names: list[str]) -> dict[str, Found]:
    """Ledger name → its place, for every name that stands in the first column of a sheet one can see."""
    found: dict[str, Found] = {}
    for sheet in openpyxl.load_workbook(path):
        if sheet.sheet_state == "visible":
            for cell, beside in sheet.iter_rows(max_col=2):
                # Beside the name stands the size; "token" is the name of an axis too.
                if cell.value in names and re.match(r"\d+ × \d+ · ", str(beside.value)):
                    assert cell.value not in found, f"{cell.value} stands in the workbook twice"
                    found[cell.value] = Found(sheet.title, cell.row + DOWN)
    return found


def places(ledger: Ledger, name: str, found: Found) -> dict[tuple[int, ...], tuple[str, int, int]]:
    """Index of each cell → sheet, row and column."""
    entry, shape = ledger.entry(name), ledger.array(name).shape
    if len(shape) == 2:
        at = {index: (found.row + index[0], found.column + index[1]) for index in np.ndindex(shape)}
    elif entry.axes == ("n",):
        at = {(i,): (found.row + i, found.column) for i in range(shape[0])}
    else:
        at = {(i,): (found.row, found.column + i) for i in range(shape[0])}
    return {index: (found.sheet, *where) for index, where in at.items()}


def worst_difference(
    ledger: Ledger, where: dict[str, Found], value: Value, by_matrix: bool = False
) -> tuple[int, float, str]:
    """Compare every cell of the workbook with the ledger.

    Parameters
    ----------
    ledger, where, value
        What should be there, where, and what is there.
    by_matrix
        Whether numbers count as large by their matrix rather than by themselves: float32 sums of large
        terms that cancel are off by a share of the terms.

    Returns
    -------
    tuple
        Cells compared; the largest difference (relative for numbers above 1); where it is.
    """
    count, worst, worst_at = 0, 0.0, ""
    for name, found in where.items():
        formula = ledger.entry(name).formula
        cells = ledger.array(name)
        largest = float(np.abs(cells[np.isfinite(cells)]).max())
        by_hand = name.endswith((".cut", ".nudge"))
        for index, place in places(ledger, name, found).items():
            held = value(*place)
            masked = by_hand or (formula is not None and formula.masked)
            if masked and index[1] > index[0]:
                assert held in ("masked", "遮住"), f"{name}{index} is in the future, the sheet says {held!r}"
                continue
            expected = float(cells[index])
            if np.isneginf(expected):
                expected = -1e300  # a connection cut on purpose
            assert isinstance(held, int | float), f"{name}{index}: the sheet says {held!r}, not a number"
            difference = abs(held - expected) / max(1.0, largest if by_matrix else abs(expected))
            count += 1
            if not difference <= worst:
                worst, worst_at = difference, f"{name}{list(index)}"
    return count, worst, worst_at
