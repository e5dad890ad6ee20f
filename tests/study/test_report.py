"""What a study is said to have found: recounted here from its values, in a terminal, a page and JSON."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from attention_by_hand.study.charts import Histogram, Stacks, Strips, histogram
from attention_by_hand.study.folder import Folder, Plan
from attention_by_hand.study.measures import END, START
from attention_by_hand.study.page import page
from attention_by_hand.study.reading import heads
from attention_by_hand.study.report import report, with_interval
from attention_by_hand.study.result import (
    QUOTED,
    VERDICTS,
    Result,
    head_name,
    of_measured,
    read_result,
    summary,
)
from attention_by_hand.study.seed import keys
from attention_by_hand.study.statistics import Share, share
from attention_by_hand.study.terminal import aligned, print_report
from command import assert_refused, command

from .made import made

SEEDS = range(1, 61)
COMMAND = "attention-by-hand study --seeds 1:60 --out 'a<b>'"


@pytest.fixture(scope="module")
def result() -> Result:
    return of_measured([made(seed) for seed in SEEDS], Plan(SEEDS, commands=[COMMAND]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the same seeds."""
    place = Folder(tmp_path / "study")
    plan = Plan(SEEDS, commands=[COMMAND])
    place.write_plan(plan)
    place.write_part([made(seed) for seed in SEEDS[:25]], plan)
    place.write_part([made(seed) for seed in SEEDS[25:]], plan)
    return place.path


def counted(measure: str, layer: int, head: int, when: str) -> int:
    """How many seeds say yes, by looking through all of them."""
    wanted = (measure, layer, head, when)
    names = [(key.measure.name, key.layer, key.head, key.when) for key in keys()]
    return sum(made(seed).values[names.index(wanted)] == 1 for seed in SEEDS)


def test_the_folder_gives_back_what_was_measured(result: Result, folder: Path) -> None:
    found = read_result(folder)
    assert found.seeds.tolist() == list(SEEDS)
    assert found.digests == result.digests
    assert found.steps.tolist() == result.steps.tolist()
    assert np.array_equal(found.values, result.values, equal_nan=True)
    assert found.digest == result.digest


def test_the_digest_is_of_every_bit(result: Result) -> None:
    values = result.values.copy()
    values[7, 3] = np.nextafter(values[7, 3], np.float32(9))
    other = Result(result.plan, result.seeds, result.steps, result.digests, values)
    assert other.digest != result.digest


def test_shares_are_those_of_the_seeds(result: Result) -> None:
    found = summary(result)
    for layer, head in heads():
        for name in VERDICTS:
            for when in (START, END):
                quoted = found["heads"][head_name(layer, head)][name][when]
                expected = Share(counted(name, layer, head, when), len(SEEDS))
                assert (quoted["yes"], quoted["of"]) == (expected.yes, expected.of)
                assert quoted["share"] == pytest.approx(expected.share, rel=1e-4)
                assert quoted["low"] == pytest.approx(expected.low, rel=1e-4)
                assert quoted["high"] == pytest.approx(expected.high, rel=1e-4)


def test_verdicts_of_the_summary_can_be_counted_again(result: Result) -> None:
    found = summary(result)
    digits = [int(digit, 16) for digit in found["verdicts"]]
    assert len(digits) == len(SEEDS)
    for bit, (layer, head) in enumerate(heads()):
        assert sum(digit >> bit & 1 for digit in digits) == counted(QUOTED, layer, head, END)
    assert sum(digit > 0 for digit in digits) == found["some_head"][QUOTED][END]["yes"]
    for one in found["sample"]:
        assert one["digests"] == [digest[:16] for digest in made(one["seed"]).digests]
        assert one["steps"] == made(one["seed"]).steps[1]
    assert {found["sample"][0]["seed"], found["sample"][-1]["seed"]} == {SEEDS[0], SEEDS[-1]}


def test_the_summary_is_json_without_nan(result: Result) -> None:
    nothing = Result(
        result.plan, result.seeds, result.steps, result.digests, np.full_like(result.values, np.nan)
    )
    for one in (result, nothing):
        assert json.loads(json.dumps(summary(one), allow_nan=False))["count"] == len(SEEDS)


