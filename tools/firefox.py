"""Print the path of a Firefox for the browser tests, or an empty line: then they run in Chromium alone.

Installs Debian's where that is possible. Standard library only.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from programs import find

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
    found = find("FIREFOX", "a browser", installed, "firefox-esr")
    print(found or "")


if __name__ == "__main__":
    main()
