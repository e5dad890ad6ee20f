"""Charts as SVG for a page without scripts, in the page's own colours."""

from __future__ import annotations

from html import escape

from .charts import Chart, Histogram, Stacks, Strips

WIDTH = 720
LEFT = 250
RIGHT = 24
ROW = 22


def draw(chart: Chart, title: str) -> str:
    """An ``svg`` element."""
    if isinstance(chart, Histogram):
        return _histogram(chart, title)
    return _strips(chart, title) if isinstance(chart, Strips) else _stacks(chart, title)


def _frame(height: float, title: str, parts: list[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title, quote=True)}">\n'
        f"<title>{escape(title)}</title>\n{body}\n</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _rect(x: float, y: float, wide: float, high: float, kind: str, said: str = "") -> str:
    inside = f"<title>{escape(said)}</title>" if said else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" class="{kind}">{inside}</rect>'
    )


def _histogram(chart: Histogram, title: str) -> str:
    left, top, high = 60.0, 16.0, 200.0
    wide = WIDTH - left - RIGHT
    most = max(chart.counts)
    step = wide / len(chart.counts)
    parts = [_line(left, top + high, left + wide, top + high, "axis")]
    for place, count in enumerate(chart.counts):
        bar = high * count / most
        said = f"{chart.edges[place]}–{chart.edges[place + 1] - 1}: {count}"
        parts.append(_rect(left + place * step + 1, top + high - bar, max(step - 2, 1), bar, "bar", said))
    # At most eight labels, at the left edge of their bar.
    every = -(-len(chart.counts) // 8)
    for place in range(0, len(chart.edges), every):
        x = left + place * step
        parts += [
            _line(x, top + high, x, top + high + 4, "axis"),
            _text(x, top + high + 18, str(chart.edges[place]), "middle"),
        ]
    parts += [
        _text(left - 8, top + 6, str(most), "end"),
        _text(left - 8, top + high, "0", "end"),
        _text(left + wide / 2, top + high + 38, chart.axis, "middle", "name"),
        _text(left, top - 4, chart.upright, "start", "name"),
    ]
    return _frame(top + high + 48, title, parts)


def _axis(y: float, least: float, most: float, *, percent: bool) -> list[str]:
    parts = [_line(LEFT, y, WIDTH - RIGHT, y, "axis")]
    wide = WIDTH - LEFT - RIGHT
    for quarter in range(5):
        x = LEFT + wide * quarter / 4
        value = least + (most - least) * quarter / 4
        label = f"{100 * value:.0f} %" if percent else f"{value:.0f}"
        parts += [_line(x, 8, x, y, "grid"), _text(x, y + 16, label, "middle")]
    return parts


def _strips(chart: Strips, title: str) -> str:
    wide = WIDTH - LEFT - RIGHT
    bottom = 12 + ROW * len(chart.lines)

    def place(value: float) -> float:
        return LEFT + wide * (value - chart.least) / (chart.most - chart.least)

    parts = _axis(bottom, chart.least, chart.most, percent=chart.percent)
    for number, strip in enumerate(chart.lines):
        y = 12 + ROW * (number + 0.5)
        kind = " faint" if strip.faint else ""
        parts.append(_text(LEFT - 10, y + 4, strip.label, "end"))
        parts.append(_line(place(strip.low), y, place(strip.high), y, "range" + kind))
        for end in (strip.low, strip.high):
            parts.append(_line(place(end), y - 4, place(end), y + 4, "range" + kind))
        if strip.box is not None:
            first, last = map(place, strip.box)
            parts.append(_rect(first, y - 5, max(last - first, 1), 10, "box"))
        parts.append(f'<circle cx="{place(strip.middle):.1f}" cy="{y:.1f}" r="4" class="point{kind}"/>')
    parts.append(_text(LEFT + wide / 2, bottom + 36, chart.axis, "middle", "name"))
    return _frame(bottom + 46, title, parts)


def _stacks(chart: Stacks, title: str) -> str:
    wide = WIDTH - LEFT - RIGHT
    top = 34
    bottom = top + ROW * len(chart.lines)
    parts = []
    for number, name in enumerate(chart.parts):
        x = LEFT + number * wide / len(chart.parts)
        parts += [_rect(x, 6, 12, 12, f"part{number}"), _text(x + 18, 16, name)]
    for number, (label, shares) in enumerate(chart.lines):
        y = top + ROW * number
        parts.append(_text(LEFT - 10, y + 15, label, "end"))
        x = float(LEFT)
        for place, part in enumerate(shares):
            said = f"{label}: {chart.parts[place]} {100 * part:.1f} %"
            parts.append(_rect(x, y + 3, wide * part, ROW - 6, f"part{place}", said))
            if part > 0.08:
                parts.append(
                    _text(x + wide * part / 2, y + 15, f"{100 * part:.0f} %", "middle", f"on{place}")
                )
            x += wide * part
    parts.append(_text(LEFT + wide / 2, bottom + 20, chart.axis, "middle", "name"))
    return _frame(bottom + 30, title, parts)
