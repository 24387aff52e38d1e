"""The log is insert-only, and the database itself sees to it."""

from contextlib import nullcontext

import pytest
from sqlalchemy import text

from ds_events.errors import DatabaseError, StoreError
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.store import EventStore
from tests.events.building import audited, coded, contents, own_deal
from tests.events.conftest import Reopen


@pytest.fixture
def game(store: EventStore) -> StoredGame:
    made = store.create("mika", own_deal(label="APP"))
    return store.append(made.id, ["D", "D", "U"], expected_version=0)


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        ("events", "UPDATE events SET score = 1000"),
        ("events", "UPDATE events SET seq = seq"),
        ("events", "UPDATE events SET move = 'X' WHERE seq = 3"),
        ("events", "DELETE FROM events WHERE seq = 3"),
        ("events", "DELETE FROM events"),
        ("games", "UPDATE games SET label = NULL"),
        ("games", "UPDATE games SET player_id = player_id"),
        ("games", "DELETE FROM games"),
    ],
)
def test_the_database_refuses_to_change_the_log(
    store: EventStore, game: StoredGame, table: str, statement: str
) -> None:
    before = contents(store.database)

    with (
        pytest.raises(DatabaseError, match=f"{table} is append-only"),
        store.database.write() as connection,
    ):
        connection.execute(text(statement))

    assert contents(store.database) == before
    assert store.append(game.id, ["D"], expected_version=3).version == 4


def test_the_database_refuses_a_second_event_of_the_same_seq(
    store: EventStore, game: StoredGame
) -> None:
    before = contents(store.database)

    with pytest.raises(DatabaseError), store.database.write() as connection:
        connection.execute(
            text(
                "INSERT INTO events (game_id, seq, move, score, at) "
                "SELECT game_id, seq, 'X', score, at FROM events WHERE seq = 3"
            )
        )

    assert contents(store.database) == before


def test_an_event_of_no_game_is_refused_by_sqlite_and_found_on_postgres(
    store: EventStore, game: StoredGame
) -> None:
    before = contents(store.database)
    refused = pytest.raises(DatabaseError) if store.database.is_sqlite else nullcontext()

    with refused, store.database.write() as connection:
        connection.execute(
            text(
                "INSERT INTO events (game_id, seq, move, score, at) "
                "SELECT 77, seq, move, score, at FROM events"
            )
        )

    found = [(fault.finding.kind, fault.game) for fault in audited(store.database).faults]
    if store.database.is_sqlite:
        assert contents(store.database) == before
        assert found == []
    else:
        assert found == [("orphan", format_id(77))]


@pytest.mark.parametrize(
    "columns",
    [
        "code = 'DS1-D1N-AAAAAAB', mode = 'D1N'",
        "code = 'DS1-D1N-AAAAAAB', label = 'APP'",
        "mode = 'D1N'",
        "deck = 'AS'",
        "label = 'APP'",
    ],
)
def test_the_database_refuses_a_game_with_half_a_deal_or_two(
    store: EventStore, game: StoredGame, columns: str
) -> None:
    names, values = zip(*(part.split(" = ") for part in columns.split(", ")), strict=True)
    before = contents(store.database)

    with pytest.raises(DatabaseError), store.database.write() as connection:
        connection.execute(
            text(
                f"INSERT INTO games (id, player_id, started_at, {', '.join(names)}) "
                f"SELECT 77, player_id, started_at, {', '.join(values)} FROM games"
            )
        )

    assert contents(store.database) == before


@pytest.mark.parametrize("kept", [True, False])
def test_a_failed_append_leaves_neither_event_nor_summary(
    store: EventStore, reopen: Reopen, kept: bool
) -> None:
    # An event that nobody counted stands where the second one would have to go.
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    with store.database.write() as connection:
        connection.execute(
            text(
                "INSERT INTO events (game_id, seq, move, score, at) "
                "SELECT game_id, 3, move, score, at FROM events"
            )
        )
    before = contents(store.database)

    with pytest.raises(StoreError):
        (store if kept else EventStore(reopen(store.database))).append(
            game.id, ["D", "D"], expected_version=1
        )

    assert contents(store.database) == before
