"""The model as rows *kernel, operands by name*, and the tensors those rows read and write.

Layout, the entry points of the WebAssembly module, the plain-Python run and the formulas of
the ledger are all made from this one table.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, get_args, get_type_hints

import numpy as np

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
