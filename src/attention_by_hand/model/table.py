"""The model as rows *kernel, operands by name*, and the tensors those rows read and write.

Layout, the entry points of the WebAssembly module, the plain-Python run and the formulas of
the ledger are all made from this one table.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, get_args, get_type_hints

import numpy as np

from ..kernels import adam, linear, start
from .sizes import Sizes

Kernel = Callable[..., None]


@dataclass(frozen=True)
class View:
    """A tensor that is part of another: element `first` of `base`, then the base's row stride or its own."""

    base: str
    first: int
    keeps_rows: bool = False
    """True when rows are spaced as in the base (columns of one head), False when cells lie side by side."""


@dataclass(frozen=True)
class Tensor:
    """A named array. Axes are symbols of `Table.extent`; `n` and `source` depend on the context."""

    name: str
    axes: tuple[str, ...]
    group: str
    shared: bool
    dtype: str = "float32"
    view: View | None = None


@dataclass(frozen=True)
class Op:
    """One kernel call; `operands` maps the kernel's parameter names to tensor names or numbers."""

    kernel: Kernel
    operands: dict[str, Any]

    def dimensions(self, label: str) -> int:
        """Axes of an array parameter as the kernel declares it: 1 for a vector, 2 for a matrix."""
        hints = get_type_hints(self.kernel, include_extras=True)
        return int(get_args(hints[label])[1])


@dataclass
class Table:
    """Tensors by name, and the rows of each stage."""

    sizes: Sizes
    extent: dict[str, int]
    tensors: dict[str, Tensor] = field(default_factory=dict)
    stages: dict[str, list[Op]] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)
    """Names of the parameters in their order in memory."""
    part_of: dict[tuple[str, int], str] = field(default_factory=dict)
    """(base, first head column) → name of the head's part of it."""

    def add(
        self,
        name: str,
        *axes: str,
        group: str,
        shared: bool = False,
        dtype: str = "float32",
        view: View | None = None,
    ) -> str:
        """Register a tensor; a name may be given once only."""
        if name in self.tensors:
            raise ValueError(f"two tensors are called {name}")
        self.tensors[name] = Tensor(name, axes, group, shared, dtype, view)
        return name

    def same(self, name: str, base: str, group: str) -> str:
        """Register another name for a tensor."""
        axes = self.tensors[base].axes
        return self.add(name, *axes, group=group, shared=self.tensors[base].shared, view=View(base, 0))

    def row(self, stage: str, kernel: Kernel, *operands: Any) -> None:
        """Append a kernel call to a stage."""
        names = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
        if len(names) != len(operands):
            raise ValueError(f"{kernel.__name__} takes {names}")
        self.stages.setdefault(stage, []).append(Op(kernel, dict(zip(names, operands, strict=True))))

    def size(self, name: str) -> int:
        """Number of cells of a tensor without context axes."""
        return int(np.prod([self.extent[axis] for axis in self.tensors[name].axes], dtype=np.int64))


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
    from .backward import backward_rows
    from .forward import forward_rows, inspect_rows

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


def head_views(table: Table, layer: int, prefix: str = "", names: tuple[str, ...] = ()) -> None:
    """Name each head's own columns of Q, K, V, H, WQ, WK, WV and rows of WO."""
    width = table.sizes.d_head
    for name in names:
        base = f"{prefix}layer{layer}.{name}"
        of = table.tensors[base]
        for head in range(table.sizes.heads):
            rows_of_wo = name == "WO"
            axes = ("d_head", "d_model") if rows_of_wo else (of.axes[0], "d_head")
            first = head * width * (table.sizes.d_model if rows_of_wo else 1)
            view = View(base, first, keeps_rows=True)
            part = f"{prefix}layer{layer}.head{head + 1}.{name}"
            group = "gradient" if prefix.startswith("grad") else "head"
            table.add(part, *axes, group=group, shared=of.shared, view=view)
            table.part_of[base, head * width] = part


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
