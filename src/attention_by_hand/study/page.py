"""The report as one HTML file: no script, nothing fetched, light and dark, fit to print."""

from __future__ import annotations

from html import escape

from .report import Report, Section
from .svg import draw

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #6a737d; --rule: #d0d7de;
  --main: #0b5cad; --p0: #0b5cad; --p1: #d9dee4; --p2: #b35900; --p3: #6e7781; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #9198a1;
  --rule: #3d444d; --main: #6cb6ff; --p0: #6cb6ff; --p1: #343c46; --p2: #f0a04b; --p3: #8d96a0; } }
body { font: 16px/1.6 system-ui, "Noto Sans CJK SC", sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; } dd.wide { grid-column: 1 / -1; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--main); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; white-space: nowrap; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid var(--rule); }
th[scope=row], thead th:first-child { text-align: left; } th { font-weight: 600; }
figure { margin: 1.5rem 0; overflow-x: auto; } svg { width: 100%; min-width: 34rem; height: auto; }
svg text { fill: var(--ink); font-size: 12px; } svg .name { fill: var(--faint); }
.axis { stroke: var(--faint); } .grid { stroke: var(--rule); }
.bar, .box { fill: var(--main); } .box { opacity: .35; }
.range { stroke: var(--main); stroke-width: 2; }
.point { fill: var(--main); stroke: var(--main); stroke-width: 2; }
.faint.range { stroke: var(--faint); } .faint.point { fill: var(--paper); stroke: var(--faint); }
.part0 { fill: var(--p0); } .part1 { fill: var(--p1); } .part2 { fill: var(--p2); }
.part3 { fill: var(--p3); } svg text.on0, svg text.on2, svg text.on3 { fill: var(--paper); }
@media print { body { max-width: none; } figure, table { break-inside: avoid; } }
"""


def page(found: Report) -> str:
    """The whole file."""
    language = "zh-Hans" if found.language == "zh" else "en"
    facts = "\n".join(
        f"<dt>{escape(name)}</dt><dd><code>{escape(fact)}</code></dd>"
        if name
        else f'<dd class="wide"><code>{escape(fact)}</code></dd>'
        for name, fact in found.facts
    )
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in found.notes)
    sections = "\n".join(_section(section) for section in found.sections)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(found.title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(found.title)}</h1>
<dl>
{facts}
</dl>
{notes}
{sections}
</main>
</body>
</html>
"""


def _section(section: Section) -> str:
    title = escape(section.title)
    sentences = "\n".join(f"<p>{escape(sentence)}</p>" for sentence in section.sentences)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in section.header)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in section.rows
    )
    charts = "\n".join(
        f"<figure>{draw(chart, f'{section.title}: {chart.axis}')}</figure>" for chart in section.charts
    )
    return f"""<section>
<h2>{title}</h2>
{sentences}
<div class="scroll" tabindex="0" role="region" aria-label="{title}">
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
{charts}
</section>"""
