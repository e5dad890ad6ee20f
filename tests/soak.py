"""Train many seeds; every one has to solve 100 of 100 problems within 1,000 steps.

`make soak` runs a thousand seeds on all cores. Leaves with 1 if any seed fails.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context

import attention_by_hand as abh

LIMIT = 1000


def steps_to_solve(seed: int) -> tuple[int, int | None]:
    """The seed, and the steps it took to 100 of 100; None when it had not got there after `LIMIT` steps."""
    run = abh.train(seed)
    last = run.history[-1].step
    return seed, last if run.solved and last <= LIMIT else None


def quantile(ordered: Sequence[int], share: float) -> int:
    """The smallest value that at least this share of the ordered values does not exceed."""
    return ordered[math.ceil(len(ordered) * share) - 1]


def soak(seeds: range, workers: int) -> Iterator[tuple[int, int | None]]:
    """Train every seed, several at once, in processes that start clean."""
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(steps_to_solve, seeds, chunksize=4)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, report, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="?", type=int, default=1000, help="how many seeds (default: 1000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)"
    )
    given = parser.parse_args(arguments)
    if given.seeds < 1 or given.workers < 1 or not 0 <= given.first <= 2**32 - given.seeds:
        parser.error("at least one seed and one process, and seeds from 0 to 4294967295")
    began = time.monotonic()
    done: list[int] = []
    failed: list[int] = []
    for count, (seed, steps) in enumerate(
        soak(range(given.first, given.first + given.seeds), given.workers), 1
    ):
        if steps is None:
            failed.append(seed)
            print(f"seed {seed} did not solve 100 of 100 within {LIMIT} steps", flush=True)
        else:
            done.append(steps)
        if count % 100 == 0 and count < given.seeds:
            print(f"{count} of {given.seeds} seeds, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(done)} of {given.seeds} seeds reached 100/100 ({time.monotonic() - began:.0f} s)")
    if done:
        ordered = sorted(done)
        middle, most = quantile(ordered, 0.5), quantile(ordered, 0.99)
        print(f"steps: min {ordered[0]}, median {middle}, 99 % {most}, max {ordered[-1]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
