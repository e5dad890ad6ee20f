"""Greedy writing, one token at a time, and what counts as solved."""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

from . import task
from .model import POSITIONS, VOCABULARY, Array, Parameters, forward, in_float64


def _probabilities(parameters: Parameters, tokens: Array) -> Array:
    return forward(parameters, tokens, jnp.zeros((POSITIONS, VOCABULARY)), {})["P"]


_all = jax.jit(jax.vmap(_probabilities, in_axes=(None, 0)))


def decode(
    parameters: Mapping[str, object], prompts: list[task.Sequence]
) -> tuple[list[task.Sequence], list[float]]:
    """What the model writes after each prompt, always the most likely token, until END or 16 tokens.

    Returns
    -------
    written : list of tuples of token labels
        END included where it was written.
    margins : list of float
        Per prompt the smallest lead, over the tokens written, of the most likely token's probability
        over the second's: how far the outcome is from a tie.
    """
    p = in_float64(parameters)
    texts = [list(prompt) for prompt in prompts]
    margins = [1.0] * len(prompts)
    while True:
        writing = [i for i, text in enumerate(texts) if text[-1] != "END" and len(text) < POSITIONS]
        if not writing:
            break
        # Finished texts are run along (filled up to 16 like all others) so that one shape serves every round.
        padded = np.array([(task.ids(tuple(text)) + [0] * POSITIONS)[:POSITIONS] for text in texts])
        table = np.asarray(_all(p, jnp.asarray(padded)))
        for i in writing:
            row = table[i, len(texts[i]) - 1]
            ranked = np.argsort(-row, kind="stable")
            margins[i] = min(margins[i], float(row[ranked[0]] - row[ranked[1]]))
            texts[i].append(task.TOKENS[ranked[0]])
    return [tuple(text[len(prompt) :]) for text, prompt in zip(texts, prompts, strict=True)], margins


def solved(parameters: Mapping[str, object]) -> tuple[np.ndarray, np.ndarray]:
    """Which of the 100 problems the model writes out exactly, digits and END.

    Returns
    -------
    solved : [10, 10] bool
        Row a, column b.
    margin : [10, 10] float
        See `decode`.
    """
    prompts = [seq[: seq.index("=") + 1] for seq in task.SEQUENCES.values()]
    written, margins = decode(parameters, prompts)
    right = [
        prompt + answer == seq
        for prompt, answer, seq in zip(prompts, written, task.SEQUENCES.values(), strict=True)
    ]
    return np.array(right).reshape(10, 10), np.array(margins).reshape(10, 10)
