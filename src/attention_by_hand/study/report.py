"""What a report says: sections of sentences, a table and a chart, made once for the page and the terminal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .charts import Chart, Stacks, Strip, Strips, histogram
from .measures import END, MEASURES, START
from .reading import heads
from .result import VERDICTS, Result
from .seeds import show_seeds
from .statistics import Share, Spread, share, spread
from .words import WORDS, layer_head

SOURCES = ("first", "times", "second", "equals")
EFFECTS = {"silenced": "silenced.lost", "largest": "cut_largest.lost", "needed": "cut_most_needed.lost"}


@dataclass(frozen=True)
class Section:
    """One part of a report; the first column of the table names the row."""

    title: str
    sentences: list[str]
    header: list[str]
    rows: list[list[str]]
    charts: list[Chart]


@dataclass(frozen=True)
class Report:
    """Facts first, then sections."""

    title: str
    facts: list[tuple[str, str]]
    notes: list[str]
    sections: list[Section]
    language: str


def report(result: Result, language: str) -> Report:
    """Make the report of a study in ``en`` or ``zh``."""
    words = WORDS[language]
    plan = result.plan
    commands = plan.commands if len(plan.commands) < 4 else [plan.commands[0], "…", plan.commands[-1]]
    facts = [(words["command"], command) for command in commands]
    count = words["count"].format(done=len(result.seeds), total=len(plan.seeds))
    facts += [
        (words["seeds"], f"{show_seeds(plan.seeds)} · {count}"),
        (words["digest"], result.digest),
        ("", words["version"].format(version=plan.version, kernel=plan.kernel)),
    ]
    notes = [words["interval"]]
    if result.missing:
        notes.insert(0, words["partial"].format(missing=result.missing))
    makers = (_training, _follow, _shares, _effects)
    return Report(words["title"], facts, notes, [make(result, language) for make in makers], language)


def percent(part: float) -> str:
    """``47.3 %``."""
    return f"{100 * part:.1f} %"


def with_interval(found: Share) -> str:
    """``47.3 % (45.1–49.5)``."""
    return f"{percent(found.share)} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def with_range(found: Spread) -> str:
    """``12 (−1 … 45)``: median, middle 90 %."""
    return f"{found.median:.0f} ({found.low:.0f} … {found.high:.0f})".replace("-", "−")


def _training(result: Result, language: str) -> Section:
    words = WORDS[language]
    steps, above = result.column("steps"), result.column("loss_above_floor")
    rows = []
    for name, values, digits in (("steps", steps, 0), ("above", above, 4)):
        found = spread(values)
        numbers = (found.least, found.low, found.median, found.mean, found.high, found.most)
        rows.append(
            [
                words[name],
                *(f"{number:.{digits if i != 3 else max(digits, 1)}f}" for i, number in enumerate(numbers)),
            ]
        )
    reached = share(~np.isnan(steps))
    header = [
        words["whole"],
        words["least"],
        words["percent"].format(part=5),
        words["median"],
        words["mean"],
        words["percent"].format(part=95),
        words["most"],
    ]
    colon = "：" if language == "zh" else ": "
    sentences = [
        MEASURES["steps"].sentence(language),
        MEASURES["loss_above_floor"].sentence(language),
        f"{words['solved_all']}{colon}{reached.yes}/{reached.of}, {with_interval(reached)}",
    ]
    known = [float(step) for step in steps[~np.isnan(steps)]]
    charts: list[Chart] = [histogram(words["steps"], words["seeds_axis"], known)] if known else []
    return Section(words["training"], sentences, header, rows, charts)


def _follow(result: Result, language: str) -> Section:
    words = WORDS[language]
    rows, lines = [], []
    named = [
        (
            layer_head(*head, language),
            {(v, w): share(result.column(v, *head, w) == 1) for v in VERDICTS for w in (START, END)},
        )
        for head in heads()
    ]
    named.append(
        (words["some_head"], {(v, w): result.some_head(v, w) for v in VERDICTS for w in (START, END)})
    )
    header = [words["head"], words["start"], words["end"]]
    for short, verdict in (("seven", VERDICTS[0]), ("every", VERDICTS[1])):
        for name, found in named:
            label = f"{name}, {words[short]}"
            rows.append([label, *(with_interval(found[verdict, when]) for when in (START, END))])
            for when in (START, END):
                strip = Strip.of_share(f"{label}, {words[when]}", found[verdict, when], faint=when == START)
                lines.append(strip)
    sentences = [MEASURES[name].sentence(language) for name in VERDICTS] + [words["follow_note"]]
    return Section(words["follow"], sentences, header, rows, [Strips(words["share_axis"], 0, 1, True, lines)])


def _shares(result: Result, language: str) -> Section:
    words = WORDS[language]
    rows: list[list[str]] = []
    lines: list[tuple[str, list[float]]] = []
    for head in heads():
        for when in (START, END):
            name = f"{layer_head(*head, language)}, {words[when]}"
            parts = [spread(result.column(f"share.{source}", *head, when)).mean for source in SOURCES]
            bits = spread(result.column("entropy", *head, when)).mean
            rows.append([name, *(percent(part) for part in parts), f"{bits:.3f}"])
            lines.append((name, parts))
    header = [words["head"], *(words[source] for source in SOURCES), words["entropy"]]
    sentences = [words["read_note"], MEASURES["entropy"].sentence(language)]
    parts_named = [words[source] for source in SOURCES]
    return Section(words["shares"], sentences, header, rows, [Stacks(words["read_axis"], parts_named, lines)])


def _effects(result: Result, language: str) -> Section:
    words = WORDS[language]
    rows, lines, agreed = [], [], []
    for head in heads():
        name = layer_head(*head, language)
        found = {short: spread(result.column(measure, *head)) for short, measure in EFFECTS.items()}
        same = spread(result.column("largest_is_most_needed", *head)).mean
        agreed.append(same)
        rows.append([name, *(with_range(one) for one in found.values()), percent(same)])
        lines += [Strip.of_spread(f"{name}, {words[short]}", one) for short, one in found.items()]
    header = [words["head"], *(words[short] for short in EFFECTS), words["agreement"]]
    sentences = [MEASURES[name].sentence(language) for name in (*EFFECTS.values(), "largest_is_most_needed")]
    together = percent(sum(agreed) / len(agreed))
    sentences += [words["effects_note"], words["agreement_note"].format(all=together)]
    least = min(0.0, *(line.low for line in lines))
    chart = Strips(words["lost_axis"], least, 100, False, lines)
    return Section(words["effects"], sentences, header, rows, [chart])
