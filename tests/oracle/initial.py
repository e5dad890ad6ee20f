"""The start of training from whole numbers alone: seed and index in, one float32 out."""

from __future__ import annotations

import math

import numpy as np

from .model import parameter_shapes

MASK = 0xFFFFFFFF


def scramble(x: int) -> int:
    """A 32-bit mixer: xor with a shifted copy, multiply, twice over."""
    x ^= x >> 16
    x = x * 0x7FEB352D & MASK
    x ^= x >> 15
    x = x * 0x846CA68B & MASK
    return x ^ x >> 16


def uniform(seed: int, index: int) -> float:
    """An odd number of 2⁻²⁴ between −1 and 1; float32 holds each of them exactly."""
    salt = scramble((seed + 0x9E3779B9) & MASK)
    return (2 * (scramble(salt ^ scramble(index)) >> 8) + 1 - 2**24) / 2**24


def spread(name: str, shape: tuple[int, ...], embedding_std: float, weight_std: float) -> float:
    """Half the width of a tensor's interval: √3 times the standard deviation it should have."""
    std = embedding_std if name.endswith("Emb") else weight_std / math.sqrt(shape[0])
    return math.sqrt(3) * std


def parameters(seed: int, embedding_std: float, weight_std: float) -> dict[str, np.ndarray]:
    """All tensors at step 0, float32; the index runs on through LayerNorms and biases as well."""
    first = 0
    result = {}
    for name, shape in parameter_shapes().items():
        size = math.prod(shape)
        if name.endswith("gain"):
            result[name] = np.ones(shape, np.float32)
        elif name.endswith(("bias", "b1", "b2")):
            result[name] = np.zeros(shape, np.float32)
        else:
            width = np.float32(spread(name, shape, embedding_std, weight_std))
            cells = np.array([uniform(seed, first + i) for i in range(size)], np.float32)
            result[name] = (cells * width).reshape(shape)
        first += size
    return result
