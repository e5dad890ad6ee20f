"""What one model does on all 100 problems at once, and what changes when a part of it is taken away.

Every number comes from the compiled kernel, run on the training batch: the "=" of each problem is one of its
rows. A problem's "=" row is read by that problem's own answer rows only, so a connection can be cut in all
100 problems in one run, and each problem answers for itself.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.layout import standard_layout
from ..runtime import Kernel
from ..task import PROBLEMS
from ..trained import Model

#: What the "=" row can read, in order of position.
SOURCES: tuple[str, ...] = ("a", "×", "b", "=")


@dataclass(frozen=True)
class Outcome:
    """What the model answers in one run.

    Attributes
    ----------
    solved
        bool [100], one per problem in the order of `PROBLEMS`.
    first
        float32 [100], the probability of the right first answer digit.
    """

    solved: NDArray[np.bool_]
    first: NDArray[np.float32]


_own = threading.local()


def _desk() -> Kernel:
    """The kernel that is measured on; each reading writes its own parameters first.

    One for each thread: a worker of someone's cluster may have several, and a kernel has one memory.
    """
    if not hasattr(_own, "kernel"):
        _own.kernel = Kernel()
    kernel: Kernel = _own.kernel
    return kernel


@cache
def heads() -> tuple[tuple[int, int], ...]:
    """Layer and head of every head, both counted from 1."""
    sizes = standard_layout().table.sizes
    return tuple((layer, head) for layer in range(1, sizes.layers + 1) for head in range(1, sizes.heads + 1))


class Reading:
    """One model, measured. Runs are made when they are first asked for and kept.

    Parameters
    ----------
    model
        Where the parameters come from; it is not changed.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._cuts: dict[tuple[int, int, int], Outcome] = {}

    def _run(self) -> Outcome:
        desk = _desk()
        desk.call("batch_forward")
        rows, right = self._equals, desk.view("answers")[:, 0].astype(np.int64)
        return Outcome(
            desk.view("solved").reshape(-1).astype(bool),
            desk.view("P")[rows, right].astype(np.float32),
        )

    @cached_property
    def _equals(self) -> NDArray[np.int64]:
        """The row of each problem's "=" in the batch, [100]."""
        nodes: NDArray[Any] = _desk().view("answer_nodes")
        return nodes[:, 0].astype(np.int64)

    def _load(self) -> Kernel:
        desk = _desk()
        desk.view("parameters")[:] = self.model.state.parameters
        return desk

    @cached_property
    def _whole(self) -> tuple[Outcome, float, dict[tuple[int, int], NDArray[np.float32]]]:
        desk = self._load()
        outcome = self._run()
        shares = {
            (layer, head): desk.view(f"layer{layer}.head{head}.A")[self._equals, : len(SOURCES)].copy()
            for layer, head in heads()
        }
        return outcome, float(desk.view("Loss")[0]), shares

    @property
    def outcome(self) -> Outcome:
        """Nothing taken away."""
        return self._whole[0]

    @property
    def loss(self) -> float:
        """Loss over the 558 targets, in nats."""
        return self._whole[1]

    def shares(self, layer: int, head: int) -> NDArray[np.float32]:
        """The "=" row of A of one head, float32 [100, 4]: problem, source."""
        return self._whole[2][layer, head]

    def share_row(self, layer: int, head: int, a: int, b: int) -> NDArray[np.float32]:
        """The "=" row of A in one problem, float32 [4]."""
        row: NDArray[np.float32] = self.shares(layer, head)[PROBLEMS.index((a, b))]
        return row

    def silenced(self, layer: int, head: int) -> Outcome:
        """The head writes nothing: its rows of WO are zero."""
        desk = self._load()
        desk.view(f"layer{layer}.head{head}.WO")[...] = 0
        return self._run()

    def cut(self, layer: int, head: int, source: int) -> Outcome:
        """The "=" row of this head does not read one source, in every problem; the others share the whole."""
        key = (layer, head, source)
        if key not in self._cuts:
            closed = self._load().view(f"layer{layer}.head{head}.cut")
            closed[self._equals, source] = 1
            try:
                self._cuts[key] = self._run()
            finally:
                closed[...] = 0
        return self._cuts[key]

    def cut_each(self, layer: int, head: int, sources: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Solved problems, bool [100], when problem p does not read ``sources[p]``."""
        tables = np.stack([self.cut(layer, head, source).solved for source in range(len(SOURCES))])
        chosen: NDArray[np.bool_] = tables[sources, np.arange(len(PROBLEMS))]
        return chosen

    def largest(self, layer: int, head: int) -> NDArray[np.int64]:
        """The source with the largest share in each problem, int [100]; the first of equal ones."""
        found: NDArray[np.int64] = np.argmax(self.shares(layer, head), axis=1)
        return found

    def most_needed(self, layer: int, head: int) -> NDArray[np.int64]:
        """The source without which the right first digit is least likely, int [100]; first of equal ones."""
        left = np.stack([self.cut(layer, head, source).first for source in range(len(SOURCES))])
        found: NDArray[np.int64] = np.argmin(left, axis=0)
        return found
