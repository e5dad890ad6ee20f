"""Build ``kernel.wasm`` and ``ledger.json`` from the kernels and the model's table."""

import json
from pathlib import Path

from ..model.layout import BASE, standard_layout
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


def main() -> None:
    """Build both files into the package."""
    build_module(TARGET / "kernel.wasm")
    from ..ledger.document import ledger_document

    text = json.dumps(ledger_document(), ensure_ascii=False, separators=(",", ":"))
    (TARGET / "ledger.json").write_text(text + "\n", encoding="utf-8")
