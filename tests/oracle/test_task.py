"""The task, counted by brute force, against the facts anyone can check by hand."""

import math

from . import task


def test_products_are_written_digit_by_digit():
    assert task.SEQUENCES[7, 8] == ("7", "×", "8", "=", "5", "6", "END")
    assert task.SEQUENCES[9, 9][4:] == ("8", "1", "END")
    assert task.SEQUENCES[0, 7][4:] == ("0", "END")


def test_one_and_two_digit_answers():
    lengths = [len(seq) - 5 for seq in task.SEQUENCES.values()]
    assert (len(lengths), lengths.count(1), lengths.count(2)) == (100, 42, 58)


def test_targets_and_prefixes():
    assert len(task.targets()) == 42 * 5 + 58 * 6 == 558
    by_length = [sum(len(prefix) == n for prefix in task.prefixes()) for n in range(1, 7)]
    assert by_length == [10, 10, 100, 100, 100, 58]
    assert len(task.prefixes()) == 378


def test_counts_cover_every_target_once():
    counts = task.counts()
    assert sum(sum(row.values()) for row in counts.values()) == 558
    assert counts["7",] == {"×": 10}
    assert counts["7", "×"] == {str(b): 1 for b in range(10)}


def test_floor_is_the_hundred_unknowable_targets():
    assert math.isclose(task.floor(), 100 * math.log(10) / 558, rel_tol=1e-13)
    assert round(task.floor(), 6) == 0.412650


def test_padding_is_never_read_nor_asked_for():
    assert all("PAD" not in seq for seq in task.SEQUENCES.values())
    assert all("END" not in prefix for prefix in task.prefixes())
