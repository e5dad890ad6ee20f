"""The optimizer against Adam in float64, one step at a time and over a stretch of training."""

import numpy as np
import pytest

import runs
from attention_by_hand.model.sizes import Recipe
from attention_by_hand.runtime import Kernel
from oracle import adam, batch
from oracle.model import parameter_shapes

RECIPE = Recipe()


def read(kernel, prefix):
    return {name: kernel.view(prefix + name).astype(float) for name in parameter_shapes()}


def test_constants_are_those_of_the_oracle():
    assert (RECIPE.beta1, RECIPE.beta2, RECIPE.epsilon) == (adam.BETA1, adam.BETA2, adam.EPSILON)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("step", [0, 1, 20, 150])
def test_one_update(seed, step):
    kernel = Kernel()
    kernel.call("initialize", seed)
    for _ in range(step):
        kernel.call("train_step")
    for stage in ("batch_forward", "batch_backward", "batch_update"):
        kernel.call(stage)
    now, m, v = (read(kernel, prefix) for prefix in ("", "adam.m.", "adam.v."))
    expected = adam.update(now, read(kernel, "grad."), m, v, step + 1, RECIPE.rate)
    for prefix, tensors in zip(("next.", "next.adam.m.", "next.adam.v."), expected, strict=True):
        for name, value in read(kernel, prefix).items():
            # Relative to the largest cell, for parameters to the step size: the change must be right.
            error = np.abs(value - tensors[name]).max()
            limit = 3e-6 * (RECIPE.rate if prefix == "next." else np.abs(tensors[name]).max())
            limit += 2.0**-23 * np.abs(tensors[name]).max()
            assert error <= limit, (
                f"{prefix}{name} after step {step} is {error:.1e} off ({limit:.1e} allowed)"
            )


def test_update_leaves_the_current_values_and_advance_takes_the_next():
    kernel = Kernel()
    kernel.call("initialize", 3)
    before = kernel.view("parameters").copy()
    for stage in ("batch_forward", "batch_backward", "batch_update"):
        kernel.call(stage)
    assert np.array_equal(kernel.view("parameters"), before)
    assert not np.array_equal(kernel.view("next.parameters"), before)
    assert kernel.view("adam.step")[0] == 0
    kernel.call("advance")
    assert np.array_equal(kernel.view("parameters"), kernel.view("next.parameters"))
    assert np.array_equal(kernel.view("adam.m"), kernel.view("next.adam.m"))
    assert np.array_equal(kernel.view("adam.v"), kernel.view("next.adam.v"))
    assert kernel.view("adam.step")[0] == 1


def test_a_parameter_without_gradient_stays_as_it_started():
    """PosEmb rows 6 to 15, TokenEmb rows END and PAD: never read in training, so not one bit moves."""
    first, last = runs.trained(1).at(0), runs.trained(1).model
    assert first.parameter("PosEmb")[6:].tobytes() == last.parameter("PosEmb")[6:].tobytes()
    assert first.parameter("TokenEmb")[12:].tobytes() == last.parameter("TokenEmb")[12:].tobytes()
    assert np.all(first.parameter("PosEmb")[:6] != last.parameter("PosEmb")[:6])


def test_thirty_steps_in_float64_end_in_the_same_place():
    """The oracle trains by itself from the same start; after 30 steps float32 and float64 still agree."""
    run = runs.trained(1)
    now = {name: value.astype(float) for name, value in runs.parameters(run.at(0)).items()}
    m = {name: np.zeros_like(value) for name, value in now.items()}
    v = {name: np.zeros_like(value) for name, value in now.items()}
    for step in range(30):
        loss, gradients = batch.batch_gradients(now)
        assert abs(run.history[step].loss - loss) < 2e-5, f"loss at step {step}"
        now, m, v = adam.update(now, gradients, m, v, step + 1, RECIPE.rate)
    for name, value in runs.parameters(run.at(30)).items():
        assert np.abs(value - now[name]).max() < 2e-3, f"{name} after 30 steps"
