"""`Ledger`: every matrix of one prompt, or of the whole training batch, at one step of a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..runtime import Kernel
from ..task import is_training_prefix
from ..tokens import TOKENS, read_prompt, read_token, show_tokens
from .entries import Entry, entries
from .evaluate import evaluate, future

if TYPE_CHECKING:
    import xarray

    from ..trained import Model
    from .explain import Derivation
    from .render_matrix import MatrixView


class Ledger:
    """Entries by name, with a kernel memory of its own, so that it never goes stale.

    Attributes
    ----------
    context
        ``prompt``: rows are the tokens typed. ``batch``: rows are the 378 nodes of the prefix tree.
    n
        Number of rows.
    tokens
        Token id of each row.
    target
        Token id the loss asks for after the last row; None when no loss was asked for.
    model
        The model this was computed from; tracing never changes it.
    """

    def __init__(
        self,
        kernel: Kernel,
        context: str,
        n: int,
        model: Model,
        target: int | None,
        has_loss: bool,
        has_update: bool,
    ) -> None:
        self._kernel = kernel
        self.context = context
        self.n = n
        self.model = model
        self.target = target
        self.tokens: list[int] = [int(token) for token in kernel.view("token", context, n)]
        self._has_loss = has_loss
        self._has_update = has_update
        self._arrays: dict[str, NDArray[Any]] = {}

    def __repr__(self) -> str:
        what = repr(show_tokens(self.tokens)) if self.context == "prompt" else "training batch"
        aim = "" if self.target is None else f", target {TOKENS[self.target]!r}"
        return f"Ledger({what}{aim}, step {self.model.step}, {len(self.names)} entries)"

    @property
    def names(self) -> list[str]:
        """Names of the entries this ledger holds, in the order of computation."""
        return [name for name in entries() if self._missing(name) is None]

    @property
    def in_training(self) -> bool:
        """Whether the prompt occurs as a prefix of one of the 100 problems."""
        return self.context == "batch" or is_training_prefix(self.tokens)

    def entry(self, name: str) -> Entry:
        """What is known of an entry besides its numbers.

        Raises
        ------
        InputError
            No entry has that name, or this ledger does not hold it; the closest names are offered.
        """
        found = entries().get(name)
        if found is None:
            from .names import unknown_entry

            raise unknown_entry(name, list(entries()))
        missing = self._missing(name)
        if missing:
            raise InputError(missing)
        return found

    def _missing(self, name: str) -> str | None:
        """Why this ledger has no numbers for an entry, or None if it has."""
        entry = entries()[name]
        if entry.needs == "loss" and not self._has_loss:
            return f"{name} needs a target: the loss and every gradient ask for one token after the prompt"
        if entry.needs == "update" and not self._has_update:
            return f"{name} belongs to the training batch, not to one prompt; use model.batch() or --batch"
        return None

    def array(self, name: str) -> NDArray[Any]:
        """The cells of an entry as they lie in memory: a read-only view, float32 or uint32."""
        found = self._arrays.get(name)
        if found is None:
            found = self._kernel.view(name, self.context, self.n)
            found.flags.writeable = False
            self._arrays[name] = found
        return found

    def extent(self, symbol: str) -> int:
        """Length of an axis: ``n``, ``source``, ``d_model``, …"""
        if symbol == "n":
            return self.n
        if symbol == "source":
            return int(self.array("ancestors").shape[1])
        return self._kernel.layout.table.extent[symbol]

    def function(self, name: str, x: np.float32) -> np.float32:
        """The kernels' own ``exp`` or ``ln``."""
        return np.float32(self._kernel.call(name, float(x)))

    def __getitem__(self, name: str) -> xarray.DataArray:
        """One entry as a labelled array.

        Raises
        ------
        InputError
            No entry has that name, or this ledger does not hold it.
        """
        from .labels import labelled

        return labelled(self, self.entry(name))

    def show(self, name: str, digits: int = 4) -> MatrixView:
        """One entry laid out for reading: text when printed, a table in a notebook.

        Raises
        ------
        InputError
            No entry has that name, or this ledger does not hold it.
        """
        from .render_matrix import MatrixView

        return MatrixView(self, self.entry(name).name, digits)

    def explain(self, cell: str, depth: int = 1) -> Derivation:
        """How one cell is made, followed `depth` levels down.

        Parameters
        ----------
        cell
            ``layer1.head2.A[3,2]``, or by token where that is unique: ``layer1.head2.A["=","0"]``.
        depth
            1 explains the cell; 2 also each cell it is made of, and so on.

        Raises
        ------
        InputError
            The name, an index or a token label cannot be resolved.
        """
        from .explain import explain
        from .names import parse_cell

        return explain(self, parse_cell(cell, self), depth)

    def evaluated(self, name: str) -> NDArray[Any] | None:
        """All cells of an entry computed from its formula and stored inputs; None for entries without one."""
        formula = self.entry(name).formula
        return None if formula is None else evaluate(formula, self, self.array(name).shape)

    def verify(self) -> tuple[int, list[str]]:
        """Evaluate every formula and compare with the stored bits.

        Returns
        -------
        tuple of int and list of str
            How many cells were compared, and the entries in which any differs.
        """
        count, wrong = 0, []
        for name in self.names:
            found = self.evaluated(name)
            if found is None:
                continue
            stored = self.array(name)
            formula = self.entry(name).formula
            keep = np.ones(stored.shape, bool)
            if formula is not None and formula.masked:
                keep = ~future(self, stored.shape)
            count += int(keep.sum())
            if not same_bits(found.reshape(stored.shape)[keep], stored[keep]):
                wrong.append(name)
        return count, wrong


