"""`attention-by-hand export` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import attention_by_hand as abh
from attention_by_hand.export.workbook.readback import cells_of
from command import assert_refused, command

NAMES = {
    "xlsx": "attention-by-hand.xlsx",
    "huggingface": "attention-by-hand-huggingface",
    "transformer-lens": "attention-by-hand-transformer-lens",
    "onnx": "attention-by-hand.onnx",
    "safetensors": "attention-by-hand-entries.safetensors",
}


def needs_prompt(to: str) -> tuple[str, ...]:
    return ("--prompt", "7×8=") if to in ("xlsx", "safetensors", "json", "csv", "latex") else ()


@pytest.mark.parametrize("to", NAMES)
def test_without_out_the_file_has_a_name_of_its_own_and_is_never_overwritten(to: str, tmp_path: Path) -> None:
    arguments = ("export", "--to", to, *needs_prompt(to), *("--entries", "layer1.*") * (to == "safetensors"))
    done = command(*arguments, "--seed", "2", "--step", "3", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [file.name for file in tmp_path.iterdir()] == [NAMES[to]]
    assert f"Saved {NAMES[to]}: " in done.stdout
    assert f"Seed 2, step 3, digest {abh.train(2, steps=3).model.digest[:16]}" in done.stdout
    assert_refused(command(*arguments, cwd=tmp_path), NAMES[to], "--force")
    done = command(*arguments, "--force", "--json", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert (report["to"], report["out"], report["seed"]) == (to, NAMES[to], 1)
    assert [file.name for file in tmp_path.iterdir()] == [NAMES[to]], "something was left behind"


def test_a_checkpoint_is_exported_as_it_is(tmp_path: Path) -> None:
    model = abh.train(5, steps=4).model
    model.save(tmp_path / "m.safetensors")
    done = command("export", "--to", "huggingface", "--model", "m.safetensors", "--out", "gpt2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    weights = load_file(tmp_path / "gpt2" / "model.safetensors")
    assert np.array_equal(weights["lm_head.weight"].T, model.parameter("LM"))


def test_a_workbook_takes_the_one_true_token_as_its_target(tmp_path: Path) -> None:
    done = command("export", "--to", "xlsx", "--prompt", "7x8=5", "--step", "3", cwd=tmp_path)
    assert "target 6" in done.stdout
    done = command(
        "export",
        "--to",
        "xlsx",
        "--prompt",
        "7x",
        "--step",
        "3",
        "--out",
        "b.xlsx",
        "--language",
        "zh",
        cwd=tmp_path,
    )
    assert "no target, so no loss and no gradients" in done.stdout
    assert "说明" in cells_of((tmp_path / "b.xlsx").read_bytes())


def test_text_formats_are_printed(tmp_path: Path) -> None:
    model = abh.train(1, steps=2).model
    common = ("export", "--prompt", "7×0=", "--step", "2")
    table = command(*common, "--to", "csv", "--entries", "P", cwd=tmp_path).stdout
    assert len(table.splitlines()) == 1 + 4 * 14
    data = json.loads(command(*common, "--to", "json", "--entries", "layer1.head2.A,P", cwd=tmp_path).stdout)
    assert list(data["entries"]) == ["layer1.head2.A", "P"]
    assert data["digest"] == model.digest
    batch = command("export", "--batch", "--step", "2", "--to", "json", "--entries", "Loss", cwd=tmp_path)
    assert np.float32(json.loads(batch.stdout)["entries"]["Loss"]["values"]) == model.batch().array("Loss")[0]
    tex = command(*common, "--to", "latex", "--cell", 'layer1.head2.A["=","0"]', cwd=tmp_path).stdout
    assert tex.startswith("% layer1.head2.A[3,2]")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("--to", "excel"), ("'excel'", "xlsx", "latex")),
        ((), ("--to",)),
        (("--to", "xlsx"), ("needs --prompt",)),
        (("--to", "csv"), ("needs --prompt or --batch",)),
        (("--to", "latex", "--prompt", "7"), ("needs --cell",)),
        (("--to", "onnx", "--prompt", "7"), ("--prompt", "whole model")),
        (("--to", "xlsx", "--prompt", "7", "--entries", "P"), ("--entries", "--language")),
        (("--to", "csv", "--prompt", "7", "--batch"), ("--batch", "one of them")),
        (("--to", "csv", "--batch", "--target", "5"), ("558",)),
        (("--to", "xlsx", "--prompt", "7+8"), ("'+'", "2")),
        (("--to", "xlsx", "--prompt", "7", "--target", "y"), ("'y'", "END")),
        (("--to", "xlsx", "--prompt", "7", "--language", "de"), ("'de'", "en, zh")),
        (
            ("--to", "latex", "--prompt", "7", "--cell", "layer1.head2.Aa[0,0]"),
            ("'layer1.head2.Aa'", "closest"),
        ),
        (("--to", "latex", "--prompt", "7", "--cell", "P[0,0]", "--depth", "0"), ("--depth", "1")),
        (("--to", "csv", "--prompt", "7", "--entries", "layer3.*"), ("'layer3.*'",)),
        (("--to", "csv", "--prompt", "7", "--entries", "grad.X"), ("grad.X", "target")),
        (("--to", "csv", "--prompt", "7", "--json"), ("--out",)),
        (("--to", "onnx", "--out", "no/where.onnx"), ("no/where.onnx", "no folder")),
        (("--to", "onnx", "--model", "missing"), ("missing", "checkpoint")),
        (("--to", "huggingface", "--seed", "-1"), ("-1",)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) and value[:1] == ("--to",) else "",
)
def test_bad_input_gets_one_line_and_writes_nothing(
    arguments: tuple[str, ...], parts: tuple[str, ...], tmp_path: Path
) -> None:
    assert_refused(command("export", *arguments, cwd=tmp_path), *parts)
    assert not list(tmp_path.iterdir())


def test_a_package_that_is_not_installed_is_named_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A module of that name that cannot be imported stands in for one that is not there.
    for package, to in (("xlsxwriter", "xlsx"), ("onnx", "onnx")):
        (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name='{package}')")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        done = command("export", "--to", to, *needs_prompt(to), cwd=tmp_path)
        assert_refused(done, "pip install 'attention-by-hand[export]'")
    assert not [file for file in tmp_path.iterdir() if file.name.startswith("attention")]
