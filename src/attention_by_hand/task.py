"""The task: the 100 problems 0–9 × 0–9, counted out rather than typed in."""

import math
from functools import cache

from .tokens import END, IDS

#: Every problem as a pair of digits, row by row.
PROBLEMS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(10) for b in range(10))


def question(a: int, b: int) -> list[int]:
    """Token ids of ``a×b=``."""
    return [a, IDS["×"], b, IDS["="]]


def answer(a: int, b: int) -> list[int]:
    """Token ids of the digits of a·b, then END."""
    return [*(int(digit) for digit in str(a * b)), END]


def sequence(a: int, b: int) -> list[int]:
    """Token ids of ``a×b=p END``."""
    return question(a, b) + answer(a, b)


@cache
def followers() -> dict[tuple[int, ...], dict[int, int]]:
    """For each distinct prefix: how often each token follows it over the 100 problems."""
    found: dict[tuple[int, ...], dict[int, int]] = {}
    for a, b in PROBLEMS:
        tokens = sequence(a, b)
        for length in range(1, len(tokens)):
            counts = found.setdefault(tuple(tokens[:length]), {})
            counts[tokens[length]] = counts.get(tokens[length], 0) + 1
    return found


def prefix_count() -> int:
    """Distinct prefixes, the rows of the training batch: 378."""
    return len(followers())


def longest_prefix() -> int:
    """Tokens of the longest training prefix: 6."""
    return max(len(prefix) for prefix in followers())


def target_count() -> int:
    """Next-token targets: 558."""
    return sum(sum(counts.values()) for counts in followers().values())


def loss_floor() -> float:
    """The least loss any model can reach: the entropy left in the targets.

    Only after ``a×`` is more than one continuation possible: ten digits, one of each.

    Returns
    -------
    float
        100·ln 10/558 = 0.412650 nats.
    """
    nats = 0.0
    for counts in followers().values():
        total = sum(counts.values())
        nats -= sum(count * math.log(count / total) for count in counts.values())
    return nats / target_count()


def is_training_prefix(tokens: list[int]) -> bool:
    """Whether this prefix occurs in one of the 100 problems."""
    return tuple(tokens) in followers()
