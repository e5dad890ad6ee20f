"""docs/mission.md: no row is missing, and every test it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "mission.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


def test_every_row_is_there_once_and_in_order() -> None:
    rows = re.findall(r"^\| ([SB]\d+) \|", TEXT, re.MULTILINE)
    expected = [f"S{number}" for number in range(1, 26)] + [f"B{number}" for number in range(1, 11)]
    assert rows == expected, "docs/mission.md needs one row for each of S1–S25 and B1–B10"


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_the_test_exists(file: str, name: str) -> None:
    path = ROOT / file
    assert path.exists(), f"docs/mission.md names {file}, which is gone; name the test that took its place"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert name in functions, f"{file} has no {name}; name the test that holds this row now"
