"""The table run by ordinary Python: the kernels as they stand, on NumPy arrays.

Slow (seconds a training step) and obvious. It exists to show that the compiled module
computes the same bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layout import Layout, Place
from .table import Op


def view(memory: NDArray[np.uint8], place: Place, dtype: str, rows: int | None = None) -> NDArray[Any]:
    """A NumPy view of one tensor, of its first `rows` rows if given."""
    shape = place.shape if rows is None else (rows, *place.shape[1:])
    raw = memory[place.address :].view(np.dtype(dtype).newbyteorder("<"))
    return np.lib.stride_tricks.as_strided(raw, shape, place.strides)


class PlainRun:
    """The memory of the module, and its stages, in plain Python."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.memory = np.zeros(layout.end, np.uint8)
        self.run("start.batch", "batch")
        self.run("start.prompt", "prompt")
        self.run("targets", "batch")

    def tensor(self, name: str, context: str = "batch", rows: int | None = None) -> NDArray[Any]:
        """A view of a tensor by name; `rows` cuts tensors whose first axis is n."""
        tensor = self.layout.table.tensors[name]
        cut = rows if tensor.axes[0] == "n" else None
        return view(self.memory, self.layout.place(name, context), tensor.dtype, cut)

    def run(self, stage: str, context: str = "batch", rows: int | None = None) -> None:
        """Run the rows of one stage."""
        with np.errstate(all="ignore"):
            for op in self.layout.table.stages[stage]:
                op.kernel(*(self._operand(op, label, context, rows) for label in op.operands))

    def _operand(self, op: Op, label: str, context: str, rows: int | None) -> Any:
        value = op.operands[label]
        if not isinstance(value, str):
            return value
        tensor = self.tensor(value, context, rows)
        return tensor.reshape(-1) if op.dimensions(label) < tensor.ndim else tensor
