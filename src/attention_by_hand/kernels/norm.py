"""LayerNorm of each row, forward and backward. No row sees another."""

import numpy as np

from .numeric import ONE, ZERO, square_root
from .types import Matrix, Real, Vector, Whole

#: Rows that are worked at once. Single rows the compiler would turn into columns and back, by many shuffles.
ROWS = 6


def layer_norm(
    x: Matrix,
    gain: Vector,
    bias: Vector,
    epsilon: Real,
    mean: Vector,
    rstd: Vector,
    xhat: Matrix,
    out: Matrix,
) -> None:
    """Row by row: subtract the mean, divide by the standard deviation, scale, shift.

    ``mean = (Σ_d x)/D``, ``rstd = 1/√((Σ_d (x−mean)²)/D + ε)``, ``xhat = (x−mean)·rstd``,
    ``out = xhat·gain + bias``. The variance is divided by D, not D−1.
    """
    width = np.float32(x.shape[1])
    for i in range(x.shape[0]):
        total = ZERO
        for d in range(x.shape[1]):
            total += x[i, d]
        m = total / width
        mean[i] = m
        total = ZERO
        for d in range(x.shape[1]):
            total += (x[i, d] - m) * (x[i, d] - m)
        rstd[i] = ONE / square_root(total / width + epsilon)
    whole = x.shape[0] - x.shape[0] % ROWS
    for top in range(0, whole, ROWS):
        normalise(x, gain, bias, mean, rstd, xhat, out, top, ROWS)
    for top in range(whole, x.shape[0]):
        normalise(x, gain, bias, mean, rstd, xhat, out, top, 1)


def normalise(
    x: Matrix,
    gain: Vector,
    bias: Vector,
    mean: Vector,
    rstd: Vector,
    xhat: Matrix,
    out: Matrix,
    top: Whole,
    rows: Whole,
) -> None:
    """Some rows of `layer_norm`, once their ``mean`` and ``rstd`` are known."""
    for i in range(top, top + rows):
        for d in range(x.shape[1]):
            xhat[i, d] = (x[i, d] - mean[i]) * rstd[i]
            out[i, d] = xhat[i, d] * gain[d] + bias[d]


def layer_norm_backward(
    x: Matrix,
    gain: Vector,
    mean: Vector,
    rstd: Vector,
    g_out: Matrix,
    g_xhat: Matrix,
    g_rstd: Vector,
    g_mean: Vector,
    g_x: Matrix,
) -> None:
    """The chain rule through ``xhat``, ``rstd`` and ``mean``, each kept under its own name.

    ``g_xhat = g_out·gain``, ``g_rstd = Σ_d g_xhat·(x−mean)``, ``g_mean = −(Σ_d g_xhat)·rstd``,
    ``g_x = g_xhat·rstd + g_mean/D − (g_rstd·rstd³/D)·(x−mean)``.
    """
    for i in range(x.shape[0]):
        for d in range(x.shape[1]):
            g_xhat[i, d] = g_out[i, d] * gain[d]
    for i in range(x.shape[0]):
        along = ZERO
        total = ZERO
        for d in range(x.shape[1]):
            along += g_xhat[i, d] * (x[i, d] - mean[i])
            total += g_xhat[i, d]
        g_rstd[i] = along
        g_mean[i] = -(total * rstd[i])
    whole = x.shape[0] - x.shape[0] % ROWS
    for top in range(0, whole, ROWS):
        normalise_backward(x, mean, rstd, g_xhat, g_rstd, g_mean, g_x, top, ROWS)
    for top in range(whole, x.shape[0]):
        normalise_backward(x, mean, rstd, g_xhat, g_rstd, g_mean, g_x, top, 1)


def normalise_backward(
    x: Matrix,
    mean: Vector,
    rstd: Vector,
    g_xhat: Matrix,
    g_rstd: Vector,
    g_mean: Vector,
    g_x: Matrix,
    top: Whole,
    rows: Whole,
) -> None:
    """Some rows of `layer_norm_backward`, once their ``g_xhat``, ``g_rstd`` and ``g_mean`` are known."""
    width = np.float32(x.shape[1])
    for i in range(top, top + rows):
        r = rstd[i]
        m = mean[i]
        shift = g_mean[i] / width
        pull = g_rstd[i] * r * r * r / width
        for d in range(x.shape[1]):
            g_x[i, d] = g_xhat[i, d] * r + shift - pull * (x[i, d] - m)


def gain_and_bias_gradient(g_out: Matrix, xhat: Matrix, g_gain: Vector, g_bias: Vector) -> None:
    """``g_gain[d] = Σ_i g_out[i,d]·xhat[i,d]``, ``g_bias[d] = Σ_i g_out[i,d]``."""
    for d in range(g_out.shape[1]):
        g_gain[d] = ZERO
        g_bias[d] = ZERO
    for i in range(g_out.shape[0]):
        for d in range(g_out.shape[1]):
            g_gain[d] += g_out[i, d] * xhat[i, d]
            g_bias[d] += g_out[i, d]
