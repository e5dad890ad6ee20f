"""Studies as people run them: one worker or two or someone's cluster, processes killed, disks full."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from attention_by_hand.study.result import Result, of_measured
from attention_by_hand.study.seed import measure_seed
from command import PROGRAM, assert_refused, command, start

from .processes import completed, finish, kill, scheduler, study, until, worker, workers_of

FEW = range(3, 9)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study of a few seeds by two workers."""
    path = tmp_path_factory.mktemp("two") / "study"
    completed(path, "--seeds", f"{FEW[0]}:{FEW[-1]}", "--workers", "2")
    return path


def assert_same(found: Result, expected: Result) -> None:
    """Check for the same values of the same parameters, to the last bit."""
    assert found.seeds.tolist() == expected.seeds.tolist()
    assert found.digests == expected.digests
    assert np.array_equal(found.values, expected.values, equal_nan=True)
    assert found.digest == expected.digest


@pytest.fixture(scope="module")
def expected(two: Path) -> Result:
    """The same seeds measured here, without any worker."""
    from attention_by_hand.study.folder import Folder

    return of_measured([measure_seed(seed) for seed in FEW], Folder(two).plan())


def test_two_workers_or_none_give_the_same_rows(two: Path, expected: Result) -> None:
    from attention_by_hand.study.result import read_result

    assert_same(read_result(two), expected)


def test_one_worker_gives_the_same_rows(tmp_path: Path, expected: Result) -> None:
    found = completed(tmp_path / "study", "--seeds", f"{FEW[0]}:{FEW[-1]}", "--workers", "1")
    assert_same(found, expected)


def test_a_cluster_gives_the_same_rows_even_when_a_worker_is_killed(tmp_path: Path, expected: Result) -> None:
    with scheduler(tmp_path) as (address, _), worker(address, tmp_path), worker(address, tmp_path) as second:
        started = psutil.Process(second.pid)
        seeds = ("--seeds", f"{FEW[0]}:{FEW[-1]}")
        found = completed(tmp_path / "study", *seeds, "--scheduler", address)
        assert_same(found, expected)
        # The second worker has done its share by now; from here on it is in the middle of another.
        more = ("--seeds", f"{FEW[0]}:{FEW[-1] + 25}", "--resume")
        process = start("study", *more, "--out", "study", "--scheduler", address, cwd=tmp_path)
        before = started.cpu_times().user
        until(lambda: started.cpu_times().user > before + 0.2, "work for the second worker")
        assert process.poll() is None
        kill(second.pid)
        code, _, err = finish(process)
        assert (code, err) == (0, "")
    seen = pq.read_table(tmp_path / "study" / "rows", columns=["seed"])["seed"].to_pylist()
    assert sorted(set(seen)) == list(range(FEW[0], FEW[-1] + 26))
    assert len(seen) == len(set(seen)) * found.values.shape[1]


def test_killed_worker_killed_client_and_resume(tmp_path: Path, expected: Result) -> None:
    path, last = tmp_path / "study", FEW[-1] + 62
    process = start("study", "--seeds", f"{FEW[0]}:{last}", "--out", str(path), "--workers", "2")
    until(lambda: parts_of(path, process) >= 1, "part file")
    kill(workers_of(process)[0].pid)
    until(lambda: parts_of(path, process) >= 2, "more part files after a worker was killed")
    crew = workers_of(process)
    kill(process.pid)
    finish(process)
    until(lambda: not any(map(alive, crew)), "end of the workers whose client was killed")
    kept = pq.read_table(path / "rows", columns=["seed"])["seed"].to_pylist()
    assert FEW[0] in kept
    found = completed(path, "--resume", "--workers", "2")
    assert found.seeds.tolist() == list(range(FEW[0], last + 1))
    few = np.isin(found.seeds, list(FEW))
    assert np.array_equal(found.values[few], expected.values, equal_nan=True)
    parts = pq.read_table(path / "rows", columns=["seed"])["seed"].to_pylist()
    assert len(parts) == len(found.seeds) * found.values.shape[1], "a seed is counted twice"


def parts_of(path: Path, process: subprocess.Popen[str]) -> int:
    """How many part files a study in progress has written."""
    assert process.poll() is None, f"it ended too early: {process.communicate()}"
    return len(list(path.glob("rows/part-*")))


