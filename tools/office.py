"""Print the path of LibreOffice for tests of the workbook; where none is found, install Debian's.

Standard library only.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from environment import stop
from programs import find

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
    found = find("OFFICE", "soffice", installed, "libreoffice-calc-nogui")
    if found is None:
        stop("the tests of the workbook need LibreOffice: install it, or set OFFICE to the path of soffice")
    print(found)


if __name__ == "__main__":
    main()
