"""The oracle itself, against hand calculations, a loop version and central differences."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from . import model, task
from .adam import Adam
from .batch import batch_activations, batch_gradients, batch_loss
from .decode import decode, solved

PROMPTS = ["7", "7×8=", "7×8=5", "==×09", "0123456789×=×=01"]


@pytest.fixture(scope="module")
def parameters():
    return model.random_parameters(seed=5)


def close(got, expected, what, tolerance=1e-10):
    scale = np.abs(np.asarray(expected)).max(initial=0.0) + 1e-30
    error = np.abs(np.asarray(got) - np.asarray(expected)).max(initial=0.0)
    assert error <= tolerance * scale, f"{what}: off by {error:.3g} where values reach {scale:.3g}"


def test_parameters_are_3136():
    shapes = model.parameter_shapes()
    assert sum(math.prod(shape) for shape in shapes.values()) == 3136
    assert math.prod(shapes["TokenEmb"]) + math.prod(shapes["PosEmb"]) == 240


def test_no_output_matrix_means_even_odds(parameters):
    even = parameters | {"LM": np.zeros((8, 14))}
    assert math.isclose(batch_loss(even), math.log(14), rel_tol=1e-14)
    _, gradients = model.trace(even, task.ids("7×8="), model.last_row(4, 5))
    close(gradients["logits"][3], 1 / 14 - np.eye(14)[5], "P − onehot")


def test_no_queries_means_reading_evenly(parameters):
    values, _ = model.trace(parameters | {"layer1.WQ": np.zeros((8, 8))}, task.ids("7×8="))
    for row in range(4):
        close(values["layer1.head1.A"][row], np.r_[np.full(row + 1, 1 / (row + 1)), np.zeros(3 - row)], "A")
        close(values["layer1.H"][row], values["layer1.V"][: row + 1].mean(axis=0), "H")


def test_masked_scores_are_minus_infinity(parameters):
    values, gradients = model.trace(parameters, task.ids("7×8="), model.last_row(4, 5))
    future = np.triu(np.ones((4, 4), dtype=bool), k=1)
    assert np.all(values["layer2.head1.S"][future] == -np.inf)
    for name in ("S", "A"):
        assert np.all(gradients[f"layer2.head1.{name}"][future] == 0)
        assert np.all(np.isfinite(gradients[f"layer2.head1.{name}"]))


@pytest.mark.parametrize("text", PROMPTS)
def test_forward_is_what_plain_loops_give(parameters, text):
    """The same model once more, cell by cell, with nothing but Python's own arithmetic."""
    p = {name: value.tolist() for name, value in parameters.items()}

    def norm(row, at):
        mean = sum(row) / 8
        rstd = 1 / math.sqrt(sum((x - mean) ** 2 for x in row) / 8 + 1e-5)
        gain, bias = p[f"{at}.gain"], p[f"{at}.bias"]
        return [(x - mean) * rstd * g + b for x, g, b in zip(row, gain, bias, strict=True)]

    def times(row, matrix):
        return [
            sum(x * matrix_row[c] for x, matrix_row in zip(row, matrix, strict=True))
            for c in range(len(matrix[0]))
        ]

    def plus(a, b):
        return [x + y for x, y in zip(a, b, strict=True)]

    rows = [plus(p["TokenEmb"][t], p["PosEmb"][i]) for i, t in enumerate(task.ids(text))]
    for layer in ("layer1", "layer2"):
        normed = [norm(row, f"{layer}.LN1") for row in rows]
        q, k, v = ([times(row, p[f"{layer}.W{m}"]) for row in normed] for m in "QKV")
        for i in range(len(rows)):
            gathered = []
            for first in (0, 4):
                cells = range(first, first + 4)
                powers = [math.exp(sum(q[i][c] * k[j][c] for c in cells) / 2) for j in range(i + 1)]
                gathered += [sum(powers[j] * v[j][c] for j in range(i + 1)) / sum(powers) for c in cells]
            middle = plus(rows[i], times(gathered, p[f"{layer}.WO"]))
            hidden = [
                max(0.0, x)
                for x in plus(times(norm(middle, f"{layer}.LN2"), p[f"{layer}.W1"]), p[f"{layer}.b1"])
            ]
            rows[i] = plus(middle, plus(times(hidden, p[f"{layer}.W2"]), p[f"{layer}.b2"]))
    values, _ = model.trace(parameters, task.ids(text))
    close(values["layer2.X_out"], rows, "residual stream after layer 2", 1e-12)
    powers = [[math.exp(x) for x in times(norm(row, "FinalLN"), p["LM"])] for row in rows]
    close(values["P"], [[x / sum(row) for x in row] for row in powers], "P", 1e-12)


