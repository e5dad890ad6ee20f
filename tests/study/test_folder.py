"""What a study keeps on disk: whole part files, every seed once, whatever breaks in between."""

from __future__ import annotations

import errno
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_by_hand import InputError
from attention_by_hand.study import conduct as conducting
from attention_by_hand.study import folder as folders
from attention_by_hand.study.conduct import Progress, conduct
from attention_by_hand.study.folder import Folder, Plan, open_folder
from attention_by_hand.study.result import of_measured, read_result
from attention_by_hand.study.seed import Measured, keys
from attention_by_hand.study.table import SCHEMA, read_table, to_bytes, to_table

from .made import made


class BrokenError(Exception):
    """Stands for whatever ends a client in the middle."""


def study(
    path: Path, last: int, order: list[int], *, resume: bool, on_progress: Any = id, **other: str
) -> Progress:
    """Conduct a study of seeds 1 to `last` with workers that answer at once, in some order."""

    class Crew:
        def measure(self, seeds: list[int]) -> Iterator[Measured | None]:
            for seed in sorted(seeds, key=lambda one: order.index(one) if one in order else one):
                yield None
                yield made(seed, **other)

    @contextmanager
    def crew(_workers: int, _scheduler: str | None) -> Iterator[Crew]:
        yield Crew()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conducting, "crew", crew)
        return conduct(
            path,
            range(1, last + 1),
            workers=1,
            scheduler=None,
            resume=resume,
            command="attention-by-hand study",
            on_progress=on_progress,
        )


def assert_complete(path: Path, last: int) -> None:
    """Check that every seed is there once, with its own values."""
    result = read_result(path)
    assert result.seeds.tolist() == list(range(1, last + 1))
    assert result.missing == 0
    assert result.digest == of_measured([made(seed) for seed in range(1, last + 1)], result.plan).digest
    assert not list(path.rglob("_*")), "something half written was left"


@settings(deadline=None, max_examples=15)
@given(st.data(), st.integers(1, 70))
def test_ended_anywhere_and_resumed_it_is_complete(data: st.DataObject, last: int) -> None:
    order = data.draw(st.permutations(range(1, last + 1)))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "study"
        done = 0
        for _ in range(data.draw(st.integers(1, 3))):
            stop = data.draw(st.integers(0, last - done))

            def break_off(found: Progress, stop: int = stop) -> None:
                if found.since == stop:
                    raise BrokenError

            with pytest.raises(BrokenError):
                study(path, last, order, resume=done > 0 or path.exists(), on_progress=break_off)
            before, done = done, len(Folder(path).done(Folder(path).plan()))
            assert done == before + stop, "a seed that was measured is not kept"
            last += 1
            order = [*order, last]
        study(path, last, order, resume=True)
        assert_complete(path, last)


def test_a_disk_that_refuses_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study"
    written = []
    real = folders.os.fsync

    def refuse(number: int) -> None:
        written.append(number)
        if len(written) > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(number)

    monkeypatch.setattr(folders.os, "fsync", refuse)
    with pytest.raises(InputError, match="No space left on device") as refused:
        study(path, 50, [], resume=False)
    assert "--resume" in str(refused.value)
    monkeypatch.undo()
    assert len(Folder(path).parts()) == 1
    assert not list(path.rglob("_*"))
    study(path, 50, [], resume=True)
    assert_complete(path, 50)


def test_rows_are_one_a_seed_head_and_measure() -> None:
    table = to_table([made(3), made(5)], "1.0", "k")
    table.validate(full=True)
    assert table.schema.equals(SCHEMA)
    rows = list(
        zip(*(table[name].to_pylist() for name in ("seed", "layer", "head", "measure", "when")), strict=True)
    )
    assert len(set(rows)) == len(rows) == 2 * len(keys())
    assert table["value"].to_pylist()[0] == 103
    assert table["value"].to_pylist()[len(keys())] is None, (
        "a seed that never solved all has no number of steps"
    )
    for row, (seed, *_, when) in enumerate(rows):
        assert table["digest"][row].as_py() == made(seed).digests[when == "end"]
        assert table["step"][row].as_py() == made(seed).steps[when == "end"]


