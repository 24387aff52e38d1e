"""Database URLs: an SQLite file by URL or plain path, or a Postgres server."""

from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ds_events.errors import BadDatabaseUrl

_DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
_WRITE: Final = "write sqlite:///FILE, postgresql://USER@HOST/NAME or a plain path"


def parse_url(text: str) -> URL:
    """Return the URL that a text gives, a plain path being an SQLite file.

    Raises `BadDatabaseUrl`; no message repeats the URL, which may hold a password.

    >>> parse_url("games.db").database
    'games.db'
    >>> parse_url("mysql://here/games")
    Traceback (most recent call last):
    ...
    ds_events.errors.BadDatabaseUrl: mysql is no database that can hold records: ...
    """
    if "://" not in text:
        return _file(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadDatabaseUrl(f"the database URL cannot be read: {_WRITE}") from None
    backend = url.get_backend_name()
    if url.drivername not in _DRIVERS:
        raise BadDatabaseUrl(f"{url.drivername} is no database that can hold records: {_WRITE}")
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.query:
        raise BadDatabaseUrl(
            f"an SQLite file takes no options, and the URL gives {', '.join(url.query)}"
        )
    return _file(url.database or "")


def _file(path: str) -> URL:
    if not path:
        raise BadDatabaseUrl(f"the name of the database is empty: {_WRITE}")
    if path == ":memory:":
        raise BadDatabaseUrl(f"a database in memory keeps no record: {_WRITE}")
    try:
        return URL.create("sqlite", database=str(Path(path).expanduser()))
    except RuntimeError as error:
        raise BadDatabaseUrl(f"{path}: {error}") from None
