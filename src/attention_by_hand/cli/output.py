"""What commands print: errors, JSON, numbers, and text that is coloured in a terminal only."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from rich.console import Console

# Words for the numbers that JSON does not have.
NO_NUMBER = {math.inf: "Infinity", -math.inf: "-Infinity"}


def fail(line: str) -> NoReturn:
    """Say in one line on standard error what was wrong, and leave with exit code 2."""
    print(f"attention-by-hand: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(2)


def console(*, stderr: bool = False) -> Console:
    """Return a Rich console: colours in a terminal only, numbers left as they are."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    """Print a value as one line of JSON; NaN and the infinities become the strings of that name."""
    print(json.dumps(_without_nan(value), ensure_ascii=False, allow_nan=False), flush=True)


def _without_nan(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return NO_NUMBER.get(value, "NaN")
    if isinstance(value, dict):
        return {key: _without_nan(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(part) for part in value]
    return value


def shortest(value: Any) -> float:
    """Return a float32 as the Python float with the fewest digits that reads back to the same bits."""
    import numpy as np

    return float(str(np.float32(value)))


def probability(value: float, digits: int = 3) -> str:
    """Return a probability as text; a small one is never shown as 0, and one just below 1 never as 1.

    Parameters
    ----------
    value : float
        The probability.
    digits : int
        Digits after the point.

    Returns
    -------
    str
        ``0.931``, ``<0.001`` for what would round to 0, ``>0.999`` for what would round to 1,
        ``0`` and ``1`` for exactly these, ``NaN`` where the numbers broke.
    """
    if math.isnan(value):
        return "NaN"
    if value in (0.0, 1.0):
        return str(int(value))
    least = 10.0**-digits
    if round(value, digits) == 0:
        return f"<{least:.{digits}f}"
    if round(value, digits) == 1:
        return f">{1 - least:.{digits}f}"
    return f"{value:.{digits}f}"
