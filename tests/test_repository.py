"""What may and may not be in the repository."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from attention_by_hand.build.places import ROOT

LONGEST = 300
SOURCES = {".py", ".ts", ".css", ".js", ".mjs"}
BUILT = {".wasm", ".safetensors", ".onnx", ".xlsx", ".whl", ".map"}


def committed() -> list[Path]:
    """Return the files that git keeps, or would keep once added."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


FILES = committed()
TEXTS = {
    path: path.read_text(encoding="utf-8") for path in FILES if path.suffix not in {".png", ".woff2", *BUILT}
}


def test_the_listing_is_of_this_project() -> None:
    assert ROOT / "pyproject.toml" in FILES
    assert len(TEXTS) > 50


def test_nothing_built_is_kept() -> None:
    assert not [path for path in FILES if path.suffix in BUILT or "_built" in path.parts]


def test_sources_are_short_enough_to_read() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path, text in TEXTS.items()
        if path.suffix in SOURCES and (lines := text.count("\n")) > LONGEST
    }
    assert not long, f"longer than {LONGEST} lines, split them: {long}"


def test_nothing_is_left_undone_or_skipped() -> None:
    # Put together here, so that this file does not find itself.
    marks = re.compile(
        "|".join(["TO" + "DO", "FIX" + "ME", r"\bX" + "XX\b", r"mark\.x" + "fail", r"mark\.sk" + "ip"])
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path, text in TEXTS.items()
        if path.suffix in SOURCES
        for number, line in enumerate(text.splitlines(), 1)
        if marks.search(line)
    ]
    assert not found, f"finish it or leave it out: {found}"


@pytest.mark.parametrize("name", ["constraints.txt", "web/.npmrc"])
def test_lock_files_name_no_address(name: str) -> None:
    assert "://" not in TEXTS[ROOT / name]


def test_the_npm_lock_names_no_address_but_of_funding() -> None:
    lock = json.loads(TEXTS[ROOT / "web" / "package-lock.json"])
    assert len(lock["packages"]) > 10
    for name, package in lock["packages"].items():
        assert "resolved" not in package, f"{name} names a registry; npm install with web/.npmrc in place"
        if name:
            assert package["version"]


def test_versions_are_pinned() -> None:
    constraints = [line for line in TEXTS[ROOT / "constraints.txt"].splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in constraints)
    package = json.loads(TEXTS[ROOT / "web" / "package.json"])
    for version in [*package["dependencies"].values(), *package["devDependencies"].values()]:
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), f"web/package.json: {version} is a range"
