"""Print the path of a Chromium for the browser tests; where none is found, install Debian's if possible.

Standard library only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from environment import stop
from programs import find

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
)
# Where a browser may be although it is not on PATH.
FOLDERS = ("/usr/bin", "/usr/local/bin", "/snap/bin")


def installed() -> str | None:
    """Path of an installed browser, or None."""
    for name in NAMES:
        found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS))
        if found:
            return found
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        for application in MAC_APPLICATIONS:
            if (folder / application).exists():
                return str(folder / application)
    return None


def main() -> None:
    """Print the path, or say in one line what to install."""
    found = find("CHROMIUM", "a browser", installed, "chromium")
    if found is None:
        stop("the browser tests need Chromium or Chrome: install one, or set CHROMIUM to its path")
    print(found)


if __name__ == "__main__":
    main()
