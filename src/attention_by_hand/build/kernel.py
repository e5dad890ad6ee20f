"""Build ``kernel.wasm`` and ``ledger.json`` from the kernels and the model's table."""

import json
import struct
from pathlib import Path
from typing import Any

import wasmtime

from ..model.layout import BASE, Layout, standard_layout
from ..task import target_count
from . import compiler, glue

TARGET = Path(__file__).resolve().parent.parent / "_built"


def build_module(target: Path) -> None:
    """Compile the kernels into one WebAssembly file.

    Raises
    ------
    RuntimeError
        The linked module does not keep the tensors at the addresses of the layout.
    """
    layout = standard_layout()
    compile_ = compiler.Compiler()
    parts = glue.generate(layout, compile_.compile)
    module = compile_.module(parts.text, parts.kernels)
    code = compiler.optimise(module, set(glue.EXPORTS))
    target.parent.mkdir(parents=True, exist_ok=True)
    compiler.link(code, glue.EXPORTS, BASE, target)
    _check_places(target, layout)


def _check_places(target: Path, layout: Layout) -> None:
    """Let the module count its targets, and look for the sum where the layout says it lies."""
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module.from_file(store.engine, str(target)), []).exports(
        store
    )
    run: Any = exports["start"]
    memory: Any = exports["memory"]
    run(store)
    at = layout.place("total", "batch").address
    if struct.unpack("<f", memory.read(store, at, at + 4))[0] != target_count():
        target.unlink()
        raise RuntimeError(
            "the linker has put the tensors elsewhere than the layout says; see build/compiler.py"
        )


def main() -> None:
    """Build both files into the package."""
    build_module(TARGET / "kernel.wasm")
    from ..ledger.document import ledger_document

    text = json.dumps(ledger_document(), ensure_ascii=False, separators=(",", ":"))
    (TARGET / "ledger.json").write_text(text + "\n", encoding="utf-8")
