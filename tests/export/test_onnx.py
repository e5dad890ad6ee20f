"""The ONNX graph, run by the reference evaluator of the package onnx."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import runs
from attention_by_hand.errors import InputError
from attention_by_hand.export import onnx_graph
from attention_by_hand.model.sizes import Sizes
from attention_by_hand.task import PROBLEMS, question
from attention_by_hand.trained import Model

LIMIT = 1e-5
NAMES = onnx_graph.outputs(Sizes())


@cache
def evaluator(label: str) -> tuple[Model, ReferenceEvaluator]:
    model = runs.some_models()[label]
    return model, ReferenceEvaluator(onnx.load_from_string(onnx_graph.contents(model)))


def assert_same(label: str, tokens: list[int]) -> None:
    model, graph = evaluator(label)
    traced = model.trace(tokens)
    for name, found in zip(NAMES, graph.run(NAMES, {"token": np.array(tokens, np.int64)}), strict=True):
        expected = traced.array(name)
        assert found.shape == expected.shape
        limit = LIMIT * max(1.0, float(np.abs(expected).max()))
        off = float(np.abs(found - expected).max())
        assert off <= limit, f"{name} of {tokens} is off by {off:.1e}: the graph is not this model"


def test_all_problems() -> None:
    for a, b in PROBLEMS:
        assert_same("seed 1, solved", question(a, b))


@pytest.mark.parametrize("label", ["seed 1, step 0", "other numbers"])
@pytest.mark.parametrize("text", runs.PROMPTS)
def test_prompts_of_every_length(label: str, text: str) -> None:
    assert_same(label, runs.ids(text))


def test_every_head_gives_its_pattern_under_its_ledger_name() -> None:
    assert ["logits", "P", *(f"layer{i}.head{h}.A" for i in (1, 2) for h in (1, 2))] == NAMES


def test_the_length_is_free_up_to_the_last_position() -> None:
    graph = onnx.load_from_string(onnx_graph.contents(runs.own_parameters(3))).graph
    assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "n"
    _, evaluated = evaluator("other numbers")
    with pytest.raises(TypeError, match="Add"):
        evaluated.run(["logits"], {"token": np.zeros(17, np.int64)})


def test_the_file_says_which_model_it_is() -> None:
    model = runs.trained(1).model
    known = {
        prop.key: prop.value for prop in onnx.load_from_string(onnx_graph.contents(model)).metadata_props
    }
    assert (known["seed"], known["step"], known["digest"]) == ("1", str(model.step), model.digest)


def test_the_same_model_gives_the_same_bytes() -> None:
    assert onnx_graph.contents(runs.own_parameters(3)) == onnx_graph.contents(runs.own_parameters(3))


def test_a_file_that_is_there_needs_force(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_text("mine")
    with pytest.raises(InputError, match="--force"):
        onnx_graph.write(runs.own_parameters(3), file)
    assert file.read_text() == "mine"
    onnx_graph.write(runs.own_parameters(3), file, overwrite=True)
    assert onnx.load(file).graph.name == "attention-by-hand"
