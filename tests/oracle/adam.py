"""Adam in float64, as in Kingma and Ba (2015), algorithm 1, and a step size that shortens near the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

State = dict[str, np.ndarray]


@dataclass(frozen=True)
class Adam:
    """The constants of the optimizer.

    `rate` is the full step size, `lm_rate` that of LM. Once the loss is nearer to its floor than `near`, the
    step shortens in proportion to that distance, down to `least` of the full size.
    """

    rate: float
    lm_rate: float
    beta1: float
    beta2: float
    epsilon: float
    near: float
    least: float

    def step_size(self, loss: float, floor: float) -> float:
        """The step size at a loss."""
        return self.rate * min(1.0, max(self.least, (loss - floor) / self.near))

    def update(
        self, parameters: State, gradients: State, m: State, v: State, step: int, step_size: float
    ) -> tuple[State, State, State]:
        """New parameters, m and v after update number `step`; the first is 1. `step_size` is not yet LM's."""
        new_p, new_m, new_v = {}, {}, {}
        for name, gradient in gradients.items():
            new_m[name] = self.beta1 * m[name] + (1 - self.beta1) * gradient
            new_v[name] = self.beta2 * v[name] + (1 - self.beta2) * gradient**2
            m_hat = new_m[name] / (1 - self.beta1**step)
            v_hat = new_v[name] / (1 - self.beta2**step)
            size = step_size * (self.lm_rate / self.rate if name == "LM" else 1)
            new_p[name] = parameters[name] - size * m_hat / (np.sqrt(v_hat) + self.epsilon)
        return new_p, new_m, new_v
