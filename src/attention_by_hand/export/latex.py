"""The derivation of one cell as a LaTeX document that compiles by itself."""

from __future__ import annotations

from ..ledger.explain import Derivation
from .files import LeftOverError

_HEAD = r"""% {cell}, {origin}
\documentclass{{article}}
\usepackage{{amsmath, amssymb}}
\begin{{document}}
"""
_FOOT = "\n\\end{document}\n"


def contents(derivation: Derivation, digits: int = 4) -> bytes:
    """The file.

    Parameters
    ----------
    derivation
        From `Ledger.explain`.
    digits
        Digits after the point.
    """
    model = derivation.ledger.model
    origin = f"seed {model.seed}, step {model.step}, digest {model.digest[:16]}"
    body = derivation.latex(digits)
    text = _HEAD.format(cell=derivation.cell, origin=origin) + body + _FOOT
    if text.count("{") - text.count(r"\{") != text.count("}") - text.count(r"\}"):
        raise LeftOverError(f"the braces of {derivation.cell} do not close")
    return text.encode()
