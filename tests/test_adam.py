"""The optimizer against Adam in float64, one step at a time and over a stretch of training."""

from dataclasses import fields

import numpy as np
import pytest

import runs
from attention_by_hand.model.sizes import Recipe
from attention_by_hand.runtime import Kernel
from oracle import batch, task
from oracle.adam import Adam
from oracle.model import parameter_shapes

ADAM = Adam(**{field.name: getattr(Recipe(), field.name) for field in fields(Adam)})


def read(kernel, prefix):
    return {name: kernel.view(prefix + name).astype(float) for name in parameter_shapes()}


def test_the_floor_is_the_oracles():
    assert abs(float(Kernel().view("floor")[0]) / task.floor() - 1) < 1e-6


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("step", [0, 1, 20, 100, 400])
def test_one_update(seed, step):
    kernel = Kernel()
    kernel.call("initialize", seed)
    for _ in range(step):
        kernel.call("train_step")
    for stage in ("batch_forward", "batch_backward", "batch_update"):
        kernel.call(stage)
    rate = float(kernel.view("adam.rate")[0])
    # The distance to the floor is a small difference of two float32 numbers near 0.4.
    assert (
        abs(rate - ADAM.step_size(float(kernel.view("Loss")[0]), task.floor())) < 2e-6 * ADAM.rate / ADAM.near
    )
    now, m, v = (read(kernel, prefix) for prefix in ("", "adam.m.", "adam.v."))
    expected = ADAM.update(now, read(kernel, "grad."), m, v, step + 1, rate)
    for prefix, tensors in zip(("next.", "next.adam.m.", "next.adam.v."), expected, strict=True):
        for name, value in read(kernel, prefix).items():
            # Relative to the largest cell, for parameters to the step size: the change must be right.
            error = np.abs(value - tensors[name]).max()
            size = rate * (ADAM.lm_rate / ADAM.rate if name == "LM" else 1)
            limit = 6e-6 * (size if prefix == "next." else np.abs(tensors[name]).max())
            limit += 2.0**-23 * np.abs(tensors[name]).max()
            assert error <= limit, (
                f"{prefix}{name} after step {step} is {error:.1e} off ({limit:.1e} allowed)"
            )


def test_the_step_is_full_at_first_and_short_near_the_floor():
    kernel = Kernel()
    kernel.call("initialize", 1)
    sizes = []
    for _ in range(600):
        kernel.call("train_step")
        sizes.append(float(kernel.view("adam.rate")[0]) / ADAM.rate)
    assert np.allclose(sizes[:20], 1)
    assert min(sizes) < 0.5, "600 steps never came near the floor"
    assert min(sizes) >= ADAM.least * (1 - 1e-6)


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
        assert abs(run.history[step].loss - loss) < 1e-4, f"loss at step {step}"
        now, m, v = ADAM.update(now, gradients, m, v, step + 1, ADAM.step_size(loss, task.floor()))
    for name, value in runs.parameters(run.at(30)).items():
        assert np.abs(value - now[name]).max() < ADAM.rate, f"{name} after 30 steps"
