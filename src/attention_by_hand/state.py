"""`State`: everything that training changes, at one step; and the digest of its bits."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .runtime import Kernel

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
