"""Printing a number so that nothing is hidden by rounding."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

MINUS = "−"
MASKED = "masked"


def full(value: Any) -> str:
    """The shortest decimal that float32 reads back as the same bits; whole numbers as they are."""
    if isinstance(value, np.integer | int):
        return str(int(value))
    return str(np.float32(value))


def shown(value: Any, digits: int = 4) -> str:
    """A number to `digits` decimals.

    Exactly 0 prints as ``0``. What would round to 0 prints with an exponent (``3.1e−07``), so a
    tiny number never looks like none. NaN and ∞ print as themselves.
    """
    if isinstance(value, np.integer | int):
        return str(int(value)).replace("-", MINUS)
    x = float(value)
    if np.isnan(x):
        return "NaN"
    if np.isinf(x):
        return "∞" if x > 0 else f"{MINUS}∞"
    if x == 0:
        return "0"
    if x == int(x) and abs(x) < 1e6:
        return str(int(x)).replace("-", MINUS)
    text = f"{x:.{digits}f}"
    if float(text) == 0 or abs(x) >= 1e6:
        text = f"{x:.1e}"
    return text.replace("-", MINUS)


def constant(value: Any) -> str:
    """A constant in full: ``0.01``, ``8``, ``1e−05``."""
    x = float(full(np.float32(value)))
    return (str(int(x)) if x == int(x) else f"{x:g}").replace("-", MINUS)


def printed(text: str) -> Decimal:
    """The exact number that a printed text says."""
    return Decimal(text.replace(MINUS, "-").replace("∞", "Infinity"))


def remainder(terms: list[str], result: str, digits: int) -> str | None:
    """By how much a printed result differs from the sum of its printed terms; None where they agree.

    Tiny terms are told to fewer digits than they have; what they miss is below the last digit shown.
    """
    numbers = [printed(term) for term in terms]
    goal = printed(result)
    if not goal.is_finite() or not all(number.is_finite() for number in numbers):
        return None
    difference = goal - sum(numbers, Decimal(0))
    if abs(difference) * 2 < Decimal(1).scaleb(-digits):
        return None
    sign = MINUS if difference < 0 else "+"
    return f"{sign}{abs(difference).quantize(Decimal(1).scaleb(-digits))}"