@pytest.mark.parametrize("text", PROMPTS)
def test_filling_up_to_sixteen_changes_nothing(parameters, text):
    tokens = task.ids(text)
    weights = model.last_row(len(tokens), 3)
    values, _ = model.trace(parameters, tokens, weights)
    plain = model.forward(model.in_float64(parameters), jnp.asarray(tokens), jnp.asarray(weights), {})
    assert set(values) == set(plain)
    for name, value in plain.items():
        value = np.asarray(value)
        close(np.where(np.isinf(value), 0, values[name]), np.where(np.isinf(value), 0, value), name, 1e-12)


def test_parameter_gradients_are_central_differences(parameters):
    _, gradients = batch_gradients(parameters)
    draw = np.random.default_rng(0)
    for name, shape in model.parameter_shapes().items():
        for _ in range(2):
            cell = tuple(int(draw.integers(size)) for size in shape)
            step = np.zeros(shape)
            step[cell] = 1e-5
            up = batch_loss(parameters | {name: parameters[name] + step})
            down = batch_loss(parameters | {name: parameters[name] - step})
            error = abs((up - down) / 2e-5 - gradients[name][cell])
            assert error < 1e-8 + 1e-6 * abs(gradients[name][cell]), (
                f"{name}{list(cell)} is off by {error:.3g}"
            )


def test_named_gradients_are_central_differences(parameters):
    tokens = task.ids("7×8=5")
    weights = model.last_row(5, 6)
    values, gradients = model.trace(parameters, tokens, weights)
    p, ids, w = model.in_float64(parameters), jnp.asarray(tokens), jnp.asarray(weights)
    draw = np.random.default_rng(1)
    seen = np.tril(np.ones((5, 5), dtype=bool))
    for name, value in values.items():
        direction = draw.standard_normal(value.shape)
        if name.endswith((".S", ".A")):
            direction = np.where(seen, direction, 0.0)
        nudge = jnp.asarray(1e-6 * direction)
        difference = (
            float(model.loss(p, ids, w, {name: nudge}) - model.loss(p, ids, w, {name: -nudge})) / 2e-6
        )
        slope = float((gradients[name] * direction).sum())
        assert abs(difference - slope) < 1e-8 + 1e-6 * abs(slope), f"{name}: {difference} against {slope}"


def test_the_written_backward_rules_hold(parameters):
    v, g = model.trace(parameters, task.ids("7×8="), model.last_row(4, 5))
    last = np.eye(4)[3][:, None]
    close(g["logits"], last * (v["P"] - np.eye(14)[5]), "P − Y on the last row")
    close(g["Final"], g["logits"] @ parameters["LM"].T, "G_Final")
    for layer in ("layer1", "layer2"):
        for head in (1, 2):
            at, own = f"{layer}.head{head}", model.columns(head)
            a, seen = v[f"{at}.A"], np.tril(np.ones((4, 4)))
            close(g[f"{at}.A"], seen * (g[f"{at}.H"] @ v[f"{at}.V"].T), "G_A")
            close(g[f"{at}.V"], a.T @ g[f"{at}.H"], "G_V")
            g_a = g[f"{at}.A"]
            close(g[f"{at}.S"], a * (g_a - (a * g_a).sum(axis=1, keepdims=True)), "G_S")
            close(g[f"{at}.Q"], g[f"{at}.S"] @ v[f"{at}.K"] / 2, "G_Q")
            close(g[f"{at}.K"], g[f"{at}.S"].T @ v[f"{at}.Q"] / 2, "G_K")
            for name in "QKV":
                close(g[f"{layer}.{name}"][:, own], g[f"{at}.{name}"], f"head view of G_{name}")
                close(g[f"{at}.W{name}"], v[f"{layer}.X_norm"].T @ g[f"{at}.{name}"], f"G_W{name}")
    close(g["layer2.X_in"], g["layer1.X_out"], "the stream between the layers")


