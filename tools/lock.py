"""Write constraints.txt anew: install everything pyproject.toml names into a fresh environment and list it.

Names and versions only, never the address of a registry.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "constraints.txt"
NOT_LISTED = ("pip", "setuptools")


def wanted() -> list[str]:
    """Every requirement pyproject.toml names, the build backend's included."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    return [*settings["build-system"]["requires"], "editables", *project["dependencies"], *extras]


def main() -> None:
    """Install, list, write; the comment lines at the top stay."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *wanted()], check=True)
        listed = subprocess.run([*pip, "list", "--format=freeze"], check=True, capture_output=True, text=True)
    # A build's own mark, as in 2.13.0+cpu, is not part of the version.
    found = [line.partition("+")[0] for line in listed.stdout.splitlines()]
    lines = [line for line in found if line.split("==")[0] not in NOT_LISTED]
    head = [line for line in LOCK.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    LOCK.write_text("\n".join([*head, *sorted(lines, key=str.lower)]) + "\n", encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} packages, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
