"""Set up .venv with the Python packages of this project.

    python3 tools/environment.py serve     what the page and the command line need
    python3 tools/environment.py test      the same, and what the tests and checks need
    python3 tools/environment.py interop   the same, and the libraries that exports are for

Runs under a bare Python 3.11 or newer: it imports the standard library only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
EXTRAS = {
    "serve": "build,export",
    "test": "build,export,study,test,check",
    "interop": "build,export,study,test,check,interop",
}


def stop(line: str) -> None:
    """Say in one line what is missing, and leave."""
    print(f"attention-by-hand: {line}", file=sys.stderr)
    raise SystemExit(2)


def apt_install(*packages: str) -> bool:
    """Install Debian packages where that is possible: as root, with apt-get. Say whether it went through."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return False
    print(f"installing {' '.join(packages)} with apt-get …", file=sys.stderr, flush=True)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "-q", *command],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr)
            return False
    return True


def create() -> None:
    """Create .venv, unless one that runs is there already."""
    python = VENV / "bin" / "python"
    works = python.exists() and subprocess.run([python, "-m", "pip", "--version"], capture_output=True)
    if works and works.returncode == 0:
        return
    # Debian ships Python without ensurepip; python3-venv adds it.
    if importlib.util.find_spec("ensurepip") is None and not apt_install("python3-venv"):
        stop("this Python has no ensurepip, so it makes no virtual environment; apt-get install python3-venv")
    print("creating .venv …", file=sys.stderr, flush=True)
    # A new process: an ensurepip installed a moment ago is seen only there.
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV])
    if made.returncode != 0:
        stop(f"{sys.executable} -m venv .venv failed; it needs Python 3.11 or newer with venv and ensurepip")


def install(extras: str) -> None:
    """Install the pinned packages and this project itself, editable."""
    pip: list[str | Path] = [
        VENV / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    pip += ["--constraint", ROOT / "constraints.txt"]
    print(f"installing Python packages ({extras}) …", file=sys.stderr, flush=True)
    # Without build isolation: the isolated environment would fetch the compilers a second time.
    for what in (["hatchling", "editables"], ["--no-build-isolation", "--editable", f"{ROOT}[{extras}]"]):
        if subprocess.run([*pip, *what]).returncode != 0:
            stop("pip could not install the packages; its lines above say why")


def main() -> None:
    """Check the Python, then create and fill .venv."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this runs before anything has looked
        stop(f"Python 3.11 or newer is needed, {sys.executable} is {sys.version.split()[0]}")
    if len(sys.argv) != 2 or sys.argv[1] not in EXTRAS:
        stop(f"one of {', '.join(EXTRAS)} is accepted")
    create()
    install(EXTRAS[sys.argv[1]])


if __name__ == "__main__":
    main()
