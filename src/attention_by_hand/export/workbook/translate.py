"""From the ledger's formulas, which are data, to formulas of a spreadsheet, cell by cell.

The structure of a prompt is fixed when the workbook is made (how many rows, who may read whom); its
token ids and its target are not: rows of TokenEmb are looked up, and the sums of their gradients follow.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...ledger.trace import Ledger
from .places import Places

Environment = dict[str, int]
Address = tuple[str, int, int]

ADD, MULTIPLY, ATOM = 0, 1, 2
_SIGN = {"add": ("+", ADD), "sub": ("-", ADD), "mul": ("*", MULTIPLY), "div": ("/", MULTIPLY)}
_CALL = {"exp": "EXP", "ln": "LN", "sqrt": "SQRT"}
#: Stands for −∞ where a connection is cut: EXP of it is 0, as it is of −∞, and a spreadsheet can hold it.
CUT = "-1E+300"


def column(number: int) -> str:
    """Letters of a column counted from 0: A … Z, AA …"""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class Translator:
    """Writes the formula of any cell of one prompt's ledger.

    Parameters
    ----------
    ledger
        The prompt.
    places
        Where its cells stand.
    names
        Sheet key → name of the sheet.
    """

    def __init__(self, ledger: Ledger, places: Places, names: dict[str, str]) -> None:
        self.ledger = ledger
        self.places = places
        self.names = names
        self.sheet = ""

    def formula(self, name: str, index: tuple[int, ...]) -> str:
        """The formula of a cell, as seen from its own sheet; it begins with ``=``."""
        entry = self.ledger.entry(name)
        assert entry.formula is not None
        value = entry.formula.value
        if value[0] == "head":
            # The whole is its heads side by side: the head's own formula stands in the whole's cell.
            head, inner = divmod(index[1], value[2])
            return self.formula(value[3][head], (index[0], inner))
        self.sheet = self.places.home(name, index)[0].sheet
        return "=" + self._run(value, dict(zip(entry.formula.index, index, strict=True)))[0]

    def range(self, first: Address, last: Address | None = None) -> str:
        """A cell or a range of cells, with the sheet's name where it is another one."""
        sheet, row, left = first
        text = f"{column(left)}{row + 1}"
        if last is not None and last != first:
            text += f":{column(last[2])}{last[1] + 1}"
        return text if sheet == self.sheet else f"'{self.names[sheet]}'!{text}"

    def _run(self, node: list[Any], env: Environment) -> tuple[str, int]:
        """Text of an expression, and how strongly its outermost operation binds."""
        kind = node[0]
        if kind == "cell":
            return self._cell(node, env)
        if kind == "number":
            return _number(node[1]), ATOM
        if kind == "sum":
            return self._sum(node, env)
        if kind == "max":
            return f"MAX({self._listed([self._address(node[3], one) for one in self._all(node, env)])})", ATOM
        if kind == "positive":
            test, chosen = self._run(node[1], env)[0], self._run(node[2], env)[0]
            return f"IF({test}<=0,0,{chosen})", ATOM
        if kind == "nudged":
            return self._run(["add", node[2], node[1]], env)
        if kind == "cut":
            test, chosen = self._run(node[1], env)[0], self._run(node[2], env)[0]
            return f"IF({test}<>0,{CUT},{chosen})", ATOM
        if kind in _CALL:
            return f"{_CALL[kind]}({self._run(node[1], env)[0]})", ATOM
        if kind == "neg":
            return f"(-{_inside(self._run(node[1], env), ATOM)})", ATOM
        sign, rank = _SIGN[kind]
        left = _inside(self._run(node[1], env), rank)
        right = _inside(self._run(node[2], env), rank + 1)
        return left + sign + right, rank

    def _cell(self, node: list[Any], env: Environment) -> tuple[str, int]:
        index = node[2:]
        if index and isinstance(index[0], list) and index[0][:2] == ["value", "token"]:
            # The row of an embedding table that the token id at hand chooses.
            where = self.range(self.places.find("token", (self._index(index[0][2], env),)))
            right = self._index(index[1], env)
            block = self.places.blocks[node[1]]
            first = self.places.find(node[1], (0, right))
            last = self.places.find(node[1], (block.rows - 1, right))
            return f"INDEX({self.range(first, last)},{where}+1)", ATOM
        return self.range(self._address(node, env)), ATOM

    def _address(self, node: list[Any], env: Environment) -> Address:
        return self.places.find(node[1], tuple(self._index(at, env) for at in node[2:]))

    def _index(self, at: Any, env: Environment) -> int:
        if isinstance(at, str):
            return env[at]
        if isinstance(at, int):
            return at
        if at[0] == "plus":
            return env[at[1]] + int(at[2])
        return int(self.ledger.array(at[1])[tuple(self._index(x, env) for x in at[2:])])

    def _all(self, node: list[Any], env: Environment) -> list[Environment]:
        """The environments of each term of a sum or maximum."""
        over = node[2]
        if over[0] == "axis":
            places = range(self.ledger.extent(over[1]))
        elif over[0] == "sources":
            places = range(self._index(over[1], env) + 1)
        elif over[0] == "readers":
            places = range(self._index(over[1], env), self.ledger.n)
        else:
            places = range(self.ledger.extent("vocabulary"))
        return [env | {node[1]: place} for place in places]

    def _sum(self, node: list[Any], env: Environment) -> tuple[str, int]:
        over, term = node[2], node[3]
        if over[0] == "rows":
            # The rows whose token (or position) is r: which they are depends on the prompt in the sheet.
            last = self.ledger.n - 1
            held = self.range(self.places.find(over[1], (0,)), self.places.find(over[1], (last,)))
            ends = [self._address(term, env | {node[1]: i}) for i in (0, last)]
            return f"SUMIF({held},{self._index(over[2], env)},{self.range(*ends)})", ATOM
        terms = self._all(node, env)
        if over[0] == "counted":
            row = self._index(over[1], env)
            texts = []
            for one in terms:
                count = self.range(self.places.find("counts", (row, one[node[1]])))
                texts.append(f"IF({count}>0,{self._run(term, one)[0]},0)")
            return "+".join(texts), ADD
        short = self._ranges(term, terms)
        if short is not None:
            return short, ATOM
        parts = [self._run(term, one) for one in terms]
        if len(parts) == 1:
            return parts[0]
        return "+".join(_inside(part, ADD) for part in parts), ADD

    def _ranges(self, term: list[Any], terms: list[Environment]) -> str | None:
        """The sum as SUM or SUMPRODUCT, where its cells stand side by side; else None."""
        factors = [term] if term[0] == "cell" else term[1:] if term[0] == "mul" else []
        if len(terms) < 2 or not factors or any(factor[0] != "cell" for factor in factors):
            return None
        lines = [[self._address(factor, one) for one in terms] for factor in factors]
        steps = [_direction(line) for line in lines]
        if steps[0] is None or any(step != steps[0] for step in steps):
            return None
        call = "SUM" if len(factors) == 1 else "SUMPRODUCT"
        return f"{call}({','.join(self.range(line[0], line[-1]) for line in lines)})"

    def _listed(self, cells: list[Address]) -> str:
        if len(cells) == 1 or _direction(cells) is not None:
            return self.range(cells[0], cells[-1])
        return ",".join(self.range(cell) for cell in cells)


def _direction(line: list[Address]) -> tuple[int, int] | None:
    """(0, 1) for cells that stand side by side, (1, 0) for one below the other, None for anything else."""
    found = {(b[1] - a[1], b[2] - a[2]) for a, b in pairwise(line)}
    if len(found) == 1 and len({cell[0] for cell in line}) == 1:
        step = found.pop()
        if step in ((0, 1), (1, 0)):
            return step
    return None


def _inside(part: tuple[str, int], least: int) -> str:
    text, rank = part
    return text if rank >= least else f"({text})"


def _number(x: float) -> str:
    return str(int(x)) if x == int(x) else repr(x).upper()
