"""The command line as a person meets it: what it prints, what it refuses, what Ctrl-C leaves behind."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import attention_by_hand as abh
from attention_by_hand.cli.output import print_json, probability, shortest
from command import PROGRAM, assert_refused, command, start

COMMANDS = ("train", "ask")


def result(*arguments: str) -> dict[str, object]:
    """Run a command with --json and read what it printed."""
    done = command(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


# --- train


def test_train_reports_the_bits_the_library_has() -> None:
    report = result("train", "--seed", "3")
    run = abh.train(seed=3)
    last = run.history[-1]
    assert report["solved"] == report["problems"] == len(abh.PROBLEMS)
    assert (report["seed"], report["step"]) == (3, last.step)
    assert np.float32(str(report["loss"])) == np.float32(last.loss)
    assert report["floor"] == abh.loss_floor()
    assert report["digest"] == run.model.digest


def test_train_says_seed_step_loss_floor_and_digest_in_words() -> None:
    done = command("train", "--seed", "2", "--steps", "5")
    assert done.returncode == 0
    assert re.search(r"^Seed 2, step 5: \d+/100 problems solved", done.stdout, re.M)
    assert re.search(r"^Loss \d\.\d{6}, floor 0\.412650$", done.stdout, re.M)
    assert f"Digest {abh.train(2, steps=5).model.digest[:16]}" in done.stdout
    assert done.stderr == "", "without a terminal there is no progress bar"


def test_train_saves_what_ask_reads_back(tmp_path: Path) -> None:
    trained = result("train", "--seed", "1", "--out", str(tmp_path / "model.safetensors"))
    asked = result("ask", "7×8=", "--model", str(tmp_path / "model.safetensors"))
    assert asked["digest"] == trained["digest"]
    assert asked["written"] == ["5", "6", "END"]


def test_a_file_that_is_there_needs_force(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"somebody's work")
    arguments = ("train", "--steps", "1", "--out", str(file))
    assert_refused(command(*arguments), str(file), "--force")
    assert file.read_bytes() == b"somebody's work"
    assert command(*arguments, "--force").returncode == 0
    assert abh.load(file).step == 1


@pytest.mark.parametrize("place", ["missing/model.safetensors", "."])
def test_an_out_that_cannot_be_written_is_refused_before_training(tmp_path: Path, place: str) -> None:
    begun = time.perf_counter()
    assert_refused(command("train", "--steps", "10000", "--out", str(tmp_path / place)), str(tmp_path))
    assert time.perf_counter() - begun < 5, "10,000 steps were trained before the path was looked at"


@pytest.mark.parametrize("seed", ["-1", "4294967296", "one", "1.5", ""])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    for arguments in (("train",), ("ask", "7")):
        assert_refused(command(*arguments, "--seed", seed), "seed", seed, "0 to 4294967295")


def test_the_largest_seed_is_accepted() -> None:
    assert result("train", "--seed", "4294967295", "--steps", "0")["step"] == 0


@pytest.mark.parametrize("steps", ["-1", "10001", "many"])
def test_a_number_of_steps_that_is_none_is_refused(steps: str) -> None:
    assert_refused(command("train", "--steps", steps), "--steps", steps, "0 to 10000")


def interrupt_training(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Press Ctrl-C a second after a training of 10,000 steps has started."""
    process = start("train", "--steps", "10000", *arguments, cwd=cwd)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def test_ctrl_c_saves_the_model_so_far_and_says_the_step(tmp_path: Path) -> None:
    done = interrupt_training("--seed", "5", "--out", "model.safetensors", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == ""
    told = re.search(r"^Stopped by Ctrl-C: seed 5, step (\d+)", done.stdout, re.M)
    assert told, done.stdout
    model = abh.load(tmp_path / "model.safetensors")
    assert model.step == int(told[1])
    assert 0 < model.step < 10000
    assert model.digest == abh.train(5, steps=model.step).model.digest, "the saved model is not that step's"


def test_ctrl_c_without_out_leaves_nothing(tmp_path: Path) -> None:
    done = interrupt_training("--json", cwd=tmp_path)
    assert done.returncode == 130
    assert json.loads(done.stdout)["interrupted"] is True
    assert list(tmp_path.iterdir()) == []


def in_a_terminal(*arguments: str) -> str:
    """Run the command with a terminal 120 columns wide and return everything that appeared on it."""
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "120"}
    env.pop("NO_COLOR", None)
    process = subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            # Linux says that the other end closed with an error, macOS with an empty read.
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(timeout=30) == 0
    return shown.decode()


def test_a_terminal_shows_a_live_line() -> None:
    shown = in_a_terminal("train", "--seed", "1", "--steps", "600")
    steps = [int(step) for step in re.findall(r"step +(\d+)", shown)]
    assert len(set(steps)) > 2, f"the line did not move: {shown!r}"
    assert re.search(r"loss \d\.\d{6} +floor 0\.412650", shown)
    assert re.search(r"solved +\d+/100", shown)


def test_no_colour_outside_a_terminal() -> None:
    for arguments in (("train", "--steps", "3"), ("ask", "7x8=", "--step", "3"), ("--help",)):
        assert "\x1b" not in command(*arguments).stdout


# --- ask


