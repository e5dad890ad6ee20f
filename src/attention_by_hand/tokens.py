"""The 14 tokens, and reading them from what a person types."""

import operator
from collections.abc import Sequence

from .errors import InputError

#: Token texts in the order of their ids, 0 to 13.
TOKENS: tuple[str, ...] = (*"0123456789", "×", "=", "END", "PAD")
IDS: dict[str, int] = {text: number for number, text in enumerate(TOKENS)}
END: int = IDS["END"]
MAX_TOKENS = 16

_TIMES = "xX*×✕✖⨯＊ｘＸ"
_EQUALS = "=＝"
_SPELLINGS: dict[str, str] = {
    **{digit: digit for digit in "0123456789"},
    **{chr(ord("０") + value): str(value) for value in range(10)},
    **dict.fromkeys(_TIMES, "×"),
    **dict.fromkeys(_EQUALS, "="),
}
ACCEPTED = "digits 0-9, × (or x, X, *) and ="


def parse_tokens(text: str, limit: int = MAX_TOKENS) -> list[int]:
    """Read a prompt.

    Parameters
    ----------
    text
        Digits, ``×`` (also ``x``, ``X``, ``*``), ``=``, full-width forms of these; spaces are ignored.
        The words ``END`` and ``PAD`` stand for the tokens of that name.
    limit
        The largest number of tokens accepted.

    Returns
    -------
    list of int
        Token ids, 1 to `limit` of them.

    Raises
    ------
    InputError
        Nothing typed, more than `limit` tokens, or a character that is no token (named with its
        position, counted from 1).
    """
    ids: list[int] = []
    at = 0
    while at < len(text):
        character = text[at]
        word = text[at : at + 3]
        if character.isspace():
            at += 1
        elif word in ("END", "PAD"):
            ids.append(IDS[word])
            at += 3
        elif character in _SPELLINGS:
            ids.append(IDS[_SPELLINGS[character]])
            at += 1
        else:
            raise InputError(f"character {at + 1} ({character!r}) is not a token; accepted: {ACCEPTED}")
    if not ids:
        raise InputError(f"the prompt is empty; accepted: 1 to {limit} tokens of {ACCEPTED}")
    if len(ids) > limit:
        raise InputError(f"the prompt has {len(ids)} tokens; accepted: 1 to {limit}")
    return ids


def spellings() -> dict[str, str]:
    """Every character that is accepted, and the token it is read as."""
    return dict(_SPELLINGS)


def parse_token(text: str) -> int:
    """Read one token, such as a target: ``5``, ``×``, ``END``.

    Raises
    ------
    InputError
        The text is not exactly one of the 14 tokens.
    """
    word = text.strip()
    if word.upper() in ("END", "PAD"):
        return IDS[word.upper()]
    if word in _SPELLINGS:
        return IDS[_SPELLINGS[word]]
    raise InputError(f"{text!r} is not a token; accepted: {' '.join(TOKENS)}")


def read_prompt(prompt: str | Sequence[int]) -> list[int]:
    """Token ids of a prompt, given as text or as ids already.

    Raises
    ------
    InputError
        As `parse_tokens`; for ids: not 1 to 16 of them, or one that is no whole number from 0 to 13.
    """
    if isinstance(prompt, str):
        return parse_tokens(prompt)
    try:
        ids = list(prompt)
    except TypeError:
        raise InputError(f"{prompt!r} is no prompt; accepted: text, or a list of token ids") from None
    if not 1 <= len(ids) <= MAX_TOKENS:
        raise InputError(f"the prompt has {len(ids)} tokens; accepted: 1 to {MAX_TOKENS}")
    return [_check_id(number) for number in ids]


def read_token(token: str | int) -> int:
    """The id of one token, given as text or as an id already.

    Raises
    ------
    InputError
        It is not one of the 14 tokens.
    """
    return parse_token(token) if isinstance(token, str) else _check_id(token)


def _check_id(number: int) -> int:
    """A token id as a plain int; the kernel would read beyond its tables with any other."""
    try:
        index = operator.index(number)
    except TypeError:
        index = -1
    if not 0 <= index < len(TOKENS):
        raise InputError(f"{number!r} is no token id; accepted: whole numbers from 0 to {len(TOKENS) - 1}")
    return index


def show_tokens(ids: list[int]) -> str:
    """The tokens as one text, ``7×8=56END`` for instance."""
    return "".join(TOKENS[number] for number in ids)
