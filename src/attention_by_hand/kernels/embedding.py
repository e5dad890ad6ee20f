"""Token and position tables: the only place where a token id becomes numbers."""

from .numeric import ZERO
from .types import Ids, Matrix


def embed(token: Ids, position: Ids, token_emb: Matrix, pos_emb: Matrix, x: Matrix) -> None:
    """``x[i,d] = token_emb[token i,d] + pos_emb[position i,d]``."""
    for i in range(x.shape[0]):
        row = token[i]
        place = position[i]
        for d in range(x.shape[1]):
            x[i, d] = token_emb[row, d] + pos_emb[place, d]


def gather_gradient(index: Ids, g_x: Matrix, out: Matrix) -> None:
    """``out[r,d] = Σ g_x[i,d]`` over the rows i that took table row r (``index[i] = r``)."""
    for r in range(out.shape[0]):
        for d in range(out.shape[1]):
            out[r, d] = ZERO
    for i in range(g_x.shape[0]):
        r = index[i]
        for d in range(g_x.shape[1]):
            out[r, d] += g_x[i, d]
