"""Where a run starts: the prefix tree of the 100 problems, the prompt's chain, the random numbers."""

import numpy as np

from .numeric import ONE, ZERO
from .types import IdMatrix, Ids, Matrix, Real, Vector, Whole

MASK = np.uint64(0xFFFFFFFF)
ODD_A = np.uint64(0x7FEB352D)
ODD_B = np.uint64(0x846CA68B)
GOLDEN = np.uint64(0x9E3779B9)
SHIFT_16 = np.uint64(16)
SHIFT_15 = np.uint64(15)
TWO_24 = np.float32(16777216.0)
TIMES = 10
EQUALS = 11
END = 12


def scramble(x: np.uint64) -> np.uint64:
    """A 32-bit integer hash (xor, shift, multiply); each input bit moves about half the output bits."""
    x = x ^ (x >> SHIFT_16)
    x = (x * ODD_A) & MASK
    x = x ^ (x >> SHIFT_15)
    x = (x * ODD_B) & MASK
    return x ^ (x >> SHIFT_16)


def fill_uniform(seed: Ids, first: Whole, scale: Real, out: Vector) -> None:
    """``out[p]`` = a number in (−scale, scale) that depends on the seed and on the index first + p alone.

    The hash gives 24 bits k; ``(2k + 1 − 2²⁴)/2²⁴`` is held exactly by float32, the product is rounded once.
    """
    salt = scramble((np.uint64(seed[0]) + GOLDEN) & MASK)
    for p in range(out.shape[0]):
        mixed = scramble(salt ^ scramble(np.uint64(first + p)))
        k = np.int64(mixed >> np.uint64(8))
        out[p] = np.float32(2 * k + 1 - 16777216) / TWO_24 * scale


def plant_tree(
    token: Ids, position: Ids, ancestors: IdMatrix, counts: Matrix, nodes: IdMatrix, answers: IdMatrix
) -> None:
    """Write the 378 distinct prefixes of the 100 problems, level by level, and what follows each.

    Levels: 10 ``a``, 10 ``a×``, 100 ``a×b``, 100 ``a×b=``, 100 with a first
    answer digit, 58 with a second.
    """
    for i in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            counts[i, c] = ZERO
        for t in range(ancestors.shape[1]):
            ancestors[i, t] = 0
    second = 320
    for problem in range(100):
        a = problem // 10
        b = problem % 10
        tens = a * b // 10
        units = a * b % 10
        first = units if tens == 0 else tens
        token[a] = a
        token[10 + a] = TIMES
        token[20 + problem] = b
        token[120 + problem] = EQUALS
        token[220 + problem] = first
        counts[a, TIMES] += ONE
        counts[10 + a, b] += ONE
        counts[20 + problem, EQUALS] += ONE
        counts[120 + problem, first] += ONE
        nodes[problem, 0] = 120 + problem
        nodes[problem, 1] = 220 + problem
        answers[problem, 0] = first
        if tens == 0:
            counts[220 + problem, END] += ONE
            nodes[problem, 2] = 220 + problem
            answers[problem, 1] = END
        else:
            token[second] = units
            counts[220 + problem, units] += ONE
            counts[second, END] += ONE
            nodes[problem, 2] = second
            answers[problem, 1] = units
        answers[problem, 2] = END
        depth = 5 if tens == 0 else 6
        for t in range(depth):
            i = second
            if t == 0:
                i = a
            elif t == 1:
                i = 10 + a
            elif t < 5:
                i = 20 + 100 * (t - 2) + problem
            position[i] = t
            ancestors[i, 0] = a
            if t > 0:
                ancestors[i, 1] = 10 + a
            for s in range(2, t + 1):
                ancestors[i, s] = 20 + 100 * (s - 2) + problem if s < 5 else second
        if tens != 0:
            second += 1


def lay_chain(position: Ids, ancestors: IdMatrix) -> None:
    """A prompt is a chain: row i stands at position i and may read rows 0…i."""
    for i in range(position.shape[0]):
        position[i] = i
        for t in range(ancestors.shape[1]):
            ancestors[i, t] = t


def begin(power1: Vector, power2: Vector, step: Ids) -> None:
    """Adam's running powers start at 1, the step counter at 0."""
    power1[0] = ONE
    power2[0] = ONE
    step[0] = 0


def count_step(step: Ids) -> None:
    """``step += 1``."""
    step[0] += 1
