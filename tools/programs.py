"""Find a program that some tests need, or install Debian's. Standard library only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from environment import apt_install, stop


def find(variable: str, kind: str, installed: Callable[[], str | None], package: str) -> str | None:
    """Path of the program, or None.

    The environment variable `variable` may name it; what it names has to be a program, `kind` says of which.
    Otherwise the one that `installed` finds is taken; if there is none, the Debian package is installed where
    that is possible.
    """
    asked_for = os.environ.get(variable)
    if asked_for:
        found = shutil.which(asked_for)
        if found is None:
            stop(f"{variable} is {asked_for!r}, which is no program; give the path of {kind}, or unset it")
        return found
    return installed() or (installed() if apt_install(package) else None)
