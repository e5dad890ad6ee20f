"""What is loaded when: no exporter before it is asked for, and none of the libraries that exports are for."""

from __future__ import annotations

import subprocess
import sys


def loaded_after(statements: str) -> list[str]:
    """Return the modules that a fresh interpreter has loaded after these statements."""
    script = f"{statements}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_package_loads_no_exporter() -> None:
    statements = "import attention_by_hand as abh\nabh.train(1, steps=1).model.trace('7×8=', '5')"
    assert not [name for name in loaded_after(statements) if name.startswith("attention_by_hand.export")]


def test_writing_for_a_library_does_not_load_it() -> None:
    statements = (
        "import attention_by_hand as abh\n"
        "from attention_by_hand.export import huggingface, transformer_lens, entries_csv, entries_json\n"
        "model = abh.train(1, steps=1).model\n"
        "huggingface.contents(model), transformer_lens.contents(model)\n"
        "entries_json.contents(model.trace('7'), ['P'])"
    )
    heavy = {"torch", "transformers", "tokenizers", "transformer_lens", "onnx", "onnxruntime", "xlsxwriter"}
    assert not heavy & set(loaded_after(statements))
