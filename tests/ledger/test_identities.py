"""What has to hold between matrices, for any parameters and any prompt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runs

PROMPTS = st.text("0123456789×=", min_size=1, max_size=16)
MODELS = st.sampled_from(["seed 1, step 0", "seed 1, solved", "other numbers"])
EPSILON = np.finfo(np.float32).eps
HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]


@settings(max_examples=40, deadline=None)
@given(MODELS, PROMPTS, st.sampled_from("0123456789×="))
def test_identities(label, prompt, target):
    model = runs.some_models()[label]
    ledger = model.trace(prompt, target)
    n = ledger.n
    get = {name: ledger.array(name).astype(np.float64) for name in ledger.names}

    def near(a, b, what, scale=1.0):
        assert np.allclose(a, b, rtol=1e-4, atol=3e-5 * scale), (
            f"{what} does not hold for {prompt!r} ({label})"
        )

    for layer, head in HEADS:
        at = f"layer{layer}.head{head}."
        a, s = get[at + "A"], get[at + "S"]
        assert np.all(np.abs(a.sum(1) - 1) <= 2 * EPSILON * max(n, 2)), f"rows of {at}A do not sum to 1"
        assert np.all(np.triu(a, 1) == 0)
        assert np.all(s[np.triu_indices(n, 1)] == -np.inf)
        g_s = get[f"grad.{at}S"]
        pull = np.abs(get[f"grad.{at}A"]).max() + 1e-3  # each cell of G_S is a difference of such numbers
        near(g_s.sum(1), 0, f"rows of grad.{at}S sum to 0", pull)
        near(
            np.tril(get[f"grad.{at}A"]),
            np.tril(get[f"grad.{at}H"] @ get[at + "V"].T),
            f"grad.{at}A[i,j] = grad.H[i]·V[j]",
            np.abs(get[f"grad.{at}A"]).max() + 1,
        )
        x = get[f"layer{layer}.X_norm"]
        seen = np.tril_indices(n)
        near(
            (x @ get[at + "QK"] @ x.T / 2)[seen],
            s[seen],
            f"X_norm·{at}QK·X_normᵀ/2 = S",
            np.abs(s[seen]).max() + 1,
        )
        near(
            a @ x @ get[at + "OV"],
            get[at + "write"],
            f"A·X_norm·{at}OV = write",
            np.abs(get[at + "write"]).max() + 1,
        )
    parts = ["X"]
    for layer in (1, 2):
        parts += [f"layer{layer}.head1.write", f"layer{layer}.head2.write", f"layer{layer}.FFNOut"]
    stream = sum(get[part] for part in parts)
    near(stream, get["layer2.X_out"], "the parts of the residual stream add up", np.abs(stream).max() + 1)
    shares = ["logits.X", "logits.FinalLN.bias"]
    for layer in (1, 2):
        shares += [f"logits.layer{layer}.head1", f"logits.layer{layer}.head2", f"logits.layer{layer}.FFN"]
    split = sum(get[share] for share in shares)
    near(split, get["logits"], "the contributions add up to the logits", np.abs(split).max() + 1)
    assert np.array_equal(ledger.array("layer2.X_in"), ledger.array("layer1.X_out"))


@pytest.mark.parametrize("label", ["seed 1, step 0", "seed 1, solved", "other numbers"])
def test_equal_prefixes_have_equal_rows(label):
    model = runs.some_models()[label]
    whole, part = model.trace("7×8=56"), model.trace("7×8=")
    for name in part.names:
        entry = part.entry(name)
        if entry.axes[0] == "n" and entry.group in ("forward", "head", "contribution") and not entry.needs:
            longer = whole.array(name)[:4, :4] if entry.axes[-1] == "source" else whole.array(name)[:4]
            assert np.array_equal(longer, part.array(name), equal_nan=True), (
                f"the first four rows of {name} differ"
            )


def test_a_prompt_and_its_node_in_the_tree_agree():
    """Prefix tree and chain are one model: the row of the node is the last row of the prompt."""
    model = runs.trained(1).model
    batch = model.batch()
    node = int(batch._kernel.view("answer_nodes")[7 * 10 + 8, 1])
    prompt = model.trace("7×8=5")
    for name in ("layer2.X_out", "Final", "logits", "P", "layer1.head1.S.max", "layer2.U"):
        assert np.array_equal(batch.array(name)[node], prompt.array(name)[-1]), f"{name} differs"


def test_tracing_changes_nothing():
    model = runs.trained(2).model
    before = model.digest, model.state.m.tobytes(), model.state.v.tobytes()
    ledger = model.trace("7×8=", "5")
    ledger.explain("grad.layer1.WQ[0,0]", 5)
    model.batch().verify()
    assert (model.digest, model.state.m.tobytes(), model.state.v.tobytes()) == before
    for name in ("layer1.WQ", "adam.m.LM"):
        with pytest.raises(ValueError, match="read-only"):
            ledger.array(name)[0, 0] = 1


def test_a_matrix_outlives_its_ledger():
    cells = runs.trained(1).model.trace("7×0=")["layer1.head2.A"]
    for _ in range(20):
        runs.trained(1).model.trace("9×9=8")
    assert cells.dims == ("receiver", "source")
    assert list(cells.coords["source"].values) == ["7", "×", "0", "="]
    assert float(cells[3].sum()) == pytest.approx(1, abs=1e-6)