def test_ask_shows_the_library_s_probabilities_bit_for_bit() -> None:
    answer = result("ask", "7x8=", "--seed", "1")
    model = abh.train(seed=1).model
    table = model.probabilities("7×8=")
    positions = answer["positions"]
    assert isinstance(positions, list)
    assert [position["token"] for position in positions] == ["7", "×", "8", "="]
    for row, position in enumerate(positions):
        assert len(position["next"]) == len(abh.TOKENS)
        for entry in position["next"]:
            assert np.float32(entry["P"]) == table[row, abh.TOKENS.index(entry["token"])]
        ordered = [entry["P"] for entry in position["next"]]
        assert ordered == sorted(ordered, reverse=True)
    assert answer["digest"] == model.digest


def test_ask_in_words() -> None:
    done = command("ask", "7x8=")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["position", "token", "most", "likely", "next"]
    assert len(lines) == 1 + 4 + 2
    assert lines[4].split()[:3] == ["3", "=", "5"]
    assert lines[-2] == "Writes 5 6, then END."


def test_ask_all_shows_fourteen_rows() -> None:
    lines = command("ask", "7x8=", "--all").stdout.splitlines()
    rows = [line for line in lines if line.startswith("P(")]
    assert [line.split()[0] for line in rows] == [f"P({token})" for token in abh.TOKENS]
    assert all(len(line.split()) == 1 + 4 for line in rows)


def test_ask_at_a_step_goes_back_in_time() -> None:
    assert (
        result("ask", "7x8=", "--seed", "2", "--step", "20")["digest"] == abh.train(2, steps=20).model.digest
    )


def test_a_prefix_outside_the_training_set_is_marked() -> None:
    answer = result("ask", "7×8×")
    positions = answer["positions"]
    assert isinstance(positions, list)
    assert [position["in_training"] for position in positions] == [True, True, True, False]
    assert "From position 3 on no problem starts like this" in command("ask", "7×8×").stdout
    assert "no problem" not in command("ask", "7×8=5").stdout


def test_a_prompt_of_sixteen_tokens_is_full() -> None:
    assert "Writes nothing: 16 tokens" in command("ask", "7×8=5678=123456=").stdout


@pytest.mark.parametrize(
    ("prompt", "parts"),
    [
        ("", ("empty", "1 to 16")),
        ("1" * 17, ("17 tokens", "1 to 16")),
        ("7+8=", ("character 2", "'+'", "0-9")),
        ("7×8=?", ("character 5", "'?'")),
    ],
)
def test_a_prompt_that_cannot_be_read_is_refused(prompt: str, parts: tuple[str, ...]) -> None:
    assert_refused(command("ask", prompt), *parts)


def test_a_checkpoint_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    assert_refused(command("ask", "7", "--model", str(file)), str(file))
    file.write_text("{}")
    assert_refused(command("ask", "7", "--model", str(file)), str(file), "safetensors")
    assert_refused(command("ask", "7", "--model", str(file), "--seed", "1"), "--model", "--seed")


# --- the whole


def test_every_command_s_help_has_an_example_that_runs(tmp_path: Path) -> None:
    for name in COMMANDS:
        text = command(name, "--help").stdout
        examples = [line.split() for line in text.splitlines() if line.startswith("      attention-by-hand ")]
        examples = examples or [
            line.split() for line in text.splitlines() if line.startswith("    attention-by-hand ")
        ]
        assert len(examples) >= 2, f"{name} --help has no examples:\n{text}"
        for example in examples:
            arguments = [part.strip('"') for part in example[1:]]
            if name == "ask" and "model.safetensors" in arguments:
                assert command("train", "--out", "model.safetensors", "--force", cwd=tmp_path).returncode == 0
            done = command(*arguments, cwd=tmp_path)
            assert done.returncode == 0, f"the example {' '.join(example)} of --help fails: {done.stderr}"


@pytest.mark.parametrize(
    "arguments", [("trian",), ("--bogus",), ("ask",), ("train", "extra"), ("ask", "7", "--seed")]
)
def test_a_command_line_that_is_none_is_refused(arguments: tuple[str, ...]) -> None:
    assert_refused(command(*arguments), "--help")


def test_a_reader_who_leaves_is_no_error() -> None:
    piped = subprocess.run(
        f"{PROGRAM} ask 7x8= --all | head -1", shell=True, capture_output=True, text=True, timeout=60
    )
    assert piped.stderr == ""


def test_version_is_the_package_s() -> None:
    assert command("--version").stdout.strip() == abh.__version__


@given(st.floats(0, 1, width=32))
def test_a_small_probability_never_reads_as_zero(value: float) -> None:
    text = probability(value)
    if value == 0:
        assert text == "0"
    elif value == 1:
        assert text == "1"
    else:
        assert text not in ("0", "1", "0.000", "1.000")
        assert abs(float(text.lstrip("<>")) - value) <= 0.001


@given(st.floats(width=32, allow_nan=False))
def test_shortest_reads_back_to_the_same_bits(value: float) -> None:
    assert np.float32(shortest(np.float32(value))).tobytes() == np.float32(value).tobytes()


def test_json_keeps_broken_numbers_apart(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": float("nan"), "b": [float("inf"), -float("inf")], "c": 1.0})
    assert json.loads(capsys.readouterr().out) == {"a": "NaN", "b": ["Infinity", "-Infinity"], "c": 1.0}
