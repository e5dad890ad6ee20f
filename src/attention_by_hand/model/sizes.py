"""How large the model is, how it starts and how it is trained. Other numbers here give another model."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """Initialization and optimizer, in one line for a reader.

    Uniform start with standard deviation `embedding_std` for the two embedding tables and
    `weight_std`/√fan-in for matrices; full batch; Adam with `beta1`, `beta2`, `epsilon`, step size
    `rate` (`lm_rate` for LM), and, once the loss is within `near` of its floor, in proportion to that
    distance (not below `least` of it).
    """

    embedding_std: float = 0.2
    weight_std: float = 0.3
    rate: float = 0.02
    lm_rate: float = 0.16
    near: float = 0.2
    least: float = 0.02
    beta1: float = 0.7
    beta2: float = 0.8
    epsilon: float = 1e-8
    norm_epsilon: float = 1e-5


@dataclass(frozen=True)
class Sizes:
    """Shape letters of the model. ``d_head`` is ``d_model / heads``."""

    vocabulary: int = 14
    positions: int = 16
    d_model: int = 8
    heads: int = 2
    d_ff: int = 64
    layers: int = 2
    recipe: Recipe = field(default_factory=Recipe)

    @property
    def d_head(self) -> int:
        """Columns that one head owns."""
        return self.d_model // self.heads

    @property
    def root(self) -> float:
        """√d_head, the divisor of attention scores."""
        return math.sqrt(self.d_head)


@dataclass(frozen=True)
class Context:
    """A set of rows the model is run on: its name, its rows, and how far back a row may read."""

    name: str
    rows: int
    sources: int
