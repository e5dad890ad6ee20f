"""For each kernel: how a cell of each of its outputs is made from cells of its inputs.

The order of terms and operations is the kernel's, so that evaluating a formula in float32
gives the stored bits. A test does that for every cell.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..kernels import adam, attention, embedding, feedforward, linear, loss, norm, softmax
from ..model.table import Op, Table
from .expression import (
    Expression,
    add,
    axis,
    cell,
    clamp,
    counted,
    cut,
    div,
    exp,
    largest,
    ln,
    mul,
    neg,
    nudged,
    number,
    plus,
    positive,
    readers,
    rows,
    sources,
    sqrt,
    sub,
    total,
    value,
)

ONE = number(1)


@dataclass(frozen=True)
class Formula:
    """Index variables of a cell, its value as an expression, and whether future columns are masked."""

    index: tuple[str, ...]
    value: Expression
    masked: bool = False

    def document(self) -> dict[str, Any]:
        """The formula as JSON-ready data."""
        found: dict[str, Any] = {"index": list(self.index), "value": self.value}
        if self.masked:
            found["mask"] = ["future", *self.index]
        return found


Found = dict[str, Formula]


class Row:
    """One row of the table while its formulas are written: operands by label, axes by name."""

    def __init__(self, table: Table, op: Op, before: Found) -> None:
        self.table = table
        self.op = op
        self.before = before
        """Formulas found so far; a row that adds to its output builds on them."""

    def __getitem__(self, label: str) -> Any:
        return self.op.operands[label]

    def axis(self, label: str, which: int) -> list[Any]:
        """The range of one axis of an operand."""
        return axis(self.table.tensors[self[label]].axes[which])

    def width(self, label: str) -> Expression:
        """The length of an operand's last axis as a float32 constant."""
        return number(self.table.extent[self.table.tensors[self[label]].axes[-1]])

    def masked(self, label: str) -> bool:
        """Whether an operand is an attention table, whose future columns are masked."""
        return self.table.tensors[self[label]].axes[-1] == "source"

    def head(self, label: str) -> str:
        """The head's own part of an operand."""
        return self.table.part_of[self[label], self["first"]]


def _product(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), _inner(row))}


def _inner(row: Row) -> Expression:
    return total("k", row.axis("a", 1), mul(cell(row["a"], "i", "k"), cell(row["b"], "k", "j")))


def _product_add(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), add(row.before[row["out"]].value, _inner(row)))}


def _affine(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), add(_inner(row), cell(row["bias"], "j")))}


def _weight_gradient(row: Row) -> Found:
    term = mul(cell(row["a"], "i", "k"), cell(row["g"], "i", "j"))
    return {row["out"]: Formula(("k", "j"), total("i", axis("n"), term))}


def _bias_gradient(row: Row) -> Found:
    return {row["out"]: Formula(("j",), total("i", axis("n"), cell(row["g"], "i", "j")))}


def _gain_gradient(row: Row) -> Found:
    term = mul(cell(row["g_out"], "i", "d"), cell(row["xhat"], "i", "d"))
    return {row["g_gain"]: Formula(("d",), total("i", axis("n"), term))}


def _add(row: Row) -> Found:
    return {row["out"]: Formula(("i", "d"), add(cell(row["a"], "i", "d"), cell(row["b"], "i", "d")))}


def _accumulate(row: Row) -> Found:
    before = row.before[row["out"]]
    return {row["out"]: Formula(before.index, add(before.value, cell(row["a"], *before.index)))}


def _head_product(row: Row) -> Found:
    term = mul(cell(row.head("a"), "i", "c"), cell(row.head("b"), "c", "j"))
    return {row["out"]: Formula(("i", "j"), total("c", axis("d_head"), term))}


def _head_product_transposed(row: Row) -> Found:
    term = mul(cell(row.head("a"), "i", "c"), cell(row.head("b"), "j", "c"))
    return {row["out"]: Formula(("i", "j"), total("c", axis("d_head"), term))}


