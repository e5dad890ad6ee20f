"""Seeds measured by Dask workers: a cluster of this machine, or one that runs already."""

from __future__ import annotations

import logging
import math
import queue
import signal
import time
import uuid
import warnings
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

import dask
from distributed import CancelledError, Client, LocalCluster
from distributed.scheduler import KilledWorker

from .. import __version__
from ..errors import InputError
from .seed import Measured, kernel_digest, measure_seed

#: Seconds to wait for the scheduler to answer.
CONNECT = 10
#: Seconds without any worker after which a study gives up.
PATIENCE = 60
#: Seeds handed out ahead for each thread, so that no worker waits for this process.
AHEAD = 3
#: Workers that a seed may outlive on a local cluster. Whoever kills workers by hand should not end the study.
FAILURES = 10

#: Evaluated by each worker. A function of this package would not do: a worker that lacks it could not even
#: read its name, and would leave without a word.
PROBE = (
    "(__import__('attention_by_hand').__version__, "
    "__import__('attention_by_hand.study.seed', fromlist=['seed']).kernel_digest())"
)

_CONFIGURATION = {
    "distributed.comm.timeouts.connect": f"{CONNECT}s",
    "distributed.scheduler.allowed-failures": FAILURES,
    # A worker on a busy machine would say that its folder was slow to make.
    "distributed.nanny.pre-spawn-environ.PYTHONWARNINGS": "ignore::UserWarning",
}


class Crew:
    """Workers that measure seeds.

    Parameters
    ----------
    client
        Connected.
    """

    def __init__(self, client: Client) -> None:
        self._client: Any = client
        self._study = uuid.uuid4().hex
        self._met: set[str] = set()
        self._threads = 0
        self._seen = time.monotonic()
        self._asked = -math.inf

    def measure(self, seeds: Iterable[int]) -> Generator[Measured | None]:
        """Measure seeds, handing them out in order; yields each as it comes in, and None about once a second.

        The None lets the caller look whether to stop.

        Raises
        ------
        InputError
            The scheduler went away, no worker is left, or the workers cannot run the study.
        """
        waiting = iter(seeds)
        arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        out: set[Any] = set()
        exhausted = False
        try:
            while True:
                while not exhausted and len(out) < self._room():
                    seed = next(waiting, None)
                    if seed is None:
                        exhausted = True
                        break
                    key = f"seed-{seed}-{self._study}"
                    future = self._client.submit(measure_seed, seed, key=key, pure=False)
                    out.add(future)
                    future.add_done_callback(arrived.put)
                if not out:
                    return
                try:
                    future = arrived.get(timeout=1)
                except queue.Empty:
                    self._look_for_workers()
                    yield None
                    continue
                found = self._result(future)
                while found is None:
                    yield None
                    found = self._result(future)
                out.discard(future)
                future.release()
                yield found
        finally:
            if out and self._client.status == "running":
                self._client.cancel(list(out), force=True)

    def _room(self) -> int:
        """How many seeds may be out at a time. The scheduler is asked for its workers once a second."""
        now = time.monotonic()
        if now - self._asked > 1:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
            self._meet(workers)
            self._threads = sum(worker["nthreads"] for worker in workers.values())
            self._asked = now
            if self._threads:
                self._seen = now
        return AHEAD * max(self._threads, 1)

    def _meet(self, addresses: Iterable[str]) -> None:
        """Ask workers not met before what they would compute with.

        Raises
        ------
        InputError
            One has no study, or another version or kernel.
        """
        new = [address for address in addresses if address not in self._met]
        if not new:
            return
        try:
            found = self._client.run(eval, PROBE, workers=new, on_error="return")
        except OSError:
            # The scheduler does not answer; the client's status will say so when it has given up.
            return
        here = (__version__, kernel_digest())
        for address, answer in found.items():
            if isinstance(answer, OSError):
                # It left, or came back under another address.
                continue
            if isinstance(answer, BaseException):
                said = " ".join(f"{type(answer).__name__}: {answer}".split())
                raise InputError(
                    f"the worker at {address} cannot run the study ({said}); "
                    f"it needs attention-by-hand[study] {here[0]}, as it is here"
                )
            if answer != here:
                raise InputError(
                    f"the worker at {address} has version {answer[0]} with kernel {answer[1][:16]}, "
                    f"this is version {here[0]} with kernel {here[1][:16]}; install the same on every worker"
                )
            self._met.add(address)

    def _look_for_workers(self) -> None:
        self._room()
        if self._client.status != "running":
            raise _lost()
        if time.monotonic() - self._seen > PATIENCE:
            raise InputError(
                f"no worker has been connected to the scheduler for {PATIENCE} s; "
                "start one with `dask worker ADDRESS`"
            )

    def _result(self, future: Any) -> Measured | None:
        """Fetch what was measured; None if it is not to be had yet.

        A worker that is killed takes its finished seeds along. The scheduler has them measured again, and
        until then such a seed is neither there nor failed.
        """
        if future.status == "cancelled":
            raise _lost()
        if future.status == "error":
            raise self._failure(future)
        try:
            found: Measured = future.result(timeout=1)
        except TimeoutError:
            self._look_for_workers()
            return None
        except (OSError, CancelledError):
            # Its worker or the scheduler went away just now; the status says which, a moment later.
            time.sleep(0.1)
            self._look_for_workers()
            return None
        except Exception:
            if future.status != "error":
                raise
            # It failed while we waited; the next look says how.
            return None
        return found

    def _failure(self, future: Any) -> InputError:
        error = future.exception(timeout=CONNECT)
        if isinstance(error, KilledWorker):
            return InputError(f"the worker of seed {future.key.split('-')[1]} died each time it was tried")
        where = " ".join(f"{type(error).__name__}: {error}".split())
        return InputError(
            f"the workers cannot run the study ({where}); they need attention-by-hand[study] as it is here"
        )


