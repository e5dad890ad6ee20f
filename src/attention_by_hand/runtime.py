"""Loads ``kernel.wasm`` and shows its memory as NumPy views."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import NDArray

from .model.layout import Layout, standard_layout

_SHOWN = {"float32": np.dtype("<f4"), "uint32": np.dtype("<u4")}


@cache
def _module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    path = files(__package__) / "_built" / "kernel.wasm"
    if not path.is_file():
        raise FileNotFoundError("kernel.wasm is not built; run `make` in the project, or install the package")
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, path.read_bytes())


class Kernel:
    """One instance of the module with a memory of its own.

    The memory starts with the prefix tree of the 100 problems in the ``batch`` context.
    Arrays from `view` are windows on that memory: they change when a function runs.
    """

    def __init__(self) -> None:
        self.layout: Layout = standard_layout()
        engine, module = _module()
        self._store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._functions: dict[str, Any] = {
            export.name: exports[export.name] for export in module.exports if export.name != "memory"
        }
        memory: Any = exports["memory"]
        window = memory.get_buffer_ptr(self._store)
        # An array outlives this object when someone keeps it; it must keep the memory alive too.
        window.owner = (self._store, memory)
        self._memory: NDArray[np.uint8] = np.frombuffer(window, np.uint8)
        if self.call("layout_id") != self.layout.identity:
            raise RuntimeError("kernel.wasm was built from other sources; run `make` in the project")
        self.call("start")

    def call(self, name: str, *arguments: float) -> Any:
        """Run one exported function of the module; see ``build/glue.py`` for their list."""
        return self._functions[name](self._store, *arguments)

    def view(self, name: str, context: str = "batch", rows: int | None = None) -> NDArray[Any]:
        """A window on one tensor of the memory, no copy.

        Parameters
        ----------
        name
            Ledger name.
        context
            ``batch`` (378 rows) or ``prompt`` (16 rows); shared tensors ignore it.
        rows
            Show only this many rows of a tensor whose first axis is n, and as many
            columns of one whose second axis is the source position.
        """
        tensor = self.layout.table.tensors[name]
        place = self.layout.place(name, context)
        shape = list(place.shape)
        if rows is not None and tensor.axes[0] == "n":
            shape[0] = rows
            if tensor.axes[1:] == ("source",):
                shape[1] = min(rows, shape[1])
        return np.ndarray(tuple(shape), _SHOWN[tensor.dtype], self._memory, place.address, place.strides)

    def set_prompt(self, tokens: list[int], target: int | None = None) -> int:
        """Write a prompt, and a target for its last position, into the ``prompt`` context; returns n."""
        n = len(tokens)
        self.view("token", "prompt")[:n] = tokens
        counts = self.view("counts", "prompt")
        counts[:] = 0
        if target is not None:
            counts[n - 1, target] = 1
        return n
