"""All values of a study as one array, and what they come to: a few kilobytes that an article can quote."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .folder import Folder, Plan
from .measures import END, MEASURES, START
from .reading import heads
from .seed import Measured, keys
from .seeds import show_seeds
from .statistics import Share, Spread, share, spread
from .table import read_table

#: The problem pair whose verdicts are quoted: 7×0= and 0×7=.
QUOTED = "follows_zero.7"
#: Verdicts that stand in the summary; the table has those of every a.
VERDICTS = (QUOTED, "follows_zero.all")
#: What the seven numbers under ``quantiles`` are: extremes, and 5, 25, 50, 75 and 95 %.
QUANTILES = {"least": 0, "low": 5, "quarter": 25, "median": 50, "three_quarters": 75, "high": 95, "most": 100}
#: Seeds of which the summary keeps what was found, so that anyone can recompute them.
SAMPLE = 12

FORMAT = 1


def head_name(layer: int, head: int) -> str:
    """As in the ledger: ``layer1.head2``."""
    return f"layer{layer}.head{head}"


@dataclass(frozen=True)
class Result:
    """Values of all seeds of a study.

    Attributes
    ----------
    plan
        What the folder is for.
    seeds
        uint32 [n], sorted.
    steps
        uint32 [n, 2]: at the start, at the end.
    digests
        Two for each seed.
    values
        float32 [n, keys], NaN where there is none.
    """

    plan: Plan
    seeds: NDArray[np.uint32]
    steps: NDArray[np.uint32]
    digests: list[tuple[str, str]]
    values: NDArray[np.float32]

    @property
    def missing(self) -> int:
        """Wanted seeds that are not there."""
        return len(self.plan.seeds) - len(self.seeds)

    @cached_property
    def _columns(self) -> dict[tuple[str, int, int, str], int]:
        return {(key.measure.name, key.layer, key.head, key.when): i for i, key in enumerate(keys())}

    def column(self, measure: str, layer: int = 0, head: int = 0, when: str = END) -> NDArray[np.float32]:
        """One value of every seed, float32 [n]."""
        found: NDArray[np.float32] = self.values[:, self._columns[measure, layer, head, when]]
        return found

    def verdicts(self, measure: str, when: str) -> NDArray[np.bool_]:
        """bool [n, heads] of a yes/no measure."""
        return np.stack([self.column(measure, *head, when) == 1 for head in heads()], axis=1)

    def some_head(self, measure: str, when: str) -> Share:
        """In how many seeds at least one head says yes."""
        return share(self.verdicts(measure, when).any(axis=1))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over seeds, steps, digests and the bits of all values, seed by seed."""
        found = hashlib.sha256()
        for seed, steps, digests, values in zip(
            self.seeds, self.steps, self.digests, self.values, strict=True
        ):
            found.update(np.array([seed, *steps], "<u4").tobytes())
            found.update("".join(digests).encode())
            # One bit pattern for every NaN.
            found.update(np.where(np.isnan(values), np.float32(np.nan), values).astype("<f4").tobytes())
        return found.hexdigest()


def of_measured(found: list[Measured], plan: Plan) -> Result:
    """The result of some measured seeds."""
    ordered = sorted(found, key=lambda one: one.seed)
    return Result(
        plan,
        np.array([one.seed for one in ordered], np.uint32),
        np.array([one.steps for one in ordered], np.uint32).reshape(-1, 2),
        [one.digests for one in ordered],
        np.array([one.values for one in ordered], np.float32).reshape(-1, len(keys())),
    )


def read_result(path: Path) -> Result:
    """Read a folder.

    Raises
    ------
    InputError
        There is no study in it, no seed is there yet, or a file is damaged.
    """
    folder = Folder(path)
    plan = folder.plan()
    if not folder.done(plan):
        raise InputError(f"{path} has no finished seed yet; go on with --resume")
    found = [one for part in folder.parts() for one in _read_part(part)]
    return of_measured(found, plan)


def _read_part(path: Path) -> list[Measured]:
    table = read_table(path)
    names = keys()
    first = table.slice(0, len(names)).to_pydict()
    order = [(key.measure.name, key.layer, key.head, key.when) for key in names]
    if list(zip(first["measure"], first["layer"], first["head"], first["when"], strict=True)) != order:
        raise InputError(f"{path} has other measures than this version takes; give another folder")
    size = len(names)
    late = next(place for place, key in enumerate(names) if key.when == END)
    early = next(place for place, key in enumerate(names) if key.when == START)
    seeds = table["seed"].to_numpy()[::size]
    values = table["value"].to_numpy(zero_copy_only=False).astype(np.float32).reshape(-1, size)
    steps = table["step"].to_numpy().reshape(-1, size)
    digests = np.array(table["digest"].to_pylist(), object).reshape(-1, size)
    return [
        Measured(
            int(seed),
            (int(steps[row, early]), int(steps[row, late])),
            (digests[row, early], digests[row, late]),
            values[row],
            "",
            "",
            0,
        )
        for row, seed in enumerate(seeds)
    ]


def summary(result: Result) -> dict[str, Any]:
    """What a study comes to, as JSON: shares with intervals, spreads, and what is needed to check them.

    ``verdicts`` has one hexadecimal digit a seed, in order: bit h is set if head h (layer 1 first) follows
    the 0 of 7×0= and 0×7= at the end. ``sample`` has some seeds in full digests, to be trained again.
    """
    late = result.verdicts(QUOTED, END)
    weights = 1 << np.arange(late.shape[1])
    places = sorted({round(i * (len(result.seeds) - 1) / (SAMPLE - 1)) for i in range(SAMPLE)})
    return {
        "format": FORMAT,
        "commands": result.plan.commands,
        "version": result.plan.version,
        "kernel.sha256": result.plan.kernel,
        "seeds": show_seeds(result.plan.seeds),
        "count": len(result.seeds),
        "digest": result.digest,
        "quantiles": list(QUANTILES.values()),
        "model": {
            name: {when: _spread(spread(result.column(name, when=when))) for when in measure.when}
            for name, measure in MEASURES.items()
            if not measure.per_head
        },
        "some_head": {
            name: {when: _share(result.some_head(name, when)) for when in (START, END)} for name in VERDICTS
        },
        "heads": {head_name(*head): _head(result, *head) for head in heads()},
        "verdicts": "".join(f"{number:x}" for number in (late @ weights).tolist()),
        "sample": [
            {
                "seed": int(result.seeds[place]),
                "steps": int(result.steps[place, 1]),
                "digests": [digest[:16] for digest in result.digests[place]],
            }
            for place in places
        ],
    }


def _head(result: Result, layer: int, head: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, measure in MEASURES.items():
        if not measure.per_head or (measure.unit == "yes/no" and name not in VERDICTS):
            continue
        columns = {when: result.column(name, layer, head, when) for when in measure.when}
        found[name] = {
            when: _share(share(column == 1)) if measure.unit == "yes/no" else _spread(spread(column))
            for when, column in columns.items()
        }
    return found


def _share(found: Share) -> dict[str, Any]:
    return {
        "yes": found.yes,
        "of": found.of,
        "share": _short(found.share),
        "low": _short(found.low),
        "high": _short(found.high),
    }


def _spread(found: Spread) -> dict[str, Any]:
    return {
        "of": found.of,
        "mean": _short(found.mean),
        "quantiles": [_short(getattr(found, name)) for name in QUANTILES],
    }


def _short(number: float) -> float | None:
    """Five significant digits are enough to quote; JSON has no NaN."""
    return None if math.isnan(number) else float(f"{number:.5g}")
