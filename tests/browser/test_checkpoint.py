"""Files go from the page to the command line and back; a wrong file is told and changes nothing."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from safetensors.numpy import load, save

import attention_by_hand as abh
from attention_by_hand import checkpoint
from attention_by_hand.trained import Model

from .conftest import Open, pause, press, wait_for_step


def digest(page: Page) -> str:
    """Return the digest of the step on show."""
    return page.locator("code[data-digest]").get_attribute("data-digest") or ""


def test_a_file_saved_on_the_page_is_read_by_python(visit: Open, tmp_path: Path) -> None:
    page = visit(query="?seed=4&step=33", step=33).page
    pause(page)
    with page.expect_download() as download:
        press(page, "save")
    assert download.value.suggested_filename == "attention-by-hand-seed4-step33.safetensors"
    path = tmp_path / "page.safetensors"
    download.value.save_as(path)
    model = checkpoint.load(path)
    expected = abh.train(4, steps=33).model
    assert (model.seed, model.step, model.digest) == (4, 33, expected.digest)
    np.testing.assert_array_equal(model.state.m, expected.state.m)
    np.testing.assert_array_equal(model.state.v, expected.state.v)
    expected.save(tmp_path / "python.safetensors")
    assert path.read_bytes() == (tmp_path / "python.safetensors").read_bytes(), "equal models, equal files"


def test_a_file_of_python_goes_on_with_the_same_bits(visit: Open, tmp_path: Path) -> None:
    path = tmp_path / "python.safetensors"
    abh.train(6, steps=50).model.save(path)
    page = visit(step=5).page
    page.locator("input[name='checkpoint']").set_input_files(path)
    expect(page.locator(".footnotes")).to_contain_text("From the file python.safetensors")
    page.wait_for_function("() => document.querySelector('code[data-digest]').dataset.digest.length === 16")
    run = abh.train(6, steps=53)
    assert digest(page) == run.at(50).digest[:16]
    for step in (51, 52, 53):
        press(page, "one")
        wait_for_step(page, step)
        page.wait_for_function(
            "d => document.querySelector('code[data-digest]').dataset.digest === d",
            arg=run.at(step).digest[:16],
        )
    expect(page.locator("input[name='seed']")).to_have_value("6")


def changed(change: Callable[[dict[str, np.ndarray], dict[str, str]], None]) -> bytes:
    """Return a good file with something about it changed."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "good.safetensors"
        abh.train(1, steps=2).model.save(path)
        raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    metadata = json.loads(raw[8 : 8 + length])["__metadata__"]
    tensors = load(raw)
    change(tensors, metadata)
    return save(tensors, metadata)


def test_wrong_files_are_told(visit: Open, tmp_path: Path) -> None:
    def shape(tensors: dict[str, np.ndarray], _: dict[str, str]) -> None:
        tensors["LM"] = np.ascontiguousarray(tensors["LM"].T)

    def nan(tensors: dict[str, np.ndarray], _: dict[str, str]) -> None:
        tensors["layer1.WQ"][1, 2] = np.nan

    good = changed(lambda *_: None)
    cases: dict[str, tuple[bytes, str]] = {
        "empty": (b"", "is not a whole safetensors file"),
        "text": (b"hello, this is no model at all", "is not a whole safetensors file"),
        "cut": (good[:-100], "is not a whole safetensors file"),
        "shape": (changed(shape), "LM has shape 14×8; accepted: 8×14"),
        "dtype": (changed(lambda t, _: t.update(LM=t["LM"].astype(np.float64))), "LM is F64; accepted: F32"),
        "missing": (changed(lambda t, _: t.pop("layer1.WQ") is None), "has no tensor layer1.WQ"),
        "extra": (changed(lambda t, _: t.update(more=t["LM"])), "does not belong here: more"),
        "nan": (changed(nan), "cell layer1.WQ, 10 is NaN; accepted: finite numbers"),
        "value": (changed(lambda t, _: t["LM"].__imul__(2) is None), "does not match its own digest"),
        "average": (
            changed(lambda t, _: t["adam.v.LM"].__imul__(2) is None),
            "does not match its own digest",
        ),
        "seed": (changed(lambda _, m: m.update(seed="2")), "does not match its own digest"),
        "tokens": (changed(lambda _, m: m.update(tokens='["a"]')), "is from a model with other tokens"),
        "format": (changed(lambda _, m: m.update(format="other")), "is no checkpoint of this program"),
        "step": (changed(lambda _, m: m.update(step="many")), "does not say its seed, step and digest"),
    }
    page = visit(query="?seed=1&step=12", step=12).page
    pause(page)
    before = digest(page)
    for name, (content, words) in cases.items():
        path = tmp_path / f"{name}.safetensors"
        path.write_bytes(content)
        page.locator("input[name='checkpoint']").set_input_files(path)
        expect(page.locator("#abh-file-error")).to_contain_text(f"{name}.safetensors")
        expect(page.locator("#abh-file-error")).to_contain_text(words)
        assert digest(page) == before, f"{name}: a file that cannot be used must change nothing"


@pytest.mark.parametrize("step", [0, 1, 16, 1500])
def test_running_powers_are_those_of_the_step(visit: Open, tmp_path: Path, step: int) -> None:
    """A file holds no powers of β: the page makes them, and the next step shows whether they are right."""
    path = tmp_path / "file.safetensors"
    model = abh.train(2, steps=step).model
    model.save(path)
    page = visit(step=5).page
    page.locator("input[name='checkpoint']").set_input_files(path)
    expect(page.locator(".footnotes")).to_contain_text("From the file")
    press(page, "one")
    expected = model.at(step + 1).digest[:16]
    page.wait_for_function(
        "d => document.querySelector('code[data-digest]').dataset.digest === d", arg=expected
    )


def test_a_loss_that_is_no_number_is_told_with_place_and_step(visit: Open, tmp_path: Path) -> None:
    model = abh.train(1, steps=3).model
    parameters = model.state.parameters.copy()
    parameters[-112:] = 3e38  # LM: the logits overflow, and ∞ − ∞ is NaN
    path = tmp_path / "large.safetensors"
    Model(replace(model.state, parameters=parameters), None, 3).save(path)
    page = visit(query="?seed=1&step=12", step=12).page
    page.locator("input[name='checkpoint']").set_input_files(path)
    alert = page.locator("abh-status [role='alert']")
    expect(alert).to_contain_text("the loss became NaN (not a number) at step 3, first seen in logits")
    # The status may be told a frame before the panel is drawn.
    expect(page.locator("abh-training [data-cell='Loss']")).to_have_text("NaN")
    press(page, "restart")
    expect(page.locator("abh-status [role='status']")).to_contain_text("seed 1")
