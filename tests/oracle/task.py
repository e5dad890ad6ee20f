"""The multiplication table as text, and everything about it that can be counted by brute force."""

from __future__ import annotations

import math
from collections import Counter

TOKENS: tuple[str, ...] = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "×", "=", "END", "PAD")
ID: dict[str, int] = {token: index for index, token in enumerate(TOKENS)}

# A sequence is a tuple of token labels, because "END" is one token of three letters.
Sequence = tuple[str, ...]

PROBLEMS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(10) for b in range(10))


def sequence(a: int, b: int) -> Sequence:
    """Every token of one problem, written out: ``7 × 8 = 5 6 END``."""
    return (*f"{a}×{b}={a * b}", "END")


SEQUENCES: dict[tuple[int, int], Sequence] = {(a, b): sequence(a, b) for a, b in PROBLEMS}


def ids(tokens: Sequence | str) -> list[int]:
    """Token ids of a sequence of labels, or of a text in which every character is one token."""
    return [ID[token] for token in tokens]


def targets() -> list[tuple[Sequence, str]]:
    """Every (prefix, next token) pair of the 100 sequences shifted by one, repetitions included."""
    return [(seq[:end], seq[end]) for seq in SEQUENCES.values() for end in range(1, len(seq))]


def prefixes() -> list[Sequence]:
    """The distinct inputs the model ever reads in training, in order of first appearance."""
    return list(dict.fromkeys(prefix for prefix, _ in targets()))


def counts() -> dict[Sequence, Counter[str]]:
    """How often each token follows each prefix."""
    table: dict[Sequence, Counter[str]] = {}
    for prefix, following in targets():
        table.setdefault(prefix, Counter())[following] += 1
    return table


def floor() -> float:
    """The lowest loss any model can reach: the mean entropy of the next token given the prefix."""
    pairs = targets()
    follows = counts()
    total = 0.0
    for prefix, following in pairs:
        share = follows[prefix][following] / sum(follows[prefix].values())
        total -= math.log(share)
    return total / len(pairs)
