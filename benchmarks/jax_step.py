"""The same model and the same training step in JAX, compiled by jit, written the usual way.

For comparing speed only. Values are compared in tests/, against an oracle of their own.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from problem import (
    BETA1,
    BETA2,
    EPSILON,
    FLOOR,
    HEADS,
    LAYERS,
    LEAST,
    LM_RATE,
    NEAR,
    RATE,
    WIDTH,
    batch,
    initial,
    solved,
)
from worker import serve

Tree = dict[str, jax.Array]


def norm(x: jax.Array, tree: Tree, name: str) -> jax.Array:
    """LayerNorm over the last axis."""
    centered = x - x.mean(-1, keepdims=True)
    scale = jax.lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-5)
    return centered * scale * tree[f"{name}.gain"] + tree[f"{name}.bias"]


def loss(tree: Tree, tokens: jax.Array, targets: jax.Array, counts: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the mean of −ln P over the targets that count, and the most likely tokens."""
    rows, n = tokens.shape
    x = tree["TokenEmb"][tokens] + tree["PosEmb"][:n]
    past = jnp.tril(jnp.ones((n, n), bool))
    for layer in range(LAYERS):
        normed = norm(x, tree, f"{layer}.LN1")
        q, k, v = (
            (normed @ tree[f"{layer}.{name}"]).reshape(rows, n, HEADS, -1) for name in ("WQ", "WK", "WV")
        )
        scores = jnp.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(WIDTH // HEADS)
        shares = jax.nn.softmax(jnp.where(past, scores, -jnp.inf))
        heads = jnp.einsum("bhij,bjhd->bihd", shares, v).reshape(rows, n, WIDTH)
        x = x + heads @ tree[f"{layer}.WO"]
        normed = norm(x, tree, f"{layer}.LN2")
        hidden = jax.nn.relu(normed @ tree[f"{layer}.W1"] + tree[f"{layer}.b1"])
        x = x + hidden @ tree[f"{layer}.W2"] + tree[f"{layer}.b2"]
    logits = norm(x, tree, "FinalLN") @ tree["LM"]
    each = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)[..., 0]
    return -(each * counts).sum() / counts.sum(), logits.argmax(-1)


@jax.jit
def update(
    tree: Tree, m: Tree, v: Tree, step: jax.Array, data: tuple[jax.Array, jax.Array, jax.Array]
) -> tuple[Tree, Tree, Tree, jax.Array, jax.Array]:
    """Take one step of Adam on the whole batch."""
    (value, best), gradient = jax.value_and_grad(loss, has_aux=True)(tree, *data)
    share = jnp.clip((value - FLOOR) / NEAR, LEAST, 1)
    m = {name: BETA1 * m[name] + (1 - BETA1) * part for name, part in gradient.items()}
    v = {name: BETA2 * v[name] + (1 - BETA2) * part**2 for name, part in gradient.items()}
    first, second = 1 - BETA1**step, 1 - BETA2**step
    tree = {
        name: part
        - (LM_RATE if name == "LM" else RATE)
        * share
        * (m[name] / first)
        / (jnp.sqrt(v[name] / second) + EPSILON)
        for name, part in tree.items()
    }
    return tree, m, v, value, best


class Training:
    """A run from a seed; `step` takes one step and returns the loss before it."""

    def __init__(self, seed: int) -> None:
        self.tree = {name: jnp.asarray(part) for name, part in initial(seed).items()}
        self.m = jax.tree.map(jnp.zeros_like, self.tree)
        self.v = self.m
        self.data = tuple(map(jnp.asarray, batch()))
        self.steps = 0
        self.best = jnp.zeros((100, 6), int)

    def step(self) -> float:
        """Take one step and wait for it."""
        self.steps += 1
        self.tree, self.m, self.v, value, self.best = update(
            self.tree, self.m, self.v, jnp.float32(self.steps), self.data
        )
        return float(value)

    def solved(self) -> int:
        """Problems solved at the parameters before the last step."""
        return solved(np.asarray(self.best))


if __name__ == "__main__":
    serve(Training)
