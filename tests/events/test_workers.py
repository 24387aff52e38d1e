"""Work over processes and over a cluster: all of it, in order, or an error that says so."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest

from ds_core import parse_moves
from ds_events import audit as auditing
from ds_events import log, workers
from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.errors import MissingExtra, WorkersFailed
from ds_events.ids import format_id
from ds_events.schema import summaries
from ds_events.store import EventStore
from ds_events.workers import cluster, processes, spread
from tests.cli.running import environment
from tests.events.building import audited, coded, contents, take_in, vector_lines
from tests.events.spreading import die, refuse, squared, squared_in_time
from tests.events.tampering import change

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Executor]:
    with processes(2) as pool:
        yield pool


@pytest.fixture
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand out the work in many pieces, though there are few games."""
    monkeypatch.setattr(log, "SPAN_GAMES", 2)
    monkeypatch.setattr(auditing, "SHARE_SPANS", 2)


@pytest.fixture
def faulty(store: EventStore) -> EventStore:
    """A record of 30 games, of which every fourth has a fault."""
    moves = parse_moves("D T2T3 D D U D")
    ids = [store.record("mika", coded(), moves[: number % 7]).id for number in range(30)]
    for game_id in ids[::4]:
        change(store.database, summaries, game_id, home=-1)
    return store


def test_what_is_done_here_comes_in_order() -> None:
    assert list(spread(None, squared, range(5))) == [0, 1, 4, 9, 16]


def test_what_processes_do_comes_in_the_order_of_the_pieces(two_processes: Executor) -> None:
    squares = list(spread(two_processes, squared_in_time, range(5)))
    assert squares == [0, 1, 4, 9, 16]


def test_no_more_is_handed_out_than_memory_is_to_hold(
    two_processes: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "AHEAD", 3)
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    results = spread(two_processes, squared, pieces())

    assert next(results) == 0
    assert taken == [0, 1, 2]
    assert list(results) == [1, 4, 9, 16, 25, 36, 49, 64, 81]


def test_what_a_worker_raises_is_raised_here(two_processes: Executor) -> None:
    with pytest.raises(ValueError, match="not 0"):
        list(spread(two_processes, refuse, range(3)))


def test_a_process_that_is_killed_is_an_error_that_says_so() -> None:
    with processes(2) as pool, pytest.raises(WorkersFailed, match=r"killed.*nothing was changed"):
        list(spread(pool, die, range(3)))


@pytest.mark.parametrize("count", [0, 1, 9, 100])
def test_shares_hold_each_span_once_and_the_last_are_small(count: int) -> None:
    spans = [log.Span(number, number) for number in range(count)]

    shares = list(auditing._shares(spans))

    assert [span for share in shares for span in share] == spans
    sizes = list(map(len, shares))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-2:] == [1, 1][:count]
    assert max(sizes, default=0) <= auditing.SHARE_SPANS


@pytest.mark.usefixtures("small_shares")
def test_processes_find_what_is_found_here(faulty: EventStore, two_processes: Executor) -> None:
    here = audited(faulty.database)
    told: list[int] = []

    there = audit_database(faulty.database, two_processes, told.append)

    assert there == here
    ids = sorted(row[0] for row in contents(faulty.database)["games"])
    assert [fault.game for fault in there.faults] == [format_id(each) for each in ids[::4]]
    assert told == sorted(told)
    assert told[-1] == 30
    assert len(told) >= 7


class Cluster:
    """A Dask scheduler and workers, all of them processes of their own."""

    def __init__(self, folder: Path, size: int) -> None:
        self._file = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.workers = [self._start("worker", "--nthreads", "1", "--no-nanny") for _ in range(size)]

    @property
    def address(self) -> str:
        """Where the scheduler listens, once it and all workers are there."""
        from distributed import Client

        joined: Any = Client(  # type: ignore[no-untyped-call]
            scheduler_file=str(self._file), timeout=60
        )
        with joined as client:
            if self.workers:
                client.wait_for_workers(len(self.workers), timeout=60)
            return str(client.scheduler.address)

    def close(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "dask", *arguments),
                *("--scheduler-file", str(self._file), "--no-dashboard"),
            ],
            cwd=ROOT,
            env=environment(PYTHONPATH=f"{ROOT}:{ROOT / 'cli'}"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture
def new_cluster(tmp_path: Path) -> Iterator[Callable[[int], Cluster]]:
    made: list[Cluster] = []

    def make(size: int) -> Cluster:
        made.append(Cluster(tmp_path, size))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def on_server(new_postgres_url: Callable[[], str]) -> Iterator[Database]:
    database = open_database(new_postgres_url())
    yield database
    database.close()


@pytest.mark.usefixtures("small_shares")
def test_a_cluster_finds_what_is_found_here_though_a_worker_dies(
    on_server: Database, new_cluster: Callable[[int], Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "SPAN_GAMES", 1)
    monkeypatch.setattr(auditing, "SHARE_SPANS", 1)
    store = EventStore(on_server)
    assert take_in(store, vector_lines()).rejected == 0
    for game_id in [row[0] for row in contents(on_server)["games"]][::5]:
        change(on_server, summaries, game_id, home=-1)
    here = audited(on_server)
    assert len(here.faults) == 7
    made = new_cluster(2)
    progress: list[int] = []

    def told(done: int) -> None:
        if not progress:
            made.workers[0].kill()
        progress.append(done)

    with cluster(made.address) as there:
        found = audit_database(on_server, there, told)

    assert found == here
    assert progress[-1] == here.games


def test_where_no_scheduler_listens_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT_TIMEOUT", 1)
    with pytest.raises(WorkersFailed, match=r"no Dask scheduler.*127\.0\.0\.1:1"):
        cluster("tcp://127.0.0.1:1").__enter__()


def test_what_is_missing_for_a_cluster_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"distributed.*\[cluster\]"):
        cluster("tcp://127.0.0.1:1").__enter__()


def test_a_cluster_without_workers_is_not_waited_for(
    new_cluster: Callable[[int], Cluster],
) -> None:
    address = new_cluster(0).address
    with pytest.raises(WorkersFailed, match=f"no worker has joined.*`dask worker {address}`"):
        cluster(address).__enter__()
