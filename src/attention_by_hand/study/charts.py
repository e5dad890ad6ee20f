"""What the charts of a report hold. How they are drawn is up to the page or the terminal."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .statistics import Share, Spread


@dataclass(frozen=True)
class Histogram:
    """Counts between edges; ``edges`` has one more."""

    axis: str
    upright: str
    edges: list[int]
    counts: list[int]


@dataclass(frozen=True)
class Strip:
    """One line of a chart: a point, the range around it, and for a spread the middle half.

    ``faint`` marks the value before training.
    """

    label: str
    low: float
    middle: float
    high: float
    box: tuple[float, float] | None = None
    faint: bool = False

    @staticmethod
    def of_share(label: str, found: Share, *, faint: bool) -> Strip:
        """Share with its interval."""
        return Strip(label, found.low, found.share, found.high, None, faint)

    @staticmethod
    def of_spread(label: str, found: Spread) -> Strip:
        """Median, middle half, and the middle 90 %."""
        return Strip(label, found.low, found.median, found.high, (found.quarter, found.three_quarters))


@dataclass(frozen=True)
class Strips:
    """Lines on one axis from ``least`` to ``most``."""

    axis: str
    least: float
    most: float
    percent: bool
    lines: list[Strip]


@dataclass(frozen=True)
class Stacks:
    """Bars of parts that add up to 1."""

    axis: str
    parts: list[str]
    lines: list[tuple[str, list[float]]]


Chart = Histogram | Strips | Stacks


def histogram(axis: str, upright: str, values: list[float]) -> Histogram:
    """Count values in whole-numbered bins of equal width: as many as the root of the count, 5 to 24."""
    bins = min(max(math.isqrt(len(values)), 5), 24)
    first, last = int(min(values)), int(max(values))
    width = max(-(-(last - first + 1) // bins), 1)
    edges = [first + width * place for place in range((last - first) // width + 2)]
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[(int(value) - first) // width] += 1
    return Histogram(axis, upright, edges, counts)
