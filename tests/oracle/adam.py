"""Adam in float64, as in Kingma and Ba (2015), algorithm 1."""

from __future__ import annotations

import numpy as np

BETA1, BETA2, EPSILON = 0.9, 0.99, 1e-8

State = dict[str, np.ndarray]


def update(
    parameters: State, gradients: State, m: State, v: State, step: int, step_size: float
) -> tuple[State, State, State]:
    """New parameters, m and v after update number `step` (the first is 1); the arguments stay as they are."""
    new_p, new_m, new_v = {}, {}, {}
    for name, gradient in gradients.items():
        new_m[name] = BETA1 * m[name] + (1 - BETA1) * gradient
        new_v[name] = BETA2 * v[name] + (1 - BETA2) * gradient**2
        m_hat = new_m[name] / (1 - BETA1**step)
        v_hat = new_v[name] / (1 - BETA2**step)
        new_p[name] = parameters[name] - step_size * m_hat / (np.sqrt(v_hat) + EPSILON)
    return new_p, new_m, new_v
