"""The folder of a study: what it is about, its part files, and what is still missing.

    study.json                   seeds, version, kernel digest, the commands that were given
    rows/part-FIRST-LAST.parquet some seeds each; appears whole or not at all

A part file is named by its seeds and holds no seed that another holds. So whatever is killed, and whenever,
what is there is right, and what is missing can be seen.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import InputError
from .seed import Measured, kernel_digest
from .seeds import parse_seeds, show_seeds
from .table import KERNEL, VERSION, read_metadata, read_seeds, to_bytes, to_table

PLAN = "study.json"
ROWS = "rows"
LOCK = ".lock"
#: Begins the name of a file that is still being written. Readers of Parquet folders pass over such names.
UNFINISHED = "_"


@dataclass
class Plan:
    """What a folder is for."""

    seeds: range
    version: str = __version__
    kernel: str = field(default_factory=kernel_digest)
    commands: list[str] = field(default_factory=list)


class Folder:
    """A folder on disk.

    Parameters
    ----------
    path
        It need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = path / ROWS

    @property
    def exists(self) -> bool:
        """Whether there is a study in it."""
        return (self.path / PLAN).is_file()

    def plan(self) -> Plan:
        """Read what the folder is for.

        Raises
        ------
        InputError
            There is no study in it, or its plan cannot be read.
        """
        file = self.path / PLAN
        if not file.is_file():
            raise InputError(f"{self.path} holds no study; accepted: a folder that `study --out` wrote")
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            return Plan(
                parse_seeds(found["seeds"]),
                str(found["version"]),
                str(found["kernel.sha256"]),
                [str(command) for command in found["commands"]],
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{file} cannot be read: {error}") from None

    def write_plan(self, plan: Plan) -> None:
        """Write what the folder is for; makes the folder.

        Raises
        ------
        InputError
            The disk refuses.
        """
        try:
            self.rows.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path} cannot be made: {error.strerror or error}") from None
        content: dict[str, Any] = {
            "seeds": show_seeds(plan.seeds),
            "version": plan.version,
            "kernel.sha256": plan.kernel,
            "commands": plan.commands,
        }
        self._write(self.path / PLAN, json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n")

    def parts(self) -> list[Path]:
        """The part files, by name."""
        return sorted(self.rows.glob("part-*.parquet"))

    def done(self, plan: Plan) -> dict[int, Path]:
        """The seeds that are there, each with its file.

        Raises
        ------
        InputError
            A file is damaged, of another version or kernel, or holds a seed that another holds too.
        """
        found: dict[int, Path] = {}
        for part in self.parts():
            metadata = read_metadata(part)
            _check_origin(
                part, metadata.get(VERSION, b"?").decode(), metadata.get(KERNEL, b"?").decode(), plan
            )
            for seed in read_seeds(part).tolist():
                if seed in found:
                    raise InputError(
                        f"seed {seed} is in {found[seed].name} and in {part.name}; remove one of them"
                    )
                found[seed] = part
        return found

    def write_part(self, measured: Sequence[Measured], plan: Plan) -> None:
        """Write some seeds; the file appears whole or not at all.

        Raises
        ------
        InputError
            The disk is full or refuses; what was written before stays.
        """
        ordered = sorted(measured, key=lambda one: one.seed)
        name = f"part-{ordered[0].seed:010}-{ordered[-1].seed:010}.parquet"
        self._write(self.rows / name, to_bytes(to_table(ordered, plan.version, plan.kernel)))

    def _write(self, path: Path, content: bytes) -> None:
        temporary: Path | None = None
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=UNFINISHED, delete=False) as file:
                temporary = Path(file.name)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o644)
            temporary.replace(path)
        except OSError as error:
            if temporary is not None:
                temporary.unlink(missing_ok=True)
            raise InputError(
                f"{path} cannot be written: {error.strerror or error}; "
                "what was written before is kept, make room and go on with --resume"
            ) from None

    def clean(self) -> None:
        """Remove what a killed client left half written."""
        for folder in (self.path, self.rows):
            for left in folder.glob(f"{UNFINISHED}*"):
                left.unlink(missing_ok=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep a second client out. The system lets go of the lock when this one ends, however it ends.

        Raises
        ------
        InputError
            Another client is at work in this folder, or the folder cannot be written to.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / LOCK).open("w")
        except OSError as error:
            raise InputError(f"{self.path} cannot be written to: {error.strerror or error}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(
                    f"another study is at work in {self.path}; wait for it, or give another folder"
                ) from None
            try:
                yield
            finally:
                if not self.exists:
                    # Nothing came of it, for instance because no scheduler answered: leave nothing behind.
                    with suppress(OSError):
                        (self.path / LOCK).unlink()
                        self.path.rmdir()


def _check_origin(where: Path, version: str, kernel: str, plan: Plan) -> None:
    if (version, kernel) != (plan.version, plan.kernel):
        raise InputError(
            f"{where} was made by version {version} with kernel {kernel[:16]}, "
            f"this is version {plan.version} with kernel {plan.kernel[:16]}; give another folder"
        )


def open_folder(path: Path, seeds: range | None, *, resume: bool) -> tuple[Folder, Plan]:
    """Find out what is to be done in a folder.

    Parameters
    ----------
    path
        New, empty, or with ``resume`` one that a study was begun in.
    seeds
        The seeds that are wanted; None with ``resume`` means those the study was begun with.
    resume
        Whether to go on with a study that is there.

    Raises
    ------
    InputError
        A study is there and ``resume`` was not given, it is of another version or kernel, it has seeds
        that are not wanted, no seeds were given, or the path is a file.
    """
    folder = Folder(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file; give a folder")
    if not folder.exists:
        if seeds is None:
            raise InputError("--seeds is missing; accepted: FIRST:LAST such as 1:1000")
        if path.is_dir() and any(entry.name != LOCK for entry in path.iterdir()):
            raise InputError(f"{path} has other things in it; give a new or empty folder")
        return folder, Plan(seeds)
    if not resume:
        raise InputError(f"{path} holds a study already; --resume goes on with it, or give another folder")
    before = folder.plan()
    plan = Plan(before.seeds if seeds is None else seeds, commands=before.commands)
    _check_origin(folder.path / PLAN, before.version, before.kernel, plan)
    if before.seeds[0] < plan.seeds[0] or before.seeds[-1] > plan.seeds[-1]:
        raise InputError(
            f"{path} is a study of seeds {show_seeds(before.seeds)}, "
            f"which {show_seeds(plan.seeds)} leaves out in part; give all of them, or another folder"
        )
    return folder, plan
