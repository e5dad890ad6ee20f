"""Fills the sheets: labels, given numbers, and a formula in every other cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ledger.labels import dimensions
from ...ledger.render import Style, symbolic
from ...ledger.trace import Ledger
from ...tokens import TOKENS
from .book import Book, Sheet
from .places import HEAD, LEFT, Block, Places, second_names
from .translate import CUT, Translator, column
from .words import AXES_ZH, TEXTS, about, sheet_name

#: On the sheet of the prompt: ids and texts of the tokens, and the target.
IDS_ROW, TEXTS_ROW, TARGET_ROW = 3, 4, 6
_WIDE = 26


class Filling:
    """Everything that the sheets are filled from."""

    def __init__(self, ledger: Ledger, places: Places, book: Book, language: str) -> None:
        self.ledger = ledger
        self.places = places
        self.book = book
        self.language = language
        self.texts = TEXTS[language]
        self.names = {key: sheet_name(key, language) for key in ("front", "check", *places.sheets)}
        self.translator = Translator(ledger, places, self.names)

    def address(self, name: str, index: tuple[int, ...] = ()) -> str:
        """A cell by its full address, sheet included."""
        self.translator.sheet = ""
        return self.translator.range(self.places.find(name, index))

    def token_texts(self) -> str:
        """The range that holds the 14 token texts."""
        first, last = column(LEFT), column(LEFT + len(TOKENS) - 1)
        return f"'{self.names['prompt']}'!${first}${TEXTS_ROW + 1}:${last}${TEXTS_ROW + 1}"

    def target(self) -> str:
        """The cell that holds the target's id."""
        return f"'{self.names['prompt']}'!${column(LEFT)}${TARGET_ROW + 1}"


def fill(filling: Filling, key: str) -> None:
    """Add and fill the sheet of one stage."""
    sheet = filling.book.sheet(filling.names[key])
    sheet.worksheet.set_column(0, 0, _WIDE)
    sheet.worksheet.set_column(1, 70, 10)
    sheet.text(0, 0, filling.names[key], "title")
    sheet.text(1, 0, about(key, filling.language), "note")
    sheet.link(2, 0, filling.names["front"], filling.texts["back"].format(filling.names["front"]))
    sheet.worksheet.freeze_panes(3, 1)
    if key == "prompt":
        _prompt_head(filling, sheet)
    for block in filling.places.blocks.values():
        if block.sheet == key:
            _block(filling, sheet, block)


def _prompt_head(filling: Filling, sheet: Sheet) -> None:
    """The table of tokens, and the target."""
    ledger, texts = filling.ledger, filling.texts
    sheet.text(IDS_ROW, 0, texts["id"], "label")
    sheet.text(TEXTS_ROW, 0, texts["token"], "label")
    for number, text in enumerate(TOKENS):
        sheet.number(IDS_ROW, LEFT + number, number, "whole")
        sheet.text(TEXTS_ROW, LEFT + number, text, "head")
    sheet.text(TARGET_ROW, 0, texts["target"], "label")
    if ledger.target is None:
        sheet.text(TARGET_ROW, LEFT, texts["no target"], "note")
        return
    sheet.number(TARGET_ROW, LEFT, ledger.target, "given whole")
    sheet.accept(TARGET_ROW, LEFT, TARGET_ROW, LEFT, len(TOKENS) - 1)
    shown = f"=INDEX({filling.token_texts()},1,{filling.target()}+1)"
    sheet.formula(TARGET_ROW, LEFT + 1, shown, TOKENS[ledger.target], "head")


def _block(filling: Filling, sheet: Sheet, block: Block) -> None:
    top = block.top - HEAD
    sheet.text(top, 0, block.entry.name, "name")
    sheet.text(top, LEFT, _description(filling, block), "plain")
    formula = _symbols(filling, block)
    if formula:
        sheet.text(top + 1, LEFT, formula, "code")
    _labels(filling, sheet, block)
    for index in block.indices():
        _cell(filling, sheet, block, index)
    bottom, right = block.top + block.rows - 1, block.left + block.columns - 1
    if block.entry.dtype == "float32" and block.entry.name != "counts":
        first = f"{column(block.left)}{block.top + 1}"
        sheet.show_tiny(block.top, block.left, bottom, right, first)
    if block.entry.name == "token":
        sheet.accept(block.top, block.left, bottom, right, len(TOKENS) - 1)
    elif block.entry.name.endswith(".cut"):
        sheet.accept(block.top, block.left, bottom, right, 1)


