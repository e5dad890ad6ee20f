"""Products of matrices and their backward rules."""

from .numeric import ZERO
from .types import Matrix, Real, Vector, Whole

#: Sizes of the pieces that products are worked in.
BLOCK = 8
ROWS = 4


def product(a: Matrix, b: Matrix, out: Matrix) -> None:
    """``out[i,j] = Σ_k a[i,k]·b[k,j]``, shapes [n,K]·[K,J] → [n,J]."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = ZERO
    add_product(a, b, out)


def add_product(a: Matrix, b: Matrix, out: Matrix) -> None:
    """``out[i,j] += Σ_k a[i,k]·b[k,j]``, k ascending.

    Worked in pieces of 4 rows, 8 columns and 8 values of k: of loops of known length the compiler keeps
    the cells of `out` in registers. The order of the additions is the same as without.
    """
    whole = a.shape[0] - a.shape[0] % ROWS
    for top in range(0, whole, ROWS):
        for left in range(0, b.shape[1] - b.shape[1] % BLOCK, BLOCK):
            for first in range(0, b.shape[0] - b.shape[0] % BLOCK, BLOCK):
                for k in range(BLOCK):
                    for i in range(ROWS):
                        x = a[top + i, first + k]
                        for j in range(BLOCK):
                            out[top + i, left + j] += x * b[first + k, left + j]
            for k in range(b.shape[0] - b.shape[0] % BLOCK, b.shape[0]):
                for i in range(ROWS):
                    x = a[top + i, k]
                    for j in range(BLOCK):
                        out[top + i, left + j] += x * b[k, left + j]
        for i in range(ROWS):
            add_row_product(a, b, out, top + i, b.shape[1] - b.shape[1] % BLOCK)
    for i in range(whole, a.shape[0]):
        add_row_product(a, b, out, i, 0)


def add_row_product(a: Matrix, b: Matrix, out: Matrix, i: Whole, left: Whole) -> None:
    """The same for one row, from column `left` on, as it stands in a textbook."""
    for k in range(b.shape[0]):
        x = a[i, k]
        for j in range(left, b.shape[1]):
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
    product(a, b, out)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] += bias[j]


def weight_gradient(a: Matrix, g: Matrix, out: Matrix) -> None:
    """``out[k,j] = Σ_i a[i,k]·g[i,j]``: each row's own contribution, added up over all rows in order.

    In pieces of 8 rows, 4 by 8 cells of `out`, for the same reason as in `add_product`.
    """
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[k, j] = ZERO
    whole = a.shape[0] - a.shape[0] % BLOCK
    high = out.shape[0] - out.shape[0] % ROWS
    wide = out.shape[1] - out.shape[1] % BLOCK
    for top in range(0, high, ROWS):
        for left in range(0, wide, BLOCK):
            for first in range(0, whole, BLOCK):
                for i in range(BLOCK):
                    for k in range(ROWS):
                        x = a[first + i, top + k]
                        for j in range(BLOCK):
                            out[top + k, left + j] += x * g[first + i, left + j]
    add_outer(a, g, 0, whole, high, 0, out)
    for i in range(whole):
        for k in range(high):
            x = a[i, k]
            for j in range(wide, out.shape[1]):
                out[k, j] += x * g[i, j]
    add_outer(a, g, whole, a.shape[0], 0, 0, out)


def add_outer(a: Matrix, g: Matrix, first: Whole, last: Whole, top: Whole, left: Whole, out: Matrix) -> None:
    """The same for rows `first` to `last` and the cells of `out` from ``[top, left]`` on, textbook form."""
    for i in range(first, last):
        for k in range(top, out.shape[0]):
            x = a[i, k]
            for j in range(left, out.shape[1]):
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
