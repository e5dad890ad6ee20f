"""Masked attention of one head over the rows each row may read.

Row ``i`` stands at ``position[i]`` and may read the rows ``ancestors[i,0…position[i]]``: in a
prompt these are the tokens up to and including itself, in the prefix tree the nodes on the
way from the root. Column ``t`` of an attention table is the source at position ``t``;
columns beyond the row's own position are the future and are masked.
"""

from .numeric import INFINITY, ZERO
from .types import IdMatrix, Ids, Matrix, Real, Vector, Whole


def scores(
    q: Matrix,
    k: Matrix,
    ancestors: IdMatrix,
    position: Ids,
    first: Whole,
    width: Whole,
    root: Real,
    cut: IdMatrix,
    nudge: Matrix,
    s: Matrix,
) -> None:
    """``s[i,t] = (Σ_c q[i,c]·k[source t,c]) / √C + nudge[i,t]``; masked and cut cells hold −∞.

    exp(−∞) is 0: a cut connection carries nothing and the row's other sources share the whole.
    A nudge is 0 unless someone measures what a little more or less of one score does to the loss.
    """
    for i in range(q.shape[0]):
        for t in range(position[i] + 1):
            j = ancestors[i, t]
            total = ZERO
            for c in range(first, first + width):
                total += q[i, c] * k[j, c]
            score = total / root + nudge[i, t]
            if cut[i, t] != 0:
                score = -INFINITY
            s[i, t] = score
        for t in range(position[i] + 1, s.shape[1]):
            s[i, t] = -INFINITY


def mix(
    a: Matrix, v: Matrix, ancestors: IdMatrix, position: Ids, first: Whole, width: Whole, h: Matrix
) -> None:
    """``h[i,c] = Σ_t a[i,t]·v[source t,c]``: the head's columns of H."""
    for i in range(h.shape[0]):
        for c in range(first, first + width):
            h[i, c] = ZERO
        for t in range(position[i] + 1):
            j = ancestors[i, t]
            share = a[i, t]
            for c in range(first, first + width):
                h[i, c] += share * v[j, c]


def attention_backward(
    a: Matrix,
    v: Matrix,
    q: Matrix,
    k: Matrix,
    g_h: Matrix,
    ancestors: IdMatrix,
    position: Ids,
    first: Whole,
    width: Whole,
    root: Real,
    g_a: Matrix,
    g_v: Matrix,
    u_mean: Vector,
    g_s: Matrix,
    g_q: Matrix,
    g_k: Matrix,
) -> None:
    """From the head's columns of H back to shares, values, scores, queries and keys.

    Shares and values: ``g_a[i,t] = Σ_c g_h[i,c]·v[source t,c]``; ``g_v[j,c] = Σ_i a[i,j]·g_h[i,c]``.
    Scores, each source against the weighted average: ``u_mean[i] = Σ_t a·g_a``, ``g_s = a·(g_a − u_mean)``.
    Queries and keys: ``g_q[i,c] = (Σ_t g_s[i,t]·k[source t,c])/√C``; ``g_k[j,c] = (Σ_i g_s[i,j]·q[i,c])/√C``.
    Sums over i run over the readers of j.
    """
    for i in range(v.shape[0]):
        for c in range(first, first + width):
            g_v[i, c] = ZERO
            g_q[i, c] = ZERO
            g_k[i, c] = ZERO
    for i in range(v.shape[0]):
        mean = ZERO
        for t in range(position[i] + 1):
            j = ancestors[i, t]
            share = a[i, t]
            total = ZERO
            for c in range(first, first + width):
                total += g_h[i, c] * v[j, c]
            g_a[i, t] = total
            mean += share * total
            for c in range(first, first + width):
                g_v[j, c] += share * g_h[i, c]
        u_mean[i] = mean
        for t in range(position[i] + 1):
            j = ancestors[i, t]
            g = a[i, t] * (g_a[i, t] - mean)
            g_s[i, t] = g
            for c in range(first, first + width):
                g_q[i, c] += g * k[j, c]
                g_k[j, c] += g * q[i, c]
        for t in range(position[i] + 1, a.shape[1]):
            g_a[i, t] = ZERO
            g_s[i, t] = ZERO
    for i in range(v.shape[0]):
        for c in range(first, first + width):
            g_q[i, c] = g_q[i, c] / root
            g_k[i, c] = g_k[i, c] / root
