"""A thin layer over XlsxWriter that remembers every cell, so that the file can be held against it."""

from __future__ import annotations

import datetime
import io
from typing import Any

from ..files import needed

#: Exactly 0 prints as 0; what would print as 0.0000 is shown in full by `TINY`.
NUMBER = "0.0000;-0.0000;0"
TINY = "0.0E+00"
TINY_BELOW = 0.00005

_FONT = {"font_name": "Calibri", "font_size": 11}
_STYLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "title": {"bold": True, "font_size": 15},
    "name": {"bold": True, "font_color": "#1F3864"},
    "note": {"italic": True, "font_color": "#595959"},
    "code": {"font_name": "Consolas", "font_size": 10, "font_color": "#595959"},
    "label": {"bold": True, "bg_color": "#E7E6E6", "align": "right"},
    "head": {"bold": True, "bg_color": "#E7E6E6", "align": "center"},
    "number": {"num_format": NUMBER},
    "whole": {"num_format": "0"},
    "given": {"num_format": NUMBER, "bg_color": "#FFF8DC", "font_color": "#1F4E9D"},
    "given whole": {"num_format": "0", "bg_color": "#FFF8DC", "font_color": "#1F4E9D"},
    "masked": {"italic": True, "font_color": "#8C8C8C", "align": "center"},
    "kernel": {"num_format": "0.00000000E+00"},
    "wrap": {"text_wrap": True, "valign": "top"},
    "link": {"font_color": "#1F4E9D", "underline": 1},
    "left": {"align": "left", "indent": 1},
    "left number": {"align": "left", "indent": 1, "num_format": NUMBER},
    "left small": {"align": "left", "indent": 1, "num_format": "0.0E+00"},
    "left whole": {"align": "left", "indent": 1, "num_format": "0"},
}

Cell = float | str


class Book:
    """The workbook while it is written.

    Attributes
    ----------
    written
        Sheet name → (row, column) → what stands there: a number, a text, or a formula beginning with ``=``.
    """

    def __init__(self, title: str, cut: str) -> None:
        self._xlsxwriter = needed("XlsxWriter", "xlsxwriter")
        self._file = io.BytesIO()
        settings = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
        self.workbook = self._xlsxwriter.Workbook(self._file, settings | {"in_memory": True})
        # A fixed date: the same model and prompt give the same bytes.
        created = datetime.datetime(2000, 1, 1)
        self.workbook.set_properties({"title": title, "created": created, "comments": "attention-by-hand"})
        self.workbook.set_calc_mode("auto")
        # No score comes near a million; what stands in for −∞ lies far beyond.
        scores = {"num_format": f'[<-1000000]"{cut}";[=0]0;0.0000'}
        styles = _STYLES | {"scores": scores}
        self._formats = {name: self.workbook.add_format(_FONT | style) for name, style in styles.items()}
        self._tiny = self.workbook.add_format({"num_format": TINY})
        self.written: dict[str, dict[tuple[int, int], Cell]] = {}

    def sheet(self, name: str) -> Sheet:
        """Add a sheet."""
        self.written[name] = {}
        return Sheet(self, self.workbook.add_worksheet(name), name)

    def bytes(self) -> bytes:
        """The finished file."""
        self.workbook.close()
        return self._file.getvalue()


class Sheet:
    """One sheet of a `Book`."""

    def __init__(self, book: Book, worksheet: Any, name: str) -> None:
        self.book = book
        self.worksheet = worksheet
        self.name = name
        # Printed, a sheet is as wide as the paper.
        worksheet.set_landscape()
        worksheet.set_paper(9)
        worksheet.fit_to_pages(1, 0)
        # Token labels are digits kept as text, and neighbours' formulas differ: neither is a mistake.
        everywhere = "A1:XFD1048576"
        worksheet.ignore_errors(
            {"number_stored_as_text": everywhere, "formula_differs": everywhere, "formula_range": everywhere}
        )

    def _keep(self, row: int, column: int, cell: Cell) -> None:
        held = self.book.written[self.name]
        if (row, column) in held:
            raise ValueError(f"{self.name}: two things in row {row}, column {column}")
        held[row, column] = cell

    def text(self, row: int, column: int, text: str, style: str = "plain") -> None:
        """A text, whatever it looks like."""
        self._keep(row, column, text)
        self.worksheet.write_string(row, column, text, self.book._formats[style])

    def number(self, row: int, column: int, value: float, style: str = "number") -> None:
        """A number."""
        self._keep(row, column, float(value))
        self.worksheet.write_number(row, column, float(value), self.book._formats[style])

    def formula(self, row: int, column: int, formula: str, value: Cell, style: str = "number") -> None:
        """A formula, and its value for readers that do not calculate."""
        self._keep(row, column, formula)
        self.worksheet.write_formula(row, column, formula, self.book._formats[style], value)

    def link(self, row: int, column: int, sheet: str, text: str) -> None:
        """A link to the top of another sheet of this workbook."""
        self._keep(row, column, text)
        where = f"internal:'{sheet}'!A1"
        self.worksheet.write_url(row, column, where, self.book._formats["link"], text)

    def show_tiny(self, top: int, left: int, bottom: int, right: int, first: str) -> None:
        """Show what would round to 0.0000 with its exponent; `first` is the address of the first cell."""
        criteria = f"=AND(ISNUMBER({first}),{first}<>0,ABS({first})<{TINY_BELOW:.5f})"
        rule = {"type": "formula", "criteria": criteria, "format": self.book._tiny}
        self.worksheet.conditional_format(top, left, bottom, right, rule)

    def accept(self, top: int, left: int, bottom: int, right: int, most: int) -> None:
        """Take only whole numbers from 0 to `most` in these cells."""
        self.worksheet.data_validation(
            top,
            left,
            bottom,
            right,
            {"validate": "integer", "criteria": "between", "minimum": 0, "maximum": most},
        )
