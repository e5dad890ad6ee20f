"""Checkpoints: one safetensors file with the parameters, Adam's averages, seed, step and digest.

Tensors carry their ledger names and shapes, ``adam.m.`` and ``adam.v.`` in front of the averages.
Metadata: ``format``, ``version``, ``seed`` (empty when unknown), ``step``, ``digest``, ``tokens``.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .model.layout import standard_layout
from .tokens import TOKENS
from .trained import Model, State, digest

FORMAT = "attention-by-hand"
VERSION = "1"
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
        "tokens": json.dumps(TOKENS, ensure_ascii=False),
    }
    write_whole(Path(path), to_bytes(_tensors(model.state), metadata), overwrite)


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
            tensors: dict[str, Any] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not a whole safetensors file: {error}") from None
    _check_metadata(path, metadata)
    state = _read_state(path, tensors)
    if digest(state.parameters) != metadata["digest"]:
        raise InputError(f"{path} does not match its own digest; it was changed after it was written")
    seed = metadata["seed"]
    return Model(state, int(seed) if seed else None, int(metadata["step"]))


def _check_metadata(path: Path, metadata: dict[str, str]) -> None:
    if metadata.get("format") != FORMAT or metadata.get("version") != VERSION:
        raise InputError(f"{path} is no {FORMAT} checkpoint of version {VERSION}; accepted: files written by `train --out`")
    if metadata.get("tokens") != json.dumps(TOKENS, ensure_ascii=False):
        raise InputError(f"{path} is from another vocabulary; accepted: {' '.join(TOKENS)}")
    seed = metadata.get("seed", "?")
    step = metadata.get("step", "?")
    if not (step.isdecimal() and (seed == "" or (seed.isdecimal() and int(seed) < 2**32)) and "digest" in metadata):
        raise InputError(f"{path} does not say its seed, step and digest; accepted: files written by `train --out`")


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
            if cells.dtype != np.float32:
                raise InputError(f"{path}: {prefix + name} is {cells.dtype}; accepted: float32")
            if cells.shape != shape:
                raise InputError(f"{path}: {prefix + name} has shape {list(cells.shape)}; accepted: {list(shape)}")
            wrong = np.argwhere(~np.isfinite(cells))
            if len(wrong):
                at = ",".join(map(str, wrong[0]))
                raise InputError(f"{path}: {prefix + name}[{at}] is {cells[tuple(wrong[0])]}; accepted: finite numbers")
            blocks[block][first : first + size] = cells.reshape(-1)
            first += size
    if tensors:
        raise InputError(f"{path} has a tensor that does not belong here: {min(tensors)}")
    for cells in blocks.values():
        cells.flags.writeable = False
    return State(blocks["parameters"], blocks["m"], blocks["v"])
