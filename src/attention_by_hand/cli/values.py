"""Reads what people type after options."""

from __future__ import annotations

import re

from ..errors import InputError


def whole_number(text: str, what: str, least: int, most: int) -> int:
    """Read a whole number.

    Parameters
    ----------
    text : str
        As it was typed.
    what : str
        What it is, for the message.
    least, most : int
        The range that is accepted, both included.

    Returns
    -------
    int
        The number.

    Raises
    ------
    InputError
        If the text is no whole number or outside the range.
    """
    accepted = f"accepted is a whole number from {least} to {most}"
    # Python's own int() would also take 1_000, and digits of any script.
    if re.fullmatch(r"[+-]?[0-9]{1,20}", text.strip()) is None:
        raise InputError(f"{what} {text!r} is not a number; {accepted}")
    number = int(text)
    if not least <= number <= most:
        raise InputError(f"{what} {number} is out of range; {accepted}")
    return number
