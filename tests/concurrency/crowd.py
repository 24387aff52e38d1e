"""Processes that work on one database at the same time."""

import importlib
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier, Event
from typing import Any, Final

SIZE: Final = 6

LIMIT: Final = 120.0
"""Seconds after which a process that has not come back hangs."""


class Crowd:
    """As many processes as `SIZE`, started once and used by one test after the other.

    They are new interpreters, not forks: each opens the database by its URL, as any other
    program would.
    """

    def __init__(self) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._stop = spawning.Event()
        self._pool = ProcessPoolExecutor(
            SIZE,
            mp_context=spawning,
            initializer=_join,
            initargs=(spawning.Barrier(SIZE), self._stop),
        )
        # So that no test has to wait for a process to be there.
        self.all_at_once(*[_load] * SIZE)

    def close(self) -> None:
        self._stop.set()
        self._pool.shutdown()

    def all_at_once(self, *works: Callable[[], Any]) -> list[Any]:
        """Return what each of up to `SIZE` functions returns, begun at the same moment."""
        return [future.result(LIMIT) for future in self._start(works)]

    @contextmanager
    def meanwhile(self, *works: Callable[[], Any]) -> "Iterator[list[Future[Any]]]":
        """Let functions go on until the end of the block, which `stopped` tells them.

        They have to end without an error by then.
        """
        futures = self._start(works)
        try:
            yield futures
        finally:
            self._stop.set()
            for future in futures:
                future.result(LIMIT)

    def _start(self, works: tuple[Callable[[], Any], ...]) -> "list[Future[Any]]":
        assert 0 < len(works) <= SIZE
        self._stop.clear()
        started = [self._pool.submit(_meet_and_run, work) for work in works]
        for _ in range(SIZE - len(works)):
            self._pool.submit(_meet_and_run, _nothing)
        return started


def stopped() -> bool:
    """Return whether what goes on until it is stopped is to come to its end."""
    return _stop.is_set()


_barrier: Barrier
_stop: Event


def _join(barrier: Barrier, stop: Event) -> None:
    global _barrier, _stop
    _barrier, _stop = barrier, stop


def _meet_and_run(work: Callable[[], Any]) -> Any:
    # Without it the first process would be done before the last has begun.
    _barrier.wait(LIMIT)
    return work()


def _load() -> None:
    """Load what every work needs."""
    importlib.import_module("tests.concurrency.work")


def _nothing() -> None:
    return None
