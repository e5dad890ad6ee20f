"""Products of matrices and their backward rules."""

from .numeric import ZERO
from .types import Matrix, Real, Vector, Whole

#: Rows and columns of the tiles that products are worked in, where the result is narrow and where it is wide.
#: Either is eight SIMD registers of sums.
NARROW_ROWS, NARROW = 4, 8
WIDE_ROWS, WIDE = 2, 16


def product(a: Matrix, b: Matrix, out: Matrix) -> None:
    """``out[i,j] = Σ_k a[i,k]·b[k,j]``, shapes [n,K]·[K,J] → [n,J]."""
    if b.shape[1] % WIDE == 0:
        product_tiles(a, b, out, WIDE_ROWS, WIDE)
    else:
        product_tiles(a, b, out, NARROW_ROWS, NARROW)


def product_tiles(a: Matrix, b: Matrix, out: Matrix, rows: Whole, columns: Whole) -> None:
    """`product` by rows of tiles; the last ones have the rows and columns that are left."""
    whole = a.shape[0] - a.shape[0] % rows
    for top in range(0, whole, rows):
        product_rows(a, b, out, top, rows, columns)
    for top in range(whole, a.shape[0]):
        product_rows(a, b, out, top, 1, columns)


def product_rows(a: Matrix, b: Matrix, out: Matrix, top: Whole, rows: Whole, columns: Whole) -> None:
    """One row of tiles."""
    whole = b.shape[1] - b.shape[1] % columns
    for left in range(0, whole, columns):
        product_tile(a, b, out, top, left, rows, columns)
    product_tile(a, b, out, top, whole, rows, b.shape[1] - whole)


def product_tile(
    a: Matrix, b: Matrix, out: Matrix, top: Whole, left: Whole, rows: Whole, columns: Whole
) -> None:
    """One tile of `product`. Where its size is known, the compiler keeps the sums in registers."""
    for i in range(top, top + rows):
        for j in range(left, left + columns):
            out[i, j] = ZERO
    for k in range(b.shape[0]):
        for i in range(top, top + rows):
            x = a[i, k]
            for j in range(left, left + columns):
                out[i, j] += x * b[k, j]


def product_add(a: Matrix, b: Matrix, sums: Matrix, out: Matrix) -> None:
    """``out[i,j] += Σ_k a[i,k]·b[k,j]``; ``sums`` holds the product by itself."""
    product(a, b, sums)
    accumulate(sums, out)


def affine(a: Matrix, b: Matrix, bias: Vector, out: Matrix) -> None:
    """``out[i,j] = (Σ_k a[i,k]·b[k,j]) + bias[j]``."""
    product(a, b, out)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] += bias[j]


def weight_gradient(a: Matrix, g: Matrix, out: Matrix) -> None:
    """``out[k,j] = Σ_i a[i,k]·g[i,j]``: each row's own contribution, added up over all rows in order."""
    if out.shape[1] % WIDE == 0:
        outer_tiles(a, g, out, WIDE_ROWS, WIDE)
    else:
        outer_tiles(a, g, out, NARROW_ROWS, NARROW)


def outer_tiles(a: Matrix, g: Matrix, out: Matrix, rows: Whole, columns: Whole) -> None:
    """`weight_gradient` by tiles of `out`; the last ones have the rows and columns that are left."""
    high = out.shape[0] - out.shape[0] % rows
    wide = out.shape[1] - out.shape[1] % columns
    for top in range(0, high, rows):
        for left in range(0, wide, columns):
            outer_tile(a, g, out, top, left, rows, columns)
        outer_tile(a, g, out, top, wide, rows, out.shape[1] - wide)
    outer_tile(a, g, out, high, 0, out.shape[0] - high, out.shape[1])


def outer_tile(
    a: Matrix, g: Matrix, out: Matrix, top: Whole, left: Whole, rows: Whole, columns: Whole
) -> None:
    """One tile of `weight_gradient`."""
    for k in range(rows):
        for j in range(columns):
            out[top + k, left + j] = ZERO
    for i in range(a.shape[0]):
        for k in range(rows):
            x = a[i, top + k]
            for j in range(columns):
                out[top + k, left + j] += x * g[i, left + j]


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
