"""A derivation as data. Numbers are the shortest decimals that float32 reads back as the same bits."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .explain import Derivation, Node
from .numbers import full


def number(value: Any) -> Any:
    """A number for JSON; NaN and infinities, which JSON does not have, as text."""
    if isinstance(value, np.integer | int):
        return int(value)
    return float(full(value)) if np.isfinite(value) else full(value)


def document(derivation: Derivation) -> dict[str, Any]:
    """The derivation and all it follows."""
    found: dict[str, Any] = {
        "cell": str(derivation.cell),
        "value": number(derivation.value),
        "kind": derivation.kind,
        "meaning": derivation.entry.meaning,
    }
    if derivation.work is not None and derivation.entry.formula is not None:
        found["formula"] = derivation.entry.formula.document()
        found["work"] = _node(derivation.work)
        found["references"] = [str(cell) for cell in derivation.references()]
    if derivation.shown_before:
        found["shown_before"] = True
    if derivation.follow:
        found["follow"] = [document(below) for below in derivation.follow]
    return found


def _node(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": node.kind, "value": number(node.value)}
    if node.cell is not None:
        found["cell"] = str(node.cell)
    if node.variable:
        found["variable"] = node.variable
        found["at"] = node.at
    if node.children:
        found["children"] = [_node(child) for child in node.children]
    return found


def as_text(derivation: Derivation) -> str:
    """The document as JSON text."""
    return json.dumps(document(derivation), ensure_ascii=False)
