"""Values that look like measured ones, for tests of what is kept and counted."""

from __future__ import annotations

import numpy as np

from attention_by_hand import __version__
from attention_by_hand.study.seed import Measured, kernel_digest, keys


def made(seed: int, **other: str) -> Measured:
    """One seed; its values are drawn from the seed, so that a mix-up of seeds shows."""
    values = np.random.default_rng(seed).integers(0, 2, len(keys())).astype(np.float32)
    # The first key is the number of steps; a seed that never got there has none.
    values[0] = np.nan if seed % 5 == 0 else 100 + seed % 7
    # What is read from four sources adds up to 1.
    values[[key.measure.name.startswith("share.") for key in keys()]] = 0.25
    digests = (f"{seed:064x}", f"{seed + 1:064x}")
    origin = {"version": __version__, "kernel": kernel_digest()} | other
    return Measured(seed, (0, 100 + seed % 7), digests, values, process=0, **origin)
