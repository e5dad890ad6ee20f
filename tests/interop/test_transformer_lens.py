"""The folder in TransformerLens: logits, and every alias of ours that is the name of a hook or a weight."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from attention_by_hand.export import transformer_lens
from attention_by_hand.ledger.entries import entries
from interop import prompts

pytestmark = pytest.mark.filterwarnings("default")

#: ``blocks.0.attn.hook_q[:, :, 1]``: the name of a hook or weight, and what is taken of it.
_ALIAS = re.compile(r"(?P<name>[A-Za-z_][\w.]*)(?P<part>\[[\d:, ]+\])?")


@pytest.fixture(scope="module", params=["trained", "random"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """Our model, and what the folder's own load.py makes of it."""
    import torch

    model = prompts.models()[request.param]
    folder: Path = tmp_path_factory.mktemp("lens") / "model"
    transformer_lens.write(model, folder)
    spec = importlib.util.spec_from_file_location("load", folder / "load.py")
    assert spec is not None
    assert spec.loader is not None
    loader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loader)
    with torch.no_grad():
        yield model, loader.load()


def taken(whole: np.ndarray, part: str | None) -> np.ndarray:
    """What the brackets of an alias take."""
    if part is None:
        return whole
    index = tuple(slice(None) if text.strip() == ":" else int(text) for text in part[1:-1].split(","))
    return whole[index]


@pytest.mark.parametrize("which", ["problems", "random prompts"])
def test_logits_are_ours(opened, which: str) -> None:
    import torch

    model, theirs = opened
    worst = prompts.Worst()
    for tokens in prompts.PROBLEM_PROMPTS if which == "problems" else prompts.random_prompts():
        found = theirs(torch.tensor([tokens]))[0].numpy()
        worst.compare(model.trace(tokens), "logits", found, f"{which}, logits")
    worst.say("TransformerLens")


def test_every_alias_that_is_a_hook_gives_our_matrix(opened) -> None:
    import torch

    model, theirs = opened
    worst, seen = prompts.Worst(), set()
    for tokens in [*prompts.PROBLEM_PROMPTS[::9], *prompts.random_prompts()[::4]]:
        ledger = model.trace(tokens)
        _, cache = theirs.run_with_cache(torch.tensor([tokens]))
        for name in ledger.names:
            match = _ALIAS.fullmatch(entries()[name].aliases.get("TransformerLens", ""))
            if match is None or "hook_" not in match["name"]:
                continue
            assert match["name"] in cache, f"TransformerLens has no hook {match['name']}, the alias of {name}"
            found = taken(cache[match["name"]].numpy(), match["part"])[0]
            # Both heads of Q stand in one hook as [n, 2, 4]; ours stand side by side.
            if found.size == ledger.array(name).size and found.ndim == 3:
                found = found.reshape(len(tokens), -1)
            worst.compare(ledger, name, found, "hooks")
            seen.add(re.sub(r"layer\d\.(head\d\.)?", "", name))
    assert {
        "X_in",
        "Q",
        "K",
        "V",
        "S",
        "A",
        "H",
        "write",
        "AttnOut",
        "X_mid",
        "U",
        "R",
        "FFNOut",
        "X_out",
    } <= seen
    worst.say("TransformerLens")


def test_every_alias_that_is_a_weight_gives_our_matrix(opened) -> None:
    model, theirs = opened
    ledger = model.trace("7")
    weights = {name: cells.numpy() for name, cells in theirs.state_dict().items()}
    # W_E, W_pos and W_U are what TransformerLens calls these weights itself.
    weights |= {name: getattr(theirs, name).numpy() for name in ("W_E", "W_pos", "W_U")}
    seen = 0
    for name in ledger.names:
        match = _ALIAS.fullmatch(entries()[name].aliases.get("TransformerLens", ""))
        if match is None or match["name"] not in weights:
            continue
        ours = ledger.array(name)
        found = taken(weights[match["name"]], match["part"])
        if found.ndim == 3:
            # A whole of heads: rows of WO, columns of the others.
            found = np.concatenate(list(found), axis=0 if name.endswith("WO") else 1)
        assert np.array_equal(found, ours), f"{match['name']} is not our {name}"
        seen += 1
    parameters = [
        entry for entry in entries().values() if entry.group == "parameter" and "." not in entry.name
    ]
    assert seen > 3 * len(parameters)
