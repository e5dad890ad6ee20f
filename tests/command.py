"""Runs the installed command `attention-by-hand` the way a person does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).parent / "attention-by-hand"


def command(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run it to its end, with no terminal, and return what it printed."""
    return subprocess.run([PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True, timeout=60)


def start(*arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    """Start it and return at once; Python's output is not held back."""
    return subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """Check for exit code 2, nothing on standard output, and one line that names all of `parts`."""
    assert done.returncode == 2, (
        f"exit code {done.returncode} instead of 2; it printed {done.stdout}{done.stderr}"
    )
    assert done.stdout == "", f"bad input still printed a result: {done.stdout}"
    lines = done.stderr.splitlines()
    assert len(lines) == 1, f"an error is one line, this is {len(lines)}:\n{done.stderr}"
    assert lines[0].startswith("attention-by-hand: ")
    for part in parts:
        assert part in lines[0], f"the message does not name {part!r}: {lines[0]}"
