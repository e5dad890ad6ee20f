"""Training from a seed, every step kept."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import SupportsIndex

from .errors import InputError
from .runtime import Kernel
from .state import State
from .task import PROBLEMS, sequence
from .trained import Model

LARGEST_SEED = 2**32 - 1
#: Training that has not solved everything by then stops.
MOST_STEPS = 2000


@dataclass(frozen=True)
class Record:
    """What is known of one step, before its update.

    Parameters
    ----------
    step
        Optimizer steps taken before.
    loss
        Mean of −ln P(next token) over the targets, in nats.
    solved
        Problems, of 100, whose answer the model writes digit by digit and ends.
    """

    step: int
    loss: float
    solved: int


class Run:
    """One seed's training: ``history[t]`` and ``states[t]`` belong to the parameters after t updates.

    Parameters
    ----------
    seed
        0 … 4294967295.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.history: list[Record] = []
        self.states: list[State] = []
        self.held_out: tuple[tuple[int, int], ...] = ()

    @property
    def model(self) -> Model:
        """The model at the last step."""
        return self.at(len(self.states) - 1)

    @property
    def solved(self) -> bool:
        """Whether all 100 problems were solved at the last step."""
        return bool(self.history) and self.history[-1].solved == len(PROBLEMS)

    def at(self, step: int) -> Model:
        """The model after `step` updates.

        Parameters
        ----------
        step
            0 for the random start, up to the last step of this run.

        Returns
        -------
        Model
            It shares the run's arrays; nothing is trained again.

        Raises
        ------
        InputError
            The run did not get that far.
        """
        if not (_is_whole(step) and 0 <= step < len(self.states)):
            raise InputError(f"step {step} is not in this run; accepted: 0 to {len(self.states) - 1}")
        return Model(self.states[step], None if self.held_out else self.seed, step, self)


def check_seed(seed: object) -> int:
    """A seed as an int.

    Raises
    ------
    InputError
        Not a whole number from 0 to 4294967295.
    """
    message = f"seed {seed!r} cannot be used; accepted: a whole number from 0 to {LARGEST_SEED}"
    try:
        number = int(seed.strip()) if isinstance(seed, str) else operator.index(_as_index(seed))
    except (TypeError, ValueError):
        raise InputError(message) from None
    if not 0 <= number <= LARGEST_SEED:
        raise InputError(message)
    return number


def _is_whole(value: object) -> bool:
    return isinstance(value, SupportsIndex)


def _as_index(value: object) -> SupportsIndex:
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return value
    raise TypeError


def train(
    seed: int = 1,
    steps: int | None = None,
    on_step: Callable[[Record], object] | None = None,
    run: Run | None = None,
    hold_out: Iterable[tuple[int, int]] = (),
) -> Run:
    """Train from random numbers on all 100 problems: full batch, Adam.

    Parameters
    ----------
    seed
        0 … 4294967295. Seed and step determine all parameters to the last bit.
    steps
        Take exactly this many steps. If None, stop as soon as 100 of 100 problems are solved,
        at the latest after 2,000 steps.
    on_step
        Called with each `Record`; an exception raised by it ends the training.
    run
        An empty `Run` to fill, for a caller who wants to keep what was done when `on_step`
        or an interrupt ends the training early.
    hold_out
        Problems ``(a, b)`` to leave out of training. They are still counted in `Record.solved`,
        so this is how generalization is measured. Such a run is no run of the seed alone.

    Returns
    -------
    Run
        History and states of every step, step 0 included.

    Raises
    ------
    InputError
        The seed or the number of steps cannot be used.
    """
    run = run if run is not None else Run(check_seed(seed))
    if steps is not None and not (_is_whole(steps) and 0 <= steps <= 1_000_000):
        raise InputError(f"{steps} steps cannot be taken; accepted: 0 to 1000000, whole")
    last = MOST_STEPS if steps is None else steps
    kernel = Kernel()
    kernel.call("initialize", run.seed)
    run.held_out = _hold_out(kernel, hold_out)
    loss, solved = kernel.view("Loss"), kernel.view("solved.count")
    for step in range(last + 1):
        # One call does the whole step; loss and solved problems are those of the parameters before it.
        state = State.read(kernel)
        kernel.call("train_step")
        record = Record(step, float(loss[0]), int(solved[0]))
        run.states.append(state)
        run.history.append(record)
        if on_step is not None:
            on_step(record)
        if steps is None and record.solved == len(PROBLEMS):
            break
    return run


def _hold_out(kernel: Kernel, problems: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Take the targets of some problems out of the batch; returns the problems, each once."""
    chosen = tuple(dict.fromkeys((int(a), int(b)) for a, b in problems))
    unknown = [problem for problem in chosen if problem not in PROBLEMS]
    if unknown:
        raise InputError(f"{unknown[0]} is no problem; accepted: pairs of digits 0 to 9")
    if len(chosen) == len(PROBLEMS):
        raise InputError("all 100 problems are held out; leave at least one to train on")
    counts, paths = kernel.view("counts"), kernel.view("ancestors")
    answers = kernel.view("answer_nodes")
    for a, b in chosen:
        node = int(answers[10 * a + b, -1])
        tokens = sequence(a, b)
        for place, following in enumerate(tokens[1:]):
            counts[paths[node, place], following] -= 1
    kernel.call("batch_targets")
    return chosen


def replay(seed: int, step: int) -> Model:
    """The model of a seed after `step` updates, without keeping the steps before it.

    Raises
    ------
    InputError
        The seed or step cannot be used.
    """
    if not 0 <= step <= 1_000_000:
        raise InputError(f"step {step} cannot be used; accepted: 0 to 1000000")
    kernel = Kernel()
    kernel.call("initialize", check_seed(seed))
    for _ in range(step):
        kernel.call("train_step")
    return Model(State.read(kernel), seed, step)
