"""Where the databases of a crash run are: a folder of SQLite files, or a Postgres server."""

import os
import shutil
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

from tests.postgres import drop_database, new_database

Shape: TypeAlias = frozenset[tuple[Any, ...]]
"""All that a schema consists of, with its version."""

_SETTLING: Final = 60.0
"""Seconds within which a server has to notice that a client was killed."""


@dataclass(frozen=True)
class Template:
    """What a new database holds; `fill` does that, given the URL of an empty one."""

    fill: Callable[[str], None]


class Place(ABC):
    """A place for databases, and what can be told of them from outside the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count(1)
        self._templates: dict[Template, str] = {}

    def new(self, template: Template | None = None) -> str:
        """Return the URL of a new database, empty or as the template fills it."""
        return self._create(None if template is None else self.filled(template))

    def filled(self, template: Template) -> str:
        """Return the URL of the one database that all of its template are copied from."""
        if template not in self._templates:
            self._templates[template] = self._create(None)
            template.fill(self._templates[template])
        self.settle(self._templates[template])
        return self._templates[template]

    def new_file(self, suffix: str) -> Path:
        """Return the name of a file that is not there yet."""
        return self.folder / f"file-{next(self._numbers)}{suffix}"

    def close(self) -> None:
        """Remove what was made."""
        for template in self._templates.values():
            self.drop(template)

    @abstractmethod
    def _create(self, source: str | None) -> str: ...

    @abstractmethod
    def drop(self, url: str) -> None:
        """Remove a database."""

    @abstractmethod
    def activity(self, url: str) -> object:
        """Return a value that changes when somebody begins to write."""

    @abstractmethod
    def settle(self, url: str) -> None:
        """Wait until the killed processes are gone for the database as well."""

    @abstractmethod
    def shape(self, url: str) -> Shape:
        """Return what the schema of a database consists of, nothing for an empty one."""

    @abstractmethod
    def damage(self, url: str) -> str | None:
        """Return what the engine itself finds wrong with a database, `None` if nothing."""


class Folder(Place):
    """A folder of SQLite files."""

    def _create(self, source: str | None) -> str:
        path = str(self.new_file(".db"))
        if source is not None:
            shutil.copyfile(source, path)
        return path

    def drop(self, url: str) -> None:
        for name in (url, *_beside(url), f"{url}-journal"):
            Path(name).unlink(missing_ok=True)

    def activity(self, url: str) -> object:
        return [state_of(name) for name in (url, *_beside(url))]

    def settle(self, url: str) -> None:
        """The locks of a process go when it does."""

    def shape(self, url: str) -> Shape:
        if not Path(url).exists():
            return frozenset()
        with closing(sqlite3.connect(url)) as connection:
            made = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
            return frozenset([*made.fetchall(), *_versions(connection)])

    def damage(self, url: str) -> str | None:
        try:
            with closing(sqlite3.connect(url)) as connection:
                found = connection.execute("PRAGMA integrity_check").fetchall()
        except sqlite3.DatabaseError as error:
            return str(error)
        return None if found == [("ok",)] else str(found)


class OnServer(Place):
    """A Postgres server on which databases may be created."""

    def __init__(self, folder: Path, server: URL) -> None:
        super().__init__(folder)
        self._server = server
        self._watching = psycopg.connect(_conninfo(server), autocommit=True)

    def close(self) -> None:
        super().close()
        self._watching.close()

    def _create(self, source: str | None) -> str:
        if source is None:
            return new_database(self._server)
        name = f"ds_crash_{os.getpid()}_{next(self._numbers)}"
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        copied = sql.Identifier(str(make_url(source).database))
        self._watching.execute(copy.format(sql.Identifier(name), copied))
        return self._server.set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        drop_database(url)

    def activity(self, url: str) -> object:
        return self._watching.execute("SELECT pg_current_wal_insert_lsn()").fetchone()

    def settle(self, url: str) -> None:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        deadline = time.monotonic() + _SETTLING
        while self._watching.execute(query, [make_url(url).database]).fetchone() != (0,):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the server still serves a client of {url} that was killed")
            time.sleep(0.005)

    def shape(self, url: str) -> Shape:
        with psycopg.connect(_conninfo(make_url(url))) as connection:
            made = connection.execute(
                "SELECT 'class', relname, relkind::text, '' FROM pg_class"
                " WHERE relnamespace = 'public'::regnamespace"
                " UNION ALL SELECT 'trigger', tgname, tgrelid::regclass::text, tgenabled::text"
                " FROM pg_trigger WHERE NOT tgisinternal"
                " UNION ALL SELECT 'constraint', conname, conrelid::regclass::text,"
                " pg_get_constraintdef(oid) FROM pg_constraint"
                " WHERE connamespace = 'public'::regnamespace"
                " UNION ALL SELECT 'column', attname, attrelid::regclass::text,"
                " format_type(atttypid, atttypmod) FROM pg_attribute"
                " JOIN pg_class ON pg_class.oid = attrelid"
                " WHERE relnamespace = 'public'::regnamespace AND attnum > 0"
                " UNION ALL SELECT 'function', proname, '', '' FROM pg_proc"
                " WHERE pronamespace = 'public'::regnamespace"
            )
            return frozenset([*made.fetchall(), *_versions(connection)])

    def damage(self, url: str) -> str | None:
        """Leave it to the audit: a server checks its pages when they are read."""
        return None


def _versions(connection: Any) -> list[tuple[Any, ...]]:
    with suppress(sqlite3.OperationalError, psycopg.errors.UndefinedTable):
        rows = connection.execute("SELECT 'version', version_num FROM alembic_version")
        return [tuple(row) for row in rows.fetchall()]
    return []


def _conninfo(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _beside(path: str) -> tuple[str, str]:
    return f"{path}-wal", f"{path}-shm"


def state_of(path: str | Path) -> tuple[int, int] | None:
    """Return the size and the time of a file as it is now; it may be gone at any moment."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns
