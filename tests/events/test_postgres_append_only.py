"""What only Postgres offers to get past the guards of the log, and the application role."""

from collections.abc import Callable, Iterator

import psycopg
import pytest

from ds_events.database import Database, open_database
from ds_events.schema import APPEND_ONLY
from ds_events.seal import make_seal
from ds_events.store import EventStore
from tests.events.building import coded, contents
from tests.postgres import application_role


@pytest.fixture
def url(new_postgres_url: Callable[[], str]) -> str:
    """Give a place on Postgres with one game of two events and a seal in it."""
    url = new_postgres_url()
    database = open_database(url)
    store = EventStore(database)
    game = store.create("mika", coded())
    store.append(game.id, ["D", "T2T3"], expected_version=0)
    make_seal(database)
    database.close()
    return url


def _contents(url: str) -> object:
    database = Database(url)
    try:
        return contents(database)
    finally:
        database.close()


def _run(url: str, *statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET {} = {}",
        "DELETE FROM {}",
        "TRUNCATE {} CASCADE",
        "INSERT INTO {} SELECT * FROM {} ON CONFLICT ({}) DO UPDATE SET {} = EXCLUDED.{}",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica", "local"])
def test_the_owner_cannot_change_the_log_whatever_the_session_says(
    url: str, table: str, statement: str, role: str
) -> None:
    before = _contents(url)
    key = {"games": "id", "events": "game_id, seq", "seals": "game_id, sealed_at"}[table]
    column = "player_id" if table == "games" else "game_id"
    if statement.startswith("INSERT"):
        text = statement.format(table, table, key, column, column)
    elif statement.startswith("UPDATE"):
        text = statement.format(table, column, column)
    else:
        text = statement.format(table)

    with pytest.raises(psycopg.Error, match="is append-only"):
        _run(url, f"SET session_replication_role = {role}", text)

    assert _contents(url) == before


@pytest.fixture
def role_url(url: str) -> Iterator[str]:
    """Give the URL of an application role, made by the statements of the page."""
    with application_role(url) as given:
        yield given


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET game_id = game_id", "DELETE FROM {}", "TRUNCATE {}"]
)
def test_the_application_role_may_not_even_try(
    url: str, role_url: str, table: str, statement: str
) -> None:
    before = _contents(url)
    text = statement.format(table)
    if table == "games":
        text = text.replace("game_id", "player_id")

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _run(role_url, text)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _run(role_url, "SET session_replication_role = replica")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _run(role_url, f"ALTER TABLE {table} DISABLE TRIGGER ALL")

    assert _contents(url) == before


def test_the_application_role_can_do_all_that_a_store_does(url: str, role_url: str) -> None:
    database = open_database(role_url)
    store = EventStore(database)

    game = store.create("noor", coded())
    game = store.append(game.id, ["D", "U"], expected_version=0)

    assert store.load(game.id).version == 2
    assert make_seal(database).games == 2
    database.close()
