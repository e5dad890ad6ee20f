"""A sample of what `make soak` does with a thousand seeds, and the soak's own verdict."""

import pytest

import soak


@pytest.mark.parametrize("seed", [*range(14), 2**31, 2**32 - 1])
def test_every_seed_solves_everything(seed):
    _, steps = soak.steps_to_solve(seed)
    assert steps is not None, f"seed {seed} did not reach 100/100 within {soak.LIMIT} steps"
    assert steps > 20, "so fast that something else than training must have happened"


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([3], 0.5, 3),
        ([1, 2, 3, 4], 0.5, 2),
        ([1, 2, 3], 0.5, 2),
        (list(range(1, 101)), 0.99, 99),
        ([1, 9], 0.99, 9),
    ],
)
def test_quantile(values, share, expected):
    assert soak.quantile(values, share) == expected


def test_a_failing_seed_fails_the_soak(monkeypatch, capsys):
    monkeypatch.setattr(soak, "soak", lambda seeds, workers: iter([(5, 200), (6, None), (7, 210)]))
    assert soak.main(["3", "--first", "5", "--workers", "1"]) == 1
    text = capsys.readouterr().out
    assert "seed 6 did not solve" in text
    assert "2 of 3 seeds reached 100/100" in text
    assert "steps: min 200, median 200, 99 % 210, max 210" in text


def test_two_real_seeds(capsys):
    assert soak.main(["2", "--workers", "2"]) == 0
    assert "2 of 2 seeds reached 100/100" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["0"], ["5", "--first", "-1"], ["5", "--first", "4294967295"], ["x"]])
def test_bad_arguments(arguments):
    with pytest.raises(SystemExit) as caught:
        soak.main(arguments)
    assert caught.value.code == 2