def text(result: Result, language: str) -> str:
    """The report as a terminal that is no terminal shows it."""
    screen = Console(file=io.StringIO(), soft_wrap=True, highlight=False, width=80)
    print_report(report(result, language), screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_terminal_report(result: Result, language: str) -> None:
    lines = text(result, language).splitlines()
    assert COMMAND in lines[1]
    assert any(result.digest in line for line in lines[:6])
    for layer, head in heads():
        found = share(result.column(QUOTED, layer, head, END) == 1)
        assert any(with_interval(found) in line for line in lines)
    assert not [line for line in lines if "{" in line or "None" in line or "nan" in line]
    drawn = [line for line in lines if re.search("[█●○]", line)]
    assert len(drawn) > 40
    assert max(map(cell_len, drawn)) <= 80, "charts fit a terminal of 80 columns"


class Elements(HTMLParser):
    """Collects what a page is made of, and checks that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page(result: Result, language: str) -> None:
    made_page = page(report(result, language))
    found = Elements()
    found.feed(made_page)
    assert found.open == []
    assert "script" not in found.tags
    assert "://" not in made_page, "the page names an address"
    head, *_ = made_page.partition("<h2>")
    assert "a&lt;b&gt;" in head, "the exact command stands at the top, escaped"
    assert result.digest in head
    assert found.tags.count("svg") == len(re.findall("<figure>", made_page)) == 4
    assert found.tags.count("title") > 4
    for layer, head_number in heads():
        assert with_interval(share(result.column(QUOTED, layer, head_number, END) == 1)) in found.text
    assert 'lang="zh-Hans"' in made_page if language == "zh" else 'lang="en"' in made_page
    assert not re.search(r"\bnan\b|None|\{", found.text.split("}")[-1])


def test_charts_show_what_was_counted(result: Result) -> None:
    training, follow, shares, effects = report(result, "en").sections
    (bars,), (strips,), (stacks,), (boxes,) = training.charts, follow.charts, shares.charts, effects.charts
    assert isinstance(bars, Histogram)
    assert sum(bars.counts) == sum(seed % 5 != 0 for seed in SEEDS)
    assert isinstance(strips, Strips)
    assert [line.faint for line in strips.lines] == [True, False] * (len(strips.lines) // 2)
    assert isinstance(stacks, Stacks)
    assert isinstance(boxes, Strips)
    assert all(line.box is not None for line in boxes.lines)


@pytest.mark.parametrize("values", [[5.0], [1.0, 1.0], [0.0, 2000.0], [float(i) for i in range(1000)]])
def test_every_value_is_in_one_bar(values: list[float]) -> None:
    found = histogram("x", "y", values)
    assert sum(found.counts) == len(values)
    assert len(found.edges) == len(found.counts) + 1
    for first, after, count in zip(found.edges, found.edges[1:], found.counts, strict=False):
        assert count == sum(first <= value < after for value in values)


def test_columns_stand_straight_in_both_scripts() -> None:
    lines = aligned([["头", "起点"], ["layer 1", "7"]])
    assert [cell_len(line) for line in lines] == [cell_len(lines[0])] * 2
    assert lines == ["头       起点", "layer 1     7"]


def test_an_unfinished_study_says_so(result: Result) -> None:
    part = Result(Plan(range(1, 101)), result.seeds, result.steps, result.digests, result.values)
    assert "40 seeds are still missing" in text(part, "en")
    assert "还有 40 个种子没有测完" in text(part, "zh")


def test_the_command_writes_its_own_page_and_asks_before_another(folder: Path) -> None:
    for _ in range(2):
        done = command("study", "report", str(folder))
        assert done.returncode == 0, done.stderr
        assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    mine = folder / "mine.html"
    mine.write_text("mine")
    assert_refused(command("study", "report", str(folder), "--html", str(mine)), "mine.html", "--force")
    assert mine.read_text() == "mine"
    done = command("study", "report", str(folder), "--html", str(mine), "--force", "--language", "zh")
    assert done.returncode == 0, done.stderr
    assert "zh-Hans" in mine.read_text(encoding="utf-8")
    assert_refused(command("study", "report", str(folder), "--language", "fr"), "en, zh")


def test_the_command_as_json(folder: Path, result: Result) -> None:
    done = command("study", "report", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(summary(result)))
    assert not (folder / "report.html").exists()
