"""A damaged SQLite file that holds what none of its columns can hold.

STRICT tables refuse such values, but a flipped bit makes a text or nothing of a number, and
SQLite reads what is there. Whoever reads it is told so, whatever it is.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from ds_core import parse_moves
from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.errors import CorruptLog, DatabaseError, StoreError, WrongExpectedVersion
from ds_events.ids import format_id
from ds_events.rebuild import rebuild
from ds_events.store import EventStore
from ds_events.transfer import export_records, export_text
from tests.events.building import coded
from tests.events.tampering import force

COLUMNS: Final = {
    "games": ("player_id", "code", "started_at"),
    "summaries": ("version", "head", "idle"),
    "events": ("seq", "move", "score", "at"),
    "players": ("name",),
}
VALUES: Final = ("NULL", "'abc'", "1.5", "1e999", "-1e999", "x'ff00'", "CAST(x'ff41' AS TEXT)")

CASES: Final = [
    pytest.param(table, column, value, id=f"{table}.{column}={value}")
    for table, columns in COLUMNS.items()
    for column in columns
    for value in VALUES
    if (column, value) not in {("seq", "NULL"), ("name", "NULL")}  # not to be written; erased
]

Damage: TypeAlias = Callable[[str, str, str], tuple[Database, int]]


@pytest.fixture
def damaged(tmp_path: Path) -> Damage:
    def damage(table: str, column: str, value: str) -> tuple[Database, int]:
        path = tmp_path / "games.db"
        database = open_database(path)
        game = EventStore(database).record("mika", coded(), parse_moves("D D D"))
        database.close()
        key = {"games": "id", "players": "id"}.get(table, "game_id")
        owner = game.header.player.id if table == "players" else game.id
        one = " AND seq = 2" if table == "events" else ""
        force(database, f"UPDATE {table} SET {column} = {value} WHERE {key} = {owner}{one}")
        return open_database(path), game.id

    return damage


@pytest.mark.parametrize(("table", "column", "value"), CASES)
def test_it_is_told_and_no_reader_falls_over_it(
    damaged: Damage, table: str, column: str, value: str
) -> None:
    database, game_id = damaged(table, column, value)

    def export() -> None:
        with database.read() as connection:
            list(export_records(connection, [game_id]))

    def text() -> None:
        with database.read() as connection:
            export_text(connection, game_id)

    readers: list[Callable[[], object]] = [
        lambda: EventStore(database).load(game_id),
        lambda: EventStore(database).load(game_id, 1),
        lambda: EventStore(database).header(game_id),
        lambda: EventStore(database).append(game_id, ["D"], expected_version=3),
        export,
        text,
    ]
    # Who has no use for the value need not see it; the audit looks at all of them.
    for read in readers:
        with suppress(StoreError):
            read()
    try:
        is_told = bool(audit_database(database).faults)
    except DatabaseError as error:
        is_told = "damaged" in str(error)
    with suppress(StoreError):
        rebuild(database)
    database.close()
    assert is_told


@pytest.mark.parametrize("value", ["NULL", "'abc'", "1.5", "x'ff00'"])
@pytest.mark.parametrize("column", ["head", "idle", "version"])
def test_nothing_is_appended_to_a_game_whose_summary_is_damaged(
    damaged: Damage, column: str, value: str
) -> None:
    database, game_id = damaged("summaries", column, value)

    with pytest.raises((CorruptLog, DatabaseError)):
        EventStore(database).append(game_id, ["D"], expected_version=3)

    with database.read() as connection:
        events = connection.exec_driver_sql("SELECT count(*) FROM events").scalar()
    database.close()
    assert events == 3


def test_the_game_that_is_damaged_is_named(damaged: Damage) -> None:
    database, game_id = damaged("events", "score", "'abc'")

    for read in (lambda: EventStore(database).load(game_id), lambda: audit_database(database)):
        with pytest.raises(DatabaseError, match=rf"of game {format_id(game_id)} it holds"):
            read()
    database.close()


@pytest.mark.parametrize("upto", [-1, 4, 2**31, 2**63 - 1, 2**63, 10**30, -(2**63) - 1])
def test_a_version_that_no_game_can_have_is_refused_as_one_that_it_has_not(
    store: EventStore, upto: int
) -> None:
    game = store.record("mika", coded(), parse_moves("D D D"))

    with pytest.raises(WrongExpectedVersion):
        store.load(game.id, upto)
