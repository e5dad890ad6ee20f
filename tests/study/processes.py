"""Starts the command, a scheduler and workers as processes, and ends them by their ids."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from attention_by_hand.study.result import Result, read_result
from command import start

#: Seconds after which a slow machine is taken for a hanging one.
PATIENT = 120


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end; returns exit code and what was printed."""
    try:
        out, err = process.communicate(timeout=PATIENT)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, out, err


def study(*arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    """Run ``attention-by-hand study`` to its end."""
    return finish(start("study", *arguments, cwd=cwd))


def completed(path: Path, *arguments: str) -> Result:
    """Run a study that has to succeed, and read it."""
    code, out, err = study("--out", str(path), *arguments)
    assert (code, err) == (0, ""), f"exit code {code}: {out}{err}"
    return read_result(path)


def until(true: Callable[[], object], what: str) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + PATIENT
    while not true():
        assert time.monotonic() < end, f"after {PATIENT} s still no {what}"
        time.sleep(0.05)


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Worker processes of a cluster on this machine: children that Python's multiprocessing started."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


def kill(number: int) -> None:
    """End one process at once, without asking it."""
    os.kill(number, signal.SIGKILL)


@contextmanager
def dask(*arguments: str, path: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``dask …`` in a process of its own; `path` is looked through first for packages."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        env=os.environ | ({} if path is None else {"PYTHONPATH": str(path)}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run ``dask scheduler`` on a free port of this machine; yields its address and process."""
    file = folder / "scheduler.json"
    place = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with dask("scheduler", *place, "--scheduler-file", str(file)) as process:

        def address() -> str:
            try:
                return str(json.loads(file.read_text())["address"])
            except (OSError, ValueError):
                return ""

        until(address, "scheduler")
        yield address(), process


@contextmanager
def worker(address: str, folder: Path, path: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``dask worker`` with one thread; without a nanny, so that killing it ends it."""
    common = ("--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny")
    with dask("worker", address, *common, "--local-directory", str(folder), path=path) as process:
        yield process
