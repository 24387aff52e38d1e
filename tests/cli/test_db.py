"""`ds db`: schema, sizes and settings, summaries, copies."""

import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from ds_events import migrate
from tests.cli.damage import tampering
from tests.cli.games import CODE, GAMES, as_line, game, id_text
from tests.cli.running import TABLES, Ds, contents


def _schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        found = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        return connection.execute(found).fetchall()


def _version(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_upgrade_makes_a_new_record(ds: Ds, tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    ran = ds.ok("db", "upgrade", "--db", str(path))
    assert ran.out == ""
    assert str(path) in ran.err
    assert _version(path) in ran.err
    assert _schema(path) == _schema(ds.database)


def test_upgrade_of_the_newest_changes_nothing_and_says_so(ds: Ds) -> None:
    ds.ok("new", CODE)
    before = ds.contents()
    ran = ds.ok("db", "upgrade")
    assert "already" in ran.err
    assert _version(ds.database) in ran.err
    assert ds.contents() == before


def _first_schema(path: Path, filled: Path) -> None:
    """Make a record of the first schema that ever was, with the games of another record."""
    made = migrate.config()
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    with engine.begin() as connection:
        made.attributes["connection"] = connection
        command.upgrade(made, "0001")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ATTACH ? AS filled", [str(filled)])
        for table in TABLES:
            columns = connection.execute(f"SELECT name FROM pragma_table_info('{table}')")
            kept = ", ".join(name for (name,) in columns)
            connection.execute(f"INSERT INTO {table} SELECT {kept} FROM filled.{table}")
        connection.commit()


def test_an_old_record_is_used_again_after_the_command_that_the_refusal_names(
    ds: Ds, tmp_path: Path
) -> None:
    ds.ok("import", str(GAMES))
    old = tmp_path / "old record.db"
    _first_schema(old, ds.database)
    refused = ds("games", "--db", str(old))
    assert refused.status == 3
    (named,) = re.findall(r"`ds (db upgrade[^`]*)`", refused.err)
    upgraded = ds.ok(*shlex.split(named))
    assert "0001" in upgraded.err
    # What the first schema did not know yet, the upgrade has found out from the log.
    assert contents(old) == ds.contents()
    assert _schema(old) == _schema(ds.database)
    assert ds.json("audit", "--db", str(old))["faults"] == []
    assert ds.json("stats", "--everyone", "--db", str(old)) == ds.json("stats", "--everyone")
    ds.ok("new", CODE, "--db", str(old))


def test_info_says_what_is_there(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    ds.ok("new", CODE)
    document = ds.json("db", "info")
    kept = ds.contents()
    assert document["database"] == str(ds.database)
    assert document["engine"] == f"SQLite {sqlite3.sqlite_version}"
    assert document["schema"] == document["schema_needed"] == _version(ds.database)
    assert [document[table] for table in ("players", "games", "events")] == [
        len(kept[table]) for table in ("players", "games", "events")
    ]
    assert document["size_bytes"] >= 4096
    # What is acknowledged survives a kill: the settings that see to it.
    assert document["settings"]["journal_mode"] == "wal"
    assert document["settings"]["synchronous"] == "FULL"
    table = ds.ok("db", "info").out
    for said in (str(ds.database), "34", "wal", "FULL", _version(ds.database)):
        assert said in table


def test_info_describes_a_record_of_another_schema(ds: Ds) -> None:
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
        connection.commit()
    document = ds.json("db", "info")
    assert document["schema"] == "0000"
    assert document["schema_needed"] != "0000"


def test_info_of_a_file_that_is_not_there_makes_none(ds: Ds, tmp_path: Path) -> None:
    """To look at something must not bring it into being half made."""
    path = tmp_path / "none.db"
    ran = ds("db", "info", "--json", "--db", str(path))
    assert not path.exists() or ran.json["schema"] == ran.json["schema_needed"]


def test_rebuild_puts_summaries_right(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    right = ds.contents()
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("UPDATE summaries SET score = 0, status = 'open', moves = 7")
        connection.execute("DELETE FROM summaries WHERE game_id IN (SELECT id FROM games LIMIT 5)")
        connection.commit()
    document = ds.json("db", "rebuild")
    assert (document["games"], document["rebuilt"], document["faults"]) == (33, 33, [])
    assert ds.contents() == right
    assert ds.json("db", "rebuild")["rebuilt"] == 0


def test_rebuild_of_what_is_right_changes_nothing(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    before = ds.contents()
    assert "33 games" in ds.ok("db", "rebuild").out
    assert ds.contents() == before


def test_rebuild_speaks_of_one_game_as_one(ds: Ds) -> None:
    ds.ok("new", CODE)
    out = ds.ok("db", "rebuild").out
    assert "1 game:" in out
    assert "1 games" not in out


def test_rebuild_leaves_a_damaged_game_as_it_is_and_names_it(ds: Ds) -> None:
    """A summary must not hide what happened to its log."""
    lines = [as_line(game("D", "T2T3", "D", id=id_text(n))) for n in (1, 2, 3)]
    ds.ok("import", "-", stdin="\n".join(lines))
    with tampering(ds.database) as connection:
        connection.execute("UPDATE events SET score = 9 WHERE game_id = 1 AND seq = 2")
        connection.execute("UPDATE events SET at = at + 1 WHERE game_id = 2 AND seq = 3")
        connection.execute("UPDATE summaries SET score = 77")
    before = ds.contents()
    ran = ds("db", "rebuild", "--json")
    assert ran.status == 1
    assert (ran.json["games"], ran.json["rebuilt"]) == (3, 1)
    assert [row["game"] for row in ran.json["faults"]] == [id_text(1), id_text(2)]
    after = ds.contents()
    assert after["summaries"][:2] == before["summaries"][:2]
    assert after["events"] == before["events"]
    told = ds("db", "rebuild")
    assert told.status == 1
    for n in (1, 2):
        assert id_text(n) in told.err
    assert "seq 2" in told.err


def test_statistics_come_out_of_a_rebuild_as_they_were(ds: Ds) -> None:
    """Case 15."""
    ds.ok("import", str(GAMES))
    commands = ("stats", "scores", "vegas", "games")
    before = [ds.json(command, "--everyone") for command in commands]
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("DELETE FROM summaries")
        connection.commit()
    ds.ok("db", "rebuild")
    assert [ds.json(command, "--everyone") for command in commands] == before


def test_a_copy_is_the_same_record(ds: Ds, tmp_path: Path) -> None:
    ds.ok("import", str(GAMES))
    copy = tmp_path / "a copy.db"
    ran = ds.ok("db", "backup", str(copy))
    assert ran.out == ""
    assert str(copy) in ran.err
    assert contents(copy) == ds.contents()
    assert _schema(copy) == _schema(ds.database)
    assert ds.json("audit", "--db", str(copy))["faults"] == []
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_copy_is_made_while_another_program_writes(ds: Ds, tmp_path: Path) -> None:
    ds.ok("new", CODE)
    before = ds.contents()
    with closing(sqlite3.connect(ds.database)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE summaries SET score = 99")
        ds.ok("db", "backup", str(tmp_path / "copy.db"))
        connection.rollback()
    # What was not committed is not in it.
    assert contents(tmp_path / "copy.db") == before


def test_a_copy_never_replaces_a_file(ds: Ds, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_bytes(b"dear")
    assert str(taken) in ds.fails(2, "db", "backup", str(taken))
    assert taken.read_bytes() == b"dear"
    ds.fails(2, "db", "backup", str(ds.database))


def test_a_copy_that_cannot_be_written_names_the_file_that_was_asked_for(
    ds: Ds, tmp_path: Path
) -> None:
    target = tmp_path / "missing" / "copy.db"
    message = ds.fails(2, "db", "backup", str(target))
    assert str(target) in message
    assert "partial" not in message


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["db"], "ds db --help"),
        (["db", "vacuum"], "vacuum"),
        (["db", "backup"], "FILE"),
        (["db", "upgrade", "now"], "now"),
    ],
)
def test_wrong_usage(ds: Ds, arguments: list[str], named: str) -> None:
    assert named in ds.fails(2, *arguments)
