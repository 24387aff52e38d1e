"""Transactions: read, write, and what the driver's errors become."""

from collections.abc import Callable

import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.pool import PoolProxiedConnection

from ds_events.database import Database
from ds_events.errors import ConstraintViolated, DatabaseError, OutcomeUnknown
from ds_events.schema import players
from ds_events.store import EventStore
from tests.events.building import coded, contents
from tests.events.conftest import Reopen


def _names(database: Database) -> list[str | None]:
    with database.read() as connection:
        return list(connection.scalars(select(players.c.name).order_by(players.c.id)))


def _add_player(database: Database, number: int) -> None:
    with database.write() as connection:
        connection.execute(insert(players).values(id=number, name=f"p{number}"))


class Broken(Exception):
    pass


def _raise_broken(_: Connection) -> None:
    raise Broken


def _add_player_and(database: Database, then: Callable[[Connection], object]) -> None:
    with database.write() as connection:
        connection.execute(insert(players).values(id=1, name="p1"))
        then(connection)


def test_a_write_is_committed_at_the_end_of_the_block(database: Database, reopen: Reopen) -> None:
    _add_player(database, 1)

    assert _names(reopen(database)) == ["p1"]


def test_an_error_inside_a_write_takes_all_of_it_back(database: Database) -> None:
    with pytest.raises(Broken):
        _add_player_and(database, _raise_broken)

    assert _names(database) == []
    _add_player(database, 2)
    assert _names(database) == ["p2"]


def test_a_statement_that_fails_takes_the_whole_write_back(database: Database) -> None:
    with pytest.raises(DatabaseError):
        _add_player_and(database, lambda connection: connection.execute(text("SELECT nothing")))

    assert _names(database) == []


def test_a_read_sees_one_state_of_the_record_throughout(store: EventStore, reopen: Reopen) -> None:
    other = EventStore(reopen(store.database))
    game = store.create("mika", coded())

    with store.database.read() as connection:
        before = connection.execute(text("SELECT count(*) FROM events")).scalar()
        other.append(game.id, ["D"], expected_version=0)
        other.create("noor", coded())
        during = [
            connection.execute(text(f"SELECT count(*) FROM {name}")).scalar()
            for name in ("events", "games", "players")
        ]

    assert (before, during) == (0, [0, 1, 1])
    after = contents(store.database)
    assert [len(after[name]) for name in ("events", "games", "players")] == [1, 2, 2]


def test_a_row_that_the_database_refuses_is_a_constraint_violated(database: Database) -> None:
    _add_player(database, 1)

    with pytest.raises(ConstraintViolated, match="refuses a row"):
        _add_player(database, 1)

    assert _names(database) == ["p1"]


def test_another_error_of_the_driver_names_the_database(database: Database) -> None:
    with pytest.raises(DatabaseError) as caught, database.read() as connection:
        connection.execute(text("SELECT * FROM nothing_of_that_name"))

    assert str(caught.value).startswith(f"{database}: ")
    assert "nothing_of_that_name" in str(caught.value)


@pytest.mark.parametrize("arrived", [True, False], ids=["stored", "not stored"])
def test_a_connection_lost_during_the_commit_leaves_the_outcome_unknown(
    database: Database, monkeypatch: pytest.MonkeyPatch, arrived: bool
) -> None:
    dialect = database.engine.dialect
    commit = dialect.do_commit

    def lose(connection: PoolProxiedConnection) -> None:
        if arrived:
            commit(connection)
        assert dialect.loaded_dbapi is not None
        raise dialect.loaded_dbapi.OperationalError("the line went dead")

    with monkeypatch.context() as broken:
        broken.setattr(dialect, "do_commit", lose)
        broken.setattr(dialect, "is_disconnect", lambda *_: True)
        with pytest.raises(OutcomeUnknown, match="may be stored or not"):
            _add_player(database, 1)

    # It was not tried again, and work goes on.
    assert _names(database) == (["p1"] if arrived else [])
    _add_player(database, 2)
    assert "p2" in _names(database)
