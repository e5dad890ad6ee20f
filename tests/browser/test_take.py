"""The page says by which command the same numbers are opened in other programs, and the command works."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from safetensors.numpy import load_file

import attention_by_hand as abh
from command import command

from .conftest import Open, pause


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_command_of_the_page_makes_the_same_model(visit: Open, tmp_path: Path, language: str) -> None:
    page = visit(language=language, query="?seed=5&step=40&prompt=7x8%3D&target=5", step=40).page
    pause(page)
    panel = page.locator("abh-take")
    panel.scroll_into_view_if_needed()
    workbook = panel.locator("[data-command=xlsx]").text_content()
    assert workbook == (
        'attention-by-hand export --to xlsx --prompt "7×8=" --target "5" '
        f"--language {language} --seed 5 --step 40"
    )
    folder = panel.locator("[data-command=huggingface]").text_content()
    assert folder is not None
    done = command(*shlex.split(folder)[1:], "--out", str(tmp_path / "model"))
    assert done.returncode == 0, done.stderr
    tensors = load_file(tmp_path / "model" / "model.safetensors")
    lm = abh.train(5, steps=40).model.parameter("LM")
    assert (lm == tensors["lm_head.weight"].T).all(), "the command does not give the step on the page"