def test_a_part_is_read_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "part.parquet").write_bytes(to_bytes(to_table([made(1)], "1.0", "k")))
    back = read_table(tmp_path / "part.parquet")
    assert np.array_equal(back["value"].to_numpy(), made(1).values, equal_nan=True)
    assert back.schema.metadata[b"version"] == b"1.0"
    assert back.schema.metadata[b"kernel.sha256"] == b"k"


def refused(path: Path, seeds: range | None = range(1, 4), *, resume: bool = True) -> str:
    """What is said when a study is begun in a folder that does not suit."""

    def look() -> None:
        folder, plan = open_folder(path, seeds, resume=resume)
        folder.done(plan)

    with pytest.raises(InputError) as error:
        look()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture
def complete(tmp_path: Path) -> Path:
    """The folder of a study of seeds 1 to 3."""
    study(tmp_path / "study", 3, [], resume=False)
    return tmp_path / "study"


@pytest.mark.parametrize("changed", [{"version": "0.0.9"}, {"kernel.sha256": "f" * 64}])
def test_a_folder_of_another_version_is_left_alone(complete: Path, changed: dict[str, str]) -> None:
    plan = complete / "study.json"
    plan.write_text(json.dumps(json.loads(plan.read_text()) | changed))
    before = {file: file.read_bytes() for file in complete.rglob("*") if file.is_file()}
    assert "give another folder" in refused(complete)
    assert before == {file: file.read_bytes() for file in complete.rglob("*") if file.is_file()}


def test_a_part_of_another_kernel_is_refused(complete: Path) -> None:
    stranger = to_bytes(to_table([made(9)], Plan(range(1)).version, "f" * 64))
    (complete / "rows" / "part-0000000009-0000000009.parquet").write_bytes(stranger)
    assert "kernel ffffffffffffffff" in refused(complete, range(1, 10))


def test_a_worker_of_another_version_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a worker has version 0\.0\.9"):
        study(tmp_path / "study", 3, [], resume=False, version="0.0.9")
    assert Folder(tmp_path / "study").parts() == []


def test_a_damaged_part_is_named(complete: Path) -> None:
    part = Folder(complete).parts()[0]
    part.write_bytes(part.read_bytes()[:-100])
    assert part.name in refused(complete)
    assert "remove it, then --resume" in refused(complete)
    part.unlink()
    study(complete, 3, [], resume=True)
    assert_complete(complete, 3)


def test_a_seed_in_two_parts_is_refused(complete: Path) -> None:
    part = Folder(complete).parts()[0]
    part.with_name("part-0000000001-0000000001.parquet").write_bytes(part.read_bytes())
    assert "seed 1 is in" in refused(complete)


def test_folders_that_do_not_suit(complete: Path, tmp_path: Path) -> None:
    assert "--resume goes on" in refused(complete, resume=False)
    assert "leaves out" in refused(complete, range(2, 9))
    assert "--seeds is missing" in refused(tmp_path / "new", None)
    assert "is a file" in refused(complete / "study.json")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    assert "other things" in refused(tmp_path / "other")
    (complete / "study.json").write_text("{")
    assert "cannot be read" in refused(complete)


def test_half_written_files_of_a_killed_client_go(complete: Path) -> None:
    (complete / "rows" / "_part").write_bytes(b"half")
    study(complete, 3, [], resume=True)
    assert_complete(complete, 3)


def test_one_client_at_a_time(complete: Path) -> None:
    with Folder(complete).held(), pytest.raises(InputError, match="another study is at work"):
        study(complete, 3, [], resume=True)
    study(complete, 3, [], resume=True)
