"""`ds export --parquet`: which games, where to, and what is refused."""

import sys
from pathlib import Path

import duckdb
import pytest

from tests.cli.damage import tampering
from tests.cli.games import as_line, game, id_text
from tests.cli.running import Ds

NAMES = ["events.parquet", "games.parquet"]


@pytest.fixture
def three(ds: Ds) -> Ds:
    """A record of three games of two players."""
    said = [
        game("D", id=id_text(1)),
        game("D", "T2T3", "X", id=id_text(2)),
        game("D", "D", id=id_text(3), player="kai"),
    ]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    return ds


def _asked(folder: Path) -> list[tuple[str, int]]:
    """Return each game of an export and how many of its events are in it, as DuckDB reads it."""
    connection = duckdb.connect()
    try:
        return connection.execute(
            f"SELECT g.id, count(e.seq) FROM '{folder}/games.parquet' g"
            f" LEFT JOIN '{folder}/events.parquet' e ON e.game = g.id GROUP BY g.id ORDER BY g.id"
        ).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("games", "found"),
    [
        (["--all"], [(id_text(1), 1), (id_text(2), 3), (id_text(3), 2)]),
        ([id_text(3), id_text(2), id_text(3)], [(id_text(2), 3), (id_text(3), 2)]),
        ([], [(id_text(1), 1)]),
    ],
)
def test_which_games_are_written(
    three: Ds, tmp_path: Path, games: list[str], found: list[tuple[str, int]]
) -> None:
    folder = tmp_path / "tables"
    ran = three.ok("export", *games, "--parquet", "-o", str(folder))
    assert (ran.out, ran.err) == ("", "")
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    assert _asked(folder) == found


def test_an_older_export_is_replaced(three: Ds, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    three.ok("export", "--all", "--parquet", "-o", str(folder))
    three.ok("export", id_text(2), "--parquet", "-o", str(folder))
    assert _asked(folder) == [(id_text(2), 3)]


def test_a_folder_with_anything_else_is_refused(three: Ds, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    three.ok("export", "--all", "--parquet", "-o", str(folder))
    (folder / "notes.txt").touch()
    message = three.fails(2, "export", id_text(2), "--parquet", "-o", str(folder))
    assert "not empty" in message
    assert str(folder) in message
    assert len(_asked(folder)) == 3


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ([], "name a folder for them with -o"),
        (["-o", "-"], "name a folder for them with -o"),
        (["-o", "tables.gz"], "tables.gz is to be a folder"),
        (["-o", "missing/tables"], "missing/tables cannot be written"),
        (["-o", "."], "the folder that you are in"),
        (["-o", "file"], "is a file"),
    ],
)
def test_a_place_for_no_folder_is_wrong_usage(
    three: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: list[str], said: str
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "file").write_text("mine", encoding="utf-8")
    monkeypatch.chdir(folder)
    assert said in three.fails(2, "export", "--all", "--parquet", *where)
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert (folder / "file").read_text(encoding="utf-8") == "mine"


def test_without_the_extra_it_is_named(
    three: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = three.fails(3, "export", "--all", "--parquet", "-o", str(tmp_path / "tables"))
    assert "double-solitaire-record[parquet]" in message
    assert not (tmp_path / "tables").exists()


def test_a_damaged_game_leaves_the_older_export(three: Ds, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    three.ok("export", "--all", "--parquet", "-o", str(folder))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with tampering(three.database) as connection:
        connection.execute("UPDATE events SET score = 99 WHERE game_id = 3 AND seq = 2")
    message = three.fails(3, "export", "--all", "--parquet", "-o", str(folder))
    assert id_text(3) in message
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".tables")] == []
