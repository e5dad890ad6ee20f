"""The model in jax and float64, one named quantity a line.

Shapes: n tokens, d_model 8, 2 layers, 2 heads of 4, d_ff 64, vocabulary 14, 16 positions.

Every named quantity passes through ``point(name, value)``, which adds a given perturbation to it (zero
unless asked for). So dLoss/d(quantity) is the derivative of the loss by that perturbation at zero, and
autodiff gives it for every name at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

D_MODEL, N_HEADS, D_HEAD, D_FF, N_LAYERS, VOCABULARY, POSITIONS = 8, 2, 4, 64, 2, 14, 16
EPSILON = 1e-5

Array = jax.Array
Parameters = Mapping[str, Array]
Named = dict[str, Array]


def parameter_shapes() -> dict[str, tuple[int, ...]]:
    """Name → shape of every trainable tensor."""
    shapes: dict[str, tuple[int, ...]] = {"TokenEmb": (VOCABULARY, D_MODEL), "PosEmb": (POSITIONS, D_MODEL)}
    for layer in range(1, N_LAYERS + 1):
        at = f"layer{layer}"
        shapes |= {f"{at}.LN1.gain": (D_MODEL,), f"{at}.LN1.bias": (D_MODEL,)}
        shapes |= {f"{at}.{name}": (D_MODEL, D_MODEL) for name in ("WQ", "WK", "WV", "WO")}
        shapes |= {f"{at}.LN2.gain": (D_MODEL,), f"{at}.LN2.bias": (D_MODEL,)}
        shapes |= {f"{at}.W1": (D_MODEL, D_FF), f"{at}.b1": (D_FF,)}
        shapes |= {f"{at}.W2": (D_FF, D_MODEL), f"{at}.b2": (D_MODEL,)}
    shapes |= {"FinalLN.gain": (D_MODEL,), "FinalLN.bias": (D_MODEL,), "LM": (D_MODEL, VOCABULARY)}
    return shapes


def random_parameters(seed: int, scale: float = 0.5) -> dict[str, np.ndarray]:
    """Some parameters to test with, every tensor random (LayerNorm gains around 1)."""
    draw = np.random.default_rng(seed)
    result = {name: scale * draw.standard_normal(shape) for name, shape in parameter_shapes().items()}
    return {name: value + 1.0 if name.endswith("gain") else value for name, value in result.items()}


def columns(head: int) -> slice:
    """The columns of Q, K, V (and rows of WO) that belong to head 1 or 2."""
    return slice(D_HEAD * (head - 1), D_HEAD * head)


Point = Callable[[str, Array], Array]


def layer_norm(point: Point, at: str, output: str, x: Array, gain: Array, bias: Array) -> Array:
    """[n, 8] → [n, 8]: (x − mean) · rstd · gain + bias by row, the variance divided by 8."""
    mean = point(f"{at}.mean", x.mean(axis=1))
    rstd = point(f"{at}.rstd", 1.0 / jnp.sqrt(((x - mean[:, None]) ** 2).mean(axis=1) + EPSILON))
    xhat = point(f"{at}.xhat", (x - mean[:, None]) * rstd[:, None])
    return point(output, xhat * gain + bias)


def forward(parameters: Parameters, tokens: Array, weights: Array, nudge: Mapping[str, Array]) -> Named:
    """Every named quantity of one prompt.

    Parameters
    ----------
    parameters : mapping of name to array
        Shapes of `parameter_shapes`.
    tokens : [n] integers
    weights : [n, 14]
        What each −ln P(c) of each row counts in the loss: Loss = Σ weights · (−ln P).
    nudge : mapping of name to array
        Added to the quantity of that name where it arises.
    """
    p = parameters
    n = tokens.shape[0]
    seen = jnp.tril(jnp.ones((n, n), dtype=bool))  # row i may read columns 0…i
    named: Named = {}

    def point(name: str, value: Array) -> Array:
        assert name not in named, f"{name} was computed twice"
        named[name] = value + nudge[name] if name in nudge else value
        return named[name]

    x = point("X", p["TokenEmb"][tokens] + p["PosEmb"][jnp.arange(n)])
    for layer in range(1, N_LAYERS + 1):
        at = f"layer{layer}"
        x_in = point(f"{at}.X_in", x)
        x_norm = layer_norm(
            point, f"{at}.LN1", f"{at}.X_norm", x_in, p[f"{at}.LN1.gain"], p[f"{at}.LN1.bias"]
        )
        q = point(f"{at}.Q", x_norm @ p[f"{at}.WQ"])
        k = point(f"{at}.K", x_norm @ p[f"{at}.WK"])
        v = point(f"{at}.V", x_norm @ p[f"{at}.WV"])
        heads = []
        for head in range(1, N_HEADS + 1):
            here, own = f"{at}.head{head}", columns(head)
            q_h = point(f"{here}.Q", q[:, own])
            k_h = point(f"{here}.K", k[:, own])
            v_h = point(f"{here}.V", v[:, own])
            # The mask comes after the nudge: a masked score stays −inf and its gradient is 0.
            scores = point(f"{here}.S", q_h @ k_h.T / jnp.sqrt(1.0 * D_HEAD))
            named[f"{here}.S"] = masked = jnp.where(seen, scores, -jnp.inf)
            powers = jnp.exp(masked - masked.max(axis=1, keepdims=True))
            reading = point(f"{here}.A", powers / powers.sum(axis=1, keepdims=True))
            named[f"{here}.A"] = jnp.where(seen, reading, 0.0)
            heads.append(point(f"{here}.H", named[f"{here}.A"] @ v_h))
        h = point(f"{at}.H", jnp.concatenate(heads, axis=1))
        writes = [
            point(f"{at}.head{head}.write", h[:, columns(head)] @ p[f"{at}.WO"][columns(head), :])
            for head in range(1, N_HEADS + 1)
        ]
        attn_out = point(f"{at}.AttnOut", writes[0] + writes[1])
        x_mid = point(f"{at}.X_mid", x_in + attn_out)
        x_mid_norm = layer_norm(
            point, f"{at}.LN2", f"{at}.X_mid_norm", x_mid, p[f"{at}.LN2.gain"], p[f"{at}.LN2.bias"]
        )
        u = point(f"{at}.U", x_mid_norm @ p[f"{at}.W1"] + p[f"{at}.b1"])
        r = point(f"{at}.R", jnp.where(u > 0, u, 0.0))
        ffn_out = point(f"{at}.FFNOut", r @ p[f"{at}.W2"] + p[f"{at}.b2"])
        x = point(f"{at}.X_out", x_mid + ffn_out)
    final = layer_norm(point, "FinalLN", "Final", x, p["FinalLN.gain"], p["FinalLN.bias"])
    logits = point("logits", final @ p["LM"])
    powers = jnp.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = point("P", powers / powers.sum(axis=1, keepdims=True))
    point("Loss", -(weights * jnp.log(probabilities)).sum())
    return named


def loss(parameters: Parameters, tokens: Array, weights: Array, nudge: Mapping[str, Array]) -> Array:
    """The loss alone, a scalar."""
    return forward(parameters, tokens, weights, nudge)["Loss"]


@partial(jax.jit)
def _trace(parameters: Parameters, tokens: Array, weights: Array) -> tuple[Named, Named, Named]:
    shapes = jax.eval_shape(forward, parameters, tokens, weights, {})
    nothing = {name: jnp.zeros(shape.shape) for name, shape in shapes.items()}
    by_parameter, by_name = jax.grad(loss, argnums=(0, 3))(parameters, tokens, weights, nothing)
    return forward(parameters, tokens, weights, {}), by_parameter, by_name


def per_head(parameters: Parameters) -> dict[str, np.ndarray]:
    """The head views of WQ, WK, WV (8×4 columns) and WO (4×8 rows); works for gradients just as well."""
    views: dict[str, np.ndarray] = {}
    for layer in range(1, N_LAYERS + 1):
        for head in range(1, N_HEADS + 1):
            for name in ("WQ", "WK", "WV"):
                view = np.asarray(parameters[f"layer{layer}.{name}"])[:, columns(head)]
                views[f"layer{layer}.head{head}.{name}"] = view
            views[f"layer{layer}.head{head}.WO"] = np.asarray(parameters[f"layer{layer}.WO"])[
                columns(head), :
            ]
    return views


def circuits(parameters: Parameters) -> dict[str, np.ndarray]:
    """QK = WQ_h·WK_hᵀ and OV = WV_h·WO_h of every head, each 8×8."""
    views = per_head(parameters)
    result: dict[str, np.ndarray] = {}
    for layer in range(1, N_LAYERS + 1):
        for head in range(1, N_HEADS + 1):
            at = f"layer{layer}.head{head}"
            result[f"{at}.QK"] = views[f"{at}.WQ"] @ views[f"{at}.WK"].T
            result[f"{at}.OV"] = views[f"{at}.WV"] @ views[f"{at}.WO"]
    return result


def in_float64(parameters: Mapping[str, object]) -> dict[str, Array]:
    """The parameters as jax float64 arrays, their names and shapes checked."""
    shapes = parameter_shapes()
    assert set(parameters) == set(shapes), f"parameter names differ: {set(parameters) ^ set(shapes)}"
    result = {name: jnp.asarray(np.asarray(parameters[name], dtype=np.float64)) for name in shapes}
    for name, shape in shapes.items():
        assert result[name].shape == shape, f"{name} has shape {result[name].shape}, expected {shape}"
    return result


def _cut(name: str, value: Array, n: int) -> np.ndarray:
    """Rows (and for S and A also columns) of the n real tokens out of the padded 16."""
    array = np.asarray(value)
    if array.ndim == 0:
        return array
    return array[:n, :n] if name.endswith((".S", ".A")) else array[:n]


def trace(
    parameters: Mapping[str, object], tokens: list[int], weights: np.ndarray | None = None
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Every named quantity of a prompt, and the gradient of its loss by every one of them.

    Parameters
    ----------
    parameters : mapping of name to array
    tokens : list of 1 to 16 token ids
    weights : [n, 14], optional
        See `forward`; without it the loss is 0 everywhere and so are the gradients.

    Returns
    -------
    values, gradients : dict of name to float64 array
        `gradients` also holds the parameters and their head views, under the plain name.
    """
    n = len(tokens)
    assert 1 <= n <= POSITIONS
    # Causal: rows after the prompt cannot reach it. Filling up to 16 lets one compiled program serve all n.
    padded = jnp.asarray(tokens + [0] * (POSITIONS - n))
    full = np.zeros((POSITIONS, VOCABULARY))
    if weights is not None:
        full[:n] = weights
    p = in_float64(parameters)
    values, by_parameter, by_name = _trace(p, padded, jnp.asarray(full))
    gradients = {name: _cut(name, value, n) for name, value in by_name.items()}
    gradients |= {name: np.asarray(value) for name, value in by_parameter.items()}
    gradients |= per_head(by_parameter)
    return {name: _cut(name, value, n) for name, value in values.items()}, gradients


def last_row(n: int, target: int) -> np.ndarray:
    """The weights of a single-prompt loss: −ln P(target) at the last of n rows, nothing else. [n, 14]"""
    weights = np.zeros((n, VOCABULARY))
    weights[n - 1, target] = 1.0
    return weights
