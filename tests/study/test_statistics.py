"""Intervals against published ones, quantiles against their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_by_hand.study.statistics import Share, share, spread


@pytest.mark.parametrize(
    ("yes", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_as_published(yes: int, of: int, low: float, high: float) -> None:
    """Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3."""
    found = Share(yes, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_holds_its_share_and_mirrors(counts: tuple[int, int]) -> None:
    yes, of = counts
    found, mirrored = Share(yes, of), Share(of - yes, of)
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert found.low == pytest.approx(1 - mirrored.high, abs=1e-12)


def test_a_share_of_nothing_is_no_number() -> None:
    found = share([])
    assert (found.yes, found.of) == (0, 0)
    assert all(map(math.isnan, (found.share, found.low, found.high)))


@given(st.lists(st.one_of(st.integers(-50, 1000).map(float), st.just(math.nan)), max_size=200))
def test_quantiles_are_values_that_occur(values: list[float]) -> None:
    known = sorted(value for value in values if not math.isnan(value))
    found = spread(values)
    assert found.of == len(known)
    if not known:
        assert all(math.isnan(number) for name, number in vars(found).items() if name != "of")
        return
    assert (found.least, found.most) == (known[0], known[-1])
    assert found.mean == pytest.approx(np.mean(known))
    for part, number in ((0.05, found.low), (0.5, found.median), (0.75, found.three_quarters)):
        assert number in known
        assert sum(value <= number for value in known) >= part * len(known)
        assert sum(value < number for value in known) < part * len(known)
