"""Ranges of seeds as people type them, and how they are cut into part files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_by_hand import InputError
from attention_by_hand.study.seeds import chunks, parse_seeds, show_seeds

WHOLE = 2**32 - 1


def test_both_ends_are_included() -> None:
    assert list(parse_seeds("1:4")) == [1, 2, 3, 4]
    assert list(parse_seeds(" 7 ")) == [7]
    assert parse_seeds(f"{WHOLE}:{WHOLE}")[-1] == WHOLE


@given(st.integers(0, WHOLE), st.integers(1, 1_000_000))
def test_what_is_shown_is_read_back(first: int, count: int) -> None:
    seeds = range(first, min(first + count, WHOLE + 1))
    assert parse_seeds(show_seeds(seeds)) == seeds


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read"),
        ("1-5", "cannot be read"),
        ("-1:5", "cannot be read"),
        ("1:2:3", "cannot be read"),
        ("1_0:20", "cannot be read"),
        ("１:５", "cannot be read"),
        ("9:1", "end before they begin"),
        (f"1:{WHOLE + 1}", "out of range"),
        ("0:1000000", "at most 1000000"),
    ],
)
def test_what_cannot_be_seeds_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        parse_seeds(text)
    assert "accepted" in str(refused.value)


@given(st.sets(st.integers(0, 300)), st.integers(1, 40))
def test_chunks_hold_every_seed_once_and_no_gap(seeds: set[int], size: int) -> None:
    cut = list(chunks(seeds, size))
    assert [seed for chunk in cut for seed in chunk] == sorted(seeds)
    for chunk in cut:
        assert len(chunk) <= size
        assert chunk == list(range(chunk[0], chunk[-1] + 1))
