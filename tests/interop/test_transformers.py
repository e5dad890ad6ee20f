"""The folder in Hugging Face transformers: tokenizer, logits, patterns, generate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runs
from attention_by_hand.export import huggingface
from attention_by_hand.task import PROBLEMS
from attention_by_hand.tokens import parse_tokens
from interop import prompts

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def torch():
    import torch

    with torch.no_grad():
        yield torch


@pytest.fixture(scope="module", params=["trained", "random"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """Our model, and the same in transformers."""
    from transformers import GPT2LMHeadModel

    model = prompts.models()[request.param]
    folder = tmp_path_factory.mktemp("gpt2") / "model"
    huggingface.write(model, folder)
    theirs, report = GPT2LMHeadModel.from_pretrained(
        folder, output_loading_info=True, attn_implementation="eager"
    )
    assert not any(report.values()), f"transformers found something missing or left over: {report}"
    return model, theirs.eval()


@pytest.mark.parametrize("which", ["problems", "random prompts"])
def test_logits_and_patterns_are_ours(opened, which: str, torch) -> None:
    model, theirs = opened
    worst = prompts.Worst()
    for tokens in prompts.PROBLEM_PROMPTS if which == "problems" else prompts.random_prompts():
        ledger = model.trace(tokens)
        found = theirs(torch.tensor([tokens]), output_attentions=True)
        worst.compare(ledger, "logits", found.logits[0].numpy(), f"{which}, logits")
        for layer, pattern in enumerate(found.attentions, 1):
            for head in (1, 2):
                name = f"layer{layer}.head{head}.A"
                worst.compare(ledger, name, pattern[0, head - 1].numpy(), f"{which}, patterns")
    worst.say("transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("gpt2") / "model"
    huggingface.write(runs.trained(1).model, place)
    return place


def test_generate_answers_all_problems(folder: Path, torch) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    for a, b in PROBLEMS:
        asked = tokenizer(f"{a}×{b}=", return_tensors="pt")
        answer = model.generate(**asked)[0, asked["input_ids"].shape[1] :]
        assert tokenizer.decode(answer, skip_special_tokens=True) == str(a * b)
        assert tokenizer.decode(answer[-1:]) == "END"


@pytest.mark.parametrize("text", ["7×8=", "7 x 8 =", "７＊８＝", "7X8=56END", "END PAD", *runs.PROMPTS])
def test_the_tokenizer_reads_as_we_do(folder: Path, text: str) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert len(tokenizer) == 14
    assert tokenizer(text)["input_ids"] == parse_tokens(text)


def test_the_tokenizer_refuses_what_is_no_token(folder: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    with pytest.raises(Exception, match="Missing"):
        tokenizer("7+8")
    assert tokenizer.decode([7, 10, 8, 11, 5, 6, 12]) == "7×8=56END"
    padded = tokenizer(["7×8=", "7"], padding=True)
    assert padded["input_ids"][1] == [7, 13, 13, 13]
    assert np.array(padded["attention_mask"]).tolist() == [[1, 1, 1, 1], [1, 0, 0, 0]]
