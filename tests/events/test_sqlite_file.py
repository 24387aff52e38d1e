"""SQLite files: how they are opened, and which files are refused and left alone."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from ds_events.database import Database, open_database
from ds_events.errors import ConstraintViolated, DatabaseError, NotARecord, UnreadableFile
from ds_events.files import write_whole
from ds_events.lines import open_lines
from ds_events.rebuild import rebuild
from ds_events.seal import make_seal
from ds_events.store import EventStore
from ds_events.upkeep import backup, describe, erase_name
from tests.events.building import audited, child, coded, contents, exported


def _write(database: Database, *statements: str) -> None:
    with database.write() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_every_connection_is_durable_and_guarded(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")

    def settings() -> dict[str, object]:
        with database.read() as connection:
            return {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in (
                    *("journal_mode", "synchronous", "fullfsync"),
                    *("foreign_keys", "recursive_triggers"),
                )
            }

    first = settings()
    database.engine.dispose()
    second = settings()
    database.close()

    # synchronous: 2 is FULL.
    assert (
        first
        == second
        == {
            "journal_mode": "wal",
            "synchronous": 2,
            "fullfsync": 1,
            "foreign_keys": 1,
            "recursive_triggers": 1,
        }
    )


def test_a_move_writes_two_pages_of_two_kilobytes(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")
    store = EventStore(database)
    game = store.create("mika", coded())
    log = tmp_path / "games.db-wal"
    before = log.stat().st_size

    store.append(game.id, ["D"], expected_version=0)

    # Each page has a header of 24 bytes there.
    assert log.stat().st_size - before == 2 * (24 + 2048)
    database.close()


def test_a_file_with_larger_pages_is_used_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_database(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA page_size=4096")
        connection.execute("VACUUM")

    database = open_database(path)
    store = EventStore(database)
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)

    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA page_size").scalar() == 4096
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert audited(database).faults == []
    database.close()


def test_an_empty_file_becomes_a_database_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games.db").touch()

    database = open_database(tmp_path / "games.db")
    EventStore(database).create("mika", coded())

    assert audited(database).games == 1
    assert audited(database).faults == []
    database.close()
    assert capfd.readouterr() == ("", "")


def test_closing_leaves_the_one_file(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")
    EventStore(database).create("mika", coded())
    database.close()

    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]


def _write_over(database: Database) -> None:
    with pytest.raises(UnreadableFile), write_whole(Path(str(database))):
        pass


def _read_as_text(database: Database) -> None:
    with pytest.raises(UnreadableFile), open_lines(Path(str(database))):
        pass


@pytest.mark.parametrize(
    "does",
    [
        pytest.param(lambda database: None, id="nothing else"),
        pytest.param(lambda database: open_database(str(database)).close(), id="open it again"),
        pytest.param(
            lambda database: open_database(f"{database}-other").close(), id="open another"
        ),
        pytest.param(audited, id="audit"),
        pytest.param(rebuild, id="rebuild"),
        pytest.param(make_seal, id="seal"),
        pytest.param(describe, id="describe"),
        pytest.param(exported, id="export"),
        pytest.param(lambda database: backup(database, Path(f"{database}-copy")), id="back up"),
        pytest.param(lambda database: erase_name(database, "mika"), id="erase a name"),
        pytest.param(_write_over, id="write over it"),
        pytest.param(_read_as_text, id="read it as a text"),
    ],
)
def test_a_program_that_comes_and_goes_takes_no_log_away(
    tmp_path: Path, does: Callable[[Database], object]
) -> None:
    database = open_database(tmp_path / "games.db")
    store = EventStore(database)
    first = store.create("mika", coded())
    # What it takes to have several connections, and all that a process may do beside.
    store.load(first.id)
    store.create("mika", coded())
    does(database)

    other = child(
        "import sqlite3, sys\n"
        "other = sqlite3.connect(sys.argv[1])\n"
        "print(*other.execute('SELECT count(*) FROM games').fetchone())\n"
        "other.close()",
        str(database),
    )
    said, err = other.communicate(timeout=60)

    # SQLite removes it when the last program goes: what is appended to it then is lost.
    assert (tmp_path / "games.db-wal").exists()
    assert (said, err) == ("2\n", "")
    database.close()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"x", id="one byte"),
        pytest.param(b"notes\n", id="a short text"),
        pytest.param(b"y" * 99, id="99 bytes"),
        pytest.param(b'{"format":"ds-game/1"}\n' * 400, id="an export"),
        pytest.param(b"\x1f\x8b\x08" + bytes(range(256)) * 20, id="something packed"),
        pytest.param(bytes(8192), id="nothing but NUL"),
        pytest.param(b"SQLite format 3\0" + b"\xff" * 8176, id="nothing behind its name"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_untouched(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "notes.txt").write_bytes(content)

    with pytest.raises(NotARecord, match=r"notes\.txt.*--db"):
        open_database(tmp_path / "notes.txt")

    assert _files(tmp_path) == {"notes.txt": content}


def _foreign(*statements: str, wal: bool = False) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            if wal:
                connection.execute("PRAGMA journal_mode=WAL")
            for statement in statements:
                connection.execute(statement)

    return make


FOREIGN = [
    pytest.param(_foreign("CREATE TABLE recipes (name TEXT)"), "recipes", id="a table"),
    pytest.param(_foreign("CREATE TABLE recipes (name TEXT)", wal=True), "recipes", id="in WAL"),
    pytest.param(_foreign("CREATE VIEW recipes AS SELECT 1"), "recipes", id="a view alone"),
    pytest.param(
        _foreign(
            "CREATE TABLE recipes (name TEXT)",
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
            "INSERT INTO alembic_version VALUES ('ae1027a6acf0')",
        ),
        "recipes",
        id="another program with alembic",
    ),
    pytest.param(
        _foreign(
            "CREATE TABLE recipes (name TEXT)",
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
            "INSERT INTO alembic_version VALUES ('0001')",
        ),
        "recipes",
        id="another program's version 0001",
    ),
    pytest.param(
        _foreign(
            "CREATE TABLE recipes (name TEXT)",
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        ),
        "recipes",
        id="another program with alembic and no version",
    ),
]


@pytest.mark.parametrize(("make", "named"), FOREIGN)
def test_a_database_of_something_else_is_refused_and_untouched(
    tmp_path: Path, make: Callable[[Path], None], named: str
) -> None:
    path = tmp_path / "recipes.db"
    make(path)
    before = _files(tmp_path)

    with pytest.raises(NotARecord, match=named):
        open_database(path).close()

    assert _files(tmp_path) == before


@pytest.mark.parametrize("place", ["", "missing/games.db"])
def test_what_cannot_be_opened_is_named_with_what_to_check(tmp_path: Path, place: str) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened; check that the folder exists"):
        open_database(tmp_path / place)

    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_reported_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    database = open_database(path)
    store = EventStore(database)
    for _ in range(3):
        game = store.create("mika", coded())
        store.append(game.id, ["D", "U"] * 200, expected_version=0)
    database.close()
    damaged = bytearray(path.read_bytes())
    # All but the first page, which says what tables there are.
    damaged[4096 * 2 :] = b"\xff" * (len(damaged) - 4096 * 2)
    path.write_bytes(damaged)

    database = Database(path)
    with pytest.raises(DatabaseError, match="damaged; restore it from a copy"):
        audited(database)
    database.close()

    assert path.read_bytes() == damaged


def test_a_full_disk_is_reported_and_nothing_is_changed(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")
    store = EventStore(database)
    game = store.create("mika", coded())
    with database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    with pytest.raises(DatabaseError, match="the disk is full; nothing was changed"):
        store.append(game.id, ["D", "U"] * 2000, expected_version=0)

    assert store.read(game.id) == []
    assert store.load(game.id).version == 0
    database.close()


READER = """
import os, sys
from ds_core import deal_code, parse_code
from ds_events.database import Database
from ds_events.errors import DatabaseError
from ds_events.store import EventStore

