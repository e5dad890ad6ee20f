"""The example notebook: no output is kept in it, and its code runs from top to bottom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attention_by_hand.build.places import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def sources(path: Path) -> list[str]:
    """The code cells."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_there_is_one() -> None:
    assert [path.name for path in NOTEBOOKS] == ["first-steps.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_no_output_is_kept(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None, f"clear all outputs of {path.name} before keeping it"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_its_code_runs(path: Path) -> None:
    space: dict[str, object] = {"__name__": "__main__"}
    for source in sources(path):
        exec(compile(source, path.name, "exec"), space)
    assert space["last"].solved == 100
