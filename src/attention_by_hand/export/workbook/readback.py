"""Reads a workbook with nothing but the standard library: every cell of every sheet, formulas as formulas."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

from .book import Cell

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_REFERENCE = re.compile(r"([A-Z]+)([0-9]+)")


def cells_of(content: bytes) -> dict[str, dict[tuple[int, int], Cell]]:
    """Sheet name → (row, column), counted from 0 → number, text, or formula beginning with ``=``.

    Cells that hold a format and nothing else are left out.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        book = ElementTree.fromstring(file.read("xl/workbook.xml"))
        links = ElementTree.fromstring(file.read("xl/_rels/workbook.xml.rels"))
        parts = {link.attrib["Id"]: link.attrib["Target"] for link in links}
        texts = [
            "".join(piece.text or "" for piece in item.iter(f"{_MAIN}t"))
            for item in ElementTree.fromstring(file.read("xl/sharedStrings.xml"))
        ]
        return {
            sheet.attrib["name"]: _sheet(file.read(f"xl/{parts[sheet.attrib[f'{_RELATION}id']]}"), texts)
            for sheet in book.iter(f"{_MAIN}sheet")
        }


def _sheet(content: bytes, texts: list[str]) -> dict[tuple[int, int], Cell]:
    found: dict[tuple[int, int], Cell] = {}
    for cell in ElementTree.fromstring(content).iter(f"{_MAIN}c"):
        formula, value = cell.find(f"{_MAIN}f"), cell.find(f"{_MAIN}v")
        if formula is not None:
            found[_place(cell.attrib["r"])] = f"={formula.text}"
        elif value is not None and value.text is not None:
            text = cell.attrib.get("t") == "s"
            found[_place(cell.attrib["r"])] = texts[int(value.text)] if text else float(value.text)
    return found


def _place(reference: str) -> tuple[int, int]:
    match = _REFERENCE.fullmatch(reference)
    assert match is not None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1
