"""Which database a text names, and which texts name none."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ds_events.database import Database, open_database
from ds_events.errors import BadDatabaseUrl
from ds_events.schema import HEAD

PATHS = [
    "games.db",
    "100%.db",
    "a%20b.db",
    "with two  spaces.db",
    "ゲーム ♠.db",
    'it\'s "quoted".db',
    "question?mark#hash.db",
    "semi;colon&and=.db",
    "no-suffix",
    "sqlite:games",
]


@pytest.mark.parametrize("name", PATHS)
def test_a_plain_path_is_an_sqlite_file_of_exactly_that_name(tmp_path: Path, name: str) -> None:
    database = open_database(tmp_path / name)
    database.close()

    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert str(database) == str(tmp_path / name)
    with closing(sqlite3.connect(tmp_path / name)) as plain:
        assert plain.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


def test_a_relative_path_is_taken_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    open_database("games.db").close()

    assert (tmp_path / "games.db").is_file()


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    database = open_database("~/games.db")
    database.close()

    assert str(database) == str(tmp_path / "games.db")
    assert (tmp_path / "games.db").is_file()


def test_an_sqlite_url_names_a_file(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/ゲーム 1.db")
    database.close()

    assert database.is_sqlite
    assert (tmp_path / "ゲーム 1.db").is_file()


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_a_postgres_url_is_given_to_psycopg(scheme: str) -> None:
    database = Database(f"{scheme}://mika:s%40crit@db.example:5433/games")

    url = database.url
    database.close()
    assert url.drivername == "postgresql+psycopg"
    assert (url.username, url.password, url.host, url.port, url.database) == (
        "mika",
        "s@crit",
        "db.example",
        5433,
        "games",
    )


NO_DATABASE = [
    pytest.param("", id="empty"),
    pytest.param("mysql://mika:sesame@here/games", id="another server"),
    pytest.param("oracle+cx://mika:sesame@here/games", id="another driver"),
    pytest.param("://mika:sesame@here", id="no scheme"),
    pytest.param("postgresql://mika:sesame@here:port/games", id="no port"),
    pytest.param("post gresql://mika:sesame@here/games", id="a space"),
    pytest.param("sqlite://", id="no file"),
    pytest.param("sqlite:///", id="an empty file name"),
    pytest.param("sqlite:///:memory:", id="memory"),
    pytest.param(":memory:", id="memory as a path"),
    pytest.param("sqlite+nonsense:///games.db", id="no driver of SQLite"),
    pytest.param("sqlite+aiosqlite:///games.db", id="a driver that is not used"),
    pytest.param("sqlite:///games.db?timeout=long", id="no time-out"),
    pytest.param("postgresql+nonsense://mika:sesame@here/games", id="no driver of Postgres"),
    pytest.param("~nobody-of-that-name/games.db", id="nobody's home folder"),
]


@pytest.mark.parametrize("text", NO_DATABASE)
def test_what_names_no_database_is_refused_without_showing_a_password(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(BadDatabaseUrl) as caught:
        open_database(text)

    assert "sesame" not in repr(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", NO_DATABASE[1:3])
def test_the_refusal_says_what_to_write(text: str) -> None:
    with pytest.raises(BadDatabaseUrl, match="write sqlite:///FILE, postgresql://"):
        Database(text)


def test_a_server_is_named_without_its_password() -> None:
    # No server is needed: nothing is opened before the first transaction.
    database = Database("postgresql://mika:sesame@db.example/games")

    assert not database.is_sqlite
    for shown in (str(database), repr(database), f"{database}"):
        assert "sesame" not in shown
    assert str(database).startswith("postgresql://mika:")
    assert str(database).endswith("@db.example/games")
    database.close()
