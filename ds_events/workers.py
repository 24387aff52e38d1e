"""Work that is spread: here, over processes of this machine, or over those of a cluster.

All of it is a `concurrent.futures.Executor`, so that what is to be done is written once.
"""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from ds_events.errors import WorkersFailed
from ds_events.extras import needed_for

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 64
"""How much is handed out before the first of it has come back: it bounds memory."""

CONNECT_TIMEOUT: Final = 10
"""Seconds in which a cluster's scheduler has to answer."""

RETRIES: Final = 3
"""How often a cluster may begin a piece of work again whose worker has died."""


def spread(workers: Executor | None, work: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """Yield what `work` makes of each piece, in the order of the pieces.

    Without `workers` it is done here, piece by piece. Raises what `work` raises, and
    `WorkersFailed` if a worker is lost with no other to take over.
    """
    if workers is None:
        yield from map(work, pieces)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for piece in pieces:
            waiting.append(workers.submit(work, piece))
            if len(waiting) == AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        # What a broken pool still holds it ends itself.
        waiting.clear()
        raise WorkersFailed(
            "a process that worked on it was killed, perhaps for want of memory: "
            "nothing was changed; try again with fewer --jobs"
        ) from error
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Yield workers that are so many processes of this machine.

    An interrupt of the keyboard is for the process that hands out the work alone.
    """
    # New interpreters: what a forked one would inherit of a database is not to be used twice.
    spawning = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawning)
    try:
        with _interrupts_held():
            # Each begins a process, which holds back interrupts as long as it lives.
            for _ in range(jobs):
                pool.submit(_nothing)
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Yield the workers of the Dask scheduler at an address.

    If one of them dies, another does its work again. Raises `WorkersFailed`, or
    `MissingExtra` without the extra `cluster`.
    """
    with needed_for("--dask", "cluster"):
        from distributed import Client, KilledWorker
    try:
        client: Any = Client(address, timeout=CONNECT_TIMEOUT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise WorkersFailed(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise WorkersFailed(
                f"no worker has joined the Dask scheduler at {address}: start some with "
                f"`dask worker {address}`"
            )
        try:
            yield client.get_executor(retries=RETRIES)
        except KilledWorker as error:
            raise WorkersFailed(
                f"of the workers at {address} too many died: nothing was changed; {error}"
            ) from error


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold an interrupt back until the end of the block, where there is a way to."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _nothing() -> None:
    return None
