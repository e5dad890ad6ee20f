"""Ranges of seeds, as people type them and as a study counts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..errors import InputError
from ..training import LARGEST_SEED

#: A study holds its seeds in memory when it is reported.
MOST_SEEDS = 1_000_000

ACCEPTED = f"accepted: FIRST:LAST such as 1:1000, both included, from 0 to {LARGEST_SEED}"


def parse_seeds(text: str) -> range:
    """Read ``1:1000`` or one seed.

    Raises
    ------
    InputError
        Not two whole numbers, out of range, the wrong way round, or more than a million seeds.
    """
    found = re.fullmatch(r"([0-9]{1,20})(?::([0-9]{1,20}))?", text.strip())
    if found is None:
        raise InputError(f"seeds {text!r} cannot be read; {ACCEPTED}")
    first = int(found[1])
    last = first if found[2] is None else int(found[2])
    if max(first, last) > LARGEST_SEED:
        raise InputError(f"seed {max(first, last)} is out of range; {ACCEPTED}")
    if last < first:
        raise InputError(f"seeds {text!r} end before they begin; {ACCEPTED}")
    if last - first >= MOST_SEEDS:
        raise InputError(
            f"seeds {text!r} are {last - first + 1}; accepted: at most {MOST_SEEDS} in one study"
        )
    return range(first, last + 1)


def show_seeds(seeds: range) -> str:
    """``1:1000``, as `parse_seeds` reads it."""
    return f"{seeds[0]}:{seeds[-1]}"


def runs_of(seeds: Iterable[int]) -> Iterator[list[int]]:
    """Sorted seeds in stretches without a gap."""
    stretch: list[int] = []
    for seed in sorted(seeds):
        if stretch and seed != stretch[-1] + 1:
            yield stretch
            stretch = []
        stretch.append(seed)
    if stretch:
        yield stretch


def chunks(seeds: Iterable[int], size: int) -> Iterator[list[int]]:
    """Sorted seeds in stretches without a gap, at most `size` long: one part file each."""
    for stretch in runs_of(seeds):
        for first in range(0, len(stretch), size):
            yield stretch[first : first + size]
