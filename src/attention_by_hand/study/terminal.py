"""The report as text for a terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .charts import Chart, Histogram, Stacks, Strips
from .report import Report

#: Cells of a chart from one end of its axis to the other.
WIDE = 40
EIGHTHS = " ▏▎▍▌▋▊▉█"
FILLS = "█▓▒░"


def print_report(found: Report, console: Console) -> None:
    """Print facts, notes and sections."""
    console.print(Text(found.title, "bold"))
    for name, fact in found.facts:
        console.print(Text.assemble((f"{name}  " if name else "", "bold"), fact))
    for note in found.notes:
        console.print(Text(note))
    for section in found.sections:
        console.print()
        console.print(Text(section.title, "bold"))
        for sentence in section.sentences:
            console.print(Text(f"  {sentence}"))
        for line in aligned([section.header, *section.rows]):
            console.print(Text(line))
        for chart in section.charts:
            console.print()
            _draw(chart, console)


def _draw(chart: Chart, console: Console) -> None:
    if isinstance(chart, Histogram):
        lines = _bars(chart)
    else:
        lines = _strips(chart) if isinstance(chart, Strips) else _stacks(chart)
    wide = max(cell_len(label) for label, _ in lines)
    for label, line in lines:
        console.print(Text(f"{' ' * (wide - cell_len(label))}{label} {line}"))


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows as lines, the first column to the left and the others to the right.

    Widths are counted in terminal cells: a Chinese character takes two.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell + " " * (wide - cell_len(cell)) if place == 0 else " " * (wide - cell_len(cell)) + cell
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells))
    return lines


def _bars(chart: Histogram) -> list[tuple[str, str]]:
    most = max(chart.counts)
    lines = [(chart.axis, chart.upright)]
    for first, after, count in zip(chart.edges, chart.edges[1:], chart.counts, strict=False):
        full, part = divmod(round(8 * WIDE * count / most), 8)
        bar = "█" * full + (EIGHTHS[part] if part else "")
        lines.append((f"{first}–{after - 1}" if after - 1 > first else f"{first}", f"{bar} {count}"))
    return lines


def _strips(chart: Strips) -> list[tuple[str, str]]:
    def place(value: float) -> int:
        part = (value - chart.least) / (chart.most - chart.least)
        return min(max(round(part * (WIDE - 1)), 0), WIDE - 1)

    lines = []
    for strip in chart.lines:
        cells = ["·"] * WIDE
        for cell in range(place(strip.low), place(strip.high) + 1):
            cells[cell] = "─"
        if strip.box is not None:
            for cell in range(place(strip.box[0]), place(strip.box[1]) + 1):
                cells[cell] = "━"
        cells[place(strip.middle)] = "○" if strip.faint else "●"
        lines.append((strip.label, "".join(cells)))
    least = f"{100 * chart.least:.0f} %" if chart.percent else f"{chart.least:.0f}"
    most = f"{100 * chart.most:.0f} %" if chart.percent else f"{chart.most:.0f}"
    lines.append((chart.axis, least + most.rjust(WIDE - len(least))))
    return lines


def _stacks(chart: Stacks) -> list[tuple[str, str]]:
    legend = "   ".join(f"{fill} {part}" for fill, part in zip(FILLS, chart.parts, strict=True))
    lines = [("", legend)]
    for label, parts in chart.lines:
        bar, end, drawn = "", 0.0, 0
        for fill, part in zip(FILLS, parts, strict=True):
            end += part
            bar += fill * (round(end * WIDE) - drawn)
            drawn = max(round(end * WIDE), drawn)
        lines.append((label, bar))
    return lines
