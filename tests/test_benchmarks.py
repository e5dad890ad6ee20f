"""The bench trains its peers with the recipe of the model."""

import sys
from dataclasses import asdict
from pathlib import Path

from attention_by_hand.model.sizes import Recipe

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import problem


def test_the_peers_follow_the_recipe():
    recipe = asdict(Recipe())
    del recipe["norm_epsilon"]  # part of the model; every peer says it where it normalizes
    assert recipe == {name: getattr(problem, name.upper()) for name in recipe}, (
        "model/sizes.py has changed: write the same numbers into benchmarks/problem.py"
    )
