"""A workbook of one prompt: parameters as numbers, everything else as live formulas.

The formulas are the ledger's own, translated cell by cell (`translate`); nothing of the model is written
down here. A hidden sheet holds the kernel's numbers beside.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...checkpoint import write_whole
from ...errors import InputError
from ...ledger.trace import Ledger
from ..files import LeftOverError
from .book import Book
from .check import fill_check
from .front import fill_front
from .places import place
from .readback import cells_of
from .sheets import Filling, fill
from .words import LANGUAGES, TEXTS


def contents(ledger: Ledger, language: str = "en") -> bytes:
    """The workbook file.

    Parameters
    ----------
    ledger
        A prompt, from `Model.trace`; with a target the workbook has the loss and every gradient too.
    language
        ``en`` or ``zh``.

    Raises
    ------
    InputError
        The language is unknown, the ledger is of the training batch, a number is NaN or infinite, or
        XlsxWriter is not installed.
    """
    if language not in LANGUAGES:
        raise InputError(f"language {language!r} is unknown; accepted: {', '.join(LANGUAGES)}")
    if ledger.context != "prompt":
        raise InputError("a workbook is made of one prompt; the batch of 378 prefixes would not fit a reader")
    texts = TEXTS[language]
    book = Book(texts["title"], texts["cut"])
    filling = Filling(ledger, place(ledger), book, language)
    _check_finite(filling)
    fill_front(filling)
    for key in filling.places.sheets:
        fill(filling, key)
    fill_check(filling)
    content = book.bytes()
    _check_back(filling, content)
    return content


def write(ledger: Ledger, path: Path, language: str = "en", overwrite: bool = False) -> None:
    """Write the workbook.

    Parameters
    ----------
    ledger, language
        See `contents`.
    path
        The file.
    overwrite
        Whether a file that is there may be replaced.

    Raises
    ------
    InputError
        As `contents`, or the file cannot be written.
    """
    write_whole(path, contents(ledger, language), overwrite)


def _check_finite(filling: Filling) -> None:
    """Spreadsheets have no infinity and no NaN."""
    ledger = filling.ledger
    for name, block in filling.places.blocks.items():
        formula = block.entry.formula
        cells = ledger.array(name)
        bad = ~np.isfinite(cells)
        if formula is not None and formula.masked:
            bad &= np.tri(*cells.shape) > 0
            if formula.value[0] == "cut":
                # −∞ of a connection that was cut on purpose has its own stand-in.
                bad &= ledger.array(name.removesuffix("S") + "cut") == 0
        if bad.any():
            at = ",".join(map(str, np.argwhere(bad)[0]))
            raise InputError(
                f"{name}[{at}] is {cells[bad][0]}, which a workbook cannot hold; accepted: finite numbers"
            )


def _check_back(filling: Filling, content: bytes) -> None:
    """Read the file back: every cell that was written, with the same content, and no other."""
    written, read = filling.book.written, cells_of(content)
    if list(read) != list(written):
        raise LeftOverError(f"sheets {list(read)} instead of {list(written)}")
    for sheet, cells in written.items():
        if read[sheet].keys() != cells.keys():
            raise LeftOverError(
                f"{sheet}: {sorted(read[sheet].keys() ^ cells.keys())[:3]} missing or left over"
            )
        for at, cell in cells.items():
            found = read[sheet][at]
            # The file has 16 digits: enough for a float32, one short of some float64.
            if found != cell and not (isinstance(cell, float) and np.float32(found) == np.float32(cell)):
                raise LeftOverError(f"{sheet} {at}: {found!r} instead of {cell!r}")
