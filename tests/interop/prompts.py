"""What every library is asked: all 100 problems, and random prompts of 1 to 16 tokens."""

from __future__ import annotations

import numpy as np

import runs
from attention_by_hand.ledger.trace import Ledger
from attention_by_hand.task import PROBLEMS, question
from attention_by_hand.trained import Model

LIMIT = 1e-5
PROBLEM_PROMPTS = [question(a, b) for a, b in PROBLEMS]


def random_prompts() -> list[list[int]]:
    """Three of each length, any of the 14 tokens anywhere."""
    draw = np.random.default_rng(20)
    return [[int(x) for x in draw.integers(0, 14, n)] for n in range(1, 17) for _ in range(3)]


def models() -> dict[str, Model]:
    """A trained model, and one in which every tensor, gains and biases too, is random."""
    return {"trained": runs.trained(1).model, "random": runs.own_parameters(7)}


class Worst:
    """Keeps the largest differences, and says them when asked."""

    def __init__(self) -> None:
        self.off: dict[str, float] = {}

    def compare(self, ledger: Ledger, name: str, found: np.ndarray, label: str) -> None:
        """Hold an array against a ledger entry, masked cells left out; fail where it is not the same.

        Numbers count relative to the largest of their matrix where that is above 1: logits of prompts
        that training never saw reach 30, and one float32 there is 2e-6 wide.
        """
        expected = ledger.array(name)
        assert found.shape == expected.shape, f"{name}: shape {found.shape} instead of {expected.shape}"
        kept = np.isfinite(expected)
        off = float(np.abs(found[kept] - expected[kept]).max())
        limit = LIMIT * max(1.0, float(np.abs(expected[kept]).max()))
        assert off <= limit, f"{name} of {ledger!r} is off by {off:.1e}: the export is not this model"
        self.off[label] = max(self.off.get(label, 0.0), off)

    def say(self, library: str) -> None:
        """Print the figures; shown with pytest -s."""
        for label, off in self.off.items():
            print(f"\n{library}: {label}: largest difference {off:.1e}", end="")
