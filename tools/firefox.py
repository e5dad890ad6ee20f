"""Print the path of a Firefox for the browser tests, or an empty line: then they run in Chromium alone.

Installs Debian's where that is possible. Standard library only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from environment import apt_install, stop

NAMES = ("firefox-esr", "firefox")
MAC_APPLICATIONS = (
    Path("/Applications/Firefox.app/Contents/MacOS/firefox"),
    Path.home() / "Applications/Firefox.app/Contents/MacOS/firefox",
)


def installed() -> str | None:
    """Path of an installed Firefox, or None."""
    for name in NAMES:
        found = shutil.which(name) or shutil.which(name, path="/usr/bin:/usr/local/bin:/snap/bin")
        if found:
            return found
    return next((str(path) for path in MAC_APPLICATIONS if path.exists()), None)


def main() -> None:
    """Print the path, or nothing."""
    asked_for = os.environ.get("FIREFOX")
    if asked_for and shutil.which(asked_for) is None:
        stop(f"FIREFOX is {asked_for!r}, which is no program; give the path of a browser, or unset it")
    found = asked_for or installed()
    if found is None and apt_install("firefox-esr"):
        found = installed()
    print(found or "")


if __name__ == "__main__":
    main()
