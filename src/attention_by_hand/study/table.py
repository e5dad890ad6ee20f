"""The rows of a study as Parquet: one row a seed, head, measure and moment."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..errors import InputError
from .measures import START
from .seed import Measured, keys

#: Columns. ``layer`` and ``head`` count from 1; 0 and 0 stand for the whole model. ``value`` is empty where
#: there is none. ``digest`` is SHA-256 of the parameters the value was measured on.
SCHEMA = pa.schema(
    [
        pa.field("seed", pa.uint32(), nullable=False),
        pa.field("layer", pa.uint8(), nullable=False),
        pa.field("head", pa.uint8(), nullable=False),
        pa.field("measure", pa.dictionary(pa.int16(), pa.string()), nullable=False),
        pa.field("when", pa.dictionary(pa.int8(), pa.string()), nullable=False),
        pa.field("step", pa.uint32(), nullable=False),
        pa.field("value", pa.float32()),
        pa.field("digest", pa.dictionary(pa.int32(), pa.string()), nullable=False),
    ]
)

#: Metadata of every part file.
FORMAT, VERSION, KERNEL = b"attention-by-hand.study", b"version", b"kernel.sha256"
FORMAT_NUMBER = b"1"


def to_table(found: Sequence[Measured], version: str, kernel: str) -> Any:
    """Rows of some seeds, in the order of the seeds and of `keys`."""
    names = keys()
    late = np.array([key.when != START for key in names], np.int64)
    count = len(found)
    steps = np.array([one.steps for one in found], np.uint32).reshape(count, 2)
    values = np.concatenate([one.values for one in found])

    def each_seed(column: list[Any], kind: Any) -> Any:
        return pa.array(column * count, kind)

    texts = [text for one in found for text in one.digests]
    places = (late[None, :] + 2 * np.arange(count)[:, None]).astype(np.int32).reshape(-1)
    columns = [
        pa.array(np.repeat(np.array([one.seed for one in found], np.uint32), len(names))),
        each_seed([key.layer for key in names], pa.uint8()),
        each_seed([key.head for key in names], pa.uint8()),
        each_seed([key.measure.name for key in names], pa.string()).cast(SCHEMA.field("measure").type),
        each_seed([key.when for key in names], pa.string()).cast(SCHEMA.field("when").type),
        pa.array(steps[:, late].reshape(-1)),
        pa.array(values, pa.float32(), mask=np.isnan(values)),
        pa.DictionaryArray.from_arrays(pa.array(places), pa.array(texts)),
    ]
    metadata = {FORMAT: FORMAT_NUMBER, VERSION: version.encode(), KERNEL: kernel.encode()}
    return pa.Table.from_arrays(columns, schema=SCHEMA.with_metadata(metadata))


def to_bytes(table: Any) -> bytes:
    """A Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def read_metadata(path: Path) -> dict[bytes, bytes]:
    """Metadata of one part file.

    Raises
    ------
    InputError
        It cannot be read, or is none of this program's.
    """
    try:
        found: dict[bytes, bytes] = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None
    if found.get(FORMAT) != FORMAT_NUMBER:
        raise InputError(f"{path} is no part of a study; remove it, or give another folder")
    return found


def read_seeds(path: Path) -> NDArray[np.uint32]:
    """The seeds of one part file, each once, sorted.

    Raises
    ------
    InputError
        The file is damaged, or a seed has too many or too few rows.
    """
    try:
        column = pq.read_table(path, columns=["seed"])["seed"].to_numpy()
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None
    seeds, rows = np.unique(column, return_counts=True)
    if (rows != len(keys())).any():
        raise InputError(f"{path} does not have {len(keys())} rows for each seed; remove it, then --resume")
    return seeds.astype(np.uint32)


def read_table(path: Path) -> Any:
    """All rows of one part file.

    Raises
    ------
    InputError
        The file is damaged.
    """
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} is damaged ({str(error).splitlines()[0]}); remove it, then --resume")
