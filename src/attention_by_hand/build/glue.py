"""The entry points of the module, generated from the model's table as LLVM IR.

For every kernel and set of shapes there is one ``call.*`` function that takes bare addresses
and passes the kernel constant shapes, so that LLVM unrolls and vectorizes loops of known
length. Its pointers are marked ``noalias``: the table never lets a row write what it reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.numeric import exp, ln
from ..model.layout import BASE, Layout
from ..model.table import Op

#: Exported functions: name → stages, each with the context it runs in ("" for shared tensors only).
ENTRIES: dict[str, tuple[tuple[str, str], ...]] = {
    "start": (("start.batch", "batch"), ("start.prompt", "prompt"), ("targets", "batch")),
    "batch_targets": (("targets", "batch"),),
    "initialize": (("initialize", "batch"),),
    "batch_forward": (("forward", "batch"), ("measure", "batch")),
    "batch_backward": (("backward", "batch"),),
    "batch_inspect": (("inspect", "batch"),),
    "batch_update": (("update", "batch"),),
    "advance": (("advance", "batch"),),
    "train_step": (
        ("forward", "batch"),
        ("measure", "batch"),
        ("backward", "batch"),
        ("update", "batch"),
        ("advance", "batch"),
    ),
    "prompt_forward": (("targets", "prompt"), ("forward", "prompt")),
    "prompt_backward": (("backward", "prompt"),),
    "prompt_inspect": (("inspect", "prompt"),),
    "circuits": (("circuits", "batch"),),
}
SCALARS: dict[str, Callable[..., Any]] = {"exp": exp, "ln": ln}
EXPORTS = (*ENTRIES, *SCALARS, "layout_id")


@dataclass
class Glue:
    """IR text and the kernels it needs."""

    text: str
    kernels: list[Callable[..., Any]]


def generate(layout: Layout, symbol: Callable[[Callable[..., Any]], str]) -> Glue:
    """Write the IR of all entry points; `symbol` compiles a kernel and names it."""
    writer = _Writer(layout, symbol)
    bodies = [writer.entry(name, stages) for name, stages in ENTRIES.items()]
    bodies += [writer.scalar(name, function) for name, function in SCALARS.items()]
    bodies.append(f"define i32 @layout_id() {{\n  ret i32 {layout.identity}\n}}")
    memory = f"@memory_of_tensors = global [{layout.end - BASE} x i8] zeroinitializer, align 1024"
    text = "\n\n".join([memory, *writer.declared.values(), *writer.callers.values(), *bodies])
    return Glue(text, list(writer.kernels))


class _Writer:
    def __init__(self, layout: Layout, symbol: Callable[[Callable[..., Any]], str]) -> None:
        self.layout = layout
        self.symbol = symbol
        self.contexts = {context.name: context for context in layout.contexts}
        self.kernels: dict[Callable[..., Any], str] = {}
        self.declared: dict[str, str] = {}
        self.callers: dict[tuple[Any, ...], str] = {}
        self.names: dict[tuple[Any, ...], str] = {}

    def entry(self, name: str, stages: tuple[tuple[str, str], ...]) -> str:
        """An exported function: one call after another."""
        lines = []
        parameters = ""
        if name == "initialize":
            parameters = "i32 %seed"
            lines.append(f"  store i32 %seed, ptr {self._address('seed', 'batch')}")
        elif name.startswith("prompt_"):
            parameters = "i32 %count"
            lines.append("  %n = zext i32 %count to i64")
        for stage, context in stages:
            rows = "%n" if name.startswith("prompt_") else str(self.contexts[context].rows)
            lines += [f"  {self._call(op, context, rows)}" for op in self.layout.table.stages[stage]]
        body = "\n".join(lines)
        return f"define void @{name}({parameters}) {{\n{body}\n  ret void\n}}"

    def scalar(self, name: str, function: Callable[..., Any]) -> str:
        """An exported function of one float32."""
        symbol = self._declare(function, ["float %x"])
        return (
            f"define float @{name}(float %x) {{\n  %result = alloca float\n  %trouble = alloca ptr\n"
            f'  %status = call i32 @"{symbol}"(ptr %result, ptr %trouble, float %x)\n'
            f"  %value = load float, ptr %result\n  ret float %value\n}}"
        )

    def _address(self, name: str, context: str) -> str:
        offset = self.layout.place(name, context).address - BASE
        return f"getelementptr (i8, ptr @memory_of_tensors, i32 {offset})"

    def _declare(self, kernel: Callable[..., Any], arguments: list[str]) -> str:
        if kernel not in self.kernels:
            symbol = self.symbol(kernel)
            self.kernels[kernel] = symbol
            kinds = ", ".join(["ptr", "ptr", *(argument.split()[0] for argument in arguments)])
            self.declared[symbol] = f'declare i32 @"{symbol}"({kinds})'
        return self.kernels[kernel]

    def _call(self, op: Op, context: str, rows: str) -> str:
        """The call of one table row: addresses, then the two extents that depend on the context."""
        caller = self._caller(op)
        pointers = [f"ptr {self._address(x, context)}" for x in op.operands.values() if isinstance(x, str)]
        sources = self.contexts[context].sources
        return f"call void @{caller}({', '.join([*pointers, f'i64 {rows}', f'i64 {sources}'])})"

    def _caller(self, op: Op) -> str:
        table = self.layout.table
        shapes = tuple(
            table.tensors[x].axes if isinstance(x, str) else (type(x).__name__, str(x))
            for x in op.operands.values()
        )
        extents = tuple(tuple(str(table.extent.get(axis, axis)) for axis in shape) for shape in shapes)
        key = (op.kernel, extents)
        if key not in self.callers:
            name = f"call.{op.kernel.__name__}.{len(self.callers)}"
            self.names[key] = name
            self.callers[key] = self._define(name, op)
        return self.names[key]

    def _define(self, name: str, op: Op) -> str:
        parameters, arguments = [], []
        lengths: list[str] = []
        for label, value in op.operands.items():
            if isinstance(value, str):
                parameters.append(f"ptr noalias align 4 %{label}")
                arguments += self._array(label, value, op.dimensions(label), lengths)
            elif isinstance(value, np.float32):
                arguments.append(f"float {_float_literal(value)}")
            else:
                arguments.append(f"i64 {value}")
        symbol = self._declare(op.kernel, arguments)
        parameters += ["i64 %n", "i64 %source"]
        every = ", ".join(["ptr %nothing", "ptr %trouble", *arguments])
        return (
            f"define internal void @{name}({', '.join(parameters)}) noinline {{\n"
            f"  %nothing = alloca ptr\n  %trouble = alloca ptr\n{''.join(lengths)}"
            f'  %status = call i32 @"{symbol}"({every})\n  ret void\n}}'
        )

    def _array(self, label: str, name: str, dimensions: int, lengths: list[str]) -> list[str]:
        """Numba's flattened array: owner, parent, items, item size, data, shape, strides in bytes.

        A matrix given to a kernel that takes a vector is passed as its cells in memory order; where its
        length depends on the context, the line that computes it is appended to `lengths`.
        """
        table = self.layout.table
        context_extents = {"n": "%n", "source": "%source"}
        axes = [context_extents.get(a) or str(table.extent[a]) for a in table.tensors[name].axes]
        if dimensions < len(axes):
            lengths.append(f"  %{label}_length = mul i64 {axes[0]}, {axes[1]}\n")
            axes = [f"%{label}_length"]
        strides = ["4"]
        if len(axes) == 2:
            strides.insert(0, str(4 * int(axes[1])) if axes[1].isdigit() else "0")
        # A row stride is only read by kernels compiled for other layouts than C-contiguous.
        flat = ["ptr null", "ptr null", "i64 0", "i64 4", f"ptr %{label}"]
        return [*flat, *(f"i64 {a}" for a in axes), *(f"i64 {s}" for s in strides)]


def _float_literal(value: np.float32) -> str:
    """LLVM writes a float as the hexadecimal bits of the same value in double precision."""
    return f"0x{np.float64(value).view(np.uint64):016X}"
