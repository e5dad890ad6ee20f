"""A derivation as HTML: for notebooks, and for anyone who embeds one. No script, no style needed."""

from __future__ import annotations

from html import escape

from .explain import Derivation, Node
from .numbers import full
from .render import Style, Sum, lay_out, special
from .render_mathml import formulas
from .render_text import _ENDS, labels


def html(derivation: Derivation, digits: int = 4, language: str = "en") -> str:
    """The derivation and all it follows, nested ``details`` elements.

    Every number that is a cell stands in an element with ``data-cell`` and ``data-value``.
    """
    return f'<div class="abh-derivation">{_one(derivation, digits, language, True)}</div>'


def _one(derivation: Derivation, digits: int, language: str, top: bool) -> str:
    style = Style(derivation, digits)
    page = lay_out(derivation, style)
    name = escape(str(derivation.cell))
    value = f'<span data-cell="{name}" data-value="{full(derivation.value)}">{page.result}</span>'
    end = _ENDS.get(derivation.kind)
    head = f"<code>{name}</code> = {value}" + (f" <small>({end})</small>" if end else "")
    body = [f"<p>{escape(derivation.entry.meaning[language] + labels(derivation))}</p>"] if top else []
    note = special(derivation)
    if note:
        body.append(f"<p><small>{escape(note)}</small></p>")
    if derivation.shown_before:
        body.append("<p><small>explained above</small></p>")
    elif page.formula:
        names, numbers = formulas(derivation, digits)
        body.append(f"<p>= {names}</p>")
        body += [_table(one) for one in page.sums]
        if numbers:
            body.append(f"<p>= {numbers} = {page.result}</p>")
        if page.remainder:
            body.append(f"<p><small>rounding of the terms shown: {page.remainder}</small></p>")
        body += [_one(below, digits, language, False) for below in derivation.follow]
    if not body:
        return f"<p>{head}</p>"
    return f"<details{' open' if top else ''}><summary>{head}</summary>{''.join(body)}</details>"


def _table(one: Sum) -> str:
    rows = [
        f"<tr><th scope='row'>{one.variable}={term.at}</th><td>{escape(term.work)}</td>"
        f"<td{_cell(term.node)}>{term.value}</td></tr>"
        for term in one.terms
    ]
    sign = "Σ" if one.kind == "sum" else "max"
    if one.remainder:
        rows.append(
            f"<tr><th scope='row'></th><td>rounding of the terms shown</td><td>{one.remainder}</td></tr>"
        )
    rows.append(f"<tr><th scope='row'>{sign}</th><td></td><td><b>{one.value}</b></td></tr>")
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _cell(node: Node) -> str:
    if node.cell is None:
        return ""
    return f' data-cell="{escape(str(node.cell))}" data-value="{full(node.value)}"'
