"""What follows from the named quantities: softmax by steps, losses by row, contributions to the logits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .model import N_HEADS, N_LAYERS

Named = dict[str, np.ndarray]


def heads() -> list[str]:
    """``layer1.head1`` … ``layer2.head2``."""
    return [f"layer{layer}.head{head}" for layer in range(1, N_LAYERS + 1) for head in range(1, N_HEADS + 1)]


def softmax_steps(values: Mapping[str, np.ndarray]) -> Named:
    """The largest score of each row, the powers of e, and their sum, for every head and for the logits."""
    steps: Named = {}
    for name in [f"{head}.S" for head in heads()] + ["logits"]:
        table = values[name]
        steps[f"{name}.max"] = table.max(axis=1)
        steps[f"{name}.exp"] = np.exp(table - table.max(axis=1, keepdims=True))
        steps[f"{name}.exp.sum"] = steps[f"{name}.exp"].sum(axis=1)
    return steps


def loss_steps(values: Mapping[str, np.ndarray], counts: np.ndarray) -> Named:
    """Targets of each row, and its loss and least possible loss before the division by all targets.

    The least loss is the entropy that is left in what follows each row.
    """
    weight, total = counts.sum(axis=1), counts.sum()
    share = counts / np.where(weight > 0, weight, 1.0)[:, None]
    row_floor = (counts * np.where(counts > 0, -np.log(np.where(counts > 0, share, 1.0)), 0.0)).sum(axis=1)
    return {
        "weight": weight,
        "total": np.array([total]),
        "row_loss": (counts * np.where(counts > 0, -np.log(values["P"]), 0.0)).sum(axis=1),
        "row_floor": row_floor,
        "floor": np.array([row_floor.sum() / total]),
    }


def average_pull(values: Mapping[str, np.ndarray], gradients: Mapping[str, np.ndarray]) -> Named:
    """Per head Σ_k A_k u_k of each row, the average that every u_j is compared with."""
    return {f"{at}.u_mean": (values[f"{at}.A"] * gradients[f"{at}.A"]).sum(axis=1) for at in heads()}


def contributions(values: Mapping[str, np.ndarray], parameters: Mapping[str, np.ndarray]) -> Named:
    """What X, each head's write and each feed-forward output add to the logits, FinalLN's scale held.

    LayerNorm subtracts the mean of the sum, which is the sum of the parts' means; so the parts, each
    centred by its own mean, and the bias add up to the logits.
    """
    parts = {"X": values["X"]}
    for layer in range(1, N_LAYERS + 1):
        at = f"layer{layer}"
        parts |= {f"{at}.head{head}": values[f"{at}.head{head}.write"] for head in range(1, N_HEADS + 1)}
        # The output bias b2 belongs to the feed-forward network, there is none elsewhere.
        parts[f"{at}.FFN"] = values[f"{at}.FFNOut"]
    gain, bias, lm = (np.asarray(parameters[name], float) for name in ("FinalLN.gain", "FinalLN.bias", "LM"))
    split: Named = {"logits.FinalLN.bias": bias @ lm}
    for name, part in parts.items():
        split[f"logits.{name}.mean"] = part.mean(axis=1)
        centred = part - part.mean(axis=1, keepdims=True)
        split[f"logits.{name}"] = (centred * values["FinalLN.rstd"][:, None] * gain) @ lm
    return split
