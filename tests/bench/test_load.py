"""How long a game takes from the database to the board.

Target: at most two milliseconds each for the recorded games of about 300 events, the best of
20 rounds. Nothing is asserted of the time here, only of what was loaded.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from ds_events.database import open_database
from ds_events.store import EventStore
from tests.records import GameRecord, games

RECORDED = [game for game in games() if 270 <= len(game.claims) <= 330]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    database = open_database(tmp_path / "games.db")
    yield EventStore(database)
    database.close()


@pytest.mark.parametrize("played", RECORDED, ids=lambda played: played.name)
def test_load(benchmark: BenchmarkFixture, store: EventStore, played: GameRecord) -> None:
    recorded = store.create("vector", played.deal)
    store.append(recorded.id, played.moves, expected_version=0)

    loaded = benchmark.pedantic(  # type: ignore[no-untyped-call]
        store.load, (recorded.id,), rounds=20, warmup_rounds=2
    )

    assert loaded.version == len(played.claims)
    assert (loaded.game.status, loaded.game.score) == (played.end.status, played.end.score)
