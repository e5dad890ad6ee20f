"""Checkpoints: one safetensors file with the parameters, Adam's averages, seed, step and digest.

Tensors carry their ledger names and shapes, ``adam.m.`` and ``adam.v.`` in front of the averages.
Metadata: ``format``, ``version``, ``seed`` (empty when unknown), ``step``, ``tokens``, ``digest`` of the
parameters, and ``whole``, a checksum of everything (absent from files of early versions).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .model.layout import standard_layout
from .state import State, digest
from .tokens import TOKENS
from .trained import Model

FORMAT = "attention-by-hand"
VERSION = "1"
LARGEST_SEED = 2**32 - 1
#: More steps than training ever takes.
LARGEST_STEP = 1_000_000
_BLOCKS = (("parameters", ""), ("m", "adam.m."), ("v", "adam.v."))


def _tensors(state: State) -> dict[str, NDArray[np.float32]]:
    """Name → array for every tensor of a checkpoint, in memory order."""
    table = standard_layout().table
    found: dict[str, NDArray[np.float32]] = {}
    for block, prefix in _BLOCKS:
        first = 0
        cells = getattr(state, block)
        for name in table.parameters:
            size = table.size(name)
            shape = standard_layout().place(name, "model").shape
            found[prefix + name] = np.ascontiguousarray(cells[first : first + size].reshape(shape))
            first += size
    return found


def save(model: Model, path: str | Path, overwrite: bool = False) -> None:
    """Write a checkpoint; the file appears whole or not at all.

    Raises
    ------
    InputError
        The file exists and `overwrite` is false, or the place cannot be written to.
    """
    from safetensors.numpy import save as to_bytes

    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "seed": "" if model.seed is None else str(model.seed),
        "step": str(model.step),
        "digest": model.digest,
        "whole": _whole(model.state, model.seed, model.step),
        "tokens": json.dumps(TOKENS, ensure_ascii=False),
    }
    write_whole(Path(path), _ordered(to_bytes(_tensors(model.state), metadata)), overwrite)


def _whole(state: State, seed: int | None, step: int) -> str:
    """SHA-256 over everything a checkpoint says, so that a flipped bit anywhere is noticed."""
    blocks = (np.ascontiguousarray(getattr(state, block), "<f4").tobytes() for block, _ in _BLOCKS)
    return hashlib.sha256(b"".join(blocks) + f"{seed} {step}".encode()).hexdigest()


def _ordered(content: bytes) -> bytes:
    """The same safetensors file with its header sorted; the library writes metadata in random order.

    Equal models give equal files, so that files can be compared by their checksum.
    """
    length = int.from_bytes(content[:8], "little")
    header = json.dumps(
        json.loads(content[8 : 8 + length]), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )
    text = header.encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def check_writable(path: Path, overwrite: bool) -> None:
    """Find out before long work whether a file can be written.

    Raises
    ------
    InputError
        It exists and `overwrite` is false, or its folder cannot be written to.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file")
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists; give another name, or --force to replace it")
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path} cannot be written: the folder {folder} is not writable")


def write_whole(path: Path, content: bytes, overwrite: bool) -> None:
    """Write a file under another name and rename it, so that no half file is ever seen.

    Raises
    ------
    InputError
        As `check_writable`, or the disk is full or refuses.
    """
    check_writable(path, overwrite)
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
            temporary = file.name
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True) if temporary else None
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def load(path: str | Path) -> Model:
    """Read a checkpoint back.

    Parameters
    ----------
    path
        A file that `Model.save` or ``train --out`` wrote.

    Returns
    -------
    Model
        With the seed and step of the file's metadata.

    Raises
    ------
    InputError
        The file is missing, truncated or no safetensors file, comes from another program or
        vocabulary, has a tensor too many or too few, a wrong shape or dtype, a NaN or infinity,
        or does not match its own digest.
    """
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} is not there; accepted: a checkpoint written by attention-by-hand")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            kinds = {name: file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
            # NumPy has no name for some kinds of number; those are refused below without being read.
            tensors: dict[str, Any] = {
                name: file.get_tensor(name) for name, kind in kinds.items() if kind == "F32"
            }
    except (SafetensorError, OSError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not a whole safetensors file: {error}") from None
    _check_metadata(path, metadata)
    for name, kind in kinds.items():
        if kind != "F32":
            raise InputError(f"{path}: {name} holds {kind} numbers; accepted: F32, that is float32")
    state = _read_state(path, tensors)
    seed = int(metadata["seed"]) if metadata["seed"] else None
    step = int(metadata["step"])
    whole = _whole(state, seed, step)
    if digest(state.parameters) != metadata["digest"] or metadata.get("whole", whole) != whole:
        raise InputError(f"{path} does not match its own digest; it was changed after it was written")
    return Model(state, seed, step)


def _check_metadata(path: Path, metadata: dict[str, str]) -> None:
    if metadata.get("format") != FORMAT or metadata.get("version") != VERSION:
        raise InputError(
            f"{path} is no {FORMAT} checkpoint of version {VERSION}; accepted: files written by `train --out`"
        )
    if metadata.get("tokens") != json.dumps(TOKENS, ensure_ascii=False):
        raise InputError(f"{path} is from another vocabulary; accepted: {' '.join(TOKENS)}")
    seed_fits = metadata.get("seed") == "" or _is_whole(metadata.get("seed"), LARGEST_SEED)
    if not (seed_fits and _is_whole(metadata.get("step"), LARGEST_STEP) and "digest" in metadata):
        raise InputError(
            f"{path} does not say its seed, step and digest; accepted: files written by `train --out`"
        )


def _is_whole(text: str | None, largest: int) -> bool:
    """Whether a text is a whole number from 0 to `largest`."""
    return text is not None and text.isdecimal() and len(text) <= len(str(largest)) and int(text) <= largest


def _read_state(path: Path, tensors: dict[str, Any]) -> State:
    layout = standard_layout()
    table = layout.table
    blocks = {block: np.zeros(table.extent["parameters"], np.float32) for block, _ in _BLOCKS}
    for block, prefix in _BLOCKS:
        first = 0
        for name in table.parameters:
            size = table.size(name)
            cells = tensors.pop(prefix + name, None)
            if cells is None:
                raise InputError(f"{path} has no tensor {prefix + name}")
            shape = layout.place(name, "model").shape
            if cells.shape != shape:
                raise InputError(
                    f"{path}: {prefix + name} has shape {list(cells.shape)}; accepted: {list(shape)}"
                )
            wrong = np.argwhere(~np.isfinite(cells))
            if len(wrong):
                at = ",".join(map(str, wrong[0]))
                raise InputError(
                    f"{path}: {prefix + name}[{at}] is {cells[tuple(wrong[0])]}; accepted: finite numbers"
                )
            blocks[block][first : first + size] = cells.reshape(-1)
            first += size
    if tensors:
        raise InputError(f"{path} has a tensor that does not belong here: {min(tensors)}")
    for cells in blocks.values():
        cells.flags.writeable = False
    return State(blocks["parameters"], blocks["m"], blocks["v"])
