"""The random start: a pure function of seed and parameter index, in exact float32."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attention_by_hand.model.sizes import Recipe
from attention_by_hand.runtime import Kernel
from oracle import initial
from oracle.model import parameter_shapes

RECIPE = Recipe()
MATRICES = [name for name in parameter_shapes() if not name.endswith(("gain", "bias", "b1", "b2"))]
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def kernel():
    return Kernel()


def start(kernel, seed):
    kernel.call("initialize", seed)
    return kernel.view("parameters").copy()


@settings(max_examples=12, deadline=None)
@given(seeds)
@example(0)
@example(1)
@example(2**31 - 1)
@example(2**31)
@example(2**32 - 1)
def test_every_bit_is_that_of_whole_number_arithmetic(seed):
    kernel = Kernel()
    kernel.call("initialize", seed)
    for name, value in initial.parameters(seed, RECIPE.embedding_std, RECIPE.weight_std).items():
        assert kernel.view(name).tobytes() == value.tobytes(), f"{name} for seed {seed}"


def test_what_happened_before_does_not_matter(kernel):
    first = start(kernel, 1)
    for _ in range(3):
        kernel.call("train_step")
    start(kernel, 99)
    assert start(kernel, 1).tobytes() == first.tobytes()
    for name in ("adam.m", "adam.v"):
        assert not kernel.view(name).any(), f"{name} does not start at 0"
    assert kernel.view("adam.step")[0] == 0


@settings(deadline=None)
@given(seeds, seeds)
@example(0, 2**32 - 1)
@example(0, 2**31)
@example(1, 2)
def test_two_seeds_have_two_starts(one, other):
    kernel = Kernel()
    a, b = start(kernel, one), start(kernel, other)
    share = float(np.mean(a == b))
    # Gains, biases: 208 of the 3,136 numbers are the same for every seed.
    assert share == 1.0 if one == other else share < 0.1


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_range_of_every_tensor(kernel, seed):
    start(kernel, seed)
    for name, shape in parameter_shapes().items():
        cells = kernel.view(name)
        if name in MATRICES:
            width = initial.spread(name, shape, RECIPE.embedding_std, RECIPE.weight_std)
            assert np.abs(cells).max() <= np.float32(width), name
            assert np.abs(cells).max() > 0.9 * width, f"{name} does not fill its interval"
            assert np.all(cells != 0), f"{name}: 0 is no possible value"
        else:
            assert np.all(cells == (1 if name.endswith("gain") else 0)), name


def test_mean_and_deviation_over_many_seeds(kernel):
    """Each tensor's cells, pooled over 40 seeds, have the mean and spread that the recipe states."""
    pools = {name: [] for name in MATRICES}
    for seed in range(40):
        start(kernel, seed)
        for name, pool in pools.items():
            pool.append(kernel.view(name).astype(float).ravel())
    for name, pool in pools.items():
        cells = np.concatenate(pool)
        fan_in = parameter_shapes()[name][0]
        std = RECIPE.embedding_std if name.endswith("Emb") else RECIPE.weight_std / math.sqrt(fan_in)
        noise = 5 * std / math.sqrt(len(cells))
        assert abs(cells.mean()) < noise, f"mean of {name}"
        assert abs(cells.std() - std) < noise, f"standard deviation of {name}"


def test_neighbours_are_unrelated(kernel):
    """No correlation between one cell and the next, nor between the same cell of neighbouring seeds."""
    starts = np.array([start(kernel, seed)[:240] for seed in range(200)], float)
    starts -= starts.mean()
    for what, a, b in (
        ("next cell", starts[:, :-1], starts[:, 1:]),
        ("next seed", starts[:-1], starts[1:]),
    ):
        correlation = float(np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b)))
        assert abs(correlation) < 0.025, f"{what}: correlation {correlation:.3f}"


def test_loss_starts_near_even_odds(kernel):
    start(kernel, 1)
    kernel.call("batch_forward")
    assert abs(float(kernel.view("Loss")[0]) - math.log(14)) < 0.3
