"""docs/export.md says what there is."""

from __future__ import annotations

import ast
import re

from attention_by_hand.build.places import ROOT
from attention_by_hand.cli.export import FORMATS

TEXT = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")


def test_every_format_is_in_the_table_with_the_name_of_its_file() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| `")]
    for to, form in FORMATS.items():
        row = next((line for line in rows if f"`{to}`" in line.split("|")[1]), None)
        assert row is not None, f"docs/export.md has no row for --to {to}"
        assert f"`{form.name}" in row if form.name else "standard output" in row
        for option in form.takes - {"--target", "--entries", "--language", "--batch"}:
            assert f"`{option}`" in row or "the same" in row


def test_its_python_can_be_read_and_names_what_is_there() -> None:
    blocks = re.findall(r"(?:^    .+\n|^\n(?=    ))+", TEXT, re.M)
    python = [block for block in blocks if re.match(r"\s*(import|from) ", block)]
    assert len(python) == 4
    for block in python:
        tree = ast.parse("\n".join(line.removeprefix("    ") for line in block.splitlines()))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("attention_by_hand"):
                module = __import__(node.module, fromlist=[alias.name for alias in node.names])
                assert all(hasattr(module, alias.name) for alias in node.names)
