"""``ledger.json``: the ledger as data, for the page and for other programs."""

from __future__ import annotations

from typing import Any

from ..model.layout import Layout, standard_layout
from ..model.table import Tensor
from ..task import loss_floor, target_count
from ..tokens import TOKENS
from .entries import Entry, entries

VERSION = 1


def ledger_document() -> dict[str, Any]:
    """The whole ledger as JSON-ready data; the format is described in ``docs/ledger-format.md``."""
    layout = standard_layout()
    table = layout.table
    recipe = table.sizes.recipe
    known = entries()
    return {
        "version": VERSION,
        "sizes": {
            **table.extent,
            "layers": table.sizes.layers,
            "heads": table.sizes.heads,
            "nodes": layout.contexts[0].rows,
            "targets": target_count(),
        },
        "recipe": {name: getattr(recipe, name) for name in recipe.__dataclass_fields__},
        "floor": loss_floor(),
        "tokens": list(TOKENS),
        "bytes": layout.end,
        "layout": layout.identity,
        "parameters": table.parameters,
        "entries": {
            tensor.name: _block(layout, tensor)
            if tensor.group in ("block", "task")
            else _entry(layout, known[tensor.name])
            for tensor in table.tensors.values()
            if tensor.group != "scratch"
        },
    }


def _block(layout: Layout, tensor: Tensor) -> dict[str, Any]:
    """All parameters (gradients, averages) as one row of cells, or the task's own tables: places only."""
    return {
        "axes": list(tensor.axes),
        "dtype": tensor.dtype,
        "group": tensor.group,
        "places": _places(layout, tensor.name),
    }


def _places(layout: Layout, name: str) -> dict[str, Any]:
    """Address, shape and strides for each context a tensor lies in."""
    shared = layout.table.tensors[name].shared
    wheres = ["model"] if shared else [context.name for context in layout.contexts]
    return {
        where: {
            "address": layout.places[where][name].address,
            "shape": list(layout.places[where][name].shape),
            "strides": list(layout.places[where][name].strides),
        }
        for where in wheres
    }


def _entry(layout: Layout, entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "axes": list(entry.axes),
        "dtype": entry.dtype,
        "group": entry.group,
        "places": _places(layout, entry.name),
        "meaning": entry.meaning,
        "latex": entry.latex,
    }
    optional = {"layer": entry.layer, "head": entry.head, "aliases": entry.aliases, "needs": entry.needs}
    found |= {key: value for key, value in optional.items() if value}
    if entry.formula is not None:
        found["formula"] = entry.formula.document()
    return found
