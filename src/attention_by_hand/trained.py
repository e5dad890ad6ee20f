"""`Model`: the 3,136 numbers at one step of one run, and what can be asked of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .runtime import Kernel
from .tokens import END, MAX_TOKENS, TOKENS, read_prompt, show_tokens

if TYPE_CHECKING:
    import xarray

    from .ledger.trace import Ledger
    from .training import Run

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class State:
    """Everything that training changes: parameters and Adam's two running averages, float32 [3136] each."""

    parameters: Floats
    m: Floats
    v: Floats

    @staticmethod
    def read(kernel: Kernel) -> State:
        """Copy the current state out of a kernel's memory."""
        blocks = [kernel.view(name).copy() for name in ("parameters", "adam.m", "adam.v")]
        for block in blocks:
            block.flags.writeable = False
        return State(*blocks)

    def write(self, kernel: Kernel, step: int) -> None:
        """Put this state, and the counters that belong to its step, into a kernel's memory."""
        kernel.view("parameters")[:] = self.parameters
        kernel.view("adam.m")[:] = self.m
        kernel.view("adam.v")[:] = self.v
        recipe = kernel.layout.table.sizes.recipe
        kernel.view("adam.step")[0] = step
        for name, beta in (("adam.beta1_power", recipe.beta1), ("adam.beta2_power", recipe.beta2)):
            kernel.view(name)[0] = _power(np.float32(beta), step)


@cache
def _power(beta: np.float32, step: int) -> np.float32:
    """Beta multiplied up `step` times in float32, as the kernel does."""
    power = np.float32(1)
    for _ in range(step):
        power *= beta
    return power


def digest(parameters: Floats) -> str:
    """SHA-256 of the parameters' little-endian bytes, in hexadecimal: equal digests are equal bits."""
    return hashlib.sha256(np.ascontiguousarray(parameters, "<f4").tobytes()).hexdigest()


@cache
def _desk() -> Kernel:
    """The kernel that answers questions about prompts."""
    return Kernel()


class Model:
    """The model at one step.

    Attributes
    ----------
    seed
        Seed of the run, or None when the parameters did not come from one.
    step
        Optimizer steps taken.
    state
        Parameters and Adam's averages.
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
        """One parameter tensor by its ledger name, read-only, no copy.

        Raises
        ------
        InputError
            There is no parameter of that name.
        """
        layout = _desk().layout
        if name not in layout.table.parameters:
            raise InputError(f"no parameter is called {name!r}; there are {', '.join(layout.table.parameters)}")
        place = layout.place(name, "model")
        first = (place.address - layout.place("parameters", "model").address) // 4
        size = layout.table.size(name)
        return self.state.parameters[first : first + size].reshape(place.shape)

    def probabilities(self, prompt: str | list[int]) -> Floats:
        """P for every position of a prompt: float32 ``[n, 14]``; row i is the distribution after token i."""
        tokens = read_prompt(prompt)
        desk = _desk()
        desk.view("parameters")[:] = self.state.parameters
        desk.call("prompt_forward", desk.set_prompt(tokens))
        return desk.view("P", "prompt", len(tokens)).copy()

    def next_tokens(self, prompt: str | list[int]) -> xarray.DataArray:
        """The 14 probabilities of the token after the prompt, labelled by token.

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

        Stops without END when `limit` tokens stand in all, the prompt included.
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
        """What the model writes after the prompt, END left out: ``"56"`` for ``"7×8="``.

        Raises
        ------
        InputError
            The prompt cannot be read.
        """
        return show_tokens([token for token in self.write_on(prompt) if token != END])

    def at(self, step: int) -> Model:
        """The same run at another step, bit for bit.

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
            raise InputError(f"these parameters are not those of seed {self.seed} at step {self.step}, so no other step is known")
        return replay(self.seed, step)

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write a checkpoint; see `attention_by_hand.checkpoint.save`."""
        from .checkpoint import save

        save(self, path, overwrite)

    def edited(self, changes: Mapping[str, NDArray[np.floating[Any]]]) -> Model:
        """A copy with some parameter tensors replaced, to ask "what if". It belongs to no seed.

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

        Raises
        ------
        InputError
            The prompt, the target or a connection cannot be read.
        """
        from .ledger.trace import trace_prompt

        return trace_prompt(self, prompt, target, cuts)

    def batch(self) -> Ledger:
        """Every matrix of the training batch: 378 prefixes, loss and gradients of 558 targets, Adam's next step."""
        from .ledger.trace import trace_batch

        return trace_batch(self)
