"""Where a checkpoint may be written, and that nothing is lost where it may not."""

import errno
import os

import pytest

import attention_by_hand as abh
import runs
from attention_by_hand.errors import InputError


@pytest.fixture(scope="module")
def model():
    return runs.trained(1).at(40)


def test_a_file_that_is_there_is_kept(tmp_path, model):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"precious")
    with pytest.raises(InputError, match="exists; give another name"):
        model.save(path)
    assert path.read_bytes() == b"precious"
    model.save(path, overwrite=True)
    assert abh.load(path).digest == model.digest


def test_a_place_that_cannot_be_written(tmp_path, model):
    with pytest.raises(InputError, match="there is no folder"):
        model.save(tmp_path / "nowhere" / "model")
    with pytest.raises(InputError, match="is a folder"):
        model.save(tmp_path, overwrite=True)


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, model, monkeypatch):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"precious")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match=r"cannot be written: No space left"):
        model.save(path, overwrite=True)
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]
    assert path.read_bytes() == b"precious"
