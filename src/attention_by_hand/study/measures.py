"""Every measure of a study: its name, its sentence in both languages, and how it is read off a model.

A measure stands here and nowhere else. Table, report and tests go by `MEASURES`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..task import PROBLEMS, loss_floor
from .reading import SOURCES, Reading

START, END = "start", "end"

Compute = Callable[[Reading, int, int], float]


@dataclass(frozen=True)
class Measure:
    """One thing measured.

    Attributes
    ----------
    name
        As it stands in the column ``measure`` of the table.
    per_head
        Whether every head has its own value; else layer and head are 0.
    when
        ``start``: at step 0. ``end``: at the first step with 100 of 100, or the last step taken.
    unit
        ``yes/no`` (1 or 0), ``steps``, ``nats``, ``bits``, ``share`` (0 to 1), or ``problems`` of 100.
    en, zh
        What it says, one sentence.
    compute
        Called with the reading, the layer and the head.
    """

    name: str
    per_head: bool
    when: tuple[str, ...]
    unit: str
    en: str
    zh: str
    compute: Compute

    def sentence(self, language: str) -> str:
        """The sentence in ``en`` or ``zh``."""
        return self.zh if language == "zh" else self.en


_FOUND: dict[str, Measure] = {}


def _measure(
    name: str, unit: str, en: str, zh: str, *, per_head: bool = True, when: tuple[str, ...] = (START, END)
) -> Callable[[Compute], Compute]:
    def register(compute: Compute) -> Compute:
        if name in _FOUND:
            raise ValueError(f"two measures are called {name}")
        _FOUND[name] = Measure(name, per_head, when, unit, en, zh, compute)
        return compute

    return register


@_measure(
    "steps",
    "steps",
    "Optimizer steps until 100 of 100 problems are solved for the first time; empty if that never happened.",
    "首次做对全部 100 题时已走的优化步数；始终没有做到则为空。",
    per_head=False,
    when=(END,),
)
def steps(reading: Reading, layer: int, head: int) -> float:
    """A run stops at the first step that solves everything, so its last step is the count."""
    return float(reading.model.step) if reading.outcome.solved.all() else math.nan


@_measure("solved", "problems", "Problems solved, of 100.", "100 题中做对的题数。", per_head=False)
def solved(reading: Reading, layer: int, head: int) -> float:
    """Decoded token by token until END."""
    return float(reading.outcome.solved.sum())


@_measure(
    "loss_above_floor",
    "nats",
    "Loss minus the least loss any model can reach, 100·ln 10/558.",
    "损失超出理论下限 100·ln 10/558 的部分。",
    per_head=False,
)
def loss_above_floor(reading: Reading, layer: int, head: int) -> float:
    """In nats per target."""
    return reading.loss - loss_floor()


def follows_zero(a: int) -> Compute:
    """1 if the largest share of the "=" row is on the 0 in both ``a×0=`` and ``0×a=``, else 0."""

    def compute(reading: Reading, layer: int, head: int) -> float:
        second = np.argmax(reading.share_row(layer, head, a, 0))
        first = np.argmax(reading.share_row(layer, head, 0, a))
        return float(second == SOURCES.index("b") and first == SOURCES.index("a"))

    return compute


for _a in range(1, 10):
    _measure(
        f"follows_zero.{_a}",
        "yes/no",
        f'The largest share of the "=" row is on the 0 in {_a}×0=, and in 0×{_a}=, another column, too.',
        f"“=”所在行的最大份额在 {_a}×0= 里落在 0 上，在 0×{_a}= 里换了一列，仍落在 0 上。",
    )(follows_zero(_a))


@_measure(
    "follows_zero.all",
    "yes/no",
    'The largest share of the "=" row follows the 0 in this way for every a from 1 to 9.',
    "a 取 1 到 9 的每一个值，“=”所在行的最大份额都这样跟着 0 走。",
)
def follows_zero_always(reading: Reading, layer: int, head: int) -> float:
    """1 only if all nine are 1."""
    return min(follows_zero(a)(reading, layer, head) for a in range(1, 10))


@_measure(
    "entropy",
    "bits",
    'Entropy of the "=" row of A, mean over 100 problems: 0 if it reads one source only, 2 if four equally.',
    "A 中“=”所在行的熵，对 100 题取平均：只读一个来源时为 0，四个来源平分时为 2。",
)
def entropy(reading: Reading, layer: int, head: int) -> float:
    """−Σ A log₂ A in float64 over the stored shares; 0·log 0 is 0. Summed without rounding in between."""
    shares = [float(share) for share in reading.shares(layer, head).flat]
    return -math.fsum(share * math.log2(share) for share in shares if share > 0) / len(PROBLEMS)


def mean_share(source: int) -> Compute:
    """Mean over the 100 problems of what the "=" row reads from one source."""

    def compute(reading: Reading, layer: int, head: int) -> float:
        return math.fsum(float(x) for x in reading.shares(layer, head)[:, source]) / len(PROBLEMS)

    return compute


_PLACES = (
    ("first", "the first digit", "第一个数字"),
    ("times", "the ×", "“×”"),
    ("second", "the second digit", "第二个数字"),
    ("equals", "the = itself", "“=”自己"),
)
for _source, (_name, _en, _zh) in enumerate(_PLACES):
    _measure(
        f"share.{_name}",
        "share",
        f'What the "=" row reads from {_en}, mean over 100 problems.',
        f"“=”所在行从{_zh}读取的份额，对 100 题取平均。",
    )(mean_share(_source))


def _lost(reading: Reading, left: np.ndarray) -> float:
    """Problems solved before and not after; one that becomes solved counts the other way."""
    return float(int(reading.outcome.solved.sum()) - int(left.sum()))


@_measure(
    "silenced.lost",
    "problems",
    "Fewer problems solved, of 100, when the head writes nothing (its rows of WO are zero).",
    "让这个头什么也不写（WO 中属于它的行全部置零），100 题里少做对几题。",
    when=(END,),
)
def silenced_lost(reading: Reading, layer: int, head: int) -> float:
    """Silenced at every row, not at "=" alone."""
    return _lost(reading, reading.silenced(layer, head).solved)


@_measure(
    "cut_largest.lost",
    "problems",
    'Fewer problems solved when, in every problem, the "=" row of the head cannot read its largest share.',
    "每一题都切断这个头“=”所在行份额最大的那条连接，少做对几题。",
    when=(END,),
)
def cut_largest_lost(reading: Reading, layer: int, head: int) -> float:
    """The other sources share the whole."""
    return _lost(reading, reading.cut_each(layer, head, reading.largest(layer, head)))


@_measure(
    "cut_most_needed.lost",
    "problems",
    "Fewer problems solved when, in every problem, the most needed connection is cut: the one without which "
    "the right first digit is least likely.",
    "每一题都切断最要紧的那条连接，少做对几题；切断它以后，正确的首位数字概率最低。",
    when=(END,),
)
def cut_most_needed_lost(reading: Reading, layer: int, head: int) -> float:
    """Found by cutting each of the four in turn."""
    return _lost(reading, reading.cut_each(layer, head, reading.most_needed(layer, head)))


@_measure(
    "largest_is_most_needed",
    "share",
    "In what part of the 100 problems the largest share is also the most needed connection.",
    "100 题里有多大比例，份额最大的连接恰好也是最要紧的那一条。",
    when=(END,),
)
def largest_is_most_needed(reading: Reading, layer: int, head: int) -> float:
    """0.25 is what a blind choice among four would give."""
    same = reading.largest(layer, head) == reading.most_needed(layer, head)
    return int(same.sum()) / len(PROBLEMS)


#: By name, in the order of the table.
MEASURES: dict[str, Measure] = dict(_FOUND)
