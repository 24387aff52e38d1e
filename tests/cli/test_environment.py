"""What is no fault of the person: exit status 3, a message that helps, and nothing changed."""

import os
import re
import resource
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.damage import tampering
from tests.cli.games import CODE, GAMES, as_line, game, id_text, write
from tests.cli.running import PROGRAM, Ds, contents, environment, process

READING = ("show", "legal", "hint", "games", "log", "replay", "scores", "vegas", "stats")
EVERYTHING = [
    *[[command] for command in READING],
    *(["new"], ["move", "D"], ["draw"], ["undo"], ["tap", "S"], ["abandon"], ["audit"]),
    *(["export", "--all"], ["import", str(GAMES)], ["simulate", "--games", "1", "--seed", "1"]),
    *(["db", "rebuild"], ["db", "backup", "copy.db"]),
]


def _set_schema(path: Path, version: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [version])
        connection.commit()


@pytest.mark.parametrize("command", EVERYTHING, ids=" ".join)
def test_an_older_schema_is_refused_with_the_command_that_upgrades_it(
    ds: Ds, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ds.ok("new", CODE)
    _set_schema(ds.database, "0000")
    message = ds.fails(3, *command)
    assert "0000" in message
    assert "`ds db upgrade --db " in message
    assert not Path("copy.db").exists()


def test_a_record_that_has_lost_its_version_is_refused_in_words(ds: Ds) -> None:
    """What SQL says about it ("table players already exists") is no help."""
    ds.ok("new", CODE)
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("DELETE FROM alembic_version")
        connection.commit()
    for command in (["games"], ["db", "upgrade"]):
        message = ds.fails(3, *command)
        assert str(ds.database) in message
        assert "already exists" not in message


def test_the_command_that_upgrades_can_be_pasted_into_a_shell(ds: Ds, tmp_path: Path) -> None:
    path = tmp_path / "my old games (2).db"
    ds.ok("new", "--db", str(path))
    _set_schema(path, "0000")
    message = ds("games", "--db", str(path)).err
    (command,) = re.findall(r"`(ds db upgrade[^`]*)`", message)
    assert shlex.split(command) == ["ds", "db", "upgrade", "--db", str(path)]


@pytest.mark.parametrize("command", [*EVERYTHING, ["db", "upgrade"]], ids=" ".join)
def test_a_newer_schema_is_refused_with_the_version_needed(
    ds: Ds, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ds.ok("new", CODE)
    _set_schema(ds.database, "9999")
    message = ds.fails(3, *command)
    assert "9999" in message
    assert "newer" in message


@pytest.mark.parametrize("command", [*EVERYTHING, ["db", "upgrade"], ["db", "info"]], ids=" ".join)
@pytest.mark.parametrize("kind", ["another program's", "no database"])
def test_what_is_no_record_is_refused_and_never_replaced(
    ds: Ds, tmp_path: Path, command: list[str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 15: an unreadable database is refused, never replaced."""
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.db"
    if kind == "no database":
        other.write_bytes(b"Dear diary, today I played solitaire.\n" * 200)
    else:
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
            connection.execute("INSERT INTO recipes VALUES ('soup')")
            connection.commit()
    before = other.read_bytes()
    message = ds.fails(3, *command, "--db", str(other))
    assert str(other) in message
    assert "--db" in message
    if kind == "no database":
        assert other.read_bytes() == before
    else:
        with closing(sqlite3.connect(other)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
            assert tables == [("recipes",)]
            assert connection.execute("SELECT * FROM recipes").fetchall() == [("soup",)]


def test_a_damaged_record_is_refused(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(ds.database.read_bytes())
    content[4096 : len(content) // 2] = b"\xa5" * (len(content) // 2 - 4096)
    ds.database.write_bytes(content)
    before = ds.database.read_bytes()
    for command in (["games", "--everyone"], ["new", CODE], ["stats", "--everyone"]):
        ran = ds(*command)
        assert ran.status == 3
        assert "should not happen" not in ran.err
        assert str(ds.database) in ran.err
    assert ds.database.read_bytes() == before


@pytest.mark.parametrize("where", ["missing/games.db", "."])
def test_a_database_that_cannot_be_opened(ds: Ds, tmp_path: Path, where: str) -> None:
    path = tmp_path / where
    message = ds.fails(3, "games", "--db", str(path))
    assert str(path) in message
    assert not (tmp_path / "missing").exists()


def test_a_server_that_is_not_there(ds: Ds) -> None:
    """Nobody listens on port 1; the password is in no message."""
    url = "postgresql://mika:se%40cret@127.0.0.1:1/games"
    message = ds.fails(3, "games", "--db", url)
    assert "127.0.0.1:1/games" in message or "psycopg" in message
    assert "cret" not in message
    # One line for people: what the driver says over several is no riddle of escapes.
    assert "\\n" not in message
    assert "\\t" not in message


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("mysql://root:secret@here/games", "mysql"),
        ("sqlite:///:memory:", "memory"),
        ("sqlite://", "sqlite:///FILE"),
        (":memory:", "memory"),
        ("nonsense://x", "sqlite:///"),
        ("postgresql://here:port/x", "postgresql://"),
    ],
)
def test_a_database_that_no_record_can_be_kept_in_is_wrong_usage(
    ds: Ds, url: str, named: str
) -> None:
    for command in (["new", CODE], ["games"], ["db", "info"], ["db", "upgrade"]):
        message = ds.fails(2, *command, "--db", url)
        assert named in message
        assert "secret" not in message


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.rollback()


WRITING = [
    *(["new", CODE], ["move", "D"], ["draw"], ["undo"], ["tap", "S"], ["abandon"]),
    *(["import", str(GAMES)], ["simulate", "--games", "1", "--seed", "1"]),
]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_record_locked_for_too_long(ds: Ds, command: list[str]) -> None:
    ds.ok("new", CODE)
    ds.ok("draw")
    with _locked(ds.database):
        message = ds.fails(3, *command)
    assert "locked" in message
    assert "try again" in message


@pytest.mark.usefixtures("impatient")
def test_a_rebuild_waits_only_where_something_is_wrong(ds: Ds) -> None:
    ds.ok("new", CODE)
    with _locked(ds.database):
        ds.ok("db", "rebuild")
    with tampering(ds.database) as connection:
        connection.execute("UPDATE summaries SET home = 1")
    with _locked(ds.database):
        message = ds.fails(3, "db", "rebuild")
    assert "locked" in message


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("command", READING)
def test_who_reads_does_not_wait_for_who_writes(ds: Ds, command: str) -> None:
    ds.ok("new", CODE)
    with _locked(ds.database):
        ds.ok(command)


def test_a_lock_that_is_let_go_in_time_is_no_failure(ds: Ds) -> None:
    ds.ok("new", CODE)
    hold = (
        "import sqlite3, sys, time\n"
        "held = sqlite3.connect(sys.argv[1])\n"
        "held.execute('BEGIN IMMEDIATE')\n"
        "print('held', flush=True)\n"
        "time.sleep(0.4)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(ds.database)], stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        ds.ok("draw")
    assert ds.moves() == ["D"]


DAMAGED = [
    *(["show"], ["legal"], ["hint"], ["log"], ["replay"], ["move", "D"], ["draw"], ["undo"]),
    *(["tap", "S"], ["abandon"], ["export"], ["export", "--all"]),
]


@pytest.mark.parametrize("command", DAMAGED, ids=" ".join)
@pytest.mark.parametrize(
    ("harm", "named"),
    [
        ("UPDATE events SET score = 7 WHERE seq = 2", ["seq 2", "7", "5"]),
        ("UPDATE events SET move = 'T1F' WHERE seq = 2", ["seq 2", "R12"]),
        ("UPDATE events SET move = 'what' WHERE seq = 2", ["seq 2", "what"]),
        ("DELETE FROM events WHERE seq = 2", []),
        ("DELETE FROM events WHERE seq = 3", []),
        ("UPDATE games SET code = 'DS1-D1N-1111111'", ["deal"]),
    ],
)
def test_a_log_that_contradicts_itself_is_reported_loudly(
    ds: Ds, command: list[str], harm: str, named: list[str]
) -> None:
    """Case 19: nothing is cut, and the event is named. An audit gives 1: that is its answer."""
    ds.ok("import", "-", stdin=as_line(game("D", "T2T3", "D", id=id_text(1))))
    with tampering(ds.database) as connection:
        connection.execute(harm)
    message = ds.fails(3, *command)
    assert id_text(1) in message
    assert "`ds audit" in message
    for part in named:
        assert part in message
    assert ds("audit").status == 1


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike the test's own."""
    with tempfile.TemporaryDirectory(prefix="ds-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


_AS_NOBODY = """
import contextlib, io, os, sys
from ds_cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    # What is imported when it is needed may lie where nobody can read it.
    main(["games", "--db", sys.argv[1]])
    main(["import", "-", "--db", sys.argv[1]])
    main(["audit", "--db", sys.argv[1]])
    main(["db", "rebuild", "--db", sys.argv[1]])
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sys.exit(main(sys.argv[2:]))
"""


def _as_nobody(*arguments: str, folder: Path, **changes: str | None) -> tuple[int, str, str]:
    """Run `ds` as a user who owns nothing: root may write everywhere."""
    # What measures coverage would want to write too.
    quiet = {name: None for name in os.environ if name.startswith("COV")}
    with tempfile.TemporaryDirectory() as warm:
        ran = process(
            *(str(Path(warm) / "warm.db"), *arguments),
            env=environment(**quiet, HOME=str(folder), XDG_DATA_HOME=str(folder), **changes),
            cwd=folder,
            program=[sys.executable, "-c", _AS_NOBODY],
        )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@needs_root
def test_a_read_only_record(ds: Ds, open_folder: Path) -> None:
    path = open_folder / "games.db"
    ds.ok("new", CODE, "--db", str(path))
    path.chmod(0o444)
    before = contents(path)
    for command in (["draw"], ["import", str(GAMES)]):
        status, out, err = _as_nobody(*command, "--db", str(path), folder=open_folder)
        assert (status, out) == (3, ""), err
        assert err.startswith(f"ds: {path}")
        assert err.count("\n") == 1
    assert contents(path) == before


@needs_root
def test_a_default_folder_that_cannot_be_made(open_folder: Path) -> None:
    status, out, err = _as_nobody("games", folder=open_folder, DS_DATABASE_URL=None)
    assert (status, out) == (3, "")
    assert err.startswith("ds: ")
    assert str(open_folder) in err
    assert err.count("\n") == 1


def test_a_default_folder_that_is_none(ds: Ds, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "taken").write_text("a file", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "taken"))
    monkeypatch.delenv("DS_DATABASE_URL")
    assert str(home / "taken") in ds.fails(3, "games")


@needs_root
def test_a_file_that_this_user_may_not_read_or_write(ds: Ds, open_folder: Path) -> None:
    secret = open_folder / "secret.jsonl"
    write(secret, [game("D")])
    secret.chmod(0o600)
    status, _, err = _as_nobody("audit", "--file", str(secret), folder=open_folder)
    assert status == 2
    assert str(secret) in err
    assert "Permission denied" in err or "not readable" in err


def _with_small_files(*arguments: str, limit: int, folder: Path) -> tuple[int, str]:
    """Run `ds` where no file can grow beyond a limit, as on a disk that fills up."""
    with patch.dict(os.environ):
        # What measures coverage would have no room for its own file either, and say so.
        os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
        ran = process(
            *arguments,
            cwd=folder,
            program=PROGRAM,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
    return ran.returncode, ran.stderr.decode()


def test_a_disk_that_fills_up_during_an_import(ds: Ds, tmp_path: Path) -> None:
    ds.ok("new", CODE)
    before = ds.contents()
    status, err = _with_small_files("import", str(GAMES), limit=200_000, folder=tmp_path)
    assert status == 3
    last = err.splitlines()[-1]
    assert last.startswith(f"ds: {ds.database}: ")
    assert "disk" in last
    assert "Traceback" not in err
    assert ds.contents() == before
    assert ds.json("audit")["faults"] == []


def test_a_disk_that_fills_up_during_an_export(ds: Ds, tmp_path: Path) -> None:
    ds.ok("import", str(GAMES))
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "games.jsonl"
    target.write_bytes(b"old")
    arguments = ["export", "--all", "-o", str(target)]
    status, err = _with_small_files(*arguments, limit=100_000, folder=tmp_path)
    assert status == 3
    assert err.startswith("ds: ")
    assert err.count("\n") == 1
    assert target.read_bytes() == b"old"
    assert [path.name for path in folder.iterdir()] == ["games.jsonl"]


def test_a_disk_that_fills_up_during_a_backup(ds: Ds, tmp_path: Path) -> None:
    ds.ok("import", str(GAMES))
    target = tmp_path / "copy.db"
    status, err = _with_small_files("db", "backup", str(target), limit=100_000, folder=tmp_path)
    assert status == 3
    assert err.startswith("ds: ")
    assert not target.exists()
    assert list(tmp_path.glob(".copy*")) == []
