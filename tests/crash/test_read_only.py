"""A record that may not be written to: a clear refusal, and not one byte changed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url, update

from ds_events.database import open_database
from ds_events.schema import summaries
from tests.cli.games import GAMES
from tests.cli.running import environment
from tests.crash import checks, templates
from tests.crash.places import OnServer
from tests.crash.scenario import DS
from tests.postgres import Server

WRITING = (
    *(("new",), ("move", "D"), ("draw",), ("undo",), ("abandon",), ("seal",)),
    *(("import", str(GAMES)), ("simulate", "--games", "1"), ("db", "rebuild")),
)
READING = (("games", "--everyone"), ("show",), ("stats", "--everyone"), ("audit",))

# What is loaded when it is first needed may lie where only root can read it, so each command
# is run once as root, on another record, before it is run as a user who owns nothing.
AS_NOBODY = """
import contextlib, io, json, os, sys
from ds_cli.main import main

def run(command):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    return status, out.getvalue(), err.getvalue()

warm, path, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
for command in commands:
    run([*command, "--db", warm])
os.chdir(os.path.dirname(path))
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
print(json.dumps([run([*command, "--db", path]) for command in commands]))
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can enter, unlike the test's own."""
    with tempfile.TemporaryDirectory(prefix="ds-crash-") as name:
        made = Path(name)
        made.chmod(0o755)
        yield made


@pytest.fixture
def record(folder: Path) -> Path:
    path = folder / "games.db"
    templates.PLAYED.fill(str(path))
    assert checks.goes_on(str(path)) == []
    return path


@pytest.fixture
def spoilt(record: Path) -> Path:
    """Give the record with wrong summaries, so that a rebuild has something to write."""
    database = open_database(record)
    with database.write() as connection:
        connection.execute(update(summaries).values(moves=1000))
    database.close()
    return record


def _as_nobody(
    path: Path, commands: Sequence[Sequence[str]], tmp_path: Path
) -> list[tuple[int, str, str]]:
    """Run commands as a user who owns nothing; return the status and outputs of each."""
    # What measures coverage would want to write as well.
    quiet: dict[str, str | None] = dict.fromkeys(
        (name for name in os.environ if name.startswith("COV")), None
    )
    warm = str(tmp_path / "warm.db")
    templates.PLAYED.fill(warm)
    checks.goes_on(warm)
    ran = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, warm, str(path), json.dumps(commands)],
        capture_output=True,
        text=True,
        env=environment(**quiet, DS_PLAYER=checks.SPARE, HOME=str(path.parent)),
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return [(status, out, err) for status, out, err in json.loads(ran.stdout)]


def _bytes_in(folder: Path) -> dict[str, bytes]:
    """What is in a folder; files without a byte, which SQLite makes to read, do not count."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.stat().st_size}


@needs_root
@pytest.mark.parametrize(
    ("file_mode", "folder_mode"),
    [(0o444, 0o755), (0o666, 0o755), (0o444, 0o777)],
    ids=["file and folder", "folder", "file"],
)
def test_what_may_not_be_written_to_is_refused_and_unchanged(
    spoilt: Path, folder: Path, tmp_path: Path, file_mode: int, folder_mode: int
) -> None:
    spoilt.chmod(file_mode)
    folder.chmod(folder_mode)
    before = spoilt.read_bytes()

    ran = _as_nobody(spoilt, WRITING, tmp_path)

    for command, (status, out, err) in zip(WRITING, ran, strict=True):
        assert (status, out) == (3, ""), (command, err)
        message = err.splitlines()[-1]
        assert message.startswith(f"ds: {spoilt}: "), (command, err)
    assert spoilt.read_bytes() == before


@needs_root
@pytest.mark.parametrize("folder_mode", [0o755, 0o777])
def test_reading_what_may_not_be_written_to_changes_nothing(
    record: Path, folder: Path, tmp_path: Path, folder_mode: int
) -> None:
    record.chmod(0o444)
    folder.chmod(folder_mode)
    before = record.read_bytes()

    ran = _as_nobody(record, READING, tmp_path)

    for command, (status, out, err) in zip(READING, ran, strict=True):
        if status == 0:
            assert out
        else:
            assert (status, out) == (3, ""), command
            assert err.startswith(f"ds: {record}: "), (command, err)
    assert record.read_bytes() == before


@needs_root
def test_a_new_record_in_a_folder_that_may_not_be_written_to(folder: Path, tmp_path: Path) -> None:
    path = folder / "new.db"

    ((status, out, err),) = _as_nobody(path, [("new", checks.CODE)], tmp_path)

    assert (status, out) == (3, "")
    assert err.startswith(f"ds: {path}: ")
    assert list(folder.iterdir()) == []


@needs_root
def test_a_backup_into_a_folder_that_may_not_be_written_to(
    record: Path, folder: Path, tmp_path: Path
) -> None:
    before = _bytes_in(folder)

    ((status, out, err),) = _as_nobody(record, [("db", "backup", "copy.db")], tmp_path)

    assert status in (2, 3)
    assert out == ""
    assert err.startswith("ds: ")
    assert _bytes_in(folder) == before


@pytest.fixture
def on_server(own_server: Server, tmp_path: Path) -> Iterator[str]:
    place = OnServer(tmp_path, own_server.url)
    url = place.new(templates.PLAYED)
    yield url
    place.settle(url)
    place.drop(url)
    place.close()


def _refused_on_server(url: str) -> str:
    """Draw a card, which has to be refused; return the message."""
    ran = subprocess.run(
        [*DS, "draw", "--db", url],
        capture_output=True,
        text=True,
        env=environment(DS_PLAYER=checks.SPARE),
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith("ds: ")
    assert ran.stderr.count("\n") == 1
    return ran.stderr


def test_a_database_that_is_read_only_by_default_is_not_written_to(on_server: str) -> None:
    with psycopg.connect(on_server, autocommit=True) as connection:
        name = sql.Identifier(str(make_url(on_server).database))
        closing = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on")
        connection.execute(closing.format(name))

    assert "only reads" in _refused_on_server(on_server)


def test_a_role_that_may_only_read_is_refused(on_server: str) -> None:
    with psycopg.connect(on_server, autocommit=True) as connection:
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    reader = make_url(on_server).set(username="reader")

    message = _refused_on_server(reader.render_as_string(hide_password=False))

    assert "this role may not do that" in message
    with psycopg.connect(on_server, autocommit=True) as connection:
        connection.execute("DROP OWNED BY reader")
        connection.execute("DROP ROLE reader")
