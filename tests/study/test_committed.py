"""The study that the article quotes: recounted from its verdicts, and some of its seeds trained again."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from attention_by_hand.build.places import ROOT
from attention_by_hand.study.measures import END
from attention_by_hand.study.reading import heads
from attention_by_hand.study.result import QUOTED, VERDICTS, head_name
from attention_by_hand.study.seed import keys, measure_seed
from attention_by_hand.study.seeds import parse_seeds
from attention_by_hand.study.statistics import Share

FILE = ROOT / "content" / "study.json"
AGAIN = "run the commands in content/study.json again and commit what `study report DIR --json` prints"


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def test_it_is_whole_and_small(committed: dict[str, Any]) -> None:
    assert committed["count"] == len(parse_seeds(committed["seeds"])) >= 2000
    assert len(committed["verdicts"]) == committed["count"]
    assert FILE.stat().st_size < 16_000
    assert f"--seeds {committed['seeds']}" in committed["commands"][-1]


def test_every_share_has_its_interval(committed: dict[str, Any]) -> None:
    quoted = [committed["some_head"][name] for name in VERDICTS]
    quoted += [committed["heads"][head_name(*head)][name] for head in heads() for name in VERDICTS]
    assert len(quoted) == 2 * (1 + len(heads()))
    for moments in quoted:
        for found in moments.values():
            expected = Share(found["yes"], found["of"])
            assert found["of"] == committed["count"]
            assert [found["share"], found["low"], found["high"]] == pytest.approx(
                [expected.share, expected.low, expected.high], rel=1e-4
            )


def test_the_quoted_shares_are_those_of_the_verdicts(committed: dict[str, Any]) -> None:
    digits = [int(digit, 16) for digit in committed["verdicts"]]
    for bit, head in enumerate(heads()):
        yes = sum(digit >> bit & 1 for digit in digits)
        assert committed["heads"][head_name(*head)][QUOTED][END]["yes"] == yes
    assert committed["some_head"][QUOTED][END]["yes"] == sum(digit > 0 for digit in digits)


def test_a_sample_computed_again(committed: dict[str, Any]) -> None:
    first = parse_seeds(committed["seeds"])[0]
    names = [(key.measure.name, key.layer, key.head, key.when) for key in keys()]
    assert len(committed["sample"]) >= 10
    for one in committed["sample"]:
        found = measure_seed(one["seed"])
        assert found.steps[1] == one["steps"], f"seed {one['seed']} takes other steps now: {AGAIN}"
        digests = [digest[:16] for digest in found.digests]
        assert digests == one["digests"], f"seed {one['seed']} has other parameters now: {AGAIN}"
        verdict = int(committed["verdicts"][one["seed"] - first], 16)
        for bit, (layer, head) in enumerate(heads()):
            now = found.values[names.index((QUOTED, layer, head, END))]
            assert now == verdict >> bit & 1, f"seed {one['seed']}, layer {layer} head {head}: {AGAIN}"


def test_medians_are_near_those_of_the_sample(committed: dict[str, Any]) -> None:
    """Twelve seeds are enough to see a summary whose columns were mixed up."""
    steps = [one["steps"] for one in committed["sample"]]
    least, *_, most = committed["model"]["steps"][END]["quantiles"]
    assert least <= min(steps)
    assert max(steps) <= most
    assert committed["model"]["steps"][END]["quantiles"][3] == pytest.approx(np.median(steps), rel=0.5)
    for layer, head in heads():
        of_head = committed["heads"][head_name(layer, head)]
        parts = [of_head[f"share.{name}"][END]["mean"] for name in ("first", "times", "second", "equals")]
        assert sum(parts) == pytest.approx(1, abs=1e-4)
        assert 0 < of_head["entropy"][END]["mean"] < 2
