"""`make check`, one test a check: format, lint, types, imports, docstrings, the page's types and lint."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "tools" / "check.py"


def names() -> list[str]:
    """Return the names of the checks."""
    spec = importlib.util.spec_from_file_location("check", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.CHECKS)


@pytest.mark.parametrize("name", names())
def test_check(name: str) -> None:
    done = subprocess.run([sys.executable, SCRIPT, name], capture_output=True, text=True)
    assert done.returncode == 0, f"make check fails in {name}:\n{done.stdout}{done.stderr}"


def test_a_check_that_is_none_is_refused() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "spelling"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "'spelling'" in done.stderr
