"""A derivation as LaTeX: one aligned block for each cell."""

from __future__ import annotations

from typing import Any

from .entries import entries
from .explain import Derivation
from .numbers import MINUS, constant, shown
from .render import Style, lay_out


class LatexStyle(Style):
    """Symbols of the entries, fractions, roots."""

    times = r" \cdot "
    minus = "-"

    def cell(self, name: str, index: list[str]) -> str:
        """A cell: the entry's symbol with its indices below."""
        symbol = entries()[name].latex
        return rf"{{{symbol}}}_{{{','.join(index)}}}" if index else symbol

    def number(self, value: Any) -> str:
        """A number, powers of ten written out."""
        return latex_number(shown(value, self.digits))

    def constant(self, value: Any) -> str:
        """A constant of the formula."""
        return latex_number(constant(value))

    def group(self, text: str) -> str:
        """Parentheses that grow."""
        return rf"\left({text}\right)"

    def divide(self, a: str, b: str) -> str:
        """A fraction."""
        return rf"\frac{{{a}}}{{{b}}}"

    def call(self, name: str, text: str) -> str:
        """exp, ln, max, root."""
        if name == "sqrt":
            return rf"\sqrt{{{text}}}"
        known = rf"\{name}" if name in ("exp", "ln", "max") else rf"\operatorname{{{name}}}"
        return rf"{known}\left({text}\right)"

    def total(self, variable: str, text: str) -> str:
        """A sum sign."""
        return rf"\sum_{{{variable}}} {text}"

    def choice(self, kind: str, test: str, text: str) -> str:
        """ReLU's two cases."""
        if kind == "positive":
            return rf"\begin{{cases}} {text} & {test} > 0 \\ 0 & \text{{otherwise}} \end{{cases}}"
        return text


def latex_number(text: str) -> str:
    """A printed number in LaTeX notation."""
    text = text.replace(MINUS, "-").replace("∞", r"\infty").replace("NaN", r"\text{NaN}")
    if "e" in text and "\\" not in text:
        mantissa, power = text.split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    return text


def latex(derivation: Derivation, digits: int = 4) -> str:
    """LaTeX source (needs amsmath) of the derivation and all it follows."""
    style = LatexStyle(derivation, digits)
    blocks = []
    for one in derivation.walk():
        if one.work is None or one.shown_before:
            continue
        page = lay_out(one, style)
        head = style.cell(one.cell.name, [str(at) for at in one.cell.index])
        rows = [rf"{head} &= {page.formula}"]
        for total in page.sums:
            joint = " + " if total.kind == "sum" else r",\ "
            terms = joint.join(
                rf"\left({term.work}\right)" if term.work.startswith("-") else term.work or term.value
                for term in total.terms
            )
            terms = terms if total.kind == "sum" else rf"\max\left({terms}\right)"
            rows.append(rf"{total.value} &= {terms}")
        if page.numbers:
            rows.append(rf"&= {page.numbers}")
        rows.append(rf"&= {page.result}")
        blocks.append(f"% {one.cell}\n\\begin{{align*}}\n" + " \\\\\n".join(rows) + "\n\\end{align*}")
    if not blocks:
        page = lay_out(derivation, style)
        result = page.result if derivation.kind != "masked" else r"\text{masked}"
        name = style.cell(derivation.cell.name, [str(at) for at in derivation.cell.index])
        return f"% {derivation.cell}\n\\[ {name} = {result} \\]"
    return "\n".join(blocks)