def _embed(row: Row) -> Found:
    token = cell(row["token_emb"], value(row["token"], "i"), "d")
    place = cell(row["pos_emb"], value(row["position"], "i"), "d")
    return {row["x"]: Formula(("i", "d"), add(token, place))}


def _gather_gradient(row: Row) -> Found:
    return {row["out"]: Formula(("r", "d"), total("i", rows(row["index"], "r"), cell(row["g_x"], "i", "d")))}


def _layer_norm(row: Row) -> Found:
    width, over = row.width("x"), row.axis("x", 1)
    x, mean, rstd = cell(row["x"], "i", "d"), cell(row["mean"], "i"), cell(row["rstd"], "i")
    off = sub(x, mean)
    variance = div(total("d", over, mul(off, off)), width)
    return {
        row["mean"]: Formula(("i",), div(total("d", over, x), width)),
        row["rstd"]: Formula(("i",), div(ONE, sqrt(add(variance, number(row["epsilon"]))))),
        row["xhat"]: Formula(("i", "d"), mul(off, rstd)),
        row["out"]: Formula(
            ("i", "d"), add(mul(cell(row["xhat"], "i", "d"), cell(row["gain"], "d")), cell(row["bias"], "d"))
        ),
    }


def _layer_norm_backward(row: Row) -> Found:
    width, over = row.width("x"), row.axis("x", 1)
    rstd, g_xhat = cell(row["rstd"], "i"), cell(row["g_xhat"], "i", "d")
    off = sub(cell(row["x"], "i", "d"), cell(row["mean"], "i"))
    shift = div(cell(row["g_mean"], "i"), width)
    pull = div(mul(mul(mul(cell(row["g_rstd"], "i"), rstd), rstd), rstd), width)
    return {
        row["g_xhat"]: Formula(("i", "d"), mul(cell(row["g_out"], "i", "d"), cell(row["gain"], "d"))),
        row["g_rstd"]: Formula(("i",), total("d", over, mul(g_xhat, off))),
        row["g_mean"]: Formula(("i",), neg(mul(total("d", over, g_xhat), rstd))),
        row["g_x"]: Formula(("i", "d"), sub(add(mul(g_xhat, rstd), shift), mul(pull, off))),
    }


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


def _mix_backward(row: Row) -> Found:
    g_h = cell(row.head("g_h"), "i", "c")
    share = mul(g_h, cell(row.head("v"), _source(row), "c"))
    carried = mul(cell(row["a"], "i", value(row["position"], "j")), g_h)
    return {
        row["g_a"]: Formula(("i", "t"), total("c", axis("d_head"), share), masked=True),
        row.head("g_v"): Formula(("j", "c"), total("i", readers("j"), carried)),
    }


def _softmax_backward(row: Row) -> Found:
    a, g_a = cell(row["a"], "i", "t"), cell(row["g_a"], "i", "t")
    return {
        row["u_mean"]: Formula(("i",), total("t", sources("i"), mul(a, g_a))),
        row["g_s"]: Formula(("i", "t"), mul(a, sub(g_a, cell(row["u_mean"], "i"))), masked=True),
    }


def _scores_backward(row: Row) -> Found:
    root = number(row["root"])
    to_q = mul(cell(row["g_s"], "i", "t"), cell(row.head("k"), _source(row), "c"))
    to_k = mul(cell(row["g_s"], "i", value(row["position"], "j")), cell(row.head("q"), "i", "c"))
    return {
        row.head("g_q"): Formula(("i", "c"), div(total("t", sources("i"), to_q), root)),
        row.head("g_k"): Formula(("j", "c"), div(total("i", readers("j"), to_k), root)),
    }


def _relu(row: Row) -> Found:
    u = cell(row["u"], "i", "j")
    return {row["r"]: Formula(("i", "j"), positive(u, u))}


def _relu_backward(row: Row) -> Found:
    return {row["g_u"]: Formula(("i", "j"), positive(cell(row["u"], "i", "j"), cell(row["g_r"], "i", "j")))}


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


