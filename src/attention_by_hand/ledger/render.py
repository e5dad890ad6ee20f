"""What all renderings of a derivation share: the formula in symbols and in numbers, and tables of terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .explain import Derivation, Environment, Node
from .numbers import MASKED, constant, remainder, shown

OPEN, ADD, MULTIPLY, NEGATE, ATOM = 0, 1, 2, 3, 4
_RANK = {"add": ADD, "sub": ADD, "mul": MULTIPLY, "div": MULTIPLY, "neg": NEGATE}


class Style:
    """Plain text. LaTeX and HTML override what they write differently."""

    times = " · "
    minus = "−"

    def __init__(self, derivation: Derivation, digits: int) -> None:
        self.ledger = derivation.ledger
        self.digits = digits

    def cell(self, name: str, index: list[str]) -> str:
        """A cell by name."""
        return f"{name}[{','.join(index)}]" if index else name

    def number(self, value: Any) -> str:
        """A number."""
        return shown(value, self.digits)

    def constant(self, value: Any) -> str:
        """A constant of the formula, in full."""
        return constant(value)

    def group(self, text: str) -> str:
        """Parentheses."""
        return f"({text})"

    def divide(self, a: str, b: str) -> str:
        """a / b, both already grouped where needed."""
        return f"{a} / {b}"

    def call(self, name: str, text: str) -> str:
        """exp, ln, sqrt or max of something."""
        return f"{'√' if name == 'sqrt' else name}({text})"

    def total(self, variable: str, text: str) -> str:
        """A sum over a variable."""
        return f"Σ_{variable} {text}"

    def choice(self, kind: str, test: str, text: str) -> str:
        """The conditional forms."""
        if kind == "positive":
            return f"{text} if {test} > 0 else 0"
        return text


def symbolic(node: list[Any], env: Environment, style: Style) -> str:
    """An expression with names; variables that have a value are replaced by it."""
    return _Symbols(env, style).run(node)[0]


class _Symbols:
    def __init__(self, env: Environment, style: Style) -> None:
        self.env = env
        self.style = style

    def run(self, node: list[Any]) -> tuple[str, int]:
        """Text and rank of an expression."""
        kind, style = node[0], self.style
        if kind == "cell":
            return style.cell(node[1], self._indices(node[1], node[2:])), ATOM
        if kind == "head":
            head, column = divmod(self.env[node[1]], node[2])
            return style.cell(node[3][head], [*self._indices("", node[4:]), str(column)]), ATOM
        if kind == "number":
            return style.constant(node[1]), ATOM
        if kind == "sum":
            text, rank = self.run(node[3])
            return style.total(node[1], text if rank > ADD else style.group(text)), OPEN
        if kind == "max":
            return style.call("max", self.run(node[3])[0]), ATOM
        if kind == "nudged":
            at = tuple(int(x) for x in self._indices("", node[1][2:]))
            by = self.style.ledger.array(node[1][1])[at]
            return self.run(["add", node[2], node[1]] if by else node[2])
        if kind in ("positive", "cut"):
            return style.choice(
                kind, self.run(node[1])[0], self.run(node[2])[0]
            ), OPEN if kind == "positive" else ATOM
        return combine(kind, [self.run(child) for child in node[1:]], style)

    def _indices(self, name: str, indices: list[Any]) -> list[str]:
        return [self._index(name, at) for at in indices]

    def _index(self, name: str, at: Any) -> str:
        if isinstance(at, int):
            return str(at)
        if isinstance(at, str):
            return str(self.env.get(at, at))
        if at[0] == "plus":
            known = self.env.get(at[1])
            return f"{at[1]}+{at[2]}" if known is None else str(known + at[2])
        if all(not isinstance(x, str) or x in self.env for x in at[2:]):
            index = tuple(self.env[x] if isinstance(x, str) else x for x in at[2:])
            return str(int(self.style.ledger.array(at[1])[index]))
        if at[1] == "ancestors" and self.style.ledger.context == "prompt":
            return self._index(name, at[3])  # in a prompt the source at position t is row t
        return self.style.cell(at[1], self._indices(name, at[2:]))


def numeric(node: Node, style: Style) -> tuple[str, int]:
    """An expression with numbers in place of names; a sum inside it appears as its value."""
    if node.kind == "number":
        return style.constant(node.value), ATOM
    if node.kind in ("cell", "sum", "max"):
        negative = node.value < 0
        return style.number(node.value), NEGATE if negative else ATOM
    if node.kind in ("positive", "cut"):
        parts = [numeric(child, style)[0] for child in node.children]
        if node.kind == "positive":
            return style.choice(node.kind, parts[0], parts[1]), OPEN
        return (parts[0] if node.value > -float("inf") else style.number(node.value)), ATOM
    return combine(node.kind, [numeric(child, style) for child in node.children], style)


def combine(kind: str, parts: list[tuple[str, int]], style: Style) -> tuple[str, int]:
    """Join the texts of an operation's operands, with parentheses where the order needs them."""
    if kind == "clamp":
        return style.call("clamp", ", ".join(part[0] for part in parts)), ATOM
    if kind in ("exp", "ln", "sqrt"):
        return style.call(kind, parts[0][0]), ATOM
    if kind == "neg":
        text, rank = parts[0]
        return style.minus + (text if rank > ADD else style.group(text)), NEGATE
    (a, rank_a), (b, rank_b) = parts
    rank = _RANK[kind]
    if kind == "div":
        return style.divide(_inside(a, rank_a, MULTIPLY, style), _inside(b, rank_b, NEGATE, style)), MULTIPLY
    left = _inside(a, rank_a, rank, style)
    right = _inside(b, rank_b, NEGATE if kind == "mul" else MULTIPLY, style)
    if rank_b == NEGATE:
        right = style.group(b)
    sign = {"add": " + ", "sub": f" {style.minus} ", "mul": style.times}[kind]
    return left + sign + right, rank


