"""What every Python row of the comparison is: a process that trains on demand.

It reads one request a line and answers one JSON line: ``round STEPS`` → milliseconds a step;
``solve SEED`` → steps and seconds from nothing to 100 of 100.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Protocol

MOST_STEPS = 2000


class Training(Protocol):
    """A run from a seed."""

    def step(self) -> float:
        """Take one step; the loss before it."""

    def solved(self) -> int:
        """Problems solved at the parameters before the last step."""


def answer(words: list[str], make: Callable[[int], Training], running: Training) -> dict[str, float]:
    """Do what one request asks for."""
    begun = time.perf_counter()
    if words[0] == "round":
        for _ in range(int(words[1])):
            running.step()
        return {"ms": 1e3 * (time.perf_counter() - begun) / int(words[1])}
    training = make(int(words[1]))
    for steps in range(MOST_STEPS):
        training.step()
        if training.solved() == 100:
            return {"steps": steps, "seconds": time.perf_counter() - begun}
    return {"steps": float("nan"), "seconds": float("nan")}


def serve(make: Callable[[int], Training]) -> None:
    """Answer requests until the input ends."""
    running = make(1)
    running.step()
    for line in sys.stdin:
        print(json.dumps(answer(line.split(), make, running)), flush=True)
