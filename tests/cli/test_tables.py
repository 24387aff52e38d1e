"""Every table that a command prints is there as JSON and as CSV too."""

import re
from pathlib import Path

import pytest

from tests.cli import reference
from tests.cli.damage import tampering
from tests.cli.games import CODE, as_line, game, id_text, write
from tests.cli.running import Ds

TABLES = (
    *("games", "log", "scores", "vegas", "stats", "audit", "simulate", "legal", "import"),
    *("db info", "db rebuild"),
)

FINDING = ["game", "line", "seq", "move", "kind", "claimed", "expected", "drift", "message"]


@pytest.mark.parametrize("command", TABLES)
def test_what_prints_rows_prints_them_as_json_and_as_csv(command: str) -> None:
    text = reference.help_of(f"ds {command}")
    for option in ("--json", "--csv"):
        assert re.search(rf"^  {option}\b", text, re.MULTILINE), option


@pytest.mark.parametrize("command", reference.commands())
def test_csv_comes_with_json(command: str) -> None:
    text = reference.help_of(command)
    if re.search(r"^  --csv\b", text, re.MULTILINE):
        assert re.search(r"^  --json\b", text, re.MULTILINE)


@pytest.mark.parametrize("command", TABLES)
def test_both_at_once_are_wrong_usage(ds: Ds, command: str) -> None:
    ds.ok("new", CODE)
    needed = {"import": ["-"], "simulate": ["--games", "1"]}.get(command, [])
    message = ds.fails(2, *command.split(), *needed, "--json", "--csv", stdin="")
    assert "--json and --csv" in message


def _cells(rows: list[dict[str, object]]) -> list[dict[str, str]]:
    """Return rows as CSV has them, which knows nothing but texts."""
    return [{name: "" if v is None else str(v) for name, v in row.items()} for row in rows]


def test_the_database_as_csv_has_a_row_for_each_value(ds: Ds) -> None:
    document = ds.json("db", "info")
    settings = document.pop("settings")
    rows = ds.ok("db", "info", "--csv").csv
    assert rows == [
        {"name": name, "value": str(value)} for name, value in (document | settings).items()
    ]


def test_legal_moves_as_csv(ds: Ds) -> None:
    ds.ok("new", CODE)
    moves = ds.json("legal")["legal"]
    assert len(moves) > 1
    assert ds.ok("legal", "--csv").csv == [{"move": move} for move in moves]
    ds.ok("abandon")
    assert ds.ok("legal", "--csv").out == "move\n"


def test_what_an_import_rejects_as_csv(ds: Ds, tmp_path: Path) -> None:
    first = write(tmp_path / "first.jsonl", [game("D"), "{"])
    second = write(tmp_path / "second.jsonl", [game("D", "T1F", id=id_text(1))])
    ran = ds("import", first, second, "--csv")
    assert ran.status == 1
    assert ran.err.splitlines()[-1] == "ds: 1 game added, none stored already, 2 rejected"
    again = ds("import", first, second, "--json")
    assert ran.csv == _cells(again.json["faults"])
    assert [row["file"] for row in ran.csv] == [first, second]
    assert list(ran.csv[0]) == ["file", *FINDING]
    assert ds.ok("import", "-", "--csv", stdin=as_line(game("D"))).csv == []


def test_what_a_rebuild_cannot_put_right_as_csv(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(game("D", "D", id=id_text(1))))
    assert ds.ok("db", "rebuild", "--csv").out == ",".join(FINDING) + "\n"
    with tampering(ds.database) as connection:
        connection.execute("UPDATE events SET score = 99 WHERE seq = 2")
    ran = ds("db", "rebuild", "--csv")
    assert ran.status == 1
    [row] = ran.csv
    assert row["game"] == id_text(1)
    assert ran.csv == _cells(ds("db", "rebuild", "--json").json["faults"])