def test_circuits_fold_the_head(parameters):
    folded = model.circuits(parameters)
    v, _ = model.trace(parameters, task.ids("7×8="))
    seen = np.tril(np.ones((4, 4), dtype=bool))
    for at in ("layer1", "layer2"):
        for head in (1, 2):
            x_norm, here = v[f"{at}.X_norm"], f"{at}.head{head}"
            close((x_norm @ folded[f"{here}.QK"] @ x_norm.T / 2)[seen], v[f"{here}.S"][seen], "S by QK")
            close(v[f"{here}.A"] @ x_norm @ folded[f"{here}.OV"], v[f"{here}.write"], "write by OV")


def test_batch_rows_add_up_to_the_parameter_gradients(parameters):
    values, gradients = batch_activations(parameters)
    loss, by_parameter = batch_gradients(parameters)
    counts = task.counts()
    assert set(values["P"]) == set(counts)
    by_hand = -sum(
        times * math.log(values["P"][prefix][task.ID[token]]) / 558
        for prefix, row in counts.items()
        for token, times in row.items()
    )
    assert math.isclose(loss, by_hand, rel_tol=1e-12)
    for prefix, row in counts.items():
        wanted = np.array([row[token] for token in task.TOKENS])
        close(gradients["logits"][prefix], (row.total() * values["P"][prefix] - wanted) / 558, "G_logits")
    for layer in ("layer1", "layer2"):
        outer = sum(np.outer(values[f"{layer}.X_norm"][p], gradients[f"{layer}.Q"][p]) for p in counts)
        close(outer, by_parameter[f"{layer}.WQ"], f"{layer}.WQ")


def test_adam_by_hand():
    """One number: gradient 3, then 1, worked out with pencil and paper."""
    adam = Adam(rate=0.01, lm_rate=0.05, beta1=0.9, beta2=0.99, epsilon=1e-8, near=0.1, least=0.02)
    one = {"w": np.array([2.0])}
    zero = {"w": np.array([0.0])}
    p, m, v = adam.update(one, {"w": np.array([3.0])}, zero, zero, step=1, step_size=0.01)
    assert math.isclose(p["w"][0], 2 - 0.01, rel_tol=1e-10)  # the first step has the size of the step size
    p, m, v = adam.update(p, {"w": np.array([1.0])}, m, v, step=2, step_size=0.01)
    assert math.isclose(m["w"][0], 0.37, rel_tol=1e-12)
    assert math.isclose(v["w"][0], 0.0991, rel_tol=1e-12)
    assert math.isclose(p["w"][0], 1.99 - 0.01 * (0.37 / 0.19) / math.sqrt(0.0991 / 0.0199), rel_tol=1e-9)
    last = {"LM": np.array([2.0])}
    p, _, _ = adam.update(
        last, {"LM": np.array([3.0])}, {"LM": zero["w"]}, {"LM": zero["w"]}, step=1, step_size=0.01
    )
    assert math.isclose(p["LM"][0], 2 - 0.05, rel_tol=1e-10)  # LM takes steps of its own size


@pytest.mark.parametrize(
    ("loss", "size"), [(2.6, 1.0), (0.5, 1.0), (0.45, 0.5), (0.41, 0.1), (0.4, 0.02), (0.3, 0.02)]
)
def test_step_size_shortens_near_the_floor(loss, size):
    adam = Adam(rate=1.0, lm_rate=1.0, beta1=0.9, beta2=0.99, epsilon=1e-8, near=0.1, least=0.02)
    assert math.isclose(adam.step_size(loss, floor=0.4), size, rel_tol=1e-9)


def test_decoding_stops_at_end_or_sixteen(parameters):
    written, margins = decode(parameters, [("7", "×"), ("7", "×", "8", "=", "END")])
    assert written[1] == ()
    assert margins[1] == 1.0
    assert written[0][-1] == "END" or len(written[0]) == 14
    assert "END" not in written[0][:-1]


def test_a_model_that_always_ends_solves_nothing(parameters):
    silent = {name: np.zeros_like(value) for name, value in parameters.items()}
    silent["FinalLN.bias"] = np.ones(8)
    silent["LM"] = np.zeros((8, 14))
    silent["LM"][:, task.ID["END"]] = 1.0
    right, _ = solved(silent)
    assert right.shape == (10, 10)
    assert not right.any()
    silent["LM"][:, task.ID["0"]] = 2.0  # now it writes 0 for ever
    written, _ = decode(silent, [("7", "×", "0", "=")])
    assert written[0] == ("0",) * 12
    assert not solved(silent)[0].any()
