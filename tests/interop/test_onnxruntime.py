"""The ONNX file in ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

from attention_by_hand.export import onnx_graph
from attention_by_hand.model.sizes import Sizes
from interop import prompts

NAMES = onnx_graph.outputs(Sizes())


@pytest.mark.parametrize("label", ["trained", "random"])
@pytest.mark.parametrize("which", ["problems", "random prompts"])
def test_logits_probabilities_and_patterns_are_ours(label: str, which: str) -> None:
    import onnxruntime

    model = prompts.models()[label]
    session = onnxruntime.InferenceSession(onnx_graph.contents(model))
    assert [output.name for output in session.get_outputs()] == NAMES
    worst = prompts.Worst()
    for tokens in prompts.PROBLEM_PROMPTS if which == "problems" else prompts.random_prompts():
        ledger = model.trace(tokens)
        found = session.run(NAMES, {"token": np.array(tokens, np.int64)})
        for name, cells in zip(NAMES, found, strict=True):
            part = "patterns" if name.endswith(".A") else name
            worst.compare(ledger, name, cells, f"{label}, {which}, {part}")
    worst.say("ONNX Runtime")


def test_a_seventeenth_token_is_an_error_and_no_made_up_number() -> None:
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4
    session = onnxruntime.InferenceSession(onnx_graph.contents(prompts.models()["random"]), quiet)
    with pytest.raises(Exception, match=r"broadcast.*16 by 17"):
        session.run(["logits"], {"token": np.zeros(17, np.int64)})