def same_bits(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Whether two float32 arrays agree to the last bit; any NaN equals any NaN."""
    x, y = (np.ascontiguousarray(z, np.float32) for z in (a, b))
    return bool(np.all((x.view(np.uint32) == y.view(np.uint32)) | (np.isnan(x) & np.isnan(y))))


def _fresh(model: Model) -> Kernel:
    kernel = Kernel()
    if model.seed is not None:
        kernel.view("seed")[0] = model.seed
    model.state.write(kernel, model.step)
    return kernel


def trace_prompt(
    model: Model,
    prompt: str | list[int],
    target: str | int | None = None,
    cuts: Iterable[tuple[str, int, int]] = (),
) -> Ledger:
    """Compute every matrix of one prompt; with a target also the loss −ln P(target) and all gradients.

    Parameters
    ----------
    model
        Where the parameters come from; it is not changed.
    prompt, target
        Text or token ids.
    cuts
        Connections to cut: ``("layer1.head2", receiver, source)`` each.

    Raises
    ------
    InputError
        The prompt, the target or a connection cannot be read.
    """
    tokens = read_prompt(prompt)
    aim = None if target is None else read_token(target)
    kernel = _fresh(model)
    n = kernel.set_prompt(tokens, aim)
    for head, receiver, source in cuts:
        _cut(kernel, head, receiver, source, n)
    kernel.call("circuits")
    kernel.call("prompt_forward", n)
    kernel.call("prompt_inspect", n)
    if aim is not None:
        kernel.call("prompt_backward", n)
    return Ledger(kernel, "prompt", n, model, aim, aim is not None, has_update=False)


def _cut(kernel: Kernel, head: str, receiver: int, source: int, n: int) -> None:
    name = f"{head}.cut"
    if name not in entries():
        heads = [x.removesuffix(".cut") for x in entries() if x.endswith(".cut")]
        raise InputError(f"no head is called {head!r}; there are {', '.join(heads)}")
    if not 0 <= source <= receiver < n:
        raise InputError(
            f"row {receiver} does not read row {source} in a prompt of {n} tokens; "
            f"accepted: 0 ≤ source ≤ receiver ≤ {n - 1}"
        )
    closed = kernel.view(name, "prompt", n)
    closed[receiver, source] = 1
    if closed[receiver, : receiver + 1].all():
        raise InputError(
            f"row {receiver} of {head} has no source left to read; leave at least one connection"
        )


def trace_batch(model: Model) -> Ledger:
    """Compute every matrix of the training batch: 378 prefixes, 558 targets, gradients, Adam's next step."""
    kernel = _fresh(model)
    for stage in ("circuits", "batch_forward", "batch_inspect", "batch_backward", "batch_update"):
        kernel.call(stage)
    n = kernel.layout.contexts[0].rows
    return Ledger(kernel, "batch", n, model, None, has_loss=True, has_update=True)
