"""One seed: trained, then measured at its start and its end."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..training import train
from .measures import END, MEASURES, START, Measure
from .reading import Reading, heads


@dataclass(frozen=True)
class Key:
    """What one value of a seed is about. Layer and head count from 1; 0 and 0 mean the whole model."""

    measure: Measure
    layer: int
    head: int
    when: str


@cache
def keys() -> tuple[Key, ...]:
    """The values of a seed, in order: one row of the table each."""
    return tuple(
        Key(measure, layer, head, when)
        for measure in MEASURES.values()
        for layer, head in (heads() if measure.per_head else ((0, 0),))
        for when in measure.when
    )


@cache
def kernel_digest() -> str:
    """SHA-256 of the compiled kernel, in hexadecimal."""
    root = files("attention_by_hand")
    return hashlib.sha256((root / "_built" / "kernel.wasm").read_bytes()).hexdigest()


@dataclass(frozen=True)
class Measured:
    """All values of one seed, and what made them.

    Attributes
    ----------
    steps, digests
        Step at the start (0) and at the end, and SHA-256 of the parameters there.
    values
        float32, one per `keys`; NaN where there is no value.
    version, kernel
        Of the process that measured, so that a cluster of mixed versions is found out.
    process
        Its id.
    """

    seed: int
    steps: tuple[int, int]
    digests: tuple[str, str]
    values: NDArray[np.float32]
    version: str
    kernel: str
    process: int


def measure_seed(seed: int) -> Measured:
    """Train one seed to 100 of 100 and take every measure.

    Parameters
    ----------
    seed
        0 to 4294967295.

    Returns
    -------
    Measured
        The same for the same seed, wherever it is computed.
    """
    run = train(seed)
    models = (run.at(0), run.model)
    readings = dict(zip((START, END), map(Reading, models), strict=True))
    values = [key.measure.compute(readings[key.when], key.layer, key.head) for key in keys()]
    return Measured(
        seed,
        (models[0].step, models[1].step),
        (models[0].digest, models[1].digest),
        np.array(values, np.float32),
        __version__,
        kernel_digest(),
        os.getpid(),
    )
