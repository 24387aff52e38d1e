"""Many writers: every seq of a game is won by exactly one of them."""

import json
import signal
from threading import Barrier, Thread

import pytest

from ds_events.database import Database
from ds_events.errors import WrongExpectedVersion
from ds_events.store import EventStore
from tests.events.building import audited, child, coded, contents, url_of

TRIES = 30

CONTENDER = f"""
import json, sys
from ds_events.database import Database
from ds_events.errors import WrongExpectedVersion
from ds_events.store import EventStore

database = Database(sys.argv[1])
store, game, won = EventStore(database), int(sys.argv[2]), []
store.load(game)
print("ready", flush=True)
sys.stdin.readline()
for version in range({TRIES}):
    try:
        store.append(game, ["D"], expected_version=version)
    except WrongExpectedVersion as error:
        assert error.actual > version == error.expected
    else:
        won.append(version)
print(json.dumps(won))
database.close()
"""


def _each_seq_was_won_once(database: Database, game_id: int, wins: list[list[int]]) -> None:
    assert sorted(version for won in wins for version in won) == list(range(TRIES))
    logged = [row[1] for row in contents(database)["events"] if row[0] == game_id]
    assert logged == list(range(1, TRIES + 1))
    assert audited(database).faults == []


def test_of_two_processes_exactly_one_wins_each_seq(store: EventStore) -> None:
    game = store.create("mika", coded())
    processes = [child(CONTENDER, url_of(store.database), str(game.id)) for _ in range(2)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60) for process in processes]

    assert [error for _, error in answers] == ["", ""]
    _each_seq_was_won_once(store.database, game.id, [json.loads(said) for said, _ in answers])


@pytest.mark.parametrize("shared", [True, False], ids=["one store", "a store each"])
def test_of_several_threads_exactly_one_wins_each_seq(store: EventStore, shared: bool) -> None:
    game = store.create("mika", coded())
    start = Barrier(3)
    wins: list[list[int]] = [[], [], []]

    def contend(won: list[int]) -> None:
        mine = store if shared else EventStore(store.database)
        start.wait()
        for version in range(TRIES):
            try:
                mine.append(game.id, ["D"], expected_version=version)
            except WrongExpectedVersion as error:
                assert error.actual > version  # noqa: PT017 (anything else breaks the thread)
            else:
                won.append(version)

    threads = [Thread(target=contend, args=(won,)) for won in wins]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    _each_seq_was_won_once(store.database, game.id, wins)


def test_writers_of_different_games_all_succeed(store: EventStore) -> None:
    games = [store.create("mika", coded()) for _ in range(3)]

    def play(game_id: int) -> None:
        mine = EventStore(store.database)
        for version in range(10):
            mine.append(game_id, ["D"], expected_version=version)

    threads = [Thread(target=play, args=(game.id,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [store.load(game.id).version for game in games] == [10, 10, 10]
    assert audited(store.database).faults == []


PLAYER = """
import sys
from ds_events.database import Database
from ds_events.store import EventStore

store, game = EventStore(Database(sys.argv[1])), int(sys.argv[2])
for version in range(0, 20_000, 2):
    store.append(game, ["D", "U"], expected_version=version)
    print(version + 2, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill_and_nothing_is_there_by_half(
    store: EventStore,
) -> None:
    game = store.create("mika", coded())
    process = child(PLAYER, url_of(store.database), str(game.id))
    assert process.stdout
    for _ in range(15):
        process.stdout.readline()

    process.send_signal(signal.SIGKILL)
    said, _ = process.communicate(timeout=30)

    acknowledged = [int(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]
    version = store.load(game.id).version
    assert version >= max(acknowledged, default=30)
    assert version % 2 == 0
    assert audited(store.database).faults == []
    assert store.append(game.id, ["D"], expected_version=version).version == version + 1
