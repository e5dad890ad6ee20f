"""Keep the terminal output in README.md real: run its commands and write what they print.

python tools/readme.py             write the output of every ```console block anew
python tools/readme.py --check     say whether it is what the commands print now
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=^```console\n)\$ .*?(?=^```$)", re.DOTALL | re.MULTILINE)
# Two runs differ in the time they take, and in nothing else.
SECONDS = re.compile(r"in \d+\.\d\d s$", re.MULTILINE)


def run(command: str, folder: str) -> str:
    """Return what a command prints, run by a shell in `folder`."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SystemExit(f"README.md: `{command}` fails: {done.stderr.strip()}")
    return done.stdout


def renewed(text: str) -> str:
    """Return the text with the output of every block as the commands print it now."""
    with tempfile.TemporaryDirectory() as folder:

        def block(match: re.Match[str]) -> str:
            commands = [line for line in match[0].splitlines() if line.startswith("$ ")]
            return "".join(f"{line}\n{run(line[2:], folder)}" for line in commands)

        return BLOCK.sub(block, text)


def main() -> int:
    """Write, or compare; return 1 if the comparison fails."""
    text = README.read_text(encoding="utf-8")
    fresh = renewed(text)
    if sys.argv[1:] == ["--check"]:
        if SECONDS.sub("in … s", text) == SECONDS.sub("in … s", fresh):
            return 0
        print(
            "README.md does not show what its commands print now; run: python tools/readme.py",
            file=sys.stderr,
        )
        return 1
    README.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
