"""Each measure against the same question asked another way: prompt by prompt, with traces, cuts and edits."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import runs
from attention_by_hand import PROBLEMS, Model, loss_floor
from attention_by_hand.study.measures import END, MEASURES, START
from attention_by_hand.study.reading import SOURCES, Reading, heads
from attention_by_hand.study.seed import Measured, keys, measure_seed
from attention_by_hand.task import answer, question
from attention_by_hand.tokens import END as END_TOKEN
from attention_by_hand.tokens import MAX_TOKENS

SEED = 2
EQUALS = 3
HEADS = [f"layer{layer}.head{head}" for layer, head in heads()]
#: Every thirteenth problem: both digits vary, answers of one and two digits, a zero among them.
SOME = PROBLEMS[::13]


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure_seed(SEED)


def value(measured: Measured, name: str, layer: int = 0, head: int = 0, when: str = END) -> float:
    """One value of the seed."""
    wanted = (name, layer, head, when)
    places = [
        i for i, key in enumerate(keys()) if (key.measure.name, key.layer, key.head, key.when) == wanted
    ]
    assert len(places) == 1, f"{wanted} is there {len(places)} times; each value has one row"
    return float(measured.values[places[0]])


def model_at(when: str) -> Model:
    run = runs.trained(SEED)
    return run.at(0) if when == START else run.model


def row(model: Model, head: str, a: int, b: int) -> np.ndarray:
    """The "=" row of A, from the prompt alone."""
    return model.trace(question(a, b)).array(f"{head}.A")[EQUALS]


def solves(model: Model, a: int, b: int, cuts: list[tuple[str, int, int]]) -> bool:
    """Decode one problem token by token, with connections cut."""
    tokens = question(a, b)
    while len(tokens) < MAX_TOKENS:
        tokens.append(int(np.argmax(model.trace(tokens, cuts=cuts).array("P")[-1])))
        if tokens[-1] == END_TOKEN:
            break
    return tokens[len(question(a, b)) :] == answer(a, b)


def test_the_whole_model(measured: Measured) -> None:
    run = runs.trained(SEED)
    assert measured.steps == (0, run.history[-1].step)
    assert measured.digests == (run.at(0).digest, run.model.digest)
    assert value(measured, "steps") == run.history[-1].step
    assert value(measured, "solved", when=START) == run.history[0].solved
    assert value(measured, "solved") == len(PROBLEMS)
    for when, record in ((START, run.history[0]), (END, run.history[-1])):
        found = value(measured, "loss_above_floor", when=when)
        assert found == pytest.approx(record.loss - loss_floor(), abs=1e-7)


@pytest.mark.parametrize("when", [START, END])
@pytest.mark.parametrize("head", HEADS)
def test_following_the_zero(measured: Measured, head: str, when: str) -> None:
    place = heads()[HEADS.index(head)]
    model = model_at(when)
    verdicts = []
    for a in range(1, 10):
        second, first = row(model, head, a, 0), row(model, head, 0, a)
        verdicts.append(bool(second.argmax() == 2 and first.argmax() == 0))
        assert value(measured, f"follows_zero.{a}", *place, when) == verdicts[-1]
    assert value(measured, "follows_zero.all", *place, when) == all(verdicts)


@pytest.mark.parametrize("when", [START, END])
def test_shares_and_entropy(measured: Measured, when: str) -> None:
    model = model_at(when)
    for place, head in zip(heads(), HEADS, strict=True):
        table = np.array([row(model, head, a, b) for a, b in PROBLEMS], np.float64)
        for source, name in enumerate(("first", "times", "second", "equals")):
            found = value(measured, f"share.{name}", *place, when)
            assert found == pytest.approx(table[:, source].mean(), abs=1e-6)
        bits = -np.sum(table * np.log2(np.where(table > 0, table, 1))) / len(PROBLEMS)
        assert value(measured, "entropy", *place, when) == pytest.approx(bits, abs=1e-6)
        assert 0 <= bits <= math.log2(len(SOURCES)) + 1e-6


@pytest.mark.parametrize("head", HEADS)
def test_silencing_a_head(measured: Measured, head: str) -> None:
    place = heads()[HEADS.index(head)]
    model = model_at(END)
    layer, width = place[0], 4
    weights = model.parameter(f"layer{layer}.WO").copy()
    weights[width * (place[1] - 1) : width * place[1]] = 0
    left = model.edited({f"layer{layer}.WO": weights}).batch().array("solved.count")[0]
    assert value(measured, "silenced.lost", *place) == len(PROBLEMS) - left


@pytest.mark.parametrize("head", ["layer1.head2", "layer2.head1"])
def test_cutting_connections(head: str) -> None:
    place = heads()[HEADS.index(head)]
    model = model_at(END)
    reading = Reading(model)
    largest, needed = reading.largest(*place), reading.most_needed(*place)
    for a, b in SOME:
        number = PROBLEMS.index((a, b))
        assert largest[number] == row(model, head, a, b).argmax()
        first = answer(a, b)[0]
        for source in range(len(SOURCES)):
            cut = [(head, EQUALS, source)]
            found = reading.cut(*place, source)
            assert found.first[number] == model.trace(question(a, b), cuts=cut).array("P")[EQUALS, first]
            assert found.solved[number] == solves(model, a, b, cut)
        assert needed[number] == np.argmin([reading.cut(*place, s).first[number] for s in range(4)])


def test_what_is_lost_by_cutting(measured: Measured) -> None:
    reading = Reading(model_at(END))
    for place in heads():
        for name, sources in (
            ("cut_largest.lost", reading.largest(*place)),
            ("cut_most_needed.lost", reading.most_needed(*place)),
        ):
            lost = sum(not reading.cut(*place, int(s)).solved[p] for p, s in enumerate(sources))
            assert value(measured, name, *place) == lost
        same = np.mean(reading.largest(*place) == reading.most_needed(*place))
        assert value(measured, "largest_is_most_needed", *place) == pytest.approx(same)


def test_measuring_leaves_nothing_behind(measured: Measured) -> None:
    """A reading made after cuts and silenced heads is the reading made before them."""
    again = measure_seed(SEED)
    assert again.values.tobytes() == measured.values.tobytes()
    assert again.digests == measured.digests
    other = measure_seed(SEED + 1)
    assert other.digests != measured.digests


def test_every_measure_says_what_it_is_in_both_languages() -> None:
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.en.endswith(".")
        assert measure.zh.endswith("。")
        assert re.search(r"[\u4e00-\u9fff]", measure.zh), f"{name}: the Chinese sentence is not Chinese"
        assert set(measure.when) <= {START, END}
