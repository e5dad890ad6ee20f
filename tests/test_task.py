"""The package's task against the oracle's, which counts the same things from strings."""

import math

import pytest

from attention_by_hand import task
from attention_by_hand.tokens import TOKENS
from oracle import task as oracle


def test_tokens_are_the_fourteen_in_order():
    assert TOKENS == oracle.TOKENS


def test_problems_run_row_by_row():
    assert task.PROBLEMS == oracle.PROBLEMS


@pytest.mark.parametrize(("a", "b"), oracle.PROBLEMS)
def test_every_sequence(a, b):
    assert task.sequence(a, b) == oracle.ids(oracle.SEQUENCES[a, b])
    assert task.question(a, b) + task.answer(a, b) == task.sequence(a, b)


def test_followers_are_the_oracles_counts():
    expected = {
        tuple(oracle.ids(prefix)): {oracle.ID[token]: times for token, times in row.items()}
        for prefix, row in oracle.counts().items()
    }
    assert dict(task.followers()) == expected


def test_sizes_of_the_task():
    assert task.target_count() == len(oracle.targets()) == 558
    assert task.prefix_count() == len(oracle.prefixes()) == 378
    assert task.longest_prefix() == max(map(len, oracle.prefixes())) == 6


def test_floor():
    assert math.isclose(task.loss_floor(), oracle.floor(), rel_tol=1e-14)


def test_training_prefixes_are_recognized():
    assert all(task.is_training_prefix(oracle.ids(prefix)) for prefix in oracle.prefixes())
    for text in ("=", "×", "7=", "7×8=6", "7×8=56=", "77"):
        assert not task.is_training_prefix(oracle.ids(text)), f"{text} never occurs in training"