def _count_targets(row: Row) -> Found:
    count, weight = cell(row["counts"], "i", "c"), cell(row["weight"], "i")
    entropy = total("c", counted("i"), mul(count, neg(ln(div(count, weight)))))
    least = total("i", axis("n"), cell(row["row_floor"], "i"))
    return {
        row["row_floor"]: Formula(("i",), entropy),
        row["floor"]: Formula((), div(least, cell(row["total"]))),
        row["weight"]: Formula(("i",), total("c", row.axis("counts", 1), cell(row["counts"], "i", "c"))),
        row["total"]: Formula((), total("i", axis("n"), cell(row["weight"], "i"))),
    }


def _cross_entropy(row: Row) -> Found:
    term = mul(cell(row["counts"], "i", "c"), neg(ln(cell(row["p"], "i", "c"))))
    whole = total("i", axis("n"), cell(row["row_loss"], "i"))
    return {
        row["row_loss"]: Formula(("i",), total("c", counted("i"), term)),
        row["loss"]: Formula((), div(whole, cell(row["total"]))),
    }


def _cross_entropy_backward(row: Row) -> Found:
    p = mul(cell(row["weight"], "i"), cell(row["p"], "i", "c"))
    error = sub(p, cell(row["counts"], "i", "c"))
    return {row["g_logits"]: Formula(("i", "c"), div(error, cell(row["total"])))}


def _probability_gradient(row: Row) -> Found:
    count = cell(row["counts"], "i", "c")
    slope = div(neg(div(count, cell(row["p"], "i", "c"))), cell(row["total"]))
    return {row["g_p"]: Formula(("i", "c"), positive(count, slope))}


def _contribution(row: Row) -> Found:
    part, mean = cell(row["part"], "i", "d"), cell(row["mean"], "i")
    scaled = mul(mul(sub(part, mean), cell(row["rstd"], "i")), cell(row["gain"], "d"))
    over = row.axis("part", 1)
    return {
        row["mean"]: Formula(("i",), div(total("d", over, part), row.width("part"))),
        row["out"]: Formula(("i", "c"), total("d", over, mul(scaled, cell(row["lm"], "d", "c")))),
    }


def _bias_contribution(row: Row) -> Found:
    term = mul(cell(row["bias"], "d"), cell(row["lm"], "d", "c"))
    return {row["out"]: Formula(("c",), total("d", row.axis("bias", 0), term))}


def _step_size(row: Row) -> Found:
    share = div(sub(cell(row["loss"]), cell(row["floor"])), number(row["near"]))
    return {row["out"]: Formula((), mul(number(row["rate"]), clamp(share, number(row["least"]), ONE)))}


def _adam(row: Row) -> Found:
    rate = cell(row["rate"])
    beta1, beta2, epsilon = (number(row[label]) for label in ("beta1", "beta2", "epsilon"))
    power1, power2 = cell(row["next_power1"]), cell(row["next_power2"])
    found = {
        row["next_power1"]: Formula((), mul(cell(row["power1"]), beta1)),
        row["next_power2"]: Formula((), mul(cell(row["power2"]), beta2)),
    }
    for name in row.table.parameters:
        index = ("i", "j")[: len(row.table.tensors[name].axes)]
        g, m, v = (cell(prefix + name, *index) for prefix in ("grad.", "adam.m.", "adam.v."))
        next_m, next_v = (cell(prefix + name, *index) for prefix in ("next.adam.m.", "next.adam.v."))
        step = mul(rate, div(next_m, sub(ONE, power1)))
        size = add(sqrt(div(next_v, sub(ONE, power2))), epsilon)
        found |= {
            f"next.adam.m.{name}": Formula(index, add(mul(beta1, m), mul(sub(ONE, beta1), g))),
            f"next.adam.v.{name}": Formula(index, add(mul(beta2, v), mul(mul(sub(ONE, beta2), g), g))),
            f"next.{name}": Formula(index, sub(cell(name, *index), div(step, size))),
        }
    return found


