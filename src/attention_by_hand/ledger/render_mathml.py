"""A formula as MathML, which browsers and notebooks draw without any script. Names are the ledger's."""

from __future__ import annotations

from html import escape
from typing import Any

from .explain import Derivation
from .render import Style, lay_out


class MathmlStyle(Style):
    """Elements of MathML; `math` makes operators of the texts that `render` puts between operands."""

    times = "<mo>·</mo>"
    minus = "<mo>−</mo>"

    def cell(self, name: str, index: list[str]) -> str:
        """A cell: the entry's name with its indices below."""
        symbol = f"<mi>{escape(name)}</mi>"
        if not index:
            return symbol
        places = "<mo>,</mo>".join(at if at.startswith("<") else _index(at) for at in index)
        return f"<msub>{symbol}<mrow>{places}</mrow></msub>"

    def number(self, value: Any) -> str:
        """A number."""
        return f"<mn>{super().number(value)}</mn>"

    def constant(self, value: Any) -> str:
        """A constant of the formula."""
        return f"<mn>{super().constant(value)}</mn>"

    def group(self, text: str) -> str:
        """Parentheses."""
        return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>"

    def divide(self, a: str, b: str) -> str:
        """A fraction."""
        return f"<mfrac><mrow>{a}</mrow><mrow>{b}</mrow></mfrac>"

    def call(self, name: str, text: str) -> str:
        """A root, or a function by its name."""
        return f"<msqrt>{text}</msqrt>" if name == "sqrt" else f"<mi>{name}</mi>{self.group(text)}"

    def total(self, variable: str, text: str) -> str:
        """A sum sign with its variable below."""
        return f"<munder><mo>∑</mo><mi>{variable}</mi></munder>{text}"

    def choice(self, kind: str, test: str, text: str) -> str:
        """ReLU's two cases."""
        if kind == "positive":
            return f"{text}<mtext> if </mtext>{test}<mo>&gt;</mo><mn>0</mn><mtext> else </mtext><mn>0</mn>"
        return text


def _index(text: str) -> str:
    return f"<mn>{text}</mn>" if text.isdecimal() else f"<mi>{escape(text)}</mi>"


def math(text: str) -> str:
    """A ``math`` element around an expression written in `MathmlStyle`."""
    text = text.replace(" + ", "<mo>+</mo>").replace(", ", "<mo>,</mo>")
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" displaystyle="true"><mrow>{text}</mrow></math>'


def formulas(derivation: Derivation, digits: int = 4) -> tuple[str, str]:
    """The derivation's own step with names, and with numbers; each empty where there is nothing to say."""
    page = lay_out(derivation, MathmlStyle(derivation, digits))
    return (math(page.formula) if page.formula else "", math(page.numbers) if page.numbers else "")
