"""The rules of attention and of softmax; see `ledger.rules`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..kernels import attention, softmax
from .expression import (
    axis,
    cell,
    cut,
    div,
    exp,
    largest,
    mul,
    nudged,
    number,
    readers,
    sources,
    sub,
    total,
    value,
)
from .formula import Formula, Found, Row


def _source(row: Row) -> Any:
    return value(row["ancestors"], "i", "t")


def _scores(row: Row) -> Found:
    term = mul(cell(row.head("q"), "i", "c"), cell(row.head("k"), _source(row), "c"))
    score = div(total("c", axis("d_head"), term), number(row["root"]))
    score = nudged(cell(row["nudge"], "i", "t"), score)
    return {row["s"]: Formula(("i", "t"), cut(cell(row["cut"], "i", "t"), score), masked=True)}


def _mix(row: Row) -> Found:
    term = mul(cell(row["a"], "i", "t"), cell(row.head("v"), _source(row), "c"))
    return {row.head("h"): Formula(("i", "c"), total("t", sources("i"), term))}


def _attention_backward(row: Row) -> Found:
    a, g_a, g_s = (cell(row[label], "i", "t") for label in ("a", "g_a", "g_s"))
    g_h, u_mean, root = cell(row.head("g_h"), "i", "c"), cell(row["u_mean"], "i"), number(row["root"])
    k, q, v = (
        cell(row.head(label), at, "c") for label, at in (("k", _source(row)), ("q", "i"), ("v", _source(row)))
    )
    # What a reader i of row j has in column j's position.
    a_of_j, g_s_of_j = (cell(row[label], "i", value(row["position"], "j")) for label in ("a", "g_s"))
    return {
        row["g_a"]: Formula(("i", "t"), total("c", axis("d_head"), mul(g_h, v)), masked=True),
        row.head("g_v"): Formula(("j", "c"), total("i", readers("j"), mul(a_of_j, g_h))),
        row["u_mean"]: Formula(("i",), total("t", sources("i"), mul(a, g_a))),
        row["g_s"]: Formula(("i", "t"), mul(a, sub(g_a, u_mean)), masked=True),
        row.head("g_q"): Formula(("i", "c"), div(total("t", sources("i"), mul(g_s, k)), root)),
        row.head("g_k"): Formula(("j", "c"), div(total("i", readers("j"), mul(g_s_of_j, q)), root)),
    }


def _below_largest(row: Row) -> Found:
    masked = row.masked("s")
    index = ("i", "t" if masked else "c")
    over = sources("i") if masked else row.axis("s", 1)
    s = cell(row["s"], *index)
    return {
        row["top"]: Formula(("i",), largest(index[1], over, s)),
        row["e"]: Formula(index, sub(s, cell(row["top"], "i")), masked),
    }


def _exponentials(row: Row) -> Found:
    before = row.before[row["e"]]
    return {row["e"]: replace(before, value=exp(before.value))}


def _shares(row: Row) -> Found:
    formula = row.before[row["e"]]
    over = sources("i") if formula.masked else row.axis("e", 1)
    e = cell(row["e"], *formula.index)
    return {
        row["e_sum"]: Formula(("i",), total(formula.index[1], over, e)),
        row["a"]: Formula(formula.index, div(e, cell(row["e_sum"], "i")), formula.masked),
    }


WRITERS: dict[Any, Callable[[Row], Found]] = {
    attention.scores: _scores,
    attention.mix: _mix,
    attention.attention_backward: _attention_backward,
    softmax.below_largest: _below_largest,
    softmax.exponentials: _exponentials,
    softmax.shares: _shares,
}
