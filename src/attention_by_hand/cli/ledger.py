"""``explain``, ``gradients`` and ``ledger``: what a number is made of, and what there is to ask about."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..ledger.entries import Entry, entries
from ..ledger.names import unknown_entry
from ..ledger.numbers import shown
from ..ledger.render_json import number
from ..ledger.trace import Ledger
from .ask import find_model
from .output import print_json
from .values import whole_number

FORMATS = ("text", "latex", "html", "json")
ALL_DEPTHS = 10**9


def find_ledger(
    prompt: str | None, target: str | None, file: Path | None, seed: str | None, step: str | None
) -> Ledger:
    """Return the ledger of a prompt, or of the training batch where the prompt is None.

    Parameters
    ----------
    prompt, target : str or None
        As typed.
    file, seed, step
        See `find_model`.

    Raises
    ------
    InputError
        If any of them cannot be used.
    """
    from ..tokens import parse_token, parse_tokens

    if prompt is None:
        if target is not None:
            raise InputError("--target belongs to a prompt; the batch has its own 558 targets")
        return find_model(file, seed, step).batch()
    tokens = parse_tokens(prompt)
    aim = None if target is None else parse_token(target)
    return find_model(file, seed, step).trace(tokens, aim)


def explain_cell(
    words: list[str],
    batch: bool,
    target: str | None,
    depth: str,
    form: str,
    digits: str,
    language: str,
    model: tuple[Path | None, str | None, str | None],
) -> None:
    """Print how a cell is made.

    Parameters
    ----------
    words : list of str
        Prompt and cell, or the cell alone for the batch.
    batch : bool
        Whether the cell is of the training batch.
    target, depth, form, digits, language : str
        As typed.
    model
        What `find_model` takes.

    Raises
    ------
    InputError
        If anything typed cannot be used.
    """
    if len(words) != (1 if batch else 2):
        raise InputError(
            "explain --batch takes one cell, like 'grad.layer1.WQ[0,0]'"
            if batch
            else "explain takes a prompt and a cell, like \"7×0=\" 'layer1.head2.A[3,2]'; "
            "with --batch only a cell"
        )
    if form not in FORMATS:
        raise InputError(f"--format {form!r} is unknown; accepted: {', '.join(FORMATS)}")
    _check_language(language)
    places = whole_number(digits, "--digits", 1, 9)
    levels = ALL_DEPTHS if depth == "all" else whole_number(depth, "--depth (or all)", 1, 1000)
    ledger = find_ledger(None if batch else words[0], target, *model)
    derivation = ledger.explain(words[-1], levels)
    if form == "json":
        print_json(derivation.document())
    elif form == "latex":
        print(derivation.latex(places))
    elif form == "html":
        from ..ledger.render_html import html

        print(html(derivation, places, language))
    else:
        from ..ledger.render_text import text

        print(text(derivation, places, language))


def show_gradients(
    prompt: str | None,
    batch: bool,
    target: str | None,
    of: str | None,
    digits: str,
    model: tuple[Path | None, str | None, str | None],
    *,
    json: bool,
) -> None:
    """Print the gradients of one prompt's loss, or of the training loss.

    Parameters
    ----------
    prompt, target, of, digits : str or None
        As typed; `of` names the entry whose gradient is shown in full.
    batch : bool
        Whether to take the loss of all 558 targets.
    model
        What `find_model` takes.
    json : bool
        Whether to print JSON.

    Raises
    ------
    InputError
        If anything typed cannot be used.
    """
    places = whole_number(digits, "--digits", 1, 9)
    if batch == (prompt is not None):
        raise InputError(
            "gradients takes a prompt with --target, or --batch for the training loss; one of the two"
        )
    if prompt is not None and target is None:
        raise InputError(
            "gradients of a prompt need --target, the token that should come next, like --target 5"
        )
    ledger = find_ledger(prompt, target, *model)
    names = [name for name in ledger.names if name.startswith("grad.")]
    if of is not None:
        wanted = of if of.startswith("grad.") else f"grad.{of}"
        if wanted not in names:
            raise unknown_entry(of, [name.removeprefix("grad.") for name in names])
        names = [wanted]
    if json:
        print_json(
            {"loss": number(ledger.array("Loss")[0]), "step": ledger.model.step} | _arrays(ledger, names)
        )
        return
    print(f"Loss = {shown(ledger.array('Loss')[0], 6)}   step {ledger.model.step}")
    if of is not None:
        print(ledger.show(names[0], places))
        return
    wide = max(len(name) for name in names)
    print(f"{'gradient':<{wide}}  {'shape':>7}  {'largest':>10}  at")
    for name in names:
        cells = np.abs(ledger.array(name))
        at = np.unravel_index(int(np.argmax(np.where(np.isnan(cells), np.inf, cells))), cells.shape)
        where = f"[{','.join(str(int(x)) for x in at)}]"
        value = shown(ledger.array(name)[at], places)
        print(f"{name:<{wide}}  {ledger.show(name).shape:>7}  {value:>10}  {where}")


def list_ledger(
    pattern: str | None,
    prompt: str | None,
    batch: bool,
    target: str | None,
    group: str | None,
    language: str,
    digits: str,
    model: tuple[Path | None, str | None, str | None],
    *,
    json: bool,
) -> None:
    """Print the list of entries, or the numbers of those asked for.

    Parameters
    ----------
    pattern : str or None
        A name, or a pattern with ``*``.
    prompt, target, group, language, digits : str or None
        As typed.
    batch : bool
        Whether to show numbers of the training batch.
    model
        What `find_model` takes.
    json : bool
        Whether to print JSON.

    Raises
    ------
    InputError
        If anything typed cannot be used.
    """
    _check_language(language)
    places = whole_number(digits, "--digits", 1, 9)
    found = _matching(pattern, group)
    if prompt is None and not batch:
        _print_list(found, language, json=json)
        return
    if prompt is not None and batch:
        raise InputError("--prompt and --batch do not go together; give one of them")
    ledger = find_ledger(prompt, target, *model)
    held = set(ledger.names)
    names = [entry.name for entry in found if entry.name in held]
    if not names:
        ledger.entry(found[0].name)  # says what is missing
    if json:
        print_json(_arrays(ledger, names))
        return
    print("\n\n".join(str(ledger.show(name, places)) for name in names))


def _check_language(language: str) -> None:
    if language not in ("en", "zh"):
        raise InputError(f"--language {language!r} is unknown; accepted: en, zh")


def _matching(pattern: str | None, group: str | None) -> list[Entry]:
    known = entries()
    groups = sorted({entry.group for entry in known.values()})
    if group is not None and group not in groups:
        raise InputError(f"--group {group!r} is unknown; accepted: {', '.join(groups)}")
    found = [
        entry
        for entry in known.values()
        if (pattern is None or fnmatchcase(entry.name, pattern)) and group in (None, entry.group)
    ]
    if not found:
        if pattern is not None and not set(pattern) & set("*?[") and pattern not in known:
            raise unknown_entry(pattern, list(known))
        raise InputError(f"no entry matches {pattern!r}; `attention-by-hand ledger` lists all")
    return found


def _print_list(found: list[Entry], language: str, *, json: bool) -> None:
    if json:
        print_json([{"name": e.name, "axes": e.axes, "group": e.group, "meaning": e.meaning} for e in found])
        return
    wide = max(len(entry.name) for entry in found)
    for entry in found:
        shape = "×".join("1" if axis == "one" else axis for axis in entry.axes)
        print(f"{entry.name:<{wide}}  {shape:<20}  {entry.meaning[language]}")
    print(f"{len(found)} entries")


def _arrays(ledger: Ledger, names: list[str]) -> dict[str, Any]:
    def numbers(cells: Any) -> Any:
        return [numbers(x) for x in cells] if np.ndim(cells) else number(cells)

    return {
        "entries": {
            name: numbers(ledger.array(name)[0] if ledger.entry(name).scalar else ledger.array(name))
            for name in names
        }
    }
