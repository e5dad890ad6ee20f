"""The whole model as one table: parameters and inputs, start, forward, backward, and the optimizer's step."""

from math import sqrt

import numpy as np

from ..kernels import adam, linear, start
from .backward import backward_rows
from .forward import forward_rows, inspect_rows
from .sizes import Sizes
from .table import Table, View, head_views


def parameter_axes(sizes: Sizes) -> list[tuple[str, tuple[str, ...], str]]:
    """Every parameter in memory order: name, axes, and its kind of start."""
    rows: list[tuple[str, tuple[str, ...], str]] = [
        ("TokenEmb", ("vocabulary", "d_model"), "embedding"),
        ("PosEmb", ("positions", "d_model"), "embedding"),
    ]
    for number in range(1, sizes.layers + 1):
        p = f"layer{number}."
        rows += [(p + "LN1.gain", ("d_model",), "one"), (p + "LN1.bias", ("d_model",), "zero")]
        rows += [(p + name, ("d_model", "d_model"), "matrix") for name in ("WQ", "WK", "WV", "WO")]
        rows += [(p + "LN2.gain", ("d_model",), "one"), (p + "LN2.bias", ("d_model",), "zero")]
        rows += [(p + "W1", ("d_model", "d_ff"), "matrix"), (p + "b1", ("d_ff",), "zero")]
        rows += [(p + "W2", ("d_ff", "d_model"), "matrix"), (p + "b2", ("d_model",), "zero")]
    rows += [("FinalLN.gain", ("d_model",), "one"), ("FinalLN.bias", ("d_model",), "zero")]
    rows += [("LM", ("d_model", "vocabulary"), "matrix")]
    return rows


def build_table(sizes: Sizes) -> Table:
    """The whole model of these sizes: tensors first, then the rows of each stage."""
    table = Table(
        sizes,
        {
            "vocabulary": sizes.vocabulary,
            "positions": sizes.positions,
            "d_model": sizes.d_model,
            "d_head": sizes.d_head,
            "d_ff": sizes.d_ff,
            "one": 1,
            "digit": 10,
            "problem": 100,
            "answer": 3,
        },
    )
    _parameters(table)
    _inputs(table)
    _start_rows(table)
    forward_rows(table)
    backward_rows(table)
    inspect_rows(table)
    _update_rows(table)
    return table


def _parameters(table: Table) -> None:
    rows = parameter_axes(table.sizes)
    count = sum(int(np.prod([table.extent[a] for a in axes])) for _, axes, _ in rows)
    table.extent["parameters"] = count
    for block, shared in (
        ("parameters", True),
        ("adam.m", True),
        ("adam.v", True),
        ("next.parameters", True),
        ("next.adam.m", True),
        ("next.adam.v", True),
        ("grad.parameters", False),
    ):
        table.add(block, "parameters", group="block", shared=shared)
    first = 0
    for name, axes, _ in rows:
        table.parameters.append(name)
        for block, prefix, group in (
            ("parameters", "", "parameter"),
            ("adam.m", "adam.m.", "optimizer"),
            ("adam.v", "adam.v.", "optimizer"),
            ("next.parameters", "next.", "next"),
            ("next.adam.m", "next.adam.m.", "next"),
            ("next.adam.v", "next.adam.v.", "next"),
            ("grad.parameters", "grad.", "gradient"),
        ):
            shared = table.tensors[block].shared
            table.add(prefix + name, *axes, group=group, shared=shared, view=View(block, first))
        first += table.size(name)
    for number in range(1, table.sizes.layers + 1):
        for prefix in ("", "grad."):
            head_views(table, number, prefix, ("WQ", "WK", "WV", "WO"))


def _inputs(table: Table) -> None:
    for name, axes in (("token", ("n",)), ("position", ("n",)), ("ancestors", ("n", "source"))):
        table.add(name, *axes, group="input", dtype="uint32")
    table.add("counts", "n", "vocabulary", group="input")
    table.add("answer_nodes", "problem", "answer", group="task", shared=True, dtype="uint32")
    table.add("answers", "problem", "answer", group="task", shared=True, dtype="uint32")
    table.add("seed", "one", group="input", shared=True, dtype="uint32")
    for prefix, group in (("", "optimizer"), ("next.", "next")):
        table.add(prefix + "adam.beta1_power", "one", group=group, shared=True)
        table.add(prefix + "adam.beta2_power", "one", group=group, shared=True)
    table.add("adam.step", "one", group="optimizer", shared=True, dtype="uint32")


def _start_rows(table: Table) -> None:
    recipe = table.sizes.recipe
    table.row(
        "start.batch", start.plant_tree, "token", "position", "ancestors", "counts", "answer_nodes", "answers"
    )
    table.row("start.prompt", start.lay_chain, "position", "ancestors")
    table.row("initialize", start.begin, "adam.beta1_power", "adam.beta2_power", "adam.step")
    first = 0
    for name, axes, kind in parameter_axes(table.sizes):
        if kind in ("embedding", "matrix"):
            spread = recipe.embedding_std
            if kind == "matrix":
                spread = recipe.weight_std / sqrt(table.extent[axes[0]])
            table.row("initialize", start.fill_uniform, "seed", first, np.float32(spread * sqrt(3)), name)
        else:
            table.row("initialize", linear.fill, np.float32(kind == "one"), name)
        first += table.size(name)
    table.row("initialize", linear.fill, np.float32(0), "adam.m")
    table.row("initialize", linear.fill, np.float32(0), "adam.v")


def _update_rows(table: Table) -> None:
    r = table.sizes.recipe
    for name, size in (("adam.rate", r.rate), ("adam.rate.LM", r.lm_rate)):
        table.add(name, "one", group="next", shared=True)
        schedule = tuple(np.float32(x) for x in (size, r.near, r.least))
        table.row("update", adam.step_size, "Loss", "floor", *schedule, name)
    betas = np.float32(r.beta1), np.float32(r.beta2)
    powers = ("adam.beta1_power", "adam.beta2_power")
    next_powers = tuple(f"next.{name}" for name in powers)
    table.row("update", adam.next_powers, *powers, *betas, *next_powers)
    for name in table.parameters:
        now = (name, *(prefix + name for prefix in ("grad.", "adam.m.", "adam.v.")))
        after = tuple(prefix + name for prefix in ("next.", "next.adam.m.", "next.adam.v."))
        rate = "adam.rate.LM" if name == "LM" else "adam.rate"
        table.row("update", adam.adam, *now, *next_powers, rate, *betas, np.float32(r.epsilon), *after)
    for name in ("parameters", "adam.m", "adam.v", "adam.beta1_power", "adam.beta2_power"):
        table.row("advance", linear.copy, f"next.{name}", name)
    table.row("advance", start.count_step, "adam.step")
