"""One step of Adam (Kingma and Ba 2015), from the current values to the next ones."""

from .numeric import ONE, square_root
from .types import Real, Vector


def step_size(loss: Vector, floor: Vector, rate: Real, near: Real, least: Real, out: Vector) -> None:
    """``out = rate · clamp((loss − floor)/near, least, 1)``: full steps, and short ones close to the floor.

    A constant step size makes a solved table jump out of its valley again.
    """
    share = (loss[0] - floor[0]) / near
    if share < least:
        share = least
    if share > ONE:
        share = ONE
    out[0] = rate * share


def next_powers(
    power1: Vector, power2: Vector, beta1: Real, beta2: Real, next_power1: Vector, next_power2: Vector
) -> None:
    """β1ᵗ and β2ᵗ, multiplied up step by step."""
    next_power1[0] = power1[0] * beta1
    next_power2[0] = power2[0] * beta2


def adam(
    parameter: Vector,
    gradient: Vector,
    m: Vector,
    v: Vector,
    next_power1: Vector,
    next_power2: Vector,
    rate: Vector,
    beta1: Real,
    beta2: Real,
    epsilon: Real,
    next_parameter: Vector,
    next_m: Vector,
    next_v: Vector,
) -> None:
    """From gradient to next parameter, each cell by itself.

    ``m' = β1·m + (1−β1)·g``, ``v' = β2·v + (1−β2)·g·g``, ``θ' = θ − η·(m'/(1−β1ᵗ)) / (√(v'/(1−β2ᵗ)) + ε)``.
    """
    scale1 = ONE - next_power1[0]
    scale2 = ONE - next_power2[0]
    rest1 = ONE - beta1
    rest2 = ONE - beta2
    for p in range(parameter.shape[0]):
        g = gradient[p]
        next_m[p] = beta1 * m[p] + rest1 * g
        next_v[p] = beta2 * v[p] + rest2 * g * g
        next_parameter[p] = parameter[p] - rate[0] * (next_m[p] / scale1) / (
            square_root(next_v[p] / scale2) + epsilon
        )
