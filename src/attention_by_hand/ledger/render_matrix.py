"""One entry as a table with its labels: as text, and as HTML for notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ..tokens import TOKENS
from .names import CellName
from .numbers import MASKED, full, shown

if TYPE_CHECKING:
    from .trace import Ledger


@dataclass(frozen=True)
class MatrixView:
    """An entry laid out for reading; ``str()`` gives text, notebooks show HTML."""

    ledger: Ledger
    name: str
    digits: int = 4

    def __str__(self) -> str:
        rows = [
            ["", *self._labels(1)],
            *([label, *cells] for label, cells in zip(self._labels(0), self._texts(), strict=True)),
        ]
        if self._cells().ndim == 0:
            return f"{self.name} = {self._texts()[0][0]}"
        if not any(rows[0]):
            rows = rows[1:]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows
        ]
        entry = self.ledger.entry(self.name)
        return f"{self.name}  {self.shape}\n{entry.meaning['en']}\n" + "\n".join(lines)

    @property
    def shape(self) -> str:
        """The shape as text, ``4×8``; ``1`` for a single number."""
        return "×".join(map(str, self._cells().shape)) or "1"

    def _repr_html_(self) -> str:
        entry = self.ledger.entry(self.name)
        head = "".join(f"<th scope='col'>{escape(label)}</th>" for label in self._labels(1))
        rows = []
        names = self._names()
        values = np.atleast_2d(self._cells()) if self._cells().ndim != 1 else self._cells()[:, None]
        for at, (label, cells) in enumerate(zip(self._labels(0), self._texts(), strict=True)):
            tds = [
                f'<td data-cell="{escape(str(names[at][column]))}" '
                f'data-value="{full(values[at, column])}">{cell}</td>'
                for column, cell in enumerate(cells)
            ]
            rows.append(f"<tr><th scope='row'>{escape(label)}</th>{''.join(tds)}</tr>")
        caption = f"<b>{escape(self.name)}</b> {self.shape} — {escape(entry.meaning['en'])}"
        top = f"<thead><tr><th></th>{head}</tr></thead>" if any(self._labels(1)) else ""
        return f"<table><caption>{caption}</caption>{top}<tbody>{''.join(rows)}</tbody></table>"

    def _cells(self) -> np.ndarray:
        cells = self.ledger.array(self.name)
        return cells[0] if self.ledger.entry(self.name).scalar else cells

    def _names(self) -> list[list[CellName]]:
        cells = self._cells()
        if cells.ndim == 0:
            return [[CellName(self.name, ())]]
        if cells.ndim == 1:
            return [[CellName(self.name, (row,))] for row in range(len(cells))]
        return [
            [CellName(self.name, (row, column)) for column in range(cells.shape[1])]
            for row in range(len(cells))
        ]

    def _texts(self) -> list[list[str]]:
        entry = self.ledger.entry(self.name)
        position = self.ledger.array("position")
        masked = entry.axes == ("n", "source") and entry.name.split(".")[-1] != "ancestors"
        cells = self._cells()
        return [
            [
                MASKED
                if masked and name.index[1] > position[name.index[0]]
                else shown(cells[name.index] if name.index else cells, self.digits)
                for name in row
            ]
            for row in self._names()
        ]

    def _labels(self, which: int) -> list[str]:
        cells = self._cells()
        axes = self.ledger.entry(self.name).axes
        if which >= cells.ndim:
            return [""]
        axis, extent = axes[which], cells.shape[which]
        if axis == "vocabulary":
            return list(TOKENS)
        if axis == "n" or (axis == "source" and self.ledger.context == "prompt"):
            return [f"{at} {TOKENS[self.ledger.tokens[at]]}" for at in range(extent)]
        return [str(at) for at in range(extent)]
