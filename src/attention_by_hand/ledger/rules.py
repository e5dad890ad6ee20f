"""For each kernel: how a cell of each of its outputs is made from cells of its inputs.

The order of terms and operations is the kernel's, so that evaluating a formula in float32
gives the stored bits. A test does that for every cell.
"""

from collections.abc import Callable
from typing import Any

from ..kernels import adam, embedding, feedforward, linear, loss, norm
from . import rules_attention as attention_rules
from .expression import (
    Expression,
    add,
    axis,
    cell,
    clamp,
    counted,
    div,
    ln,
    mul,
    neg,
    number,
    positive,
    rows,
    sqrt,
    sub,
    total,
    value,
)
from .formula import Formula, Found, Row

ONE = number(1)


def _product(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), _inner(row))}


def _inner(row: Row, a: str = "a", b: str = "b") -> Expression:
    return total("k", row.axis(a, 1), mul(cell(row[a], "i", "k"), cell(row[b], "k", "j")))


def _product_add(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), add(row.before[row["out"]].value, _inner(row)))}


def _affine(row: Row) -> Found:
    return {row["out"]: Formula(("i", "j"), add(_inner(row), cell(row["bias"], "j")))}


def _weight_gradient(row: Row) -> Found:
    term = mul(cell(row["a"], "i", "k"), cell(row["g"], "i", "j"))
    return {row["out"]: Formula(("k", "j"), total("i", axis("n"), term))}


def _bias_gradient(row: Row) -> Found:
    return {row["out"]: Formula(("j",), total("i", axis("n"), cell(row["g"], "i", "j")))}


def _gain_and_bias_gradient(row: Row) -> Found:
    g_out, xhat = cell(row["g_out"], "i", "d"), cell(row["xhat"], "i", "d")
    return {
        row["g_gain"]: Formula(("d",), total("i", axis("n"), mul(g_out, xhat))),
        row["g_bias"]: Formula(("d",), total("i", axis("n"), g_out)),
    }


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


def _hidden(row: Row) -> Found:
    u = cell(row["u"], "i", "j")
    return {
        row["u"]: Formula(("i", "j"), add(_inner(row, "x", "w"), cell(row["b"], "j"))),
        row["r"]: Formula(("i", "j"), positive(u, u)),
    }


def _hidden_backward(row: Row) -> Found:
    u, g_r, g_u = (cell(row[label], "i", "j") for label in ("u", "g_r", "g_u"))
    return {
        row["g_r"]: Formula(("i", "j"), _inner(row, "g_out", "w_t")),
        row["g_u"]: Formula(("i", "j"), positive(u, g_r)),
        row["g_b"]: Formula(("j",), total("i", axis("n"), g_u)),
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


def _next_powers(row: Row) -> Found:
    return {
        row[f"next_{power}"]: Formula((), mul(cell(row[power]), number(row[beta])))
        for power, beta in (("power1", "beta1"), ("power2", "beta2"))
    }


def _adam(row: Row) -> Found:
    beta1, beta2, epsilon = (number(row[label]) for label in ("beta1", "beta2", "epsilon"))
    power1, power2 = cell(row["next_power1"]), cell(row["next_power2"])
    index = ("i", "j")[: len(row.table.tensors[row["parameter"]].axes)]
    labels = ("parameter", "gradient", "m", "v", "next_m", "next_v")
    parameter, g, m, v, next_m, next_v = (cell(row[label], *index) for label in labels)
    step = mul(cell(row["rate"]), div(next_m, sub(ONE, power1)))
    size = add(sqrt(div(next_v, sub(ONE, power2))), epsilon)
    return {
        row["next_m"]: Formula(index, add(mul(beta1, m), mul(sub(ONE, beta1), g))),
        row["next_v"]: Formula(index, add(mul(beta2, v), mul(mul(sub(ONE, beta2), g), g))),
        row["next_parameter"]: Formula(index, sub(parameter, div(step, size))),
    }


WRITERS: dict[Any, Callable[[Row], Found]] = {
    **attention_rules.WRITERS,
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
    norm.gain_and_bias_gradient: _gain_and_bias_gradient,
    feedforward.hidden: _hidden,
    feedforward.hidden_backward: _hidden_backward,
    embedding.embed: _embed,
    embedding.gather_gradient: _gather_gradient,
    loss.count_targets: _count_targets,
    loss.cross_entropy: _cross_entropy,
    loss.cross_entropy_backward: _cross_entropy_backward,
    loss.probability_gradient: _probability_gradient,
    loss.contribution: _contribution,
    loss.bias_contribution: _bias_contribution,
    adam.step_size: _step_size,
    adam.next_powers: _next_powers,
    adam.adam: _adam,
}
