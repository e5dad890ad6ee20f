"""The language in which the ledger says how a cell is made: nested lists, ready for JSON.

Expressions
    ``["cell", name, index, …]``      a cell of another entry
    ``["number", x]``                 a float32 constant
    ``["add" | "sub" | "mul" | "div", a, b]``, ``["neg" | "sqrt" | "exp" | "ln", a]``
                                      one float32 operation, rounded once; exp and ln are the kernels' own
    ``["sum", variable, range, a]``   starts at 0 and adds the terms in ascending order
    ``["max", variable, range, a]``   the first of the largest
    ``["positive", a, b]``            0 where a ≤ 0, else b
    ``["clamp", a, low, high]``       a, or the nearer of low and high where a lies outside them
    ``["nudged", a, b]``              b + a; a is 0 unless someone tries what a little more of b does
    ``["cut", a, b]``                 −∞ where a is not 0 (a connection cut on purpose), else b
    ``["head", variable, width, [names], index, …]``
                                      the cell of the head that owns column `variable`: head
                                      variable // width, its own column variable % width

Indices
    a variable's name · a whole number · ``["plus", variable, number]`` · ``["value", name, index, …]``,
    the whole number held by a cell of a uint32 entry

Ranges of a variable
    ``["axis", symbol]``              0 … extent − 1 of an axis (d_model, n, …)
    ``["sources", i]``                the positions row i may read: 0 … position[i]
    ``["readers", j]``                the rows that may read row j, in ascending order
    ``["rows", name, r]``             the rows i with name[i] = r
    ``["counted", i]``                the tokens c with counts[i,c] > 0

A formula is ``{"index": [variables], "value": expression}``, with ``"mask": ["future", i, t]`` where
cells with t > position[i] are masked.
"""

from typing import Any

import numpy as np

Expression = list[Any]
Index = Any


def number(x: Any) -> Expression:
    """A float32 constant, written as the shortest decimal that float32 reads back as the same bits."""
    return ["number", float(str(np.float32(x)))]


def plus(variable: str, offset: int) -> Index:
    """A variable plus a whole number."""
    return ["plus", variable, offset] if offset else variable


def value(name: str, *index: Index) -> Index:
    """The whole number in a cell, used as an index."""
    return ["value", name, *index]


def cell(name: str, *index: Index) -> Expression:
    """A cell; the scratch copy ``W.T`` of a matrix W is read as W with its indices exchanged."""
    if name.endswith(".T"):
        return ["cell", name[:-2], *index[::-1]]
    return ["cell", name, *index]


def add(a: Expression, b: Expression) -> Expression:
    """a + b."""
    return ["add", a, b]


def sub(a: Expression, b: Expression) -> Expression:
    """a − b."""
    return ["sub", a, b]


def mul(a: Expression, b: Expression) -> Expression:
    """a · b."""
    return ["mul", a, b]


def div(a: Expression, b: Expression) -> Expression:
    """a / b."""
    return ["div", a, b]


def neg(a: Expression) -> Expression:
    """−a."""
    return ["neg", a]


def sqrt(a: Expression) -> Expression:
    """√a."""
    return ["sqrt", a]


def exp(a: Expression) -> Expression:
    """e to the power a, by the kernels' own exp."""
    return ["exp", a]


def ln(a: Expression) -> Expression:
    """Natural logarithm, the kernels' own."""
    return ["ln", a]


def positive(a: Expression, b: Expression) -> Expression:
    """0 where a ≤ 0, else b."""
    return ["positive", a, b]


def clamp(a: Expression, low: Expression, high: Expression) -> Expression:
    """a, kept between low and high."""
    return ["clamp", a, low, high]


def nudged(a: Expression, b: Expression) -> Expression:
    """b + a, where a is 0 unless someone changed it by hand."""
    return ["nudged", a, b]


def cut(a: Expression, b: Expression) -> Expression:
    """−∞ where a is not 0, else b."""
    return ["cut", a, b]


def total(variable: str, over: list[Any], term: Expression) -> Expression:
    """Sum in ascending order, from 0."""
    return ["sum", variable, over, term]


def largest(variable: str, over: list[Any], term: Expression) -> Expression:
    """The largest term."""
    return ["max", variable, over, term]


def axis(symbol: str) -> list[Any]:
    """All values of an axis."""
    return ["axis", symbol]


def sources(row: Index) -> list[Any]:
    """The positions a row may read."""
    return ["sources", row]


def readers(row: Index) -> list[Any]:
    """The rows that may read a row."""
    return ["readers", row]


def rows(name: str, r: Index) -> list[Any]:
    """The rows whose entry of `name` is r."""
    return ["rows", name, r]


def counted(row: Index) -> list[Any]:
    """The tokens that follow a row at least once."""
    return ["counted", row]
