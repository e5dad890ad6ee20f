"""Softmax of each row, in three steps that each leave their numbers behind.

The same for logits and for attention scores: a masked score is −∞, its exponential exactly 0, and adding 0
changes no sum.
"""

from .numeric import ZERO, exp_of_small
from .types import Matrix, Vector


def below_largest(s: Matrix, top: Vector, e: Matrix) -> None:
    """``top[i] = max_t s[i,t]`` and ``e[i,t] = s[i,t] − top[i]``, so that no exponential is above 1."""
    for i in range(s.shape[0]):
        best = s[i, 0]
        for t in range(s.shape[1]):
            if s[i, t] > best:
                best = s[i, t]
        top[i] = best
        for t in range(s.shape[1]):
            e[i, t] = s[i, t] - best


def exponentials(e: Vector) -> None:
    """``e[p] = exp(e[p])``, all rows as one; no e is above 0."""
    for p in range(e.shape[0]):
        e[p] = exp_of_small(e[p])


def shares(e: Matrix, e_sum: Vector, a: Matrix) -> None:
    """``e_sum[i] = Σ_t e[i,t]`` and ``a[i,t] = e[i,t]/e_sum[i]``: each row sums to 1."""
    for i in range(e.shape[0]):
        total = ZERO
        for t in range(e.shape[1]):
            total += e[i, t]
        e_sum[i] = total
        for t in range(e.shape[1]):
            a[i, t] = e[i, t] / total
