"""A score changed by hand: what it does, what it leaves alone, and the slope that it measures."""

import numpy as np
import pytest

import runs
from attention_by_hand.ledger.trace import Ledger, same_bits
from attention_by_hand.runtime import Kernel

HEADS = [f"layer{layer}.head{head}" for layer in (1, 2) for head in (1, 2)]


def asked(kernel, text="7×8=", target=5):
    """A prompt with its target, computed forward and backward; the number of rows."""
    n = kernel.set_prompt(runs.ids(text), target)
    kernel.call("prompt_forward", n)
    kernel.call("prompt_backward", n)
    return n


@pytest.fixture
def kernel():
    kernel = Kernel()
    runs.trained(1).at(20).state.write(kernel, 20)
    return kernel


@pytest.mark.parametrize("head", HEADS)
def test_a_nudge_is_added_to_its_score_and_to_no_other(kernel, head):
    n = asked(kernel)
    before = kernel.view(f"{head}.S", "prompt", n).copy()
    kernel.view(f"{head}.nudge", "prompt", n)[3, 1] = 0.25
    kernel.call("prompt_forward", n)
    after = kernel.view(f"{head}.S", "prompt", n).copy()
    assert after[3, 1] == before[3, 1] + np.float32(0.25)
    after[3, 1] = before[3, 1]
    assert same_bits(after, before), "the other scores of the head must not change"
    shares = kernel.view(f"{head}.A", "prompt", n)[3, :n]
    assert abs(shares.sum() - 1) < 1e-6


def test_a_nudge_of_the_future_stays_masked(kernel):
    n = asked(kernel)
    kernel.view("layer1.head1.nudge", "prompt", n)[1, 3] = 5
    kernel.call("prompt_forward", n)
    assert kernel.view("layer1.head1.S", "prompt", n)[1, 3] == -np.inf
    assert kernel.view("layer1.head1.A", "prompt", n)[1, 3] == 0


def test_a_nudge_taken_back_leaves_every_bit_as_it_was(kernel):
    n = asked(kernel)
    before = kernel.view("P", "prompt", n).copy()
    nudge = kernel.view("layer2.head1.nudge", "prompt", n)
    nudge[3, 0] = -0.7
    kernel.call("prompt_forward", n)
    assert not same_bits(kernel.view("P", "prompt", n), before)
    nudge[3, 0] = 0
    kernel.call("prompt_forward", n)
    assert same_bits(kernel.view("P", "prompt", n), before)


def test_the_formulas_hold_with_a_nudge_too(kernel):
    """Every cell evaluated from its formula, bit for bit, while two scores are nudged."""
    n = asked(kernel)
    kernel.view("layer1.head2.nudge", "prompt", n)[3, 2] = 0.5
    kernel.view("layer2.head1.nudge", "prompt", n)[2, 0] = -0.01
    for stage in ("prompt_forward", "prompt_inspect", "prompt_backward"):
        kernel.call(stage, n)
    kernel.call("circuits")
    count, wrong = Ledger(kernel, "prompt", n, runs.trained(1).at(20), 5, True, has_update=False).verify()
    assert count > 5000
    assert wrong == [], "these formulas do not give the stored bits"


@pytest.mark.parametrize("head", HEADS)
def test_the_slope_is_the_gradient_of_the_score(kernel, head):
    n = asked(kernel)
    gradient = kernel.view(f"grad.{head}.S", "prompt", n).copy()
    nudge = kernel.view(f"{head}.nudge", "prompt", n)
    loss = kernel.view("Loss", "prompt")

    def loss_with(source, by):
        nudge[3, source] = by
        kernel.call("prompt_forward", n)
        nudge[3, source] = 0
        return float(loss[0])

    for source in range(n):
        step = float(np.float32(0.01))
        slope = (loss_with(source, step) - loss_with(source, -step)) / (2 * step)
        # One unit in the last place of the loss, divided by the width of the nudge.
        blur = 8 * float(np.spacing(loss[0])) / step
        assert slope == pytest.approx(float(gradient[3, source]), rel=0.01, abs=blur), f"source {source}"
