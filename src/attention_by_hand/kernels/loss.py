"""From probabilities to the loss and back.

``counts[i,c]`` says how often token c follows row i: the target of a prompt is one count of 1.
"""

import numpy as np

from .numeric import ZERO, ln
from .types import IdMatrix, Ids, Matrix, Vector


def count_targets(counts: Matrix, weight: Vector, total: Vector, row_floor: Vector, floor: Vector) -> None:
    """How many targets there are, and the least loss that any model can reach on them.

    ``weight[i] = Σ_c counts[i,c]``, ``total = Σ_i weight[i]``: 558 in the prefix tree.
    ``row_floor[i] = Σ_c counts·(−ln(counts/weight[i]))`` over the c that occur,
    ``floor = (Σ_i row_floor)/total``.
    """
    everything = ZERO
    least = ZERO
    for i in range(counts.shape[0]):
        row = ZERO
        for c in range(counts.shape[1]):
            row += counts[i, c]
        weight[i] = row
        everything += row
        entropy = ZERO
        for c in range(counts.shape[1]):
            if counts[i, c] > ZERO:
                entropy += counts[i, c] * -ln(counts[i, c] / row)
        row_floor[i] = entropy
        least += entropy
    total[0] = everything
    floor[0] = least / everything


def cross_entropy(p: Matrix, counts: Matrix, total: Vector, row_loss: Vector, loss: Vector) -> None:
    """``row_loss[i] = Σ_c counts·(−ln p)`` over the c that occur; ``loss = (Σ_i row_loss)/total``."""
    everything = ZERO
    for i in range(p.shape[0]):
        row = ZERO
        for c in range(p.shape[1]):
            if counts[i, c] > ZERO:
                row += counts[i, c] * -ln(p[i, c])
        row_loss[i] = row
        everything += row
    loss[0] = everything / total[0]


def cross_entropy_backward(
    p: Matrix, counts: Matrix, weight: Vector, total: Vector, g_logits: Matrix
) -> None:
    """``g_logits = (weight·p − counts)/total``; for one target this is P − onehot(target)."""
    for i in range(p.shape[0]):
        for c in range(p.shape[1]):
            g_logits[i, c] = (weight[i] * p[i, c] - counts[i, c]) / total[0]


def probability_gradient(p: Matrix, counts: Matrix, total: Vector, g_p: Matrix) -> None:
    """``g_p = −counts/p/total`` where the token occurs, else 0."""
    for i in range(p.shape[0]):
        for c in range(p.shape[1]):
            g_p[i, c] = -(counts[i, c] / p[i, c]) / total[0] if counts[i, c] > ZERO else ZERO


def contribution(part: Matrix, gain: Vector, rstd: Vector, lm: Matrix, mean: Vector, out: Matrix) -> None:
    """What one part of the residual stream adds to the logits, with FinalLN's scale held as it is.

    ``out[i,c] = Σ_d (part[i,d] − mean[i])·rstd[i]·gain[d]·lm[d,c]``, ``mean[i]`` the part's own mean.
    """
    width = np.float32(part.shape[1])
    for i in range(part.shape[0]):
        total = ZERO
        for d in range(part.shape[1]):
            total += part[i, d]
        mean[i] = total / width
        for c in range(lm.shape[1]):
            total = ZERO
            for d in range(part.shape[1]):
                total += (part[i, d] - mean[i]) * rstd[i] * gain[d] * lm[d, c]
            out[i, c] = total


def bias_contribution(bias: Vector, lm: Matrix, out: Vector) -> None:
    """``out[c] = Σ_d bias[d]·lm[d,c]``: what FinalLN's bias adds to every row's logits."""
    for c in range(lm.shape[1]):
        total = ZERO
        for d in range(lm.shape[0]):
            total += bias[d] * lm[d, c]
        out[c] = total


def count_solved(p: Matrix, nodes: IdMatrix, answers: IdMatrix, solved: IdMatrix, count: Ids) -> None:
    """A problem is solved when the most likely token is right at each of its answer nodes.

    Decoding starts at ``a×b=``; while every token is right it walks along the tree's own
    nodes, so this equals decoding token by token until END. The first of equal maxima wins: a token is right
    when no other is more likely and none before it is as likely.
    """
    total = 0
    for problem in range(nodes.shape[0]):
        right = 1
        for step in range(nodes.shape[1]):
            i = nodes[problem, step]
            answer = answers[problem, step]
            most = p[i, answer]
            for c in range(p.shape[1]):
                if not p[i, c] <= most:  # NaN is never right
                    right = 0
                if p[i, c] == most and c < answer:
                    right = 0
        solved[problem // 10, problem % 10] = right
        total += right
    count[0] = total
