"""The feed-forward network's hidden layer: an affine map, then ReLU.

Both directions finish a few rows at a time, while their numbers are still in the nearest cache.
"""

from .linear import WIDE, WIDE_ROWS, product_rows
from .numeric import ZERO
from .types import Matrix, Vector, Whole


def hidden(x: Matrix, w: Matrix, b: Vector, u: Matrix, r: Matrix) -> None:
    """``u[i,j] = (Σ_d x[i,d]·w[d,j]) + b[j]``; ``r = u`` where u is above 0, else 0.

    NaN stays NaN, so that it can be seen.
    """
    whole = x.shape[0] - x.shape[0] % WIDE_ROWS
    for top in range(0, whole, WIDE_ROWS):
        hidden_rows(x, w, b, u, r, top, WIDE_ROWS)
    for top in range(whole, x.shape[0]):
        hidden_rows(x, w, b, u, r, top, 1)


def hidden_rows(x: Matrix, w: Matrix, b: Vector, u: Matrix, r: Matrix, top: Whole, rows: Whole) -> None:
    """Some rows of `hidden`."""
    product_rows(x, w, u, top, rows, WIDE)
    for i in range(top, top + rows):
        for j in range(u.shape[1]):
            u[i, j] += b[j]
            r[i, j] = ZERO if u[i, j] <= ZERO else u[i, j]


def hidden_backward(g_out: Matrix, w_t: Matrix, u: Matrix, g_r: Matrix, g_u: Matrix, g_b: Vector) -> None:
    """From the network's output back to u: ``w_t`` is the second matrix with rows and columns exchanged.

    ``g_r[i,j] = Σ_d g_out[i,d]·w_t[d,j]``; ``g_u = g_r`` where u is above 0, else 0;
    ``g_b[j] = Σ_i g_u[i,j]``.
    """
    for j in range(g_b.shape[0]):
        g_b[j] = ZERO
    whole = u.shape[0] - u.shape[0] % WIDE_ROWS
    for top in range(0, whole, WIDE_ROWS):
        hidden_rows_backward(g_out, w_t, u, g_r, g_u, g_b, top, WIDE_ROWS)
    for top in range(whole, u.shape[0]):
        hidden_rows_backward(g_out, w_t, u, g_r, g_u, g_b, top, 1)


def hidden_rows_backward(
    g_out: Matrix, w_t: Matrix, u: Matrix, g_r: Matrix, g_u: Matrix, g_b: Vector, top: Whole, rows: Whole
) -> None:
    """Some rows of `hidden_backward`."""
    product_rows(g_out, w_t, g_r, top, rows, WIDE)
    for i in range(top, top + rows):
        for j in range(u.shape[1]):
            g = g_r[i, j]
            g_u[i, j] = g  # writing it in any case lets the compiler choose without a branch
            if u[i, j] <= ZERO:
                g = ZERO
            g_u[i, j] = g
            g_b[j] += g
