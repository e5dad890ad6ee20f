"""The first sheet: what this is, the answer, how to read it, and where everything is."""

from __future__ import annotations

from ...tokens import TOKENS
from .book import Sheet
from .check import worst_address
from .sheets import Filling
from .translate import column
from .words import HOW, about


def fill_front(filling: Filling) -> None:
    """Add and fill the first sheet."""
    sheet = filling.book.sheet(filling.names["front"])
    sheet.worksheet.set_column(0, 0, 44)
    sheet.worksheet.set_column(1, 14, 11)
    sheet.text(0, 0, filling.texts["title"], "title")
    row = _facts(filling, sheet, 2)
    row = _distribution(filling, sheet, row + 1)
    sheet.text(row + 1, 0, filling.texts["how"], "name")
    for number, line in enumerate(HOW[filling.language]):
        at = row + 2 + number
        sheet.worksheet.merge_range(at, 0, at, 12, "")
        if len(line) > 110:
            sheet.worksheet.set_row(at, 32)
        sheet.text(at, 0, line, "wrap")
    row += 3 + len(HOW[filling.language])
    sheet.text(row, 0, filling.texts["sheets"], "name")
    for number, key in enumerate(filling.places.sheets):
        sheet.link(row + 1 + number, 0, filling.names[key], filling.names[key])
        sheet.text(row + 1 + number, 1, about(key, filling.language), "plain")


def _last_row(filling: Filling) -> str:
    """The probabilities after the last token, as a range."""
    last = filling.ledger.n - 1
    filling.translator.sheet = ""
    first, end = (filling.places.find("P", (last, c)) for c in (0, len(TOKENS) - 1))
    return filling.translator.range(first, end)


def _facts(filling: Filling, sheet: Sheet, row: int) -> int:
    """The prompt, where the parameters come from, and what comes out; returns the next free row."""
    ledger, texts = filling.ledger, filling.texts
    model, last = ledger.model, ledger.array("P")[-1]
    for number, token in enumerate(ledger.tokens):
        held = filling.address("token", (number,))
        sheet.formula(row, 1 + number, f"=INDEX({filling.token_texts()},1,{held}+1)", TOKENS[token], "head")
    sheet.text(row, 0, texts["prompt"], "label")
    sheet.text(row + 1, 0, texts["target"], "label")
    sheet.text(row + 2, 0, texts["seed"], "label")
    if model.seed is None:
        sheet.text(row + 2, 1, texts["unknown"], "left")
    else:
        sheet.number(row + 2, 1, model.seed, "left whole")
    sheet.text(row + 3, 0, texts["step"], "label")
    sheet.number(row + 3, 1, model.step, "left whole")
    sheet.text(row + 4, 0, texts["digest"], "label")
    sheet.text(row + 4, 1, model.digest[:16], "left")
    probabilities = _last_row(filling)
    best = int(last.argmax())
    rows: list[tuple[str, str, float | str, str]] = [
        (
            "answer",
            f"=INDEX({filling.token_texts()},1,MATCH(MAX({probabilities}),{probabilities},0))",
            TOKENS[best],
            "head",
        ),
        ("its P", f"=MAX({probabilities})", float(last[best]), "left number"),
    ]
    if ledger.target is None:
        sheet.text(row + 1, 1, texts["no target"], "left")
    else:
        shown = f"=INDEX({filling.token_texts()},1,{filling.target()}+1)"
        sheet.formula(row + 1, 1, shown, TOKENS[ledger.target], "head")
        aimed = f"=INDEX({probabilities},1,{filling.target()}+1)"
        rows += [
            ("target P", aimed, float(last[ledger.target]), "left number"),
            ("loss", f"={filling.address('Loss')}", float(ledger.array("Loss")[0]), "left number"),
        ]
    rows.append(("difference", f"={worst_address(filling)}", 0.0, "left small"))
    for number, (label, formula, value, style) in enumerate(rows):
        sheet.text(row + 5 + number, 0, texts[label], "label")
        sheet.formula(row + 5 + number, 1, formula, value, style)
    return row + 5 + len(rows)


def _distribution(filling: Filling, sheet: Sheet, row: int) -> int:
    """All 14 probabilities after the last token; returns the next free row."""
    last = filling.ledger.n - 1
    sheet.text(row, 0, filling.texts["all P"], "label")
    for number, text in enumerate(TOKENS):
        sheet.text(row, 1 + number, text, "head")
        value = float(filling.ledger.array("P")[last, number])
        sheet.formula(row + 1, 1 + number, f"={filling.address('P', (last, number))}", value)
    sheet.show_tiny(row + 1, 1, row + 1, len(TOKENS), f"{column(1)}{row + 2}")
    return row + 2
