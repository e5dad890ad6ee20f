"""`Entry`: one named matrix, vector or scalar, with everything known about it but its numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..model.layout import standard_layout
from ..model.table import Table, Tensor
from .formulas import Formula, formulas
from .texts import TEXTS, Text

_HEAD = re.compile(r"^(?:layer(?P<layer>\d+)\.)?(?:head(?P<head>\d+)\.)?(?P<local>.+)$")
#: Entries besides the gradients that mean nothing without a target.
LOSS_ENTRIES = ("Loss", "row_loss", "weight", "total", "row_floor", "floor")
#: Groups of tensors that are working space or task data and no entries of the ledger.
_HIDDEN = ("scratch", "block", "task")


@dataclass(frozen=True)
class Entry:
    """One entry of the ledger.

    Attributes
    ----------
    name
        Ledger name, unique.
    axes
        Axis symbols, ``("n", "d_model")``; ``("one",)`` for a scalar.
    group
        parameter, input, forward, head, circuit, contribution, gradient, optimizer, next or measure.
    layer, head
        Counted from 1; None where it belongs to none.
    meaning
        One sentence by language.
    latex
        Symbol.
    aliases
        Name in TransformerLens and nanoGPT terms, where there is one.
    needs
        ``""``; ``loss``: exists once a target is given; ``update``: exists for the training batch only.
    formula
        How a cell is made; None for parameters, inputs and Adam's stored averages.
    """

    name: str
    axes: tuple[str, ...]
    dtype: str
    group: str
    layer: int | None
    head: int | None
    meaning: dict[str, str]
    latex: str
    aliases: dict[str, str]
    needs: str
    formula: Formula | None

    @property
    def scalar(self) -> bool:
        """Whether the entry is a single cell, written without an index."""
        return self.axes == ("one",)


@cache
def entries() -> dict[str, Entry]:
    """Every entry by name, in memory order."""
    table = standard_layout().table
    known = formulas(table)
    return {
        tensor.name: _entry(table, tensor, known.get(tensor.name))
        for tensor in table.tensors.values()
        if tensor.group not in _HIDDEN
    }


def _entry(table: Table, tensor: Tensor, formula: Formula | None) -> Entry:
    prefix, rest = _prefix(tensor.name)
    match = _HEAD.match(rest)
    assert match is not None
    layer, head, local = match["layer"], match["head"], match["local"]
    text = _text(rest, local)
    where = _where(layer, head)
    return Entry(
        tensor.name,
        tensor.axes,
        tensor.dtype,
        tensor.group,
        int(layer) if layer else None,
        int(head) if head else None,
        {"en": _english(prefix, rest, text.en, where[0]), "zh": _chinese(prefix, rest, text.zh, where[1])},
        _latex(prefix, text.latex, layer, head),
        _aliases(prefix, text, layer, head),
        _needs(tensor),
        formula,
    )


def _prefix(name: str) -> tuple[str, str]:
    for prefix in ("next.adam.m.", "next.adam.v.", "next.adam.", "next.", "adam.m.", "adam.v.", "grad."):
        if name.startswith(prefix):
            if prefix == "next.adam.":
                return "next.", name.removeprefix("next.")
            return prefix, name.removeprefix(prefix)
    return "", name


def _text(rest: str, local: str) -> Text:
    if rest in TEXTS:
        return TEXTS[rest]
    if local in TEXTS:
        return TEXTS[local]
    if rest.startswith("logits."):
        part = rest.removeprefix("logits.").removesuffix(".mean")
        text = TEXTS["contribution.mean" if rest.endswith(".mean") else "contribution"]
        named = {"part": part}
        return Text(text.en.format(**named), text.zh.format(**named), text.latex.replace("part", part))
    raise KeyError(f"no text for {rest}; add one to ledger/texts.py")


def _where(layer: str | None, head: str | None) -> tuple[str, str]:
    if layer and head:
        return f"Layer {layer}, head {head}: ", f"第 {layer} 层第 {head} 个头："
    if layer:
        return f"Layer {layer}: ", f"第 {layer} 层："
    return "", ""


def _english(prefix: str, rest: str, text: str, where: str) -> str:
    if prefix == "grad.":
        return f"{where}dLoss/d {rest}: how the loss changes when a cell of {rest} grows a little."
    after = " after this step" if prefix.startswith("next") else ""
    if prefix in ("adam.m.", "next.adam.m."):
        return f"{where}Adam's running average of the gradient of {rest}{after}."
    if prefix in ("adam.v.", "next.adam.v."):
        return f"{where}Adam's running average of the squared gradient of {rest}{after}."
    if prefix == "next.":
        return f"{where}{rest} after the next step of training."
    return where + text


def _chinese(prefix: str, rest: str, text: str, where: str) -> str:
    if prefix == "grad.":
        return f"{where}dLoss/d {rest}：{rest} 的某一格增大一点点，损失怎样变。"
    after = "（走完这一步之后）" if prefix.startswith("next") else ""
    if prefix in ("adam.m.", "next.adam.m."):
        return f"{where}Adam 对 {rest} 的梯度取的滑动平均{after}。"
    if prefix in ("adam.v.", "next.adam.v."):
        return f"{where}Adam 对 {rest} 的梯度平方取的滑动平均{after}。"
    if prefix == "next.":
        return f"{where}训练再走一步之后的 {rest}。"
    return where + text


def _latex(prefix: str, symbol: str, layer: str | None, head: str | None) -> str:
    mark = ",".join(x for x in (layer, head) if x)
    plain = f"{{{symbol}}}^{{({mark})}}" if mark else symbol
    patterns = {
        "grad.": r"\frac{{\partial \mathcal{{L}}}}{{\partial {0}}}",
        "adam.m.": r"m\!\left[{0}\right]",
        "adam.v.": r"v\!\left[{0}\right]",
        "next.adam.m.": r"m'\!\left[{0}\right]",
        "next.adam.v.": r"v'\!\left[{0}\right]",
        "next.": r"{{{0}}}'",
    }
    return patterns[prefix].format(plain) if prefix else plain


def _aliases(prefix: str, text: Text, layer: str | None, head: str | None) -> dict[str, str]:
    if prefix:
        return {}
    block = int(layer) - 1 if layer else 0
    found = {"TransformerLens": text.transformer_lens, "nanoGPT": text.nanogpt}
    if head:
        part = _head_slice(text.transformer_lens, int(head) - 1)
        found = {"TransformerLens": part}
    return {library: name.format(b=block) for library, name in found.items() if name}


def _head_slice(name: str, head: int) -> str:
    if not name:
        return ""
    if "hook_attn_scores" in name or "hook_pattern" in name:
        return f"{name}[:, {head}]"
    if "hook_" in name:
        return f"{name}[:, :, {head}]"
    return f"{name}[{head}]"


def _needs(tensor: Tensor) -> str:
    if tensor.group == "next" or tensor.group == "measure":
        return "update"
    if tensor.group == "gradient" or tensor.name in LOSS_ENTRIES:
        return "loss"
    return ""
