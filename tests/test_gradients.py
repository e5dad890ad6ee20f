"""The training gradient of all 3,136 parameters against jax autodiff in float64, without the tree."""

import math

import numpy as np
import pytest

import attention_by_hand as abh
import runs
from attention_by_hand.runtime import Kernel
from oracle import batch
from oracle.model import parameter_shapes

SEEDS = [1, 2, 3, 4294967295]


@pytest.fixture(scope="module")
def kernel():
    return Kernel()


@pytest.fixture(scope="module")
def long_run():
    """A thousand steps, far beyond 100/100: the gradient is nearly gone."""
    return abh.train(seed=1, steps=1000)


def gradients_of(kernel, chosen):
    chosen.state.write(kernel, 0)
    kernel.call("batch_forward")
    kernel.call("batch_backward")
    return {name: kernel.view(f"grad.{name}").astype(float) for name in parameter_shapes()}


def check(kernel, chosen, what, absolute=0.0):
    loss, expected = batch.batch_gradients(runs.parameters(chosen))
    got = gradients_of(kernel, chosen)
    assert abs(float(kernel.view("Loss")[0]) / loss - 1) < 1e-5
    assert sum(gradient.size for gradient in got.values()) == 3136
    for name, gradient in expected.items():
        error, size = np.linalg.norm(got[name] - gradient), np.linalg.norm(gradient)
        assert error <= 1e-4 * size + absolute, f"grad.{name} is {error / size:.1e} off, relatively ({what})"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("when", ["0", "1", "20", "solved"])
def test_every_parameter(kernel, seed, when):
    run = runs.trained(seed)
    chosen = run.model if when == "solved" else run.at(int(when))
    check(kernel, chosen, f"seed {seed}, step {when}")


@pytest.mark.parametrize("seed", [7, 8])
def test_every_parameter_of_a_model_from_elsewhere(kernel, seed):
    check(kernel, runs.own_parameters(seed), f"random parameters {seed}")


def test_every_parameter_when_the_gradient_is_nearly_gone(kernel, long_run):
    """558 contributions of either sign cancel to a hundredth; their float32 rounding (1e-7 of them) stays."""
    check(kernel, long_run.model, "seed 1, step 1000", absolute=2e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_positions_beyond_the_longest_prefix_never_get_a_gradient(kernel, seed):
    gradient = gradients_of(kernel, runs.trained(seed).model)["PosEmb"]
    assert np.all(gradient[6:] == 0)
    assert np.all(np.abs(gradient[:6]).max(axis=1) > 0)


def test_padding_and_end_are_never_read(kernel):
    gradient = gradients_of(kernel, runs.trained(1).model)["TokenEmb"]
    assert np.all(gradient[12:] == 0)
    assert np.all(np.abs(gradient[:12]).max(axis=1) > 0)


def test_padding_is_only_ever_pushed_down(kernel):
    """G_logits of PAD is its probability, never below 0: a step along −gradient lowers its logit."""
    gradients_of(kernel, runs.trained(1).at(10))
    assert np.all(kernel.view("grad.logits")[:, 13] > 0)


@pytest.mark.parametrize("when", [0, 40])
@pytest.mark.parametrize("name", list(parameter_shapes()))
def test_gradient_is_the_slope_of_the_kernels_own_loss(kernel, name, when):
    """Central differences with nothing but the kernel: both directions along the gradient of one tensor."""
    chosen = runs.trained(1).at(when)
    gradient = gradients_of(kernel, chosen)[name]
    size = np.linalg.norm(gradient)
    width = 1e-2
    losses = []
    for sign in (1, -1):
        chosen.state.write(kernel, 0)
        kernel.view(name)[...] += (sign * width * gradient / size).astype(np.float32)
        kernel.call("batch_forward")
        losses.append(float(kernel.view("Loss")[0]))
    slope = (losses[0] - losses[1]) / (2 * width)
    # A float32 loss near 2 is known to 2.4e-7 at best, divided here by 2e-2; a few such units add up.
    assert math.isclose(slope, size, rel_tol=0.02, abs_tol=2e-4), f"{name}: slope {slope}, gradient {size}"
