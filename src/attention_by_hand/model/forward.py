"""Rows of the forward pass, and of the tables that are only looked at."""

from collections.abc import Iterator

import numpy as np

from ..kernels import attention, embedding, feedforward, linear, loss, norm, softmax
from .table import Table, head_views


def heads_of(table: Table, layer: int) -> Iterator[tuple[str, int]]:
    """Name prefix and first column of each head of a layer."""
    for head in range(table.sizes.heads):
        yield f"layer{layer}.head{head + 1}.", head * table.sizes.d_head


def _norm(table: Table, x: str, at: str, out: str) -> None:
    for part in ("mean", "rstd"):
        table.add(f"{at}.{part}", "n", group="forward")
    table.add(f"{at}.xhat", "n", "d_model", group="forward")
    table.add(out, "n", "d_model", group="forward")
    epsilon = np.float32(table.sizes.recipe.norm_epsilon)
    operands = (x, f"{at}.gain", f"{at}.bias", epsilon, f"{at}.mean", f"{at}.rstd", f"{at}.xhat", out)
    table.row("forward", norm.layer_norm, *operands)


def _softmax(table: Table, scores: str, out: str) -> None:
    table.row("forward", softmax.below_largest, scores, f"{scores}.max", f"{scores}.exp")
    table.row("forward", softmax.exponentials, f"{scores}.exp")
    table.row("forward", softmax.shares, f"{scores}.exp", f"{scores}.exp.sum", out)


def forward_rows(table: Table) -> None:
    """Embedding, the layers, FinalLN, logits, probabilities, loss, solved problems."""
    table.add("X", "n", "d_model", group="forward")
    table.row("forward", embedding.embed, "token", "position", "TokenEmb", "PosEmb", "X")
    stream = "X"
    for number in range(1, table.sizes.layers + 1):
        table.same(f"layer{number}.X_in", stream, "forward")
        _attention_rows(table, number)
        _feedforward_rows(table, number)
        stream = f"layer{number}.X_out"
    _norm(table, stream, "FinalLN", "Final")
    for name in ("logits", "logits.exp", "P"):
        table.add(name, "n", "vocabulary", group="forward")
    for name in ("logits.max", "logits.exp.sum", "weight", "row_floor", "row_loss"):
        table.add(name, "n", group="forward")
    for name in ("total", "floor", "Loss"):
        table.add(name, "one", group="forward")
    table.row("forward", linear.product, "Final", "LM", "logits")
    _softmax(table, "logits", "P")
    table.row("targets", loss.count_targets, "counts", "weight", "total", "row_floor", "floor")
    table.row("forward", loss.cross_entropy, "P", "counts", "total", "row_loss", "Loss")
    table.add("solved", "digit", "digit", group="measure", shared=True, dtype="uint32")
    table.add("solved.count", "one", group="measure", shared=True, dtype="uint32")
    table.row("measure", loss.count_solved, "P", "answer_nodes", "answers", "solved", "solved.count")


def _attention_rows(table: Table, number: int) -> None:
    at = f"layer{number}."
    _norm(table, at + "X_in", at + "LN1", at + "X_norm")
    for name in ("Q", "K", "V"):
        table.add(at + name, "n", "d_model", group="forward")
        table.row("forward", linear.product, at + "X_norm", f"{at}W{name}", at + name)
    table.add(at + "H", "n", "d_model", group="forward")
    head_views(table, number, names=("Q", "K", "V", "H"))
    root = np.float32(table.sizes.root)
    width = table.sizes.d_head
    for head, first in heads_of(table, number):
        for name in ("S", "S.exp", "A"):
            table.add(head + name, "n", "source", group="head")
        for name in ("S.max", "S.exp.sum"):
            table.add(head + name, "n", group="head")
        table.add(head + "cut", "n", "source", group="input", dtype="uint32")
        table.add(head + "nudge", "n", "source", group="input")
        past = ("ancestors", "position", first, width)
        by_hand = (head + "cut", head + "nudge")
        table.row("forward", attention.scores, at + "Q", at + "K", *past, root, *by_hand, head + "S")
        _softmax(table, head + "S", head + "A")
        table.row("forward", attention.mix, head + "A", at + "V", *past, at + "H")
    table.add(at + "AttnOut", "n", "d_model", group="forward")
    table.add(at + "X_mid", "n", "d_model", group="forward")
    table.row("forward", linear.product, at + "H", at + "WO", at + "AttnOut")
    table.row("forward", linear.add, at + "X_in", at + "AttnOut", at + "X_mid")


def _feedforward_rows(table: Table, number: int) -> None:
    at = f"layer{number}."
    _norm(table, at + "X_mid", at + "LN2", at + "X_mid_norm")
    for name in ("U", "R"):
        table.add(at + name, "n", "d_ff", group="forward")
    for name in ("FFNOut", "X_out"):
        table.add(at + name, "n", "d_model", group="forward")
    table.row("forward", feedforward.hidden, at + "X_mid_norm", at + "W1", at + "b1", at + "U", at + "R")
    table.row("forward", linear.affine, at + "R", at + "W2", at + "b2", at + "FFNOut")
    table.row("forward", linear.add, at + "X_mid", at + "FFNOut", at + "X_out")


def inspect_rows(table: Table) -> None:
    """Tables training does not need: each head's write, circuits, contributions to the logits, grad.P."""
    width = table.sizes.d_head
    parts = [("X", "X")]
    for number in range(1, table.sizes.layers + 1):
        at = f"layer{number}."
        for head, first in heads_of(table, number):
            for name, kernel, b in (
                ("QK", linear.head_product_transposed, "WK"),
                ("OV", linear.head_product, "WO"),
            ):
                table.add(head + name, "d_model", "d_model", group="circuit", shared=True)
                a = at + ("WQ" if name == "QK" else "WV")
                table.row("circuits", kernel, a, at + b, first, width, head + name)
            table.add(head + "write", "n", "d_model", group="head")
            table.row("inspect", linear.head_product, at + "H", at + "WO", first, width, head + "write")
            parts.append((head + "write", head[:-1]))
        parts.append((at + "FFNOut", at + "FFN"))
    for part, name in parts:
        table.add(f"logits.{name}.mean", "n", group="contribution")
        table.add(f"logits.{name}", "n", "vocabulary", group="contribution")
        scale = ("FinalLN.gain", "FinalLN.rstd", "LM")
        table.row("inspect", loss.contribution, part, *scale, f"logits.{name}.mean", f"logits.{name}")
    table.add("logits.FinalLN.bias", "vocabulary", group="contribution", shared=True)
    table.row("circuits", loss.bias_contribution, "FinalLN.bias", "LM", "logits.FinalLN.bias")
    table.add("grad.P", "n", "vocabulary", group="gradient")
    table.row("inspect", loss.probability_gradient, "P", "counts", "total", "grad.P")
