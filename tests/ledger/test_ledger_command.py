"""``explain``, ``gradients`` and ``ledger`` the way a person types them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runs
from command import assert_refused, command


def output(*arguments):
    done = command(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_explain():
    text = output("explain", "7×0=", 'layer1.head2.A["=","0"]', "--depth", "2")
    assert text.startswith("layer1.head2.A[3,2] = ")
    assert "layer1.head2.S.exp.sum[3]" in text
    assert "\x1b" not in text, "colours belong to a terminal only"


def test_explain_says_the_same_number_as_python():
    found = json.loads(output("explain", "7x0=", "grad.layer1.WQ[2,5]", "--target", "0", "--format", "json"))
    ledger = runs.trained(1).model.trace("7×0=", "0")
    assert np.float32(found["value"]) == ledger.array("grad.layer1.WQ")[2, 5]


def test_explain_the_batch_at_a_step():
    text = output("explain", "--batch", "next.layer1.WQ[0,0]", "--step", "10")
    assert "adam.rate" in text
    assert "grad.layer1.WQ[0,0]" not in text.splitlines()[2]


def test_explain_in_chinese_and_latex():
    assert "份额" in output("explain", "7×0=", "layer1.head2.A[3,2]", "--language", "zh")
    assert r"\begin{align*}" in output("explain", "7×0=", "layer1.head2.A[3,2]", "--format", "latex")
    assert "<details" in output("explain", "7×0=", "layer1.head2.A[3,2]", "--format", "html")


def test_gradients():
    text = output("gradients", "7×8=", "--target", "5")
    assert "grad.layer1.WQ" in text
    matrix = output("gradients", "7×8=", "--target", "5", "--of", "layer1.head2.A")
    assert matrix.count("masked") == 6
    whole = json.loads(output("gradients", "--batch", "--step", "0", "--json"))
    assert np.shape(whole["entries"]["grad.LM"]) == (8, 14)


def test_ledger():
    text = output("ledger")
    assert "layer2.head2.OV" in text
    names = [entry["name"] for entry in json.loads(output("ledger", "layer1.head2.*", "--json"))]
    assert names
    assert all(name.startswith("layer1.head2.") for name in names)
    assert output("ledger", "layer1.head2.A", "--prompt", "7×0=").splitlines()[0] == "layer1.head2.A  4×4"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["explain", "7×0="], ["takes a prompt and a cell"]),
        (["explain", "7×0=", "layer1.head2.B[0,0]"], ["layer1.head2.B", "closest"]),
        (["explain", "7×0=", "layer1.head2.A[9,9]"], ["no index 9", "0 to 3"]),
        (["explain", "7a0=", "X[0,0]"], ["character 2", "'a'"]),
        (["explain", "7×0=", "grad.X[0,0]", "--target", "11"], ["'11' is not a token"]),
        (["explain", "7×0=", "X[0,0]", "--format", "pdf"], ["--format", "text, latex, html, json"]),
        (["explain", "7×0=", "X[0,0]", "--depth", "0"], ["--depth", "1 to 1000"]),
        (["explain", "7×0=", "X[0,0]", "--language", "fr"], ["--language", "en, zh"]),
        (["explain", "--batch", "X[0,0]", "--target", "5"], ["--target belongs to a prompt"]),
        (["gradients", "7×8="], ["need --target"]),
        (["gradients"], ["--batch"]),
        (["gradients", "7×8=", "--target", "5", "--of", "layer9.WQ"], ["layer9.WQ", "closest"]),
        (["ledger", "layer1.WZ"], ["layer1.WZ", "closest"]),
        (["ledger", "--group", "things"], ["--group", "gradient"]),
        (["ledger", "grad.X", "--prompt", "7"], ["needs a target"]),
    ],
)
def test_refused(arguments, parts):
    assert_refused(command(*arguments), *parts)
