"""A derivation as plain text."""

from __future__ import annotations

from .explain import Derivation
from .render import Page, Style, lay_out, special

_ENDS = {
    "parameter": "parameter",
    "input": "given",
    "stored": "kept from the step before",
    "measure": "counted from P",
}


def text(derivation: Derivation, digits: int = 4, language: str = "en") -> str:
    """The derivation and all it follows, indented level by level."""
    lines: list[str] = []
    _write(derivation, Style(derivation, digits), language, "", lines)
    return "\n".join(lines)


def _write(derivation: Derivation, style: Style, language: str, indent: str, lines: list[str]) -> None:
    page = lay_out(derivation, style)
    end = _ENDS.get(derivation.kind)
    lines.append(f"{indent}{derivation.cell} = {page.result}" + (f"   ({end})" if end else ""))
    if not indent:
        lines.append(f"    {derivation.entry.meaning[language]}{labels(derivation)}")
    note = special(derivation)
    if note:
        lines.append(f"{indent}    {note}")
    if derivation.shown_before:
        lines.append(f"{indent}    (explained above)")
        return
    if page.formula:
        lines += [indent + line for line in _work(page)]
    for below in derivation.follow:
        _write(below, style, language, indent + "    ", lines)


def _work(page: Page) -> list[str]:
    lines = [f"    = {page.formula}"]
    for one in page.sums:
        wide = max((len(term.work) for term in one.terms), default=0)
        right = max((len(term.value) for term in one.terms), default=0)
        for term in one.terms:
            work = f"{term.work:<{wide}} = " if wide else ""
            lines.append(f"        {one.variable}={term.at:<4}{work}{term.value:>{right}}")
        if one.remainder:
            lines.append(f"        rounding of the terms shown: {one.remainder}")
        lines.append(f"        {one.kind} {one.value}")
    if page.numbers:
        lines.append(f"    = {page.numbers}")
    if page.remainder:
        lines.append(f"        rounding of the terms shown: {page.remainder}")
    if page.numbers:
        lines.append(f"    = {page.result}")
    return lines


def labels(derivation: Derivation) -> str:
    """Which tokens the indices of the cell stand for, where they stand for tokens."""
    from ..tokens import TOKENS

    names = []
    for axis, at in zip(derivation.entry.axes, derivation.cell.index, strict=False):
        if axis == "vocabulary":
            names.append(f"token {TOKENS[at]!r}")
        elif axis == "n":
            row = "receiver" if "source" in derivation.entry.axes else "row"
            names.append(f"{row} {TOKENS[derivation.ledger.tokens[at]]!r}")
        elif axis == "source" and derivation.ledger.context == "prompt":
            names.append(f"source {TOKENS[derivation.ledger.tokens[at]]!r}")
    return f" ({', '.join(names)})" if names else ""
