"""Every ``grad.`` entry, of a prompt and of the training batch, against jax autodiff in float64."""

import numpy as np
import pytest

import runs
from attention_by_hand.runtime import Kernel
from oracle import batch, derived, model, task
from test_forward import MODELS, prefix_of

TARGETS = ["5", "END", "PAD"]


@pytest.fixture(scope="module")
def kernel():
    return Kernel()


def compare(got, expected, what, pull):
    """`pull` is the size of P − Y. Where P(target) is close to 1, float32 knows 1 − P only coarsely."""
    error = np.linalg.norm(np.asarray(got, float).reshape(expected.shape) - expected)
    size = np.linalg.norm(expected)
    limit = size * (2e-4 + 4e-6 / pull) + 2e-6 * pull
    assert error <= limit, (
        f"{what}: off by {error:.2e} of {size:.2e}, more than float32 explains ({limit:.2e})"
    )


def gradients_of(parameters, text, target):
    tokens = runs.ids(text)
    values, gradients = model.trace(parameters, tokens, model.last_row(len(tokens), target))
    del gradients["Loss"]  # 1 by definition, no entry
    named = {f"grad.{name}": gradient for name, gradient in gradients.items()}
    return named | derived.average_pull(values, gradients)


@pytest.mark.parametrize("label", MODELS)
@pytest.mark.parametrize("text", runs.PROMPTS)
def test_prompts_of_every_length(kernel, label, text):
    chosen = runs.some_models()[label]
    parameters = runs.parameters(chosen)
    chosen.state.write(kernel, 0)
    for target in map(task.ID.get, TARGETS):
        expected = gradients_of(parameters, text, target)
        n = kernel.set_prompt(runs.ids(text), target)
        for stage in ("prompt_forward", "prompt_backward", "prompt_inspect"):
            kernel.call(stage, n)
        pull = np.linalg.norm(expected["grad.logits"])
        for name, gradient in expected.items():
            what = f"{name} of {text}, target {task.TOKENS[target]} ({label})"
            compare(kernel.view(name, "prompt", n), gradient, what, pull)


@pytest.mark.parametrize("label", MODELS)
def test_rows_of_the_tree(kernel, label):
    """A shared prefix gets the sum of what its up to ten sequences would give it."""
    chosen = runs.some_models()[label]
    chosen.state.write(kernel, 0)
    for stage in ("batch_forward", "batch_backward", "batch_inspect"):
        kernel.call(stage)
    _, gradients = batch.batch_activations(runs.parameters(chosen))
    prefixes = [prefix_of(kernel, node) for node in range(378)]
    pull = np.linalg.norm(list(gradients["logits"].values()))
    for name, rows in gradients.items():
        got = kernel.view(f"grad.{name}")
        width = max(len(row) for row in rows.values()) if rows[prefixes[0]].ndim else 0
        padded = [np.pad(rows[p], (0, width - len(rows[p]))) if width else rows[p] for p in prefixes]
        compare(got, np.array(padded), f"grad.{name} of the batch ({label})", pull)


def test_no_gradient_is_left_out(kernel):
    compared = set(gradients_of(runs.parameters(runs.trained(1).model), "7×8=", 5))
    exist = {t.name for t in kernel.layout.table.tensors.values() if t.group == "gradient"}
    assert exist == compared & exist, f"compared with nothing: {sorted(exist - compared)}"
    assert compared == exist, f"no such entry: {sorted(compared - exist)}"


@pytest.mark.parametrize("text", runs.PROMPTS)
def test_looking_at_gradients_changes_nothing(kernel, text):
    chosen = runs.trained(1).at(40)
    chosen.state.write(kernel, 40)
    names = ("parameters", "adam.m", "adam.v", "adam.step", "adam.beta1_power", "adam.beta2_power")
    before = {name: kernel.view(name).tobytes() for name in names}
    n = kernel.set_prompt(runs.ids(text), 5)
    for stage in ("prompt_forward", "prompt_backward", "prompt_inspect"):
        kernel.call(stage, n)
    for stage in ("circuits", "batch_forward", "batch_backward", "batch_inspect", "batch_update"):
        kernel.call(stage)
    for name in names:
        assert kernel.view(name).tobytes() == before[name], f"{name} was changed by looking"


@pytest.mark.parametrize("text", ["7×8=", "0123456789×=×=01"])
def test_a_second_backward_pass_gives_the_same_bits(kernel, text):
    """Nothing is added to what an earlier pass left behind."""
    runs.trained(1).model.state.write(kernel, 0)
    n = kernel.set_prompt(runs.ids(text), 5)
    found = []
    for _ in range(2):
        kernel.call("prompt_forward", n)
        kernel.call("prompt_backward", n)
        names = [
            t.name
            for t in kernel.layout.table.tensors.values()
            if t.name.startswith("grad.") and not t.shared
        ]
        found.append({name: kernel.view(name, "prompt", n).tobytes() for name in names})
    assert found[0] == found[1]
