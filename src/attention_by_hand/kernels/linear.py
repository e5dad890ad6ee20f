"""Products of matrices and their backward rules."""

from .numeric import ZERO
from .types import Matrix, Real, Vector, Whole

BLOCK = 8


def product(a: Matrix, b: Matrix, out: Matrix) -> None:
    """``out[i,j] = Σ_k a[i,k]·b[k,j]``, shapes [n,K]·[K,J] → [n,J]."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = ZERO
        add_row_product(a, b, out, i)


def add_row_product(a: Matrix, b: Matrix, out: Matrix, i: Whole) -> None:
    """``out[i,j] += Σ_k a[i,k]·b[k,j]`` for one row, k ascending.

    Eight values of k at a time: of a loop of known length the compiler keeps the row of `out` in
    registers. The order of the additions is the same as without.
    """
    whole = b.shape[0] - b.shape[0] % BLOCK
    for first in range(0, whole, BLOCK):
        for k in range(BLOCK):
            x = a[i, first + k]
            for j in range(b.shape[1]):
                out[i, j] += x * b[first + k, j]
    for k in range(whole, b.shape[0]):
        x = a[i, k]
        for j in range(b.shape[1]):
            out[i, j] += x * b[k, j]


def product_add(a: Matrix, b: Matrix, scratch: Vector, out: Matrix) -> None:
    """``out[i,j] += Σ_k a[i,k]·b[k,j]``; ``scratch`` holds one row of the sums."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            scratch[j] = ZERO
        for k in range(b.shape[0]):
            x = a[i, k]
            for j in range(b.shape[1]):
                scratch[j] += x * b[k, j]
        for j in range(b.shape[1]):
            out[i, j] += scratch[j]


def affine(a: Matrix, b: Matrix, bias: Vector, out: Matrix) -> None:
    """``out[i,j] = (Σ_k a[i,k]·b[k,j]) + bias[j]``."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = ZERO
        add_row_product(a, b, out, i)
        for j in range(b.shape[1]):
            out[i, j] += bias[j]


def weight_gradient(a: Matrix, g: Matrix, out: Matrix) -> None:
    """``out[k,j] = Σ_i a[i,k]·g[i,j]``: each row's own contribution, added up over all rows in order.

    Eight rows at a time, for the same reason as in `add_row_product`.
    """
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[k, j] = ZERO
    whole = a.shape[0] - a.shape[0] % BLOCK
    for first in range(0, whole, BLOCK):
        for k in range(out.shape[0]):
            for i in range(BLOCK):
                x = a[first + i, k]
                for j in range(out.shape[1]):
                    out[k, j] += x * g[first + i, j]
    for i in range(whole, a.shape[0]):
        for k in range(out.shape[0]):
            x = a[i, k]
            for j in range(out.shape[1]):
                out[k, j] += x * g[i, j]


def bias_gradient(g: Matrix, out: Vector) -> None:
    """``out[j] = Σ_i g[i,j]``."""
    for j in range(g.shape[1]):
        out[j] = ZERO
    for i in range(g.shape[0]):
        for j in range(g.shape[1]):
            out[j] += g[i, j]


def transpose(a: Matrix, out: Matrix) -> None:
    """``out[j,i] = a[i,j]``, so that the products above always read along rows."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]


def add(a: Matrix, b: Matrix, out: Matrix) -> None:
    """``out[i,j] = a[i,j] + b[i,j]``."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + b[i, j]


def accumulate(a: Matrix, out: Matrix) -> None:
    """``out[i,j] += a[i,j]``."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] += a[i, j]


def head_product(a: Matrix, b: Matrix, first: Whole, width: Whole, out: Matrix) -> None:
    """``out[i,j] = Σ_c a[i,first+c]·b[first+c,j]`` over the ``width`` columns of one head."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = ZERO
            for c in range(first, first + width):
                total += a[i, c] * b[c, j]
            out[i, j] = total


def head_product_transposed(a: Matrix, b: Matrix, first: Whole, width: Whole, out: Matrix) -> None:
    """``out[i,j] = Σ_c a[i,first+c]·b[j,first+c]`` over the ``width`` columns of one head."""
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            total = ZERO
            for c in range(first, first + width):
                total += a[i, c] * b[j, c]
            out[i, j] = total


def fill(value: Real, out: Vector) -> None:
    """``out[p] = value``."""
    for p in range(out.shape[0]):
        out[p] = value


def copy(a: Vector, out: Vector) -> None:
    """``out[p] = a[p]``."""
    for p in range(a.shape[0]):
        out[p] = a[p]
