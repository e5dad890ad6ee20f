"""The same model and the same training step in JAX, written the usual way: a padded batch of 100 sequences.

For comparing speed only. Values are compared in tests/, against an oracle of their own.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

VOCABULARY, POSITIONS, WIDTH, HEADS, HIDDEN, LAYERS = 14, 16, 8, 2, 64, 2
TIMES, EQUALS, END = 10, 11, 12
RATE, BETA1, BETA2, EPSILON = 0.01, 0.9, 0.99, 1e-8

Tree = dict[str, jax.Array]


def batch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return inputs and targets [100, 6], and which of the targets count."""
    sequences = [[a, TIMES, b, EQUALS, *map(int, str(a * b)), END] for a in range(10) for b in range(10)]
    longest = max(map(len, sequences))
    padded = np.array([row + [END] * (longest - len(row)) for row in sequences])
    counts = np.array([[place < len(row) - 1 for place in range(longest - 1)] for row in sequences])
    return padded[:, :-1], padded[:, 1:], counts


def initial(seed: int) -> Tree:
    """Return random parameters, 3,136 in all."""
    shapes = {"TokenEmb": (VOCABULARY, WIDTH), "PosEmb": (POSITIONS, WIDTH), "LM": (WIDTH, VOCABULARY)}
    vectors = {"FinalLN": 1.0}
    for layer in range(LAYERS):
        shapes |= {f"{layer}.{name}": (WIDTH, WIDTH) for name in ("WQ", "WK", "WV", "WO")}
        shapes |= {f"{layer}.W1": (WIDTH, HIDDEN), f"{layer}.W2": (HIDDEN, WIDTH)}
        vectors |= {f"{layer}.LN1": 1.0, f"{layer}.LN2": 1.0}
    keys = jax.random.split(jax.random.key(seed), len(shapes))
    tree = {
        name: jax.random.normal(key, shape) * 0.3
        for key, (name, shape) in zip(keys, shapes.items(), strict=True)
    }
    for name, gain in vectors.items():
        tree |= {f"{name}.gain": jnp.full(WIDTH, gain), f"{name}.bias": jnp.zeros(WIDTH)}
    for layer in range(LAYERS):
        tree |= {f"{layer}.b1": jnp.zeros(HIDDEN), f"{layer}.b2": jnp.zeros(WIDTH)}
    return tree


def norm(x: jax.Array, tree: Tree, name: str) -> jax.Array:
    """LayerNorm over the last axis."""
    centered = x - x.mean(-1, keepdims=True)
    scale = jax.lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-5)
    return centered * scale * tree[f"{name}.gain"] + tree[f"{name}.bias"]


def loss(tree: Tree, tokens: jax.Array, targets: jax.Array, counts: jax.Array) -> jax.Array:
    """Return the mean of −ln P over the targets that count."""
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
    return -(each * counts).sum() / counts.sum()


@jax.jit
def update(
    tree: Tree, m: Tree, v: Tree, step: jax.Array, data: tuple[jax.Array, jax.Array, jax.Array]
) -> tuple[Tree, Tree, Tree, jax.Array]:
    """Take one step of Adam on the whole batch."""
    value, gradient = jax.value_and_grad(loss)(tree, *data)
    m = {name: BETA1 * m[name] + (1 - BETA1) * part for name, part in gradient.items()}
    v = {name: BETA2 * v[name] + (1 - BETA2) * part**2 for name, part in gradient.items()}
    first, second = 1 - BETA1**step, 1 - BETA2**step
    tree = {
        name: part - RATE * (m[name] / first) / (jnp.sqrt(v[name] / second) + EPSILON)
        for name, part in tree.items()
    }
    return tree, m, v, value


class JaxTraining:
    """A training that goes on by one step with each call of `step`."""

    def __init__(self, seed: int) -> None:
        self.tree = initial(seed)
        count = sum(part.size for part in self.tree.values())
        if count != 3136:
            raise ValueError(f"{count} parameters instead of 3136: this would not be the same work")
        self.m = jax.tree.map(jnp.zeros_like, self.tree)
        self.v = self.m
        self.data = tuple(map(jnp.asarray, batch()))
        self.steps = 0

    def step(self) -> float:
        """Take one step and wait for it; return the loss before it."""
        self.steps += 1
        self.tree, self.m, self.v, value = update(
            self.tree, self.m, self.v, jnp.float32(self.steps), self.data
        )
        return float(value)
