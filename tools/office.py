"""Print the path of LibreOffice for tests of the workbook; where none is found, install Debian's.

Standard library only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from environment import apt_install, stop

NAMES = ("soffice", "libreoffice")
PLACES = ("/usr/bin/soffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")


def installed() -> str | None:
    """Path of an installed LibreOffice, or None."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return next((place for place in PLACES if Path(place).exists()), None)


def main() -> None:
    """Print the path, or say in one line what to install."""
    asked_for = os.environ.get("OFFICE")
    if asked_for:
        found = shutil.which(asked_for)
        if found is None:
            stop(f"OFFICE is {asked_for!r}, which is no program; give the path of soffice, or unset it")
        print(found)
        return
    found = installed()
    if found is None and apt_install("libreoffice-calc-nogui"):
        found = installed()
    if found is None:
        stop("the tests of the workbook need LibreOffice: install it, or set OFFICE to the path of soffice")
    print(found)


if __name__ == "__main__":
    main()