def _inside(text: str, rank: int, least: int, style: Style) -> str:
    return text if rank >= least else style.group(text)


@dataclass
class Term:
    """One term of a sum: the value of its variable, what it is made of, and what it comes to."""

    at: int
    work: str
    value: str
    node: Node


@dataclass
class Sum:
    """A sum, or a largest, written out."""

    kind: str
    variable: str
    terms: list[Term]
    value: str
    remainder: str | None


@dataclass
class Page:
    """A derivation ready to be laid out: every text is in the style's own notation."""

    formula: str
    sums: list[Sum]
    numbers: str
    result: str
    remainder: str | None


def lay_out(derivation: Derivation, style: Style) -> Page:
    """Write out a derivation's own step (not the cells it follows)."""
    result = MASKED if derivation.kind == "masked" else style.number(derivation.value)
    if derivation.work is None or derivation.entry.formula is None:
        return Page("", [], "", result, None)
    formula = derivation.entry.formula
    env = dict(zip(formula.index, derivation.cell.index, strict=True))
    found: list[Sum] = []
    _sums(derivation.work, style, found)
    numbers, _ = numeric(derivation.work, style)
    over = None
    if derivation.work.kind in ("add", "sub"):
        over = remainder(_signed(derivation.work, style), shown(derivation.value, style.digits), style.digits)
    if derivation.work.kind in ("sum", "max") or numbers == result:
        numbers = ""
    return Page(symbolic(formula.value, env, style), found, numbers, result, over)


def _sums(node: Node, style: Style, found: list[Sum]) -> None:
    for child in node.children if node.kind != "sum" else ():
        _sums(child, style, found)
    if node.kind in ("sum", "max"):
        terms = []
        for at, child in zip(node.at, node.children, strict=True):
            value = style.number(child.value)
            work = numeric(child, style)[0]
            terms.append(Term(at, "" if work == value else work, value, child))
        plain = [shown(child.value, style.digits) for child in node.children]
        over = remainder(plain, shown(node.value, style.digits), style.digits) if node.kind == "sum" else None
        found.append(Sum(node.kind, node.variable, terms, style.number(node.value), over))


def _signed(node: Node, style: Style) -> list[str]:
    """The printed terms of nested additions and subtractions, with their signs."""
    if node.kind not in ("add", "sub"):
        return [shown(node.value, style.digits)]
    left, right = node.children
    after = _signed(right, style)
    if node.kind == "sub":
        after = [_negated(text) for text in after]
    return _signed(left, style) + after


def _negated(text: str) -> str:
    return text[1:] if text.startswith("−") else f"−{text}"


def special(derivation: Derivation) -> str:
    """A remark on values that need one, in English; empty for ordinary numbers."""
    if derivation.kind == "masked":
        receiver, source = derivation.cell.index
        return f"row {receiver} stands before position {source}: the future is masked, it does not exist yet"
    work = derivation.work
    if work is None:
        return ""
    if work.kind == "exp" and derivation.value == 0:
        cut = work.children[0].value == -float("inf")
        return (
            "0 because the connection is cut"
            if cut
            else "0 by underflow: e to this power is below the smallest float32"
        )
    if work.kind == "cut" and derivation.value == -float("inf"):
        return "cut on purpose: −∞, so that it gets no share"
    if work.kind == "div" and derivation.value == 0 and work.children[0].value == 0:
        return "exactly 0: its exponential is 0"
    return ""
