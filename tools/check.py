"""Every check that reads the sources: `make check` runs them all, the tests run each.

python tools/check.py [NAME …]
"""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = Path(sys.executable).parent
PYTHON_FOLDERS = ("src", "tests", "tools", "benchmarks")
PUBLIC = "attention_by_hand"


def program(name: str, *arguments: str) -> int:
    """Run a Python tool of this environment at the root of the project."""
    return subprocess.run([PROGRAMS / name, *arguments], cwd=ROOT).returncode


def page_tool(name: str, *arguments: str) -> int:
    """Run a tool of web/package.json."""
    command = [sys.executable, "-m", "attention_by_hand.build", "tool", name, *arguments]
    return subprocess.run(command, cwd=ROOT).returncode


def ruff(*arguments: str) -> int:
    """Run ruff over the folders that exist."""
    return program("ruff", *arguments, *(name for name in PYTHON_FOLDERS if (ROOT / name).exists()))


def public_names() -> list[str]:
    """Return the dotted names of the public API: what __all__ lists, and its classes' public methods."""
    package = importlib.import_module(PUBLIC)
    names = []
    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            names.append(f"{PUBLIC}.{name}")
        if inspect.isclass(value):
            for key, member in vars(value).items():
                if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                    names.append(f"{PUBLIC}.{name}.{key}")
    return names


def docstrings() -> int:
    """Check the docstrings of the public API: numpydoc's sections, every parameter described."""
    from numpydoc.validate import validate

    # Not asked for: examples, "see also", a longer summary, types (annotations say them), placing.
    optional = {"ES01", "EX01", "GL01", "PR04", "RT03", "SA01", "SS06", "YD01"}
    faults = [
        f"{name}: {code} {message}"
        for name in public_names()
        for code, message in validate(name)["errors"]
        if code not in optional
    ]
    print("\n".join(faults) or f"{len(public_names())} public docstrings are as numpydoc wants them")
    return 1 if faults else 0


CHECKS: dict[str, Callable[[], int]] = {
    "format": partial(ruff, "format", "--check", "--quiet"),
    "lint": partial(ruff, "check", "--quiet"),
    "types": partial(program, "mypy"),
    "imports": partial(program, "lint-imports", "--no-logo"),
    "docstrings": docstrings,
    "page-types": partial(page_tool, "tsc", "--noEmit"),
    "page-lint": partial(page_tool, "biome", "ci", "--colors=off", "."),
}


def main(names: Sequence[str]) -> int:
    """Run the checks of these names, all if none is given; return 1 if one fails."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"no check is called {unknown[0]!r}; accepted: {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    failed = []
    for name in names or CHECKS:
        print(f"── {name}", flush=True)
        begun = time.perf_counter()
        if CHECKS[name]() != 0:
            failed.append(name)
        print(f"   {time.perf_counter() - begun:.1f} s", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
