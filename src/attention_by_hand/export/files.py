"""Files and folders that appear whole or not at all, and the packages an exporter needs."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ..errors import InputError


class LeftOverError(AssertionError):
    """A file that was just written does not read back to what went into it: a mistake in an exporter."""


def needed(package: str, module: str) -> ModuleType:
    """Import what a format is written with.

    Raises
    ------
    InputError
        It is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise InputError(
            f"this format needs the package {package}; install it: pip install 'attention-by-hand[export]'"
        ) from None


def check_folder(path: Path, names: frozenset[str], overwrite: bool) -> None:
    """Find out before long work whether a folder of these files can be written.

    A folder that holds anything else is never replaced, with or without `overwrite`.

    Raises
    ------
    InputError
        The path is a file, the folder exists and `overwrite` is false, it holds other files, or the
        place cannot be written to.
    """
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise InputError(f"{path} is not a folder; give the name of a folder")
    if path.is_dir():
        # Python leaves __pycache__ beside a load.py that was imported.
        held = sorted(entry.name for entry in path.iterdir() if entry.name != "__pycache__")
        others = [name for name in held if name not in names]
        if others:
            raise InputError(
                f"{path} holds other files, {others[0]} for one; give the name of a folder of its own"
            )
        if held and not overwrite:
            raise InputError(f"{path} exists; give another name, or --force to replace it")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path} cannot be written: the folder {folder} is not writable")


def write_folder(path: Path, files: Mapping[str, bytes], overwrite: bool) -> None:
    """Write a folder under another name and rename it, so that no half folder is ever seen.

    Raises
    ------
    InputError
        As `check_folder`, or the disk is full or refuses.
    """
    check_folder(path, frozenset(files), overwrite)
    place = path.absolute()
    try:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as desk:
            new, old = Path(desk) / "new", Path(desk) / "old"
            new.mkdir()
            for name, content in files.items():
                (new / name).write_bytes(content)
            if place.exists():
                place.rename(old)
            try:
                new.rename(place)
            except OSError:
                # What was there before is put back before the error is told.
                if old.exists() and not place.exists():
                    shutil.move(old, place)
                raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
