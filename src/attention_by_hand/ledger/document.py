"""``ledger.json``: the ledger as data, for the page and for other programs."""

from typing import Any

from ..model.layout import Layout, standard_layout
from ..task import loss_floor, target_count
from ..tokens import TOKENS

VERSION = 1


def ledger_document(layout: Layout | None = None) -> dict[str, Any]:
    """The whole ledger as JSON-ready data; the format is described in ``docs/ledger-format.md``."""
    layout = layout or standard_layout()
    table = layout.table
    entries: dict[str, Any] = {}
    for tensor in table.tensors.values():
        if tensor.group == "scratch":
            continue
        wheres = ["model"] if tensor.shared else [context.name for context in layout.contexts]
        entries[tensor.name] = {
            "axes": list(tensor.axes),
            "dtype": tensor.dtype,
            "group": tensor.group,
            "places": {
                where: {
                    "address": layout.places[where][tensor.name].address,
                    "shape": list(layout.places[where][tensor.name].shape),
                    "strides": list(layout.places[where][tensor.name].strides),
                }
                for where in wheres
            },
        }
    return {
        "version": VERSION,
        "sizes": {
            **table.extent,
            "layers": table.sizes.layers,
            "heads": table.sizes.heads,
            "nodes": layout.contexts[0].rows,
            "targets": target_count(),
        },
        "floor": loss_floor(),
        "tokens": list(TOKENS),
        "bytes": layout.end,
        "entries": entries,
    }
