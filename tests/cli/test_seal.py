"""`ds seal`, `ds audit --seal` and `--proof`, and `ds player erase`."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.damage import tampering
from tests.cli.games import CODE, as_line, dealt, game, id_text
from tests.cli.running import Ds

ONE, TWO = id_text(1), id_text(2)


@pytest.fixture
def two(ds: Ds) -> Ds:
    """A record of a game of mika and one of kai."""
    lines = [game("D", "T2T3", "D", id=ONE), dealt("D", "D", id=TWO, player="kai", label="\u30e9")]
    ds.ok("import", "-", stdin="\n".join(map(as_line, lines)))
    return ds


def _kinds(ds: Ds, *arguments: str) -> list[tuple[str | None, str]]:
    """Return game and kind of each fault of an audit that has to find some."""
    ran = ds("audit", *arguments, "--json")
    assert ran.status == 1
    return [(row["game"], row["kind"]) for row in ran.json["faults"]]


def test_a_seal_is_one_line_to_be_kept_elsewhere(two: Ds) -> None:
    line = two.ok("seal").out
    assert line.count("\n") == 1
    assert re.fullmatch(r"ds-seal/1 \S+Z games=2 events=5 root=[0-9a-f]{64}\n", line)
    report = two.json("audit", "--seal", line.strip())
    assert (report["games"], report["events"], report["faults"]) == (2, 5, [])


def test_the_same_record_has_the_same_root_at_another_time(two: Ds) -> None:
    first, second = two.json("seal"), two.json("seal")
    assert list(first) == ["seal", "at", "games", "events", "root"]
    assert first["at"] < second["at"]
    assert first["root"] == second["root"]
    assert first["root"] in first["seal"]
    two.ok("draw", "--game", ONE)
    assert two.json("seal")["root"] != first["root"]


def test_games_and_moves_that_came_later_do_not_matter(two: Ds) -> None:
    line = two.json("seal")["seal"]
    two.ok("draw", "--game", ONE)
    two.ok("new", CODE)
    assert two.json("audit", "--seal", line)["faults"] == []


@pytest.mark.parametrize(
    ("harm", "game_id"),
    [
        ("UPDATE events SET at = at + 1 WHERE game_id = 1 AND seq = 2", ONE),
        ("UPDATE games SET started_at = 0 WHERE id = 2", TWO),
        ("DELETE FROM events WHERE game_id = 1 AND seq = 3", ONE),
    ],
)
def test_a_sealed_game_that_was_changed_is_named(two: Ds, harm: str, game_id: str) -> None:
    line = two.json("seal")["seal"]
    with tampering(two.database) as connection:
        connection.execute(harm)
    assert _kinds(two, "--seal", line) == [(game_id, "seal")]


def test_a_sealed_game_that_was_taken_away_is_named(two: Ds) -> None:
    line = two.json("seal")["seal"]
    with tampering(two.database) as connection:
        for table, key in (("events", "game_id"), ("summaries", "game_id"), ("games", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {key} = 2")
    assert _kinds(two, "--seal", line) == [(TWO, "seal")]


def test_a_seal_of_another_record_is_a_no(two: Ds, tmp_path: Path) -> None:
    line = two.json("seal")["seal"]
    other = str(tmp_path / "other.db")
    assert two("audit", "--seal", line, "--db", other).status == 1
    # One symbol of the root was changed.
    wrong = line[:-1] + ("0" if line[-1] != "0" else "1")
    assert two("audit", "--seal", wrong).status == 1


@pytest.mark.parametrize("line", ["", "ds-seal/1", "ds-seal/2 now", "root=00", "x" * 5000])
def test_what_is_no_seal_is_wrong_usage(two: Ds, line: str) -> None:
    message = two.fails(2, "audit", "--seal", line)
    assert "seal" in message
    assert len(message) < 600


def test_the_leaves_can_be_written_to_a_file(two: Ds, tmp_path: Path) -> None:
    path = tmp_path / "leaves.txt"
    line = two.ok("seal", "-o", str(path)).out
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    assert lines[0] == line
    assert [leaf.split()[:2] for leaf in lines[1:]] == [[ONE, "3"], [TWO, "2"]]
    assert all(re.fullmatch(r"\S+ \d+ [0-9a-f]{64}\n", leaf) for leaf in lines[1:])


@pytest.mark.parametrize("number", [1, 2])
def test_a_proof_is_checked_without_a_database(
    two: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    line = two.json("seal")["seal"]
    path = tmp_path / "proof.json"
    ran = two.ok("seal", "--game", id_text(number), "-o", str(path))
    assert ran.out.strip() == line
    assert str(path) in ran.err
    monkeypatch.setenv("DS_DATABASE_URL", str(tmp_path / "none" / "here.db"))
    report = two.json("audit", "--seal", line, "--proof", str(path))
    assert (report["games"], report["faults"]) == (1, [])
    assert (
        two.json("audit", "--seal", line, "--proof", "-", stdin=path.read_bytes())["faults"] == []
    )
    # A proof that lies: another move, or another place.
    proof = json.loads(path.read_text(encoding="utf-8"))
    proof["record"]["events"][0]["at"] = "2020-01-01T00:00:00Z"
    path.write_text(json.dumps(proof), encoding="utf-8")
    assert _kinds(two, "--seal", line, "--proof", str(path)) == [(id_text(number), "seal")]


def test_a_proof_of_a_game_whose_score_lies_is_refereed(two: Ds, tmp_path: Path) -> None:
    line = two.json("seal")["seal"]
    path = tmp_path / "proof.json"
    two.ok("seal", "--game", ONE, "-o", str(path))
    proof = json.loads(path.read_text(encoding="utf-8"))
    proof["record"]["events"][1]["score"] = 500
    path.write_text(json.dumps(proof), encoding="utf-8")
    kinds = [kind for _, kind in _kinds(two, "--seal", line, "--proof", str(path))]
    assert kinds[0] == "score"


def test_what_is_no_proof_is_wrong_usage(two: Ds, tmp_path: Path) -> None:
    line = two.json("seal")["seal"]
    path = tmp_path / "proof.json"
    for content in ("", "{", "[]", '{"format":"ds-proof/1"}', as_line(game("D"))):
        path.write_text(content, encoding="utf-8")
        two.fails(2, "audit", "--seal", line, "--proof", str(path))
    two.fails(2, "audit", "--seal", line, "--proof", str(tmp_path / "missing.json"))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["seal", "--game", ONE], "-o"),
        (["audit", "--proof", "proof.json"], "--seal"),
        (["audit", ONE, "--seal", "ds-seal/1"], "--seal"),
        (["audit", "--file", "x.jsonl", "--seal", "ds-seal/1"], "--seal"),
    ],
)
def test_wrong_usage(two: Ds, arguments: list[str], named: str) -> None:
    assert named in two.fails(2, *arguments)


def test_a_proof_of_what_was_never_sealed_is_a_no(two: Ds, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    message = two.fails(1, "seal", "--game", ONE, "-o", str(path))
    assert "`ds seal`" in message
    assert not path.exists()


def test_an_erased_name_is_shown_as_its_id_and_everything_else_stays(two: Ds) -> None:
    line = two.json("seal")["seal"]
    before = two.contents()
    ran = two.ok("player", "erase", "kai")
    assert "kai" in ran.err
    shown = two.json("show", "--game", TWO)["player"]
    assert re.fullmatch(r"~[0-9A-HJKMNP-TV-Z]{13}", shown)
    assert shown in ran.err
    after = two.contents()
    for table in ("games", "events", "summaries"):
        assert after[table] == before[table]
    assert "kai" not in two.ok("games", "--everyone").out
    # What was sealed and what was chained rest on the id.
    assert two.json("audit", "--seal", line)["faults"] == []
    assert two.json("audit")["faults"] == []
    # Under that name the games are still found, and exported games come back to the same id.
    assert two.json("games", "--player", shown)["rows"][0]["game"] == TWO
    assert json.loads(two.ok("export", TWO).out)["player"] == shown


def test_erasing_a_name_leaves_none_of_it_in_the_file(two: Ds) -> None:
    two.ok("new", CODE, "--player", "Unmistakable Name")
    two.ok("player", "erase", "Unmistakable Name")
    with closing(sqlite3.connect(two.database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"Unmistakable" not in two.database.read_bytes()


@pytest.mark.usefixtures("impatient")
def test_a_name_that_another_program_still_holds_is_said(two: Ds) -> None:
    """Who reads an older state of the file keeps what is in it."""
    with closing(sqlite3.connect(two.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM players").fetchone()
        ran = two.ok("player", "erase", "kai")
    assert "still" in ran.err
    assert len(ran.err.splitlines()) == 2


def test_erasing_nobody_is_a_no(two: Ds) -> None:
    message = two.fails(1, "player", "erase", "nobody")
    assert "nobody" in message


def test_erase_wants_a_name(two: Ds) -> None:
    assert "NAME" in two.fails(2, "player", "erase")
