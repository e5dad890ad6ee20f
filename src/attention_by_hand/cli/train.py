"""``attention-by-hand train``: train from a seed, show how it goes, save the model."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from ..checkpoint import check_writable
from ..task import PROBLEMS, loss_floor
from ..training import Record, Run, check_seed, train
from .output import console, print_json, shortest
from .values import whole_number

# Every step is kept in memory, 38 KB each.
MOST_STEPS = 10_000
INTERRUPTED = 130


class Stopped(Exception):  # noqa: N818 - not an error
    """Ctrl-C was pressed and the step at hand is complete."""


@contextmanager
def stopping_between_steps() -> Iterator[Callable[[], None]]:
    """Turn Ctrl-C into `Stopped`, raised by the function this yields: never in the middle of a step."""
    pressed = False

    def press(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    def check() -> None:
        if pressed:
            raise Stopped

    before = signal.signal(signal.SIGINT, press)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress_bar() -> Iterator[Callable[[Record], None]]:
    """Show a live line on standard error, where that is a terminal; yields what to call with each record."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda record: None
        return
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("step {task.fields[step]:>4}"),
        TextColumn("loss {task.fields[loss]:.6f}  floor {task.fields[floor]:.6f}"),
        BarColumn(bar_width=30),
        TextColumn("solved {task.completed:>3}/{task.total}"),
    )
    with Progress(*columns, console=screen, refresh_per_second=20) as progress:
        task = progress.add_task("", total=len(PROBLEMS), step=0, loss=0.0, floor=loss_floor())
        yield lambda record: progress.update(
            task, completed=record.solved, step=record.step, loss=record.loss, refresh=False
        )


def train_model(seed: str, steps: str | None, out: Path | None, *, force: bool, json: bool) -> int:
    """Train and report.

    Parameters
    ----------
    seed, steps : str
        As they were typed; `steps` may be None.
    out : Path or None
        Where to save the model.
    force : bool
        Whether a file that is there may be replaced.
    json : bool
        Whether to report as JSON.

    Returns
    -------
    int
        Exit code: 0 done, 1 not all problems solved although training was to go on until then,
        130 stopped by Ctrl-C.

    Raises
    ------
    InputError
        If the seed, the number of steps or the path cannot be used; found before training starts.
    """
    run = Run(check_seed(seed))
    count = None if steps is None else whole_number(steps, "--steps", 0, MOST_STEPS)
    if out is not None:
        check_writable(out, force)

    begun = time.perf_counter()
    interrupted = False
    with stopping_between_steps() as check, progress_bar() as show:

        def on_step(record: Record) -> None:
            show(record)
            check()

        try:
            train(steps=count, on_step=on_step, run=run)
        except Stopped:
            interrupted = True
        if out is not None:
            run.model.save(out, force)
    seconds = time.perf_counter() - begun

    report(run, out, interrupted=interrupted, seconds=seconds, json=json)
    if interrupted:
        return INTERRUPTED
    return 0 if run.solved or count is not None else 1


def report(run: Run, out: Path | None, *, interrupted: bool, seconds: float, json: bool) -> None:
    """Say what came out of a training."""
    last, model = run.history[-1], run.model
    if json:
        result: dict[str, Any] = {
            "seed": run.seed,
            "step": last.step,
            "loss": shortest(last.loss),
            "floor": loss_floor(),
            "solved": last.solved,
            "problems": len(PROBLEMS),
            "digest": model.digest,
            "out": None if out is None else str(out),
            "interrupted": interrupted,
            "seconds": round(seconds, 3),
        }
        print_json(result)
        return
    head = "Stopped by Ctrl-C: seed" if interrupted else "Seed"
    solved = f"{last.solved}/{len(PROBLEMS)} problems solved"
    print(f"{head} {run.seed}, step {last.step}: {solved} in {seconds:.2f} s")
    print(f"Loss {last.loss:.6f}, floor {loss_floor():.6f}")
    print(f"Digest {model.digest[:16]}")
    if out is not None:
        print(f"Saved {out}")
