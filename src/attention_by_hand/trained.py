"""`Model`: the 3,136 numbers at one step of one run, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .runtime import Kernel
from .state import Floats, State, digest
from .tokens import END, MAX_TOKENS, TOKENS, read_prompt, show_tokens

if TYPE_CHECKING:
    import xarray

    from .ledger.trace import Ledger
    from .training import Run


@cache
def _desk() -> Kernel:
    """The kernel that answers questions about prompts."""
    return Kernel()


class Model:
    """The model at one step.

    Parameters
    ----------
    state
        Parameters and Adam's two averages.
    seed
        Seed of the run, or None when the parameters did not come from one.
    step
        Optimizer steps taken.
    run
        The run it belongs to, where its other steps are.
    """

    def __init__(self, state: State, seed: int | None, step: int, run: Run | None = None) -> None:
        self.state = state
        self.seed = seed
        self.step = step
        self._run = run

    def __repr__(self) -> str:
        return f"Model(seed={self.seed}, step={self.step}, digest={self.digest[:16]})"

    @property
    def digest(self) -> str:
        """SHA-256 over the parameters' bytes."""
        return digest(self.state.parameters)

    def parameter(self, name: str) -> Floats:
        """One parameter tensor by its ledger name.

        Parameters
        ----------
        name
            Such as ``layer1.WQ``.

        Returns
        -------
        numpy.ndarray
            A view of the float32, read-only.

        Raises
        ------
        InputError
            There is no parameter of that name.
        """
        layout = _desk().layout
        if name not in layout.table.parameters:
            raise InputError(
                f"no parameter is called {name!r}; there are {', '.join(layout.table.parameters)}"
            )
        place = layout.place(name, "model")
        first = (place.address - layout.place("parameters", "model").address) // 4
        size = layout.table.size(name)
        return self.state.parameters[first : first + size].reshape(place.shape)

    def probabilities(self, prompt: str | list[int]) -> Floats:
        """P for every position of a prompt.

        Parameters
        ----------
        prompt
            Text such as ``"7×8="``, or token ids; 1 to 16 tokens.

        Returns
        -------
        numpy.ndarray
            Float32 ``[n, 14]``; row i is the distribution of the token after token i.

        Raises
        ------
        InputError
            The prompt cannot be read.
        """
        tokens = read_prompt(prompt)
        desk = _desk()
        desk.view("parameters")[:] = self.state.parameters
        desk.call("prompt_forward", desk.set_prompt(tokens))
        return desk.view("P", "prompt", len(tokens)).copy()

    def next_tokens(self, prompt: str | list[int]) -> xarray.DataArray:
        """The 14 probabilities of the token after the prompt.

        Parameters
        ----------
        prompt
            Text such as ``"7×8="``, or token ids; 1 to 16 tokens.

        Returns
        -------
        xarray.DataArray
            Float32 ``[14]``, labelled by token.

        Raises
        ------
        InputError
            The prompt cannot be read.
        """
        import xarray

        last = self.probabilities(prompt)[-1]
        return xarray.DataArray(last, {"token": list(TOKENS)}, ("token",), "P")

    def write_on(self, prompt: str | list[int], limit: int = MAX_TOKENS) -> list[int]:
        """The tokens the model appends, always the most likely one, up to and including END.

        Parameters
        ----------
        prompt
            Text such as ``"7×8="``, or token ids; 1 to 16 tokens.
        limit
            Stop without END when this many tokens stand in all, the prompt included.

        Returns
        -------
        list of int
            Token ids.
        """
        tokens = read_prompt(prompt)
        written: list[int] = []
        while len(tokens) + len(written) < min(limit, MAX_TOKENS):
            best = int(np.argmax(self.probabilities(tokens + written)[-1]))
            written.append(best)
            if best == END:
                break
        return written

    def generate(self, prompt: str | list[int]) -> str:
        """What the model writes after the prompt, always the most likely token.

        Parameters
        ----------
        prompt
            Text such as ``"7×8="``, or token ids; 1 to 16 tokens.

        Returns
        -------
        str
            Without END: ``"56"`` for ``"7×8="``.

        Raises
        ------
        InputError
            The prompt cannot be read.
        """
        return show_tokens([token for token in self.write_on(prompt) if token != END])

    def at(self, step: int) -> Model:
        """The same run at another step, bit for bit.

        Parameters
        ----------
        step
            Optimizer steps taken, 0 for the random start.

        Returns
        -------
        Model
            From the run where it is at hand, else trained anew from the seed.

        Raises
        ------
        InputError
            The model has no seed, or the step is negative.
        """
        if step == self.step:
            return self
        if self._run is not None and 0 <= step < len(self._run.states):
            return self._run.at(step)
        if self.seed is None:
            raise InputError("these parameters do not come from a seed, so there is no other step to go to")
        from .training import replay

        here = replay(self.seed, self.step)
        if here.digest != self.digest:
            raise InputError(
                f"these parameters are not those of seed {self.seed} at step {self.step}, "
                "so no other step is known"
            )
        return replay(self.seed, step)

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write a checkpoint, which `attention_by_hand.load` reads back.

        Parameters
        ----------
        path
            Where; the file appears whole or not at all.
        overwrite
            Whether a file that is there may be replaced.

        Raises
        ------
        InputError
            The file cannot be written, or is there and may not be replaced.
        """
        from .checkpoint import save

        save(self, path, overwrite)

    def edited(self, changes: Mapping[str, NDArray[np.floating[Any]]]) -> Model:
        """A copy with some parameter tensors replaced, to ask "what if". It belongs to no seed.

        Parameters
        ----------
        changes
            Ledger names of parameters, and the arrays to take instead, of the same shapes.

        Returns
        -------
        Model
            The copy; this model stays as it is.

        Raises
        ------
        InputError
            A name is no parameter, or an array has another shape.
        """
        parameters = self.state.parameters.copy()
        copy = Model(State(parameters, self.state.m, self.state.v), None, self.step)
        for name, cells in changes.items():
            target = copy.parameter(name)
            if np.shape(cells) != target.shape:
                raise InputError(f"{name} has shape {list(np.shape(cells))}; accepted: {list(target.shape)}")
            target[...] = cells
        parameters.flags.writeable = False
        return copy

    def trace(
        self,
        prompt: str | list[int],
        target: str | int | None = None,
        cuts: Iterable[tuple[str, int, int]] = (),
    ) -> Ledger:
        """Every matrix of one prompt; with a target also the loss −ln P(target) and all its gradients.

        Parameters
        ----------
        prompt, target
            Text (``"7×0="``, ``"0"``) or token ids.
        cuts
            Connections to cut, each ``("layer1.head2", receiver, source)``.

        Returns
        -------
        Ledger
            Matrices by name, labelled by token, each cell of which can be explained.

        Raises
        ------
        InputError
            The prompt, the target or a connection cannot be read.
        """
        from .ledger.trace import trace_prompt

        return trace_prompt(self, prompt, target, cuts)

    def batch(self) -> Ledger:
        """Every matrix of the training batch.

        Returns
        -------
        Ledger
            378 prefixes, loss and gradients of 558 targets, Adam's next step.
        """
        from .ledger.trace import trace_batch

        return trace_batch(self)
