"""``export``: the model for other libraries, a prompt as a workbook, matrices as data, a cell as LaTeX."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checkpoint import check_writable, write_whole
from ..errors import InputError
from ..task import followers
from ..tokens import TOKENS, parse_token, parse_tokens
from .ask import find_model
from .output import print_json
from .values import whole_number

if TYPE_CHECKING:
    from ..ledger.trace import Ledger
    from ..trained import Model


@dataclass(frozen=True)
class Format:
    """What one format takes.

    Attributes
    ----------
    name
        Name of the file or folder where `--out` gives none; "" where the text goes to standard output.
    takes
        Which of the options below belong to it.
    folder
        Whether it is a folder.
    """

    name: str
    takes: frozenset[str]
    folder: bool = False


_MODEL = frozenset[str]()
_ENTRIES = frozenset({"--prompt", "--batch", "--target", "--entries"})
FORMATS: dict[str, Format] = {
    "xlsx": Format("attention-by-hand.xlsx", frozenset({"--prompt", "--target", "--language"})),
    "huggingface": Format("attention-by-hand-huggingface", _MODEL, folder=True),
    "transformer-lens": Format("attention-by-hand-transformer-lens", _MODEL, folder=True),
    "onnx": Format("attention-by-hand.onnx", _MODEL),
    "safetensors": Format("attention-by-hand-entries.safetensors", _ENTRIES),
    "json": Format("", _ENTRIES),
    "csv": Format("", _ENTRIES),
    "latex": Format("", frozenset({"--prompt", "--batch", "--target", "--cell", "--depth"})),
}
_MOST_DEPTH = 1000


@dataclass(frozen=True)
class Wish:
    """The options as they were typed."""

    to: str
    prompt: str | None
    batch: bool
    target: str | None
    entries: str | None
    cell: str | None
    depth: str | None
    language: str | None
    out: Path | None
    force: bool
    json: bool
    model: tuple[Path | None, str | None, str | None]


def export(wish: Wish) -> None:
    """Write what was asked for, and say what was written.

    Parameters
    ----------
    wish
        The options; everything is checked before any training.

    Raises
    ------
    InputError
        If an option cannot be used, or the file cannot be written.
    """
    form = _check(wish)
    tokens = None if wish.prompt is None else parse_tokens(wish.prompt)
    target = _target(wish, tokens)
    out = wish.out if wish.out is not None else (Path(form.name) if form.name else None)
    _check_out(wish, form, out)
    model = find_model(*wish.model)
    if form.takes == _MODEL:
        assert out is not None
        _write_model(wish, model, out)
        _report(wish, model, out, None)
        return
    ledger = model.batch() if tokens is None else model.trace(tokens, target)
    content = _contents(wish, ledger)
    if out is None:
        sys.stdout.buffer.write(content)
        return
    write_whole(out, content, wish.force)
    _report(wish, model, out, ledger)


def _check(wish: Wish) -> Format:
    """The format, once every option is seen to belong to it."""
    form = FORMATS.get(wish.to)
    if form is None:
        raise InputError(f"--to {wish.to!r} is unknown; accepted: {', '.join(FORMATS)}")
    given = {
        "--prompt": wish.prompt,
        "--batch": wish.batch or None,
        "--target": wish.target,
        "--entries": wish.entries,
        "--cell": wish.cell,
        "--depth": wish.depth,
        "--language": wish.language,
    }
    for option, value in given.items():
        if value is not None and option not in form.takes:
            takes = f"it takes {', '.join(sorted(form.takes))}" if form.takes else "it holds the whole model"
            raise InputError(f"{option} does not belong to --to {wish.to}: {takes}")
    if wish.batch and wish.prompt is not None:
        raise InputError("--prompt and --batch do not go together; give one of them")
    if wish.batch and wish.target is not None:
        raise InputError("--target belongs to a prompt; the batch has its own 558 targets")
    if "--prompt" in form.takes and wish.prompt is None and not wish.batch:
        either = " or --batch" if "--batch" in form.takes else ""
        raise InputError(f'--to {wish.to} needs --prompt{either}, like --prompt "7×8="')
    if "--cell" in form.takes and wish.cell is None:
        raise InputError(f"--to {wish.to} needs --cell, like --cell 'layer1.head2.A[3,2]'")
    if wish.language not in (None, "en", "zh"):
        raise InputError(f"--language {wish.language!r} is unknown; accepted: en, zh")
    if wish.depth is not None:
        whole_number(wish.depth, "--depth", 1, _MOST_DEPTH)
    return form


def _target(wish: Wish, tokens: list[int] | None) -> int | None:
    """The target that was typed; for a workbook else the one token that training puts there, if it is one."""
    if wish.target is not None:
        return parse_token(wish.target)
    known = followers().get(tuple(tokens or ()), {})
    return next(iter(known)) if wish.to == "xlsx" and len(known) == 1 else None


def _check_out(wish: Wish, form: Format, out: Path | None) -> None:
    """Find out before any training whether the result can be written."""
    if out is None:
        if wish.json:
            raise InputError(f"--json tells about a file; give --out, without it --to {wish.to} is printed")
        return
    if form.folder:
        from ..export.files import check_folder

        check_folder(out, _files(wish.to), wish.force)
    else:
        check_writable(out, wish.force)
    # The packages that are not always there, before any training too.
    from ..export.files import needed

    if wish.to == "xlsx":
        needed("XlsxWriter", "xlsxwriter")
    elif wish.to == "onnx":
        needed("onnx", "onnx")


def _files(to: str) -> frozenset[str]:
    from ..export import huggingface, transformer_lens

    return huggingface.FILES if to == "huggingface" else transformer_lens.FILES


def _write_model(wish: Wish, model: Model, out: Path) -> None:
    from ..export import huggingface, onnx_graph, transformer_lens

    writers = {
        "huggingface": huggingface.write,
        "transformer-lens": transformer_lens.write,
        "onnx": onnx_graph.write,
    }
    writers[wish.to](model, out, wish.force)


def _contents(wish: Wish, ledger: Ledger) -> bytes:
    """The file, for the formats that show a prompt or the batch."""
    if wish.to == "xlsx":
        from ..export import workbook

        return workbook.contents(ledger, wish.language or "en")
    if wish.to == "latex":
        from ..export import latex

        assert wish.cell is not None
        return latex.contents(ledger.explain(wish.cell, int(wish.depth or "1")))
    from ..export import entries_csv, entries_json, entries_safetensors
    from ..export.selection import select

    patterns = [part.strip() for part in (wish.entries or "*").split(",") if part.strip()]
    names = select(ledger, patterns)
    writers = {
        "safetensors": entries_safetensors.contents,
        "json": entries_json.contents,
        "csv": entries_csv.contents,
    }
    return writers[wish.to](ledger, names)


def _report(wish: Wish, model: Model, out: Path, ledger: Ledger | None) -> None:
    """Say what was written, and of which model."""
    files = sorted(out.iterdir()) if out.is_dir() else [out]
    size = sum(file.stat().st_size for file in files)
    target = None if ledger is None or ledger.target is None else TOKENS[ledger.target]
    if wish.json:
        known: dict[str, Any] = {
            "to": wish.to,
            "out": str(out),
            "bytes": size,
            "files": [file.name for file in files],
            "seed": model.seed,
            "step": model.step,
            "digest": model.digest,
            "prompt": None if ledger is None or wish.batch else [TOKENS[token] for token in ledger.tokens],
            "target": target,
        }
        print_json(known)
        return
    holds = f", {len(files)} files" if out.is_dir() else ""
    print(f"Saved {out}: {size:,} bytes{holds}")
    if wish.to == "xlsx":
        aim = "no target, so no loss and no gradients" if target is None else f"target {target}"
        print(f"Prompt {wish.prompt}, {aim}")
    origin = "unknown" if model.seed is None else model.seed
    print(f"Seed {origin}, step {model.step}, digest {model.digest[:16]}")