if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
store = EventStore(Database(sys.argv[1]))
try:
    store.create("mika", deal_code(parse_code("DS1-D1N-AAAAAAB")))
except DatabaseError as error:
    print(error, flush=True)
# Whatever else runs at the end of a process may want to write where this user may not.
os._exit(0)
"""


@pytest.mark.parametrize(
    ("rights", "why"),
    [
        (0o444, "read-only for this user; nothing was changed"),
        (0o000, "cannot be opened; check that the folder exists and allows it"),
    ],
    ids=["may read", "may not read"],
)
def test_a_file_that_this_user_may_not_write_is_reported(
    tmp_path: Path, rights: int, why: str
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    path = folder / "games.db"
    database = open_database(path)
    EventStore(database).create("mika", coded())
    database.close()
    before = path.read_bytes()
    path.chmod(rights)
    folder.chmod(0o777)
    # Root writes everywhere, so the child is somebody else, who has to get there first.
    for parent in tmp_path.parents[:-2]:
        parent.chmod(0o755)
    tmp_path.chmod(0o755)

    said, errors = child(READER, str(path)).communicate(timeout=60)

    assert errors == ""
    assert said.startswith(f"{path}: ")
    assert why in said
    assert path.read_bytes() == before


def test_a_commit_that_fails_is_rolled_back_and_the_database_can_be_used(tmp_path: Path) -> None:
    # A foreign key that is looked at last makes the COMMIT itself fail.
    database = open_database(tmp_path / "games.db")
    store = EventStore(database)
    game = store.create("mika", coded())

    with pytest.raises(ConstraintViolated):
        _write(
            database,
            "PRAGMA defer_foreign_keys=ON",
            "INSERT INTO events VALUES (77, 1, 'D', 0, 0)",
        )

    assert store.append(game.id, ["D"], expected_version=0).version == 1
    assert [row[0] for row in contents(database)["events"]] == [game.id]
    database.close()


@pytest.mark.parametrize("name", ["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC"])
def test_a_failing_disk_is_reported(tmp_path: Path, name: str) -> None:
    # No disk fails when asked to, so the driver's error is made by hand.
    failure = sqlite3.OperationalError("disk I/O error")
    failure.sqlite_errorname = name
    database = open_database(tmp_path / "games.db")

    with pytest.raises(DatabaseError, match="the disk fails or is full"), database.read():
        raise OperationalError("COMMIT", None, failure)

    database.close()


def test_an_sqlite_without_strict_tables_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))

    with pytest.raises(DatabaseError, match=r"too old: 3\.37\.0 or later is needed"):
        open_database(tmp_path / "games.db")


OPENER = """
import sys
from ds_events.database import open_database
open_database(sys.argv[1]).close()
print("alembic" in sys.modules)
"""


def test_opening_a_ready_database_does_not_load_alembic(tmp_path: Path) -> None:
    new, ready = (
        child(OPENER, str(tmp_path / "games.db")).communicate(timeout=60) for _ in range(2)
    )

    assert new == ("True\n", "")
    assert ready == ("False\n", "")


TOGETHER = """
import sys
from ds_core import deal_code, parse_code
from ds_events.database import open_database
from ds_events.store import EventStore
import ds_events.migrate

print("ready", flush=True)
sys.stdin.readline()
database = open_database(sys.argv[1])
EventStore(database).create("mika", deal_code(parse_code("DS1-D1N-AAAAAAB")))
database.close()
"""


def test_several_processes_can_create_the_same_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    processes = [child(TOGETHER, str(path)) for _ in range(3)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=60) for process in processes]

    assert ends == [("", "")] * 3
    database = open_database(path)
    report = audited(database)
    database.close()
    assert (report.games, report.faults) == (3, [])
