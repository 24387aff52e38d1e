"""Erasing a name: the one thing of a record that can be taken out of it."""

from pathlib import Path

import pytest
from sqlalchemy import select

from ds_events.database import open_database
from ds_events.errors import LimitExceeded, PlayerNotFound
from ds_events.ids import format_id, player_id
from ds_events.schema import players
from ds_events.store import EventStore
from ds_events.upkeep import erase_name
from tests.events.building import FakeClock, audited, coded, contents, exported, game_line, take_in


def test_an_erased_player_is_shown_by_id_and_the_games_stay(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    store.create("noor", coded())
    before = contents(store.database)

    shown, is_gone = erase_name(store.database, "mika")

    assert (shown, is_gone) == (f"~{format_id(player_id('mika'))}", True)
    after = contents(store.database)
    assert sorted(after["players"]) == sorted(
        [(player_id("mika"), None), (player_id("noor"), "noor")]
    )
    assert before | {"players": []} == after | {"players": []}
    assert str(store.header(game.id).player) == shown
    assert store.append(game.id, ["U"], expected_version=1).version == 2
    assert audited(store.database).faults == []
    assert "mika" not in "".join(exported(store.database))


def test_a_name_stays_erased_when_its_player_comes_back(store: EventStore) -> None:
    store.create("mika", coded())
    shown, _ = erase_name(store.database, "mika")

    game = store.create("mika", coded())
    take_in(store, [game_line(player="mika"), game_line(player=shown)])

    assert len(contents(store.database)["games"]) == 4
    assert contents(store.database)["players"] == [(player_id("mika"), None)]
    assert str(store.header(game.id).player) == shown


def test_a_name_is_erased_however_it_is_composed(store: EventStore) -> None:
    store.create("Zoe\u0308", coded())

    erase_name(store.database, "Zo\u00eb")

    assert contents(store.database)["players"] == [(player_id("Zo\u00eb"), None)]


def test_a_name_that_no_player_has_is_refused(store: EventStore) -> None:
    store.create("mika", coded())
    before = contents(store.database)

    with pytest.raises(PlayerNotFound, match="'Mika'"):
        erase_name(store.database, "Mika")
    with pytest.raises(LimitExceeded):
        erase_name(store.database, " ")
    assert contents(store.database) == before

    erase_name(store.database, "mika")
    with pytest.raises(PlayerNotFound, match="'mika'"):
        erase_name(store.database, "mika")


def test_on_sqlite_a_reader_of_the_past_keeps_the_name_in_the_log(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db", timeout=0.1)
    EventStore(database).create("mika", coded())

    with database.read() as connection:
        connection.execute(select(players)).all()
        _, is_gone = erase_name(database, "mika")

    assert not is_gone
    database.close()


def test_on_sqlite_no_byte_of_the_name_is_left_in_the_files(tmp_path: Path) -> None:
    # Long enough that what is written in its place does not cover it by chance.
    name = "Wilhelmina-Aloysia-" * 3
    database = open_database(tmp_path / "games.db")
    store = EventStore(database, FakeClock())
    for other in ("ada", name, "noor", "zoe"):
        game = store.create(other, coded())
        store.append(game.id, ["D", "U"], expected_version=0)
    with database.write() as connection:
        # Some builds of SQLite overwrite what is deleted by themselves, others do not.
        connection.exec_driver_sql("PRAGMA secure_delete=OFF")

    erase_name(database, name)

    for path in tmp_path.iterdir():
        assert b"Aloysia" not in path.read_bytes(), path.name
    database.close()
    for path in tmp_path.iterdir():
        assert b"Aloysia" not in path.read_bytes(), path.name
