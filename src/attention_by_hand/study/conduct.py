"""A study from its first seed to its last, or from where it was left."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from .cluster import Crew, crew
from .folder import Folder, Plan, open_folder
from .seed import Measured
from .seeds import chunks, runs_of


@dataclass(frozen=True)
class Progress:
    """How far a study is: seeds done before it was begun or resumed, done since, and wanted in all."""

    before: int
    since: int
    total: int


def conduct(
    path: Path,
    seeds: range | None,
    *,
    workers: int,
    scheduler: str | None,
    resume: bool,
    command: str,
    on_progress: Callable[[Progress], object],
) -> Progress:
    """Measure what is missing in a folder.

    Parameters
    ----------
    path
        Folder of the study.
    seeds
        Wanted seeds; None with ``resume`` means those the study was begun with.
    workers, scheduler
        Where to compute, see `cluster.crew`.
    resume
        Whether to go on with a study that is there.
    command
        As it was typed, to be kept with the result.
    on_progress
        Called at each seed and about once a second; an exception it raises ends the study with all finished
        seeds kept.

    Returns
    -------
    Progress
        At the end.

    Raises
    ------
    InputError
        Something a person gave cannot be used, the disk refuses, or the workers are gone.
        Finished seeds are kept.
    """
    folder, plan = open_folder(path, seeds, resume=resume)
    with folder.held():
        folder.clean()
        done = folder.done(plan)
        missing = [seed for seed in plan.seeds if seed not in done]
        progress = Progress(len(done), 0, len(plan.seeds))
        if not missing:
            folder.write_plan(plan)
            on_progress(progress)
            return progress
        with crew(workers, scheduler) as hands:
            # Only now: a scheduler that does not answer should leave nothing behind.
            plan.commands.append(command)
            folder.write_plan(plan)
            on_progress(progress)
            # Closing: when on_progress ends the study, what is at hand is written at once.
            with closing(_measured(hands, folder, plan, missing)) as counts:
                for count in counts:
                    progress = Progress(len(done), count, len(plan.seeds))
                    on_progress(progress)
    return progress


def _measured(hands: Crew, folder: Folder, plan: Plan, missing: list[int]) -> Generator[int]:
    """Measure seeds and write them, a part file whenever one is complete; yields how many came in."""
    size = min(max(len(missing) // 100, 20), 500)
    part_of = {seed: part for part in chunks(missing, size) for seed in part}
    at_hand: dict[int, Measured] = {}
    count = 0
    try:
        with closing(hands.measure(missing)) as arriving:
            for one in arriving:
                if one is not None:
                    _check(one, plan)
                    at_hand[one.seed] = one
                    count += 1
                    part = part_of[one.seed]
                    if all(seed in at_hand for seed in part):
                        folder.write_part([at_hand[seed] for seed in part], plan)
                        for seed in part:
                            del at_hand[seed]
                yield count
    except BaseException:
        # Seeds of parts that are not complete are kept too. If it was the disk that refused, it will again.
        with suppress(InputError):
            for run in runs_of(at_hand):
                folder.write_part([at_hand[seed] for seed in run], plan)
        raise


def _check(one: Measured, plan: Plan) -> None:
    if (one.version, one.kernel) != (plan.version, plan.kernel):
        raise InputError(
            f"a worker has version {one.version} with kernel {one.kernel[:16]}, "
            f"this is version {plan.version} with kernel {plan.kernel[:16]}; "
            "install the same on every worker, then --resume"
        )
