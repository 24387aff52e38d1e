"""`ds audit` over stored games: the log against the rules, and the record against itself."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.damage import tampering
from tests.cli.games import CODE, GAMES, as_line, game, id_text
from tests.cli.running import Ds

ONE, TWO = id_text(1), id_text(2)


@pytest.fixture
def two(ds: Ds) -> Ds:
    """A record of a game of mika and one of kai."""
    mine = game("D", "T2T3", "D", "D", id=ONE)
    other = game("D", "D", id=TWO, player="kai", code="DS1-D3V-AAAAAAB")
    ds.ok("import", "-", stdin=f"{as_line(mine)}\n{as_line(other)}")
    return ds


def _kinds(ds: Ds, *arguments: str) -> list[tuple[str | None, int | None, str]]:
    """Return game, seq and kind of each fault of an audit that has to find some."""
    ran = ds("audit", *arguments, "--json")
    assert ran.status == 1
    return [(row["game"], row["seq"], row["kind"]) for row in ran.json["faults"]]


def test_without_games_every_game_of_every_player_is_audited(two: Ds) -> None:
    report = two.json("audit")
    assert (report["games"], report["events"], report["unjudged"]) == (2, 6, 0)
    assert report["faults"] == report["warnings"] == []
    out = two.ok("audit").out
    assert out == "2 games, 6 events: no faults, no warnings\n"


@pytest.mark.parametrize(
    ("references", "games", "events"),
    [([ONE], 1, 4), (["@1"], 1, 4), ([TWO], 1, 2), ([ONE, TWO], 2, 6)],
)
def test_named_games_alone(two: Ds, references: list[str], games: int, events: int) -> None:
    report = two.json("audit", *references)
    assert (report["games"], report["events"]) == (games, events)


def test_a_game_named_twice_is_audited_once(two: Ds) -> None:
    assert two.json("audit", ONE, "@1")["games"] == 1


def test_an_unknown_game_is_a_no(two: Ds) -> None:
    assert "no game" in two.fails(1, "audit", "5555555555555")
    assert "no game" in two.fails(1, "audit", ONE, "@9")


def test_an_empty_record_has_no_faults(ds: Ds) -> None:
    assert ds.json("audit")["games"] == 0
    assert ds.ok("audit", "--csv").out.count("\n") == 1


def test_a_changed_score_is_named_with_both_changes(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("UPDATE events SET score = 15 WHERE game_id = 1 AND seq = 2")
    # 0 5 5 5 has become 0 15 5 5; the chain over the events no longer ends as it did.
    assert _kinds(two) == [(ONE, 2, "score"), (ONE, 3, "score"), (ONE, None, "chain")]
    first = two("audit", "--json").json["faults"][0]
    assert (first["claimed"], first["expected"], first["drift"]) == (15, 5, 10)
    assert first["line"] is None
    assert _kinds(two, ONE) == _kinds(two)
    assert two.json("audit", TWO)["faults"] == []


def test_a_changed_move_is_found_even_where_it_is_legal(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("UPDATE events SET move = 'U' WHERE game_id = 1 AND seq = 4")
    # Undoing the third event is legal, and its score is the same: only the chain and the
    # counters of the summary know.
    kinds = {kind for _, _, kind in _kinds(two)}
    assert "chain" in kinds
    assert kinds <= {"chain", "summary"}


def test_an_illegal_move_stops_the_judging(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("UPDATE events SET move = 'T1F' WHERE game_id = 1 AND seq = 2")
    ran = two("audit", "--json")
    assert ran.json["faults"][0]["kind"] == "illegal_move"
    assert ran.json["faults"][0]["expected"] == "R12"
    assert ran.json["unjudged"] == 2
    assert "not judged" in two("audit").out


@pytest.mark.parametrize("seq", [1, 2, 3])
def test_a_removed_event_is_named(two: Ds, seq: int) -> None:
    with tampering(two.database) as connection:
        connection.execute("DELETE FROM events WHERE game_id = 1 AND seq = ?", [seq])
    assert _kinds(two)[0] == (ONE, seq + 1, "seq")


def test_a_removed_last_event_is_found(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("DELETE FROM events WHERE game_id = 1 AND seq = 4")
    assert (ONE, None, "chain") in _kinds(two)


def test_a_changed_time_or_player_is_found(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE game_id = 1 AND seq = 4")
        connection.execute("UPDATE games SET player_id = 7 WHERE id = 2")
    assert {(ONE, None, "chain"), (TWO, None, "chain"), (TWO, None, "player")} <= set(_kinds(two))


@pytest.mark.parametrize(
    "change",
    [
        "score = 1220",
        "status = 'won'",
        "moves = moves + 1",
        "version = version + 1",
        "ended_at = 5",
        "player_id = 7",
        "mode = 'D3N'",
    ],
)
def test_a_changed_summary_is_found_and_rebuild_is_named(two: Ds, change: str) -> None:
    with closing(sqlite3.connect(two.database)) as connection:
        connection.execute(f"UPDATE summaries SET {change} WHERE game_id = 1")
        connection.commit()
    assert _kinds(two) == [(ONE, None, "summary")]
    assert "`ds db rebuild`" in two("audit").out


def test_a_missing_summary_is_found(two: Ds) -> None:
    with closing(sqlite3.connect(two.database)) as connection:
        connection.execute("DELETE FROM summaries WHERE game_id = 1")
        connection.commit()
    assert _kinds(two) == [(ONE, None, "summary")]


def test_what_belongs_to_no_game_is_found(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("DELETE FROM games WHERE id = 1")
    assert (ONE, None, "orphan") in _kinds(two)


def test_an_unreadable_deal_is_found(two: Ds) -> None:
    with tampering(two.database) as connection:
        connection.execute("UPDATE games SET code = 'DS9-D1N-AAAAAAB' WHERE id = 1")
    assert (ONE, None, "deal") in _kinds(two)
    assert two("audit", "--json").json["unjudged"] == 4


def test_a_missing_guard_is_found(two: Ds) -> None:
    with closing(sqlite3.connect(two.database)) as connection:
        found = "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        (name,) = connection.execute(found).fetchone()
        connection.execute(f"DROP TRIGGER {name}")
        connection.commit()
    assert _kinds(two) == [(None, None, "trigger")]
    assert name in two("audit").out
    # It is about the database, not about the game that is named.
    assert two.json("audit", ONE)["faults"] == []


def test_a_record_of_checked_games_is_clean(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    assert ds.ok("audit").out.splitlines()[-1].startswith("33 games, ")


def test_other_programs_find_the_guards(ds: Ds) -> None:
    """The log of what `ds` made is insert-only for every program."""
    ds.ok("new", CODE)
    ds.ok("move", "D", "D")
    with closing(sqlite3.connect(ds.database)) as connection:
        for statement in (
            "UPDATE events SET score = 1",
            "DELETE FROM events",
            "UPDATE games SET started_at = 0",
            "DELETE FROM games",
        ):
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                connection.execute(statement)


def test_an_audit_changes_nothing(two: Ds, tmp_path: Path) -> None:
    before = two.contents()
    two.ok("audit")
    assert two.contents() == before


def test_processes_say_what_one_says(two: Ds) -> None:
    assert two.json("audit", "--jobs", "2") == two.json("audit", "--jobs", "1") == two.json("audit")
    with tampering(two.database) as connection:
        connection.execute("UPDATE events SET score = 7 WHERE seq = 2")
    there = two("audit", "--jobs", "2")
    assert (there.status, there.out) == (1, two("audit").out)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--jobs", "0"], "whole number"),
        (["--jobs", "two"], "whole number"),
        (["--jobs", "2", ONE], "all games"),
        (["--jobs", "2", "--file", str(GAMES)], "all games"),
        (["--dask", "tcp://127.0.0.1:1", ONE], "all games"),
        (["--dask", "tcp://127.0.0.1:1", "--jobs", "2"], "one of the two"),
        (["--dask", "tcp://127.0.0.1:1"], "SQLite"),
    ],
)
def test_what_cannot_be_spread_is_wrong_usage(two: Ds, arguments: list[str], named: str) -> None:
    assert named in two.fails(2, "audit", *arguments)
