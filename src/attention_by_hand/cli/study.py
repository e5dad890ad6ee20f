"""``attention-by-hand study``: train and measure many seeds, and report what came out."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError
from .output import console, print_json
from .values import whole_number

if TYPE_CHECKING:
    from ..study.conduct import Progress

NEEDED = ("dask", "distributed", "pyarrow")
MOST_WORKERS = 256
REPORT = "report.html"

study_app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@study_app.callback(invoke_without_command=True)
def study(
    context: typer.Context,
    seeds: Annotated[
        str | None, typer.Option(metavar="FIRST:LAST", help="Seeds to train, both included, such as 1:1000.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder to write, as Parquet.")] = None,
    workers: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Processes on this machine; one a core if not given.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler that runs already: tcp://host:8786."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the study that is in DIR.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Train and measure many seeds: is what one seed shows typical?

    Ctrl-C stops; what was measured is kept, and --resume goes on. `study report DIR` says what came out.

    \b
    Examples:
      attention-by-hand study --seeds 1:1000 --out study
      attention-by-hand study --out study --resume
      attention-by-hand study --seeds 1:5000 --out study --scheduler tcp://127.0.0.1:8786
      attention-by-hand study report study
    """
    if context.invoked_subcommand is None:
        raise typer.Exit(run_study(seeds, out, workers, scheduler, resume=resume, json=json))


@study_app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that study --out wrote.")],
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the page; DIR/report.html if not given."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    language: Annotated[str, typer.Option(metavar="en|zh", help="Language of the report.")] = "en",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and write no page.")] = False,
) -> None:
    """Say what a study found: tables and charts here, and the same as one HTML file.

    \b
    Examples:
      attention-by-hand study report study
      attention-by-hand study report study --html report-zh.html --language zh
      attention-by-hand study report study --json
    """
    report_study(folder, html, language, force=force, json=json)


def check_installed() -> None:
    """Find out whether what studies need is there.

    Raises
    ------
    InputError
        If Dask or pyarrow is not installed.
    """
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        raise InputError(
            f"a study needs {', '.join(absent)}, not installed here; pip install 'attention-by-hand[study]'"
        )


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None]]:
    """Show done, rate and time left on standard error, where that is a terminal; yields what to call."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda found: None
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("seeds {task.completed:>6}/{task.total}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[rate]}  {task.fields[left]}"),
    )
    begun = time.monotonic()
    with Bar(*columns, console=screen, refresh_per_second=4) as bar:
        task = bar.add_task("", total=None, rate="", left="starting workers")

        def show(found: Progress) -> None:
            rate, left = "", "waiting for the first seed"
            if found.since:
                speed = found.since / (time.monotonic() - begun)
                rate = f"{speed:.1f} seeds/s"
                left = f"{duration((found.total - found.before - found.since) / speed)} left"
            bar.update(task, completed=found.before + found.since, total=found.total, rate=rate, left=left)

        yield show


def duration(seconds: float) -> str:
    """``4:05``, or ``1:02:03``."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, last = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{last:02}" if hours else f"{minutes}:{last:02}"


def run_study(
    seeds: str | None,
    out: Path | None,
    workers: str | None,
    scheduler: str | None,
    *,
    resume: bool,
    json: bool,
) -> int:
    """Measure, and say how far it came.

    Parameters
    ----------
    seeds, workers, scheduler
        As they were typed.
    out : Path or None
        Folder of the study.
    resume : bool
        Whether to go on with one that is there.
    json : bool
        Whether to report as JSON.

    Returns
    -------
    int
        0 when every seed is there, 130 when Ctrl-C came first.

    Raises
    ------
    InputError
        If something that was given cannot be used, the disk refuses or the workers are gone.
    """
    if out is None:
        raise InputError("--out is missing; accepted: the folder to write, such as --out study")
    if workers is not None and scheduler is not None:
        raise InputError(
            "--workers and --scheduler do not go together: a scheduler has its own; give one of them"
        )
    count = None if workers is None else whole_number(workers, "--workers", 1, MOST_WORKERS)
    check_installed()
    from ..study.seeds import parse_seeds

    wanted = None if seeds is None else parse_seeds(seeds)
    from ..study.conduct import Progress, conduct
    from .train import INTERRUPTED, Stopped, stopping_between_steps

    begun = time.perf_counter()
    reached = Progress(0, 0, 0)
    interrupted = False
    with stopping_between_steps() as check, progress_line() as show:

        def on_progress(found: Progress) -> None:
            nonlocal reached
            reached = found
            show(found)
            check()

        try:
            conduct(
                out,
                wanted,
                workers=count or available_cores(),
                scheduler=scheduler,
                resume=resume,
                command=shlex.join(["attention-by-hand", *sys.argv[1:]]),
                on_progress=on_progress,
            )
        except Stopped:
            interrupted = True
    seconds = time.perf_counter() - begun
    done = reached.before + reached.since
    if json:
        found: dict[str, Any] = {
            "out": str(out),
            "seeds": done,
            "wanted": reached.total,
            "measured": reached.since,
            "interrupted": interrupted,
            "seconds": round(seconds, 3),
        }
        print_json(found)
    else:
        head = "Stopped by Ctrl-C: " if interrupted else ""
        since = f"{reached.since} measured in {duration(seconds)}"
        print(f"{head}{done} of {reached.total} seeds are in {out}; {since}")
        following = (
            f"study --out {shlex.quote(str(out))} --resume"
            if interrupted
            else f"study report {shlex.quote(str(out))}"
        )
        print(f"Next: attention-by-hand {following}")
    return INTERRUPTED if interrupted else 0


def available_cores() -> int:
    """Cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def report_study(folder: Path, html: Path | None, language: str, *, force: bool, json: bool) -> None:
    """Print a report and write its page.

    Parameters
    ----------
    folder : Path
        Where the study is.
    html : Path or None
        Where to write the page; the study's own folder if None.
    language : str
        ``en`` or ``zh``.
    force : bool
        Whether a file that was named may be replaced.
    json : bool
        Whether to print the summary as JSON, and no more.

    Raises
    ------
    InputError
        If there is no study in the folder, the language is unknown, or the page cannot be written.
    """
    if language not in ("en", "zh"):
        raise InputError(f"--language {language!r} is unknown; accepted: en, zh")
    check_installed()
    from ..checkpoint import check_writable, write_whole

    if html is not None and not json:
        check_writable(html, force)
    from ..study.result import read_result, summary

    result = read_result(folder)
    if json:
        print_json(summary(result))
        return
    from ..study.page import page
    from ..study.report import report as make
    from ..study.terminal import print_report

    found = make(result, language)
    print_report(found, console())
    target = folder / REPORT if html is None else html
    # The study's own report is made anew each time; it holds nothing that the study does not.
    write_whole(target, page(found).encode(), overwrite=force or html is None)
    print(f"\nPage: {target}")