def alive(process: psutil.Process) -> bool:
    """Whether a process still runs; one that nobody has waited for does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    # In a session of its own: the signal goes to the client and all its workers, as a terminal sends it.
    process = subprocess.Popen(
        [PROGRAM, "study", "--seeds", "1:500", "--out", "study", "--workers", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until(lambda: parts_of(tmp_path / "study", process) >= 1, "part file")
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert (code, err) == (130, "")
    assert "Stopped by Ctrl-C" in out
    assert "Next: attention-by-hand study --out study --resume" in out
    done = int(out.split(" of 500")[0].split()[-1])
    kept = pq.read_table(tmp_path / "study" / "rows", columns=["seed"])["seed"].to_pylist() if done else []
    assert len(set(kept)) == done


def test_a_disk_that_refuses_is_one_line(tmp_path: Path, two: Path) -> None:
    small = 2000
    process = subprocess.Popen(
        [PROGRAM, "study", "--seeds", "1:2", "--out", "study", "--workers", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (small, small)),
    )
    code, out, err = finish(process)
    assert_refused(subprocess.CompletedProcess([], code, out, err), "cannot be written", "--resume")
    assert sorted(file.name for file in (tmp_path / "study").rglob("*")) == [".lock", "rows", "study.json"]
    assert completed(tmp_path / "study", "--resume", "--workers", "1").missing == 0


def test_no_scheduler_there(tmp_path: Path) -> None:
    done = command(
        "study", "--seeds", "1:3", "--out", "study", "--scheduler", "tcp://127.0.0.1:9", cwd=tmp_path
    )
    assert_refused(done, "no Dask scheduler answers at tcp://127.0.0.1:9")
    assert list(tmp_path.iterdir()) == [], "a study that never began left something behind"


def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    with scheduler(tmp_path) as (address, process), worker(address, tmp_path) as only:
        client = start("study", "--seeds", "1:400", "--out", "study", "--scheduler", address, cwd=tmp_path)
        until(lambda: (tmp_path / "study" / "study.json").exists() or client.poll() is not None, "study")
        before = psutil.Process(only.pid).cpu_times().user
        until(lambda: psutil.Process(only.pid).cpu_times().user > before + 1, "work")
        kill(process.pid)
        code, out, err = finish(client)
    assert_refused(subprocess.CompletedProcess([], code, out, err), "scheduler was lost", "--resume")


def test_workers_without_the_package(tmp_path: Path) -> None:
    (tmp_path / "empty" / "attention_by_hand").mkdir(parents=True)
    (tmp_path / "empty" / "attention_by_hand" / "__init__.py").touch()
    with scheduler(tmp_path) as (address, _), worker(address, tmp_path, path=tmp_path / "empty"):
        code, out, err = study("--seeds", "1:3", "--out", str(tmp_path / "study"), "--scheduler", address)
    assert_refused(
        subprocess.CompletedProcess([], code, out, err),
        "cannot run the study",
        "attention-by-hand[study]",
    )


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--seeds", "1:3"], ["--out is missing"]),
        (["--out", "new"], ["--seeds is missing", "FIRST:LAST"]),
        (["--out", "new", "--resume"], ["--seeds is missing"]),
        (["--seeds", "3:1", "--out", "new"], ["3:1", "accepted"]),
        (["--seeds", "1:3", "--out", "new", "--workers", "0"], ["--workers 0", "1 to 256"]),
        (
            ["--seeds", "1:3", "--out", "new", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"],
            ["not go together"],
        ),
        (["--seeds", "1:3", "--out", "new", "--scheduler", "nowhere"], ["no Dask scheduler", "nowhere"]),
        (["report", "new"], ["new holds no study"]),
    ],
)
def test_bad_input(tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    assert_refused(command("study", *arguments, cwd=tmp_path), *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_study_that_is_there_is_not_overwritten(two: Path) -> None:
    before = {file: file.read_bytes() for file in two.rglob("*") if file.is_file()}
    assert_refused(command("study", "--seeds", "3:8", "--out", str(two)), "holds a study already")
    assert before == {file: file.read_bytes() for file in two.rglob("*") if file.is_file()}


def test_missing_packages_are_named(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from importlib import util\n"
        "real = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'dask' else real(name, package)\n"
        "from attention_by_hand.cli import main\n"
        "sys.argv = ['attention-by-hand', 'study', '--seeds', '1:3', '--out', 'new']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert_refused(done, "a study needs dask, not installed here", "pip install 'attention-by-hand[study]'")


def test_the_command_as_json(two: Path) -> None:
    done = command("study", "--out", str(two), "--resume", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["seeds"], found["wanted"], found["measured"]) == (len(FEW), len(FEW), 0)