def _description(filling: Filling, block: Block) -> str:
    texts = filling.texts
    parts = [texts["size"].format(block.rows, block.columns), block.entry.meaning[filling.language]]
    width = filling.ledger.extent("d_head")
    others = []
    for name, first in second_names(block.entry.name):
        kind = "rows" if name.endswith(".WO") else "columns"
        others.append(name if first is None else texts[kind].format(name, first, first + width - 1))
    if others:
        parts.append(texts["also"].format(texts["and"].join(others)))
    return " · ".join(parts)


def _symbols(filling: Filling, block: Block) -> str:
    """The formula in symbols, for entries that have one; a whole made of heads shows the first head's."""
    entry = block.entry
    if entry.formula is None:
        return ""
    name, formula = entry.name, entry.formula
    if formula.value[0] == "head":
        name = formula.value[3][0]
        part = filling.ledger.entry(name).formula
        assert part is not None
        formula = part
    derivation = filling.ledger.explain(
        name + (f"[{','.join('0' * len(formula.index))}]" if formula.index else "")
    )
    style = Style(derivation, 4)
    index = f"[{','.join(formula.index)}]" if formula.index else ""
    return f"{name}{index} = {symbolic(_unnudged(formula.value), {}, style)}"


def _unnudged(node: Any) -> Any:
    """An expression as it is while nobody adds anything by hand."""
    if not isinstance(node, list) or not node:
        return node
    return _unnudged(node[2]) if node[0] == "nudged" else [_unnudged(child) for child in node]


def _labels(filling: Filling, sheet: Sheet, block: Block) -> None:
    """Column labels above, row labels to the left."""
    axes = list(block.entry.axes)
    across = None if block.upright else axes[-1]
    down = axes[0] if block.upright or len(axes) == 2 else None
    kinds = [] if block.entry.scalar else dimensions(block.entry)
    names = " / ".join(AXES_ZH[kind] if filling.language == "zh" else kind for kind in kinds)
    if names:
        sheet.text(block.top - 1, 0, names, "note")
    for number in range(block.columns):
        if not block.entry.scalar and across is not None:
            _label(filling, sheet, (block.top - 1, block.left + number), across, number, "head")
    for number in range(block.rows):
        if down is not None:
            _label(filling, sheet, (block.top + number, 0), down, number, "label")


def _label(filling: Filling, sheet: Sheet, at: tuple[int, int], axis: str, number: int, style: str) -> None:
    if axis == "vocabulary":
        sheet.text(*at, TOKENS[number], style)
    elif axis in ("n", "source"):
        # Live: another token id in the sheet of the prompt shows its own text everywhere.
        held = filling.address("token", (number,))
        shown = f'="{number}: "&INDEX({filling.token_texts()},1,{held}+1)'
        sheet.formula(*at, shown, f"{number}: {TOKENS[filling.ledger.tokens[number]]}", style)
    else:
        sheet.number(*at, number, style)


def _cell(filling: Filling, sheet: Sheet, block: Block, index: tuple[int, ...]) -> None:
    entry, ledger = block.entry, filling.ledger
    row, left = block.at(index)
    value: Any = ledger.array(entry.name)[index or 0]
    by_hand = entry.name.endswith((".cut", ".nudge"))
    future = len(index) == 2 and index[1] > index[0]
    if future and (by_hand or (entry.formula is not None and entry.formula.masked)):
        sheet.text(row, left, filling.texts["masked"], "masked")
    elif entry.name == "counts":
        aimed = f"=IF({filling.target()}={index[1]},1,0)" if index[0] == ledger.n - 1 else None
        if aimed:
            sheet.formula(row, left, aimed, float(value), "whole")
        else:
            sheet.number(row, left, float(value), "whole")
    elif entry.formula is None:
        style = "given" if entry.dtype == "float32" else "given whole"
        sheet.number(row, left, float(value), "whole" if entry.name == "position" else style)
    else:
        style = "scores" if entry.formula.value[0] == "cut" else "number"
        style = "whole" if entry.name in ("weight", "total") else style
        formula = filling.translator.formula(entry.name, index)
        sheet.formula(row, left, formula, float(CUT) if np.isneginf(value) else float(value), style)