WRITERS: dict[Any, Callable[[Row], Found]] = {
    linear.product: _product,
    linear.product_add: _product_add,
    linear.affine: _affine,
    linear.weight_gradient: _weight_gradient,
    linear.bias_gradient: _bias_gradient,
    linear.add: _add,
    linear.accumulate: _accumulate,
    linear.head_product: _head_product,
    linear.head_product_transposed: _head_product_transposed,
    norm.layer_norm: _layer_norm,
    norm.layer_norm_backward: _layer_norm_backward,
    norm.gain_gradient: _gain_gradient,
    attention.scores: _scores,
    attention.mix: _mix,
    attention.mix_backward: _mix_backward,
    attention.softmax_backward: _softmax_backward,
    attention.scores_backward: _scores_backward,
    feedforward.relu: _relu,
    feedforward.relu_backward: _relu_backward,
    embedding.embed: _embed,
    embedding.gather_gradient: _gather_gradient,
    softmax.below_largest: _below_largest,
    softmax.exponentials: _exponentials,
    softmax.shares: _shares,
    loss.count_targets: _count_targets,
    loss.cross_entropy: _cross_entropy,
    loss.cross_entropy_backward: _cross_entropy_backward,
    loss.probability_gradient: _probability_gradient,
    loss.contribution: _contribution,
    loss.bias_contribution: _bias_contribution,
    adam.step_size: _step_size,
    adam.adam: _adam,
}


def formulas(table: Table) -> Found:
    """The formula of every entry that is computed; parameters, token ids and counts have none."""
    found: Found = {}
    for stage in ("targets", "forward", "backward", "inspect", "circuits", "update"):
        for op in table.stages[stage]:
            if op.kernel in WRITERS:
                found |= WRITERS[op.kernel](Row(table, op, found))
    _whole_from_heads(table, found)
    _views(table, found)
    return {name: found[name] for name in table.tensors if name in found}


def _whole_from_heads(table: Table, found: Found) -> None:
    """H, and the gradients of Q, K and V, are made head by head: the whole is its heads side by side."""
    width = table.sizes.d_head
    for base, first in table.part_of:
        if first or base in found or table.part_of[base, first] not in found:
            continue
        names = [table.part_of[base, head * width] for head in range(table.sizes.heads)]
        found[base] = Formula(("i", "j"), ["head", "j", width, names, "i"])


def _views(table: Table, found: Found) -> None:
    parts = {part: key for key, part in table.part_of.items()}
    for name, tensor in table.tensors.items():
        if tensor.view is None or table.tensors[tensor.view.base].group == "block":
            continue
        if name in found and name not in parts:
            # A row may write a tensor under its second name (grad.layer2.X_in is grad.layer1.X_out).
            found[tensor.view.base] = found.pop(name)
        elif name in found:
            continue
        if name in parts:
            base, first = parts[name]
            if base in found and found[base].value[0] != "head":
                found[name] = _part(table, found[base], base, first)
        else:
            index = ("i", "j")[: len(tensor.axes)]
            found[name] = Formula(index, cell(tensor.view.base, *index))


def _part(table: Table, formula: Formula, base: str, first: int) -> Formula:
    """A head's columns (of WO: rows) of a formula, told with the head's own parts of its operands."""
    which = 0 if base.endswith(".WO") else 1
    variable = formula.index[which]
    index = tuple("c" if name == variable else name for name in formula.index)

    def rewrite(node: Any) -> Any:
        if node == variable:
            return plus("c", first)
        if not isinstance(node, list):
            return node
        if node[0] == "cell" and (node[1], first) in table.part_of and variable in node[2:]:
            return [
                "cell",
                table.part_of[node[1], first],
                *("c" if at == variable else at for at in node[2:]),
            ]
        return [node[0], *(rewrite(child) for child in node[1:])]

    return Formula(index, rewrite(formula.value), formula.masked)
