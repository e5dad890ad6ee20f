"""``attention-by-hand ask``: what comes next after each token of a prompt, and what the model writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoint import load
from ..errors import InputError
from ..task import followers
from ..tokens import END, MAX_TOKENS, TOKENS, parse_tokens
from ..trained import Model
from ..training import MOST_STEPS, check_seed, train
from .output import print_json, probability, shortest
from .values import whole_number

SHOWN = 3


def find_model(file: Path | None, seed: str | None, step: str | None) -> Model:
    """Return the model that the options mean.

    Parameters
    ----------
    file : Path or None
        A checkpoint.
    seed : str or None
        The seed to train, as typed; without a file and a seed, seed 1.
    step : str or None
        The step to go to, as typed; without it the step of the file, or the one at which all is solved.

    Raises
    ------
    InputError
        If both a file and a seed are given, or one of the three cannot be used.
    """
    if file is not None and seed is not None:
        raise InputError("--model and --seed do not go together: a checkpoint has its seed; give one of them")
    wanted = None if step is None else whole_number(step, "--step", 0, MOST_STEPS)
    if file is not None:
        model = load(file)
        return model if wanted is None else model.at(wanted)
    number = check_seed("1" if seed is None else seed)
    return train(number, steps=wanted).model


def ask_model(
    prompt: str, file: Path | None, seed: str | None, step: str | None, *, everything: bool, json: bool
) -> None:
    """Print, for every token of the prompt, what is most likely to follow it; then what the model writes on.

    Parameters
    ----------
    prompt : str
        As typed; read before any training.
    file, seed, step
        See `find_model`.
    everything : bool
        Whether to show all 14 probabilities rather than three.
    json : bool
        Whether to print JSON; it always holds all 14.
    """
    tokens = parse_tokens(prompt)
    model = find_model(file, seed, step)
    table = model.probabilities(tokens)
    # Sorted by probability, equal ones by token: the order in which the model would choose.
    order = np.argsort(-table, axis=1, kind="stable")
    known = followers()
    in_training = [tuple(tokens[: end + 1]) in known for end in range(len(tokens))]
    written = model.write_on(tokens)

    if json:
        positions: list[dict[str, Any]] = [
            {
                "position": row,
                "token": TOKENS[token],
                "in_training": in_training[row],
                "next": [{"token": TOKENS[to], "P": shortest(table[row, to])} for to in order[row]],
            }
            for row, token in enumerate(tokens)
        ]
        print_json(
            {
                "prompt": [TOKENS[token] for token in tokens],
                "seed": model.seed,
                "step": model.step,
                "digest": model.digest,
                "positions": positions,
                "written": [TOKENS[token] for token in written],
                "ended": END in written,
            }
        )
        return
    print("\n".join(all_lines(tokens, table) if everything else top_lines(tokens, table, order)))
    if not all(in_training):
        first = in_training.index(False)
        print(f"From position {first} on no problem starts like this: training never saw it.")
    print(sentence(written))
    origin = "unknown" if model.seed is None else model.seed
    print(f"Seed {origin}, step {model.step}, digest {model.digest[:16]}")


def top_lines(tokens: list[int], table: Any, order: Any) -> list[str]:
    """Return one line for each token typed, with the tokens most likely to follow it."""
    lines = ["position  token  most likely next"]
    for row, token in enumerate(tokens):
        likely = [f"{TOKENS[to]:>3} {probability(float(table[row, to])):>6}" for to in order[row, :SHOWN]]
        lines.append(f"{row:>8}  {TOKENS[token]:<5}  {'    '.join(likely)}")
    return lines


def all_lines(tokens: list[int], table: Any) -> list[str]:
    """Return one line for each of the 14 tokens, with its probability after each token typed."""
    lines = [
        "position  " + "".join(f"{row:>8}" for row in range(len(tokens))),
        "token     " + "".join(f"{TOKENS[token]:>8}" for token in tokens),
    ]
    for to, text in enumerate(TOKENS):
        cells = "".join(f"{probability(float(table[row, to])):>8}" for row in range(len(tokens)))
        lines.append(f"P({text})".ljust(10) + cells)
    return lines


def sentence(written: list[int]) -> str:
    """Say what the model writes."""
    digits = " ".join(TOKENS[token] for token in written if token != END)
    if END in written:
        return f"Writes {digits}, then END." if digits else "Writes END at once."
    if not written:
        return f"Writes nothing: {MAX_TOKENS} tokens is the most the model can take."
    return f"Writes {digits} and stops at {MAX_TOKENS} tokens, without END."
