"""ReLU, the only nonlinearity of the feed-forward network."""

from .numeric import ZERO
from .types import Matrix


def relu(u: Matrix, r: Matrix) -> None:
    """``r = u`` where u is above 0, else 0. NaN stays NaN, so that it can be seen."""
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            r[i, j] = ZERO if u[i, j] <= ZERO else u[i, j]


def relu_backward(u: Matrix, g_r: Matrix, g_u: Matrix) -> None:
    """``g_u = g_r`` where u is above 0, else 0."""
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            g = g_r[i, j]
            g_u[i, j] = g  # writing it in any case lets the compiler choose without a branch
            if u[i, j] <= ZERO:
                g = ZERO
            g_u[i, j] = g