def _lost() -> InputError:
    return InputError(
        "the connection to the scheduler was lost; what was measured is kept, go on with --resume"
    )


@contextmanager
def crew(workers: int, scheduler: str | None) -> Iterator[Crew]:
    """Connect to a scheduler, or start a cluster on this machine and stop it afterwards.

    Parameters
    ----------
    workers
        Processes of a cluster on this machine, one thread each.
    scheduler
        Address such as ``tcp://127.0.0.1:8786``; then `workers` is not used.

    Raises
    ------
    InputError
        The scheduler cannot be reached, or no cluster can be started.
    """
    # Its loggers tell of each lost connection. What a person has to know is said by this module in one line.
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", "Creating scratch directories", UserWarning)
    with dask.config.set(_CONFIGURATION):
        if scheduler is None:
            with _local(workers) as cluster, Client(cluster, timeout=CONNECT) as client:
                yield Crew(client)
        else:
            with _remote(scheduler) as client:
                yield Crew(client)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads begun inside never see Ctrl-C: the terminal sends it to all, this one decides.

    Later children of those threads, such as a worker that replaces one that died, do not see it either.
    """
    # It would unblock the signal when a first child needs it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _local(workers: int) -> Any:
    try:
        with _deaf_to_ctrl_c():
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                # Any free port: 8787 may be taken, by another study for instance.
                dashboard_address="127.0.0.1:0",
                memory_limit=None,
                silence_logs=logging.CRITICAL + 1,
            )
    except (OSError, RuntimeError, TimeoutError) as error:
        raise InputError(f"no workers can be started on this machine: {error}") from None


def _remote(scheduler: str) -> Any:
    try:
        return Client(scheduler, timeout=CONNECT)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"no Dask scheduler answers at {scheduler} ({said}); accepted: an address such as tcp://127.0.0.1:8786"
        ) from None
