"""The same model, the same 100 problems, the same optimizer, side by side in one run: ``make bench``.

    python benchmarks [ROUNDS]

Two tables, in Chromium and in Python. Rounds of the rows alternate, so that a slow moment of the machine
hits all of them; the median and the spread of the rounds are printed, and ratios to our row. Then the bound:
what the same multiply-adds would take at the best rate this machine reaches in WebAssembly.
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bound import PER_ROUND, multiply_adds
from playwright.sync_api import sync_playwright

from attention_by_hand import train
from attention_by_hand.build.places import ROOT
from attention_by_hand.serve import open_server
from browser import Chromium, bytes_loaded

HERE = Path(__file__).parent
TORCH = ROOT / ".build" / "bench-torch"
TORCH_PACKAGES = ("torch==2.13.0", "numpy==2.4.6")
#: Steps of one round: enough to time, few enough to alternate.
STEPS = {"ours": 200, "default": 20}
#: Rounds before the first that counts: engines go on compiling for hundreds of steps.
WARM_UP = 5
Answer = dict[str, float]


@dataclass
class Row:
    """One way to run the model."""

    name: str
    ask: Callable[[str, int], Answer]
    steps: int
    size: int | None = None
    rounds: list[float] = field(default_factory=list)
    solve: Answer = field(default_factory=dict)


def python_row(stack: ExitStack, name: str, script: str, python: Path, steps: int) -> Row:
    """Return a row that runs in a Python process of its own; see worker.py."""
    process = stack.enter_context(
        subprocess.Popen([python, HERE / script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    )

    def ask(what: str, number: int) -> Answer:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{what} {number}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{name} stopped; run `{python} {HERE / script}` to see why")
        found: Answer = json.loads(line)
        return found

    if process.stdin is not None:
        stack.callback(process.stdin.close)
    return Row(name, ask, steps)


def browser_row(name: str, chromium: Chromium, script: str, backend: str, size: int, steps: int) -> Row:
    """Return a row that runs in a page of Chromium."""
    libraries = {"": (), "wasm": ("tf.min.js", "tf-backend-wasm.min.js")}.get(backend, ("tf.min.js",))
    page = chromium.page(script, backend, libraries)

    def ask(what: str, number: int) -> Answer:
        # A page in the background gets less of the machine.
        page.bring_to_front()
        found: Answer = page.evaluate(f"window.bench.{what}({number})")
        return found

    return Row(name, ask, steps, size)


def torch_python() -> Path:
    """Return the Python of an environment with PyTorch, made once for the bench alone."""
    python = TORCH / "bin" / "python"
    if not (TORCH / "done").exists():
        shutil.rmtree(TORCH, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", TORCH], check=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", *TORCH_PACKAGES], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise SystemExit(
                f"PyTorch could not be installed; the bench needs it once: {done.stderr.strip()}"
            )
        (TORCH / "done").touch()
    return python


def measure(rows: list[Row], rounds: int) -> None:
    """Warm up, then time rounds in turn, then each row's way to 100 of 100."""
    for _ in range(WARM_UP):
        for row in rows:
            row.ask("round", row.steps)
    for _ in range(rounds):
        for row in rows:
            row.rounds.append(row.ask("round", row.steps)["ms"])
    for row in rows:
        row.solve = row.ask("solve", 1)


def table(title: str, rows: list[Row]) -> None:
    """Print one table; the first row is ours."""
    ours = statistics.median(rows[0].rounds)
    heads = ("ms/step", "min–max", "÷ ours", "steps", "seconds", "÷ ours", "KB")
    widths = (9, 14, 8, 7, 9, 8, 7)
    print(f"\n{title:<34}" + "".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True)))
    for row in rows:
        middle = statistics.median(row.rounds)
        spread = f"{min(row.rounds):.2f}–{max(row.rounds):.2f}"
        seconds = row.solve["seconds"] if row.solve["seconds"] is not None else math.nan
        size = "" if row.size is None else f"{row.size / 1000:.0f}"
        print(
            f"{row.name:<34}{middle:>9.2f}{spread:>14}{middle / ours:>8.1f}{row.solve['steps']:>7.0f}"
            f"{seconds:>9.2f}{seconds / rows[0].solve['seconds']:>8.1f}{size:>7}"
        )


def bound(ours: Row, chromium: Chromium, rounds: int) -> None:
    """Print the time that the multiply-adds of a step would take at the peak rate, and our multiple of it."""
    # Both in one page: what the browser gives to a page, it gives to both.
    page = chromium.page("ours.js")
    page.add_script_tag(url="/bound.js", type="module")
    page.wait_for_function("window.peak !== undefined")
    rates, steps = [], []
    for _ in range(WARM_UP + rounds):
        rates.append(page.evaluate(f"window.peak.round(4000000, {PER_ROUND})")["rate"])
        steps.append(page.evaluate(f"window.bench.round({ours.steps})")["ms"])
    rate, step = max(rates), statistics.median(steps[WARM_UP:])
    work = multiply_adds()
    ideal = 1e3 * work / rate
    print(f"\n{work:,} multiply-adds a step; peak {rate / 1e9:.1f} thousand million a second in Chromium")
    print(f"at that rate a step takes {ideal:.3f} ms; ours takes {step:.3f} ms: {step / ideal:.1f} times")


def opening(chromium: Chromium, rounds: int) -> None:
    """Print how long a reader waits: for the first step, and for 100 of 100 at full speed."""
    steps = train(1).history[-1].step
    server, _ = open_server(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    times = [chromium.opening(address, steps) for _ in range(rounds + 1)][1:]
    server.shutdown()
    for name, all_ in zip(("the first step", "100/100 on show"), zip(*times, strict=True), strict=True):
        middle = statistics.median(all_)
        print(f"page open to {name}: {middle:.0f} ms ({min(all_):.0f}–{max(all_):.0f})")


def shell() -> None:
    """Print how long the command takes from the shell to 100 of 100."""
    command = [ROOT / ".venv" / "bin" / "attention-by-hand", "train", "--seed", "1", "--json"]
    times = []
    for _ in range(4):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begun)
    print(
        f"attention-by-hand train --seed 1, from the shell to 100/100: {statistics.median(times[1:]):.2f} s"
    )


def main() -> None:
    """Measure and print everything."""
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and not sys.argv[1].isdecimal()):
        raise SystemExit("accepted is one whole number: how many rounds to time")
    rounds = int(sys.argv[1]) if len(sys.argv) == 2 else 7
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        chromium = Chromium(stack.enter_context(sync_playwright()), Path(folder))
        stack.callback(chromium.close)
        sizes = bytes_loaded()
        few, many = STEPS["default"], STEPS["ours"]
        ours = browser_row("attention-by-hand", chromium, "ours.js", "", sizes["ours"], many)
        peers = [
            browser_row(f"TensorFlow.js, {backend}", chromium, "tfjs.js", backend, sizes[backend], few)
            for backend in ("wasm", "cpu", "webgl")
        ]
        measure([ours, *peers], rounds)
        table("in Chromium", [ours, *peers])
        bound(ours, chromium, rounds)
        opening(chromium, rounds)
        here = Path(sys.executable)
        rows = [
            python_row(stack, "attention-by-hand", "ours_step.py", here, many),
            python_row(stack, "PyTorch, eager", "torch_step.py", torch_python(), few),
            python_row(stack, "JAX, jit", "jax_step.py", here, few),
            python_row(stack, "NumPy", "numpy_step.py", here, few),
        ]
        measure(rows, rounds)
        table("in Python", rows)
    shell()


if __name__ == "__main__":
    main()
