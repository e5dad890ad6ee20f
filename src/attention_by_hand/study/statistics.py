"""Shares with their intervals, and quantiles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: 97.5 % quantile of the normal distribution: intervals of 95 %.
Z = 1.959963984540054


@dataclass(frozen=True)
class Share:
    """How often something is so.

    Attributes
    ----------
    yes, of
        Counts.
    share
        ``yes/of``.
    low, high
        95 % interval of Wilson (1927): what the share of all seeds may be, given these.
    """

    yes: int
    of: int

    @property
    def share(self) -> float:
        """NaN of nothing."""
        return self.yes / self.of if self.of else math.nan

    @property
    def low(self) -> float:
        """Lower end."""
        return self._bounds()[0]

    @property
    def high(self) -> float:
        """Upper end."""
        return self._bounds()[1]

    def _bounds(self) -> tuple[float, float]:
        if not self.of:
            return math.nan, math.nan
        n, p = self.of, self.share
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        # At 0 and n of n the formula gives exactly 0 and 1 but for rounding.
        return (0.0 if self.yes == 0 else middle - half), (1.0 if self.yes == n else middle + half)


def share(verdicts: ArrayLike) -> Share:
    """Count verdicts, each true or false."""
    found = np.asarray(verdicts, bool)
    return Share(int(found.sum()), found.size)


@dataclass(frozen=True)
class Spread:
    """How numbers are spread over the seeds that have one.

    Attributes
    ----------
    of
        How many there are.
    mean
        Their mean.
    low, quarter, median, three_quarters, high
        5, 25, 50, 75 and 95 % quantiles, each a value that occurs: the smallest that at least this share of
        them does not exceed.
    least, most
        The extremes.
    """

    of: int
    mean: float
    least: float
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    most: float


def spread(values: ArrayLike) -> Spread:
    """Sort and count; NaN is no value."""
    found = np.asarray(values, np.float64)
    ordered = np.sort(found[~np.isnan(found)])
    count = ordered.size
    if not count:
        nothing = math.nan
        return Spread(0, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)

    def quantile(part: float) -> float:
        return float(ordered[math.ceil(count * part) - 1])

    return Spread(
        of=count,
        mean=math.fsum(ordered) / count,
        least=float(ordered[0]),
        low=quantile(0.05),
        quarter=quantile(0.25),
        median=quantile(0.5),
        three_quarters=quantile(0.75),
        high=quantile(0.95),
        most=float(ordered[-1]),
    )
