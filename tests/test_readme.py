"""README.md shows what really happens."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

from attention_by_hand.build.places import ROOT

README = ROOT / "README.md"


def test_its_commands_print_what_it_shows() -> None:
    command = [sys.executable, ROOT / "tools" / "readme.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert README.read_text(encoding="utf-8").count("\n$ attention-by-hand") >= 4


def test_its_python_does_what_it_shows() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 5
    assert result.failed == 0


def test_its_links_lead_to_files() -> None:
    for file in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / file).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert Path(ROOT / target).exists(), f"{file} links to {target}, which is not there"
