"""The task and the start of a model, for the peers: the usual padded batch of 100 sequences, NumPy arrays.

The peers do the work the way one writes it in their library. This project's kernels compute each of the 378
distinct prefixes once instead of 558 padded places; that is part of what is compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

VOCABULARY, POSITIONS, WIDTH, HEADS, HIDDEN, LAYERS = 14, 16, 8, 2, 64, 2
TIMES, EQUALS, END = 10, 11, 12
#: The recipe of model/sizes.py, again: PyTorch runs where this project is not installed. A test compares.
EMBEDDING_STD, WEIGHT_STD = 0.2, 0.3
RATE, LM_RATE, NEAR, LEAST, BETA1, BETA2, EPSILON = 0.02, 0.16, 0.2, 0.02, 0.7, 0.8, 1e-8
FLOOR = 100 * np.log(10) / 558
QUESTION = 4

Arrays = dict[str, NDArray[np.float32]]


def batch() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return tokens and targets [100, 6], and 1 where a target counts, 0 in the padding."""
    sequences = [[a, TIMES, b, EQUALS, *map(int, str(a * b)), END] for a in range(10) for b in range(10)]
    longest = max(map(len, sequences))
    padded = np.array([row + [END] * (longest - len(row)) for row in sequences])
    counts = np.array([[place < len(row) - 1 for place in range(longest - 1)] for row in sequences])
    return padded[:, :-1], padded[:, 1:], counts.astype(np.float32)


def initial(seed: int) -> Arrays:
    """Return random parameters of the recipe's spread, 3,136 in all."""
    shapes = {"TokenEmb": (VOCABULARY, WIDTH), "PosEmb": (POSITIONS, WIDTH)}
    vectors = {}
    for layer in range(LAYERS):
        shapes |= {f"{layer}.{name}": (WIDTH, WIDTH) for name in ("WQ", "WK", "WV", "WO")}
        shapes |= {f"{layer}.W1": (WIDTH, HIDDEN), f"{layer}.W2": (HIDDEN, WIDTH)}
        for name in ("LN1", "LN2"):
            vectors |= {f"{layer}.{name}.gain": np.ones(WIDTH), f"{layer}.{name}.bias": np.zeros(WIDTH)}
        vectors |= {f"{layer}.b1": np.zeros(HIDDEN), f"{layer}.b2": np.zeros(WIDTH)}
    shapes["LM"] = (WIDTH, VOCABULARY)
    vectors |= {"FinalLN.gain": np.ones(WIDTH), "FinalLN.bias": np.zeros(WIDTH)}
    draw = np.random.default_rng(seed)
    tree = {}
    for name, shape in shapes.items():
        spread = EMBEDDING_STD if name.endswith("Emb") else WEIGHT_STD / np.sqrt(shape[0])
        tree[name] = draw.uniform(-1, 1, shape) * spread * np.sqrt(3)
    tree |= vectors
    count = sum(part.size for part in tree.values())
    if count != 3136:
        raise ValueError(f"{count} parameters instead of 3136: this would not be the same work")
    return {name: part.astype(np.float32) for name, part in tree.items()}


def step_size(loss: float, rate: float = RATE) -> float:
    """Return the step size that the recipe takes at this loss; `rate` is the full one."""
    return rate * min(1.0, max(LEAST, (loss - FLOOR) / NEAR))


def solved(best: NDArray[np.int64]) -> int:
    """Count problems whose every answer token is the most likely one; `best` is the argmax [100, 6]."""
    _, targets, counts = batch()
    right = (best == targets) | (counts == 0)
    return int(right[:, QUESTION - 1 :].all(axis=1).sum())
