"""The training loss, computed plainly: every one of the 100 sequences on its own, no prefix shared.

A quantity of a shared prefix (say the row of Q after ``7×``) arises once in each sequence that has the
prefix. Nudging the shared row nudges all of them, so its gradient is the sum over those sequences.
"""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

from . import task
from .model import VOCABULARY, Array, Named, Parameters, forward, in_float64, loss


def _groups() -> list[tuple[list[task.Sequence], np.ndarray, np.ndarray]]:
    """Sequences of one length together: the sequences, their inputs [k, n] and weights [k, n, 14]."""
    total = len(task.targets())
    groups = []
    for length in sorted({len(seq) for seq in task.SEQUENCES.values()}):
        seqs = [seq for seq in task.SEQUENCES.values() if len(seq) == length]
        ids = np.array([task.ids(seq) for seq in seqs])
        weights = np.eye(VOCABULARY)[ids[:, 1:]] / total
        groups.append((seqs, ids[:, :-1], weights))
    return groups


GROUPS = _groups()


def _loss(parameters: Parameters) -> Array:
    each = jax.vmap(loss, in_axes=(None, 0, 0, None))
    return sum(
        (
            each(parameters, jnp.asarray(tokens), jnp.asarray(weights), {}).sum()
            for _, tokens, weights in GROUPS
        ),
        start=jnp.zeros(()),
    )


_loss_jit = jax.jit(_loss)
_loss_and_gradients = jax.jit(jax.value_and_grad(_loss))


def batch_loss(parameters: Mapping[str, object]) -> float:
    """The mean of −ln P(next token) over the 558 targets."""
    return float(_loss_jit(in_float64(parameters)))


def batch_gradients(parameters: Mapping[str, object]) -> tuple[float, dict[str, np.ndarray]]:
    """The loss and its gradient by every parameter."""
    value, gradients = _loss_and_gradients(in_float64(parameters))
    return float(value), {name: np.asarray(gradient) for name, gradient in gradients.items()}


def _one(parameters: Parameters, tokens: Array, weights: Array) -> tuple[Named, Named]:
    shapes = jax.eval_shape(forward, parameters, tokens, weights, {})
    nothing = {name: jnp.zeros(shape.shape) for name, shape in shapes.items()}
    by_name = jax.grad(loss, argnums=3)(parameters, tokens, weights, nothing)
    return forward(parameters, tokens, weights, {}), by_name


_every = jax.jit(jax.vmap(_one, in_axes=(None, 0, 0)))

Rows = dict[task.Sequence, np.ndarray]


def batch_activations(parameters: Mapping[str, object]) -> tuple[dict[str, Rows], dict[str, Rows]]:
    """Every named row of every distinct prefix, and the gradient of the training loss by it.

    Returns
    -------
    values, gradients : name → prefix → row
        Rows of S and A have as many cells as the prefix has tokens. `Loss` is left out.
    """
    p = in_float64(parameters)
    values: dict[str, Rows] = {}
    gradients: dict[str, Rows] = {}
    for seqs, tokens, weights in GROUPS:
        value, gradient = _every(p, jnp.asarray(tokens), jnp.asarray(weights))
        for name in value:
            if name == "Loss":
                continue
            rows, slopes = np.asarray(value[name]), np.asarray(gradient[name])
            for index, seq in enumerate(seqs):
                for position in range(len(seq) - 1):
                    prefix = seq[: position + 1]
                    row, slope = rows[index, position], slopes[index, position]
                    if name.endswith((".S", ".A")):
                        row, slope = row[: position + 1], slope[: position + 1]
                    known = values.setdefault(name, {}).setdefault(prefix, row)
                    assert np.allclose(known, row, rtol=1e-12, atol=1e-13), f"{name} differs after {prefix}"
                    sums = gradients.setdefault(name, {})
                    sums[prefix] = sums[prefix] + slope if prefix in sums else slope
    return values, gradients
