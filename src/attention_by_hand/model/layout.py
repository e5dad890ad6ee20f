"""Where every tensor lies in the one memory."""

import zlib
from dataclasses import dataclass
from functools import cache

from ..task import longest_prefix, prefix_count
from .sizes import Context, Sizes
from .table import Table
from .transformer import build_table

#: First byte of the tensors, told to the linker; the bytes below are the stack of the module.
BASE = 16384
ALIGN = 64


@dataclass(frozen=True)
class Place:
    """A tensor in memory: byte address, shape, strides in bytes."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Places by context name (``model`` for shared tensors), then by tensor name."""

    table: Table
    contexts: tuple[Context, ...]
    places: dict[str, dict[str, Place]]
    end: int

    @property
    def identity(self) -> int:
        """A number that tells whether a module was built for this layout: a checksum of all places."""
        return zlib.crc32(repr(self.places).encode()) & 0x7FFFFFFF

    def place(self, name: str, context: str) -> Place:
        """Where a tensor lies for a context, or the shared place if it has only one."""
        where = "model" if self.table.tensors[name].shared else context
        return self.places[where][name]


def contexts_of(sizes: Sizes) -> tuple[Context, ...]:
    """The two sets of rows: the training batch (prefix tree) and one prompt (chain)."""
    return (
        Context("batch", prefix_count(), longest_prefix()),
        Context("prompt", sizes.positions, sizes.positions),
    )


def lay_out(table: Table, contexts: tuple[Context, ...]) -> Layout:
    """Give every tensor its address: shared ones first, then each context's, in table order."""
    places: dict[str, dict[str, Place]] = {}
    address = BASE
    for where in ("model", *(context.name for context in contexts)):
        here: dict[str, Place] = {}
        places[where] = here
        extent = dict(table.extent)
        for context in contexts:
            if context.name == where:
                extent |= {"n": context.rows, "source": context.sources}
        for tensor in table.tensors.values():
            if tensor.shared != (where == "model"):
                continue
            shape = tuple(extent[axis] for axis in tensor.axes)
            strides = _contiguous(shape)
            if tensor.view is None:
                here[tensor.name] = Place(address, shape, strides)
                address += -(-strides[0] * shape[0] // ALIGN) * ALIGN
            else:
                base = here[tensor.view.base]
                start = base.address + 4 * tensor.view.first
                here[tensor.name] = Place(start, shape, base.strides if tensor.view.keeps_rows else strides)
    return Layout(table, contexts, places, address)


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = [4]
    for extent in shape[:0:-1]:
        strides.insert(0, strides[0] * extent)
    return tuple(strides)


@cache
def standard_layout() -> Layout:
    """The layout of the published model: 3,136 parameters."""
    sizes = Sizes()
    return lay_out(build_table(sizes), contexts_of(sizes))
