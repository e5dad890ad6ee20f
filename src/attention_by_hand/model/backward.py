"""Rows of the backward pass: ``grad.X`` is the derivative of Loss with respect to every cell of X."""

import numpy as np

from ..kernels import attention, embedding, feedforward, linear, loss, norm
from .forward import heads_of
from .table import Table, head_views


def _transposes(table: Table) -> None:
    """Scratch copies ``W.T`` of the matrices with rows and columns exchanged, for all that follows.

    Rows of the embedding tables are looked up, never multiplied.
    """
    for name in table.parameters:
        axes = table.tensors[name].axes
        if len(axes) == 2 and not name.endswith("Emb"):
            scratch = table.add(f"{name}.T", *axes[::-1], group="scratch", shared=True)
            table.row("backward", linear.transpose, name, scratch)


def _gradient(table: Table, *names: str) -> None:
    for name in names:
        of = table.tensors[name]
        table.add(f"grad.{name}", *of.axes, group="gradient")


def _norm(table: Table, x: str, at: str, out: str) -> None:
    _gradient(table, f"{at}.xhat", f"{at}.rstd", f"{at}.mean")
    now = (x, f"{at}.gain", f"{at}.mean", f"{at}.rstd", f"grad.{out}")
    table.row(
        "backward",
        norm.layer_norm_backward,
        *now,
        f"grad.{at}.xhat",
        f"grad.{at}.rstd",
        f"grad.{at}.mean",
        f"grad.{x}",
    )
    learned = (f"grad.{at}.gain", f"grad.{at}.bias")
    table.row("backward", norm.gain_and_bias_gradient, f"grad.{out}", f"{at}.xhat", *learned)


def backward_rows(table: Table) -> None:
    """From P − onehot back to every parameter, in the reverse order of the forward rows."""
    last = f"layer{table.sizes.layers}.X_out"
    _transposes(table)
    table.add("sums", "n", "d_model", group="scratch")
    _gradient(table, "logits", "Final", last)
    table.row("backward", loss.cross_entropy_backward, "P", "counts", "weight", "total", "grad.logits")
    table.row("backward", linear.product, "grad.logits", "LM.T", "grad.Final")
    table.row("backward", linear.weight_gradient, "Final", "grad.logits", "grad.LM")
    _norm(table, last, "FinalLN", "Final")
    for number in range(table.sizes.layers, 0, -1):
        _feedforward_rows(table, number)
        _attention_rows(table, number)
    table.row("backward", embedding.gather_gradient, "token", "grad.X", "grad.TokenEmb")
    table.row("backward", embedding.gather_gradient, "position", "grad.X", "grad.PosEmb")


def _feedforward_rows(table: Table, number: int) -> None:
    at = f"layer{number}."
    table.same(f"grad.{at}FFNOut", f"grad.{at}X_out", "gradient")
    g_out = f"grad.{at}FFNOut"
    _gradient(table, at + "R", at + "U", at + "X_mid_norm", at + "X_mid")
    to_u = (f"grad.{at}R", f"grad.{at}U", f"grad.{at}b1")
    table.row("backward", feedforward.hidden_backward, g_out, at + "W2.T", at + "U", *to_u)
    table.row("backward", linear.weight_gradient, at + "R", g_out, f"grad.{at}W2")
    table.row("backward", linear.bias_gradient, g_out, f"grad.{at}b2")
    table.row("backward", linear.product, f"grad.{at}U", at + "W1.T", f"grad.{at}X_mid_norm")
    table.row("backward", linear.weight_gradient, at + "X_mid_norm", f"grad.{at}U", f"grad.{at}W1")
    _norm(table, at + "X_mid", at + "LN2", at + "X_mid_norm")
    table.row("backward", linear.accumulate, f"grad.{at}X_out", f"grad.{at}X_mid")


def _attention_rows(table: Table, number: int) -> None:
    at = f"layer{number}."
    table.same(f"grad.{at}AttnOut", f"grad.{at}X_mid", "gradient")
    _gradient(table, at + "H", at + "Q", at + "K", at + "V", at + "X_norm")
    head_views(table, number, "grad.", ("Q", "K", "V", "H"))
    table.row("backward", linear.product, f"grad.{at}AttnOut", at + "WO.T", f"grad.{at}H")
    table.row("backward", linear.weight_gradient, at + "H", f"grad.{at}AttnOut", f"grad.{at}WO")
    root = np.float32(table.sizes.root)
    width = table.sizes.d_head
    for head, first in heads_of(table, number):
        table.same(f"grad.{head}write", f"grad.{at}X_mid", "gradient")
        _gradient(table, head + "A", head + "S")
        u_mean = table.add(f"{head}u_mean", "n", group="gradient")
        table.row(
            "backward",
            attention.attention_backward,
            *(head + "A", at + "V", at + "Q", at + "K", f"grad.{at}H"),
            *("ancestors", "position", first, width, root),
            *(f"grad.{head}A", f"grad.{at}V", u_mean, f"grad.{head}S", f"grad.{at}Q", f"grad.{at}K"),
        )
    stream = f"layer{number - 1}.X_out" if number > 1 else "X"
    _gradient(table, stream)
    table.same(f"grad.{at}X_in", f"grad.{stream}", "gradient")
    for name in ("Q", "K", "V"):
        weight = f"{at}W{name}.T"
        if name == "Q":
            table.row("backward", linear.product, f"grad.{at}Q", weight, f"grad.{at}X_norm")
        else:
            table.row("backward", linear.product_add, f"grad.{at}{name}", weight, "sums", f"grad.{at}X_norm")
        table.row("backward", linear.weight_gradient, at + "X_norm", f"grad.{at}{name}", f"grad.{at}W{name}")
    _norm(table, at + "X_in", at + "LN1", at + "X_norm")
    table.row("backward", linear.accumulate, f"grad.{at}X_mid", f"grad.{at}X_in")
