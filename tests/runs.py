"""Trained models and kernels that several test files share, each made once."""

from __future__ import annotations

from functools import cache

import numpy as np

import attention_by_hand as abh
from attention_by_hand.runtime import Kernel
from attention_by_hand.state import State
from attention_by_hand.trained import Model
from oracle import task
from oracle.model import parameter_shapes

#: Prompts of every length from 1 to 16; all but a few never occur in training.
PROMPTS = [
    "7",
    "×=",
    "7×0",
    "7×8=",
    "7×8=5",
    "9×9=81",
    "=======",
    "0×7=07×0",
    "123456789",
    "8×7=56×8=7",
    "7×8=567×8=5",
    "0=0=0=0=0=0=",
    "××××××777777=",
    "12×34=56×78=90",
    "999999999999999",
    "0123456789×=×=01",
]
assert [len(prompt) for prompt in PROMPTS] == list(range(1, 17))


@cache
def trained(seed: int) -> abh.Run:
    """A run from a seed to 100 of 100."""
    run = abh.train(seed)
    assert run.solved, f"seed {seed} did not reach 100/100"
    return run


def parameters(model: Model) -> dict[str, np.ndarray]:
    """Name → float32 array of every parameter."""
    return {name: model.parameter(name) for name in parameter_shapes()}


@cache
def own_parameters(seed: int, scale: float = 0.5) -> Model:
    """A model that no training has made: every tensor random, LayerNorms and biases too."""
    kernel = Kernel()
    draw = np.random.default_rng(seed)
    for name in parameter_shapes():
        view = kernel.view(name)
        view[...] = scale * draw.standard_normal(view.shape) + name.endswith("gain")
    return Model(State.read(kernel), None, 0)


def some_models() -> dict[str, Model]:
    """Models from the random start to the solved table, and one from elsewhere."""
    run = trained(1)
    return {
        "seed 1, step 0": run.at(0),
        "seed 1, step 20": run.at(20),
        "seed 1, solved": run.model,
        "seed 2, solved": trained(2).model,
        "other numbers": own_parameters(7),
    }


def ids(text: str) -> list[int]:
    """Token ids of a text in which every character is one token."""
    return task.ids(text)
