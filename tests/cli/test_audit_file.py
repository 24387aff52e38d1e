"""`ds audit --file`: the referee over a file, without storing it."""

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli import damage
from tests.cli.games import GAMES, as_line, game, id_text, utc, vectors, write
from tests.cli.running import Ds

REPORT_KEYS = ["games", "events", "unjudged", "faults", "warnings"]
ROW_KEYS = ["game", "line", "seq", "move", "kind", "claimed", "expected", "drift", "message"]

Damage = Callable[[dict[str, Any], Random], tuple[dict[str, Any], list[damage.Fault], int]]

DAMAGES: list[Damage] = [
    damage.wrong_score,
    damage.wrong_scores_from_there,
    damage.missing_event,
    damage.swapped_pair,
    damage.illegal_move,
    damage.unreadable_move,
    damage.wrong_end,
]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("harm", DAMAGES, ids=[harm.__name__ for harm in DAMAGES])
def test_in_any_of_the_checked_games_a_lie_is_found_and_named(
    ds: Ds, tmp_path: Path, harm: Damage, seed: int
) -> None:
    chance = Random(f"{harm.__name__} {seed}")
    told = [harm(said | {"id": id_text(n)}, chance) for n, said in enumerate(vectors(), 1)]
    path = write(tmp_path / "lies.jsonl", [said for said, _, _ in told])
    ran = ds("audit", "--file", path, "--json")
    assert (ran.status, ran.err) == (1, "")
    report = ran.json
    assert list(report)[: len(REPORT_KEYS)] == REPORT_KEYS
    assert report["games"] == 33
    assert report["events"] == sum(len(said["events"]) for said, _, _ in told)
    assert report["unjudged"] == sum(unjudged for _, _, unjudged in told)
    found = [
        (row["line"], row["game"], *(row[key] for key in ROW_KEYS if key in _FAULT_KEYS))
        for row in report["faults"]
    ]
    assert found == [
        (line, id_text(line), seq, move, kind, claimed, expected, drift)
        for line, (_, faults, _) in enumerate(told, 1)
        for kind, seq, move, claimed, expected, drift in faults
    ]
    for row in report["faults"]:
        assert list(row) == ROW_KEYS
        assert row["message"]


_FAULT_KEYS = {"seq", "move", "kind", "claimed", "expected", "drift"}


def test_the_checked_games_are_clean(ds: Ds) -> None:
    before = ds.contents()
    report = ds.json("audit", "--file", str(GAMES))
    assert (report["games"], report["unjudged"], report["faults"]) == (33, 0, [])
    assert report["events"] == sum(len(said["events"]) for said in vectors())
    # Cards taken back from a foundation scored again in some of them: odd, but no fault.
    assert {row["kind"] for row in report["warnings"]} == {"take_back_loop"}
    assert all(list(row) == ROW_KEYS for row in report["warnings"])
    assert ds.contents() == before
    last = ds.ok("audit", "--file", str(GAMES)).out.splitlines()[-1]
    assert last.startswith("33 games, ")
    assert "no faults" in last


@pytest.mark.parametrize("way", ["plain", "gz", "stdin"])
def test_a_file_is_plain_packed_or_stdin(ds: Ds, tmp_path: Path, way: str) -> None:
    content = GAMES.read_bytes()
    if way == "stdin":
        report = ds.json("audit", "--file", "-", stdin=content)
    else:
        path = tmp_path / ("games.jsonl.gz" if way == "gz" else "games.txt")
        path.write_bytes(gzip.compress(content) if way == "gz" else content)
        report = ds.json("audit", "--file", str(path))
    assert report["games"] == 33


def test_no_database_is_needed_for_a_file(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DATABASE_URL", str(tmp_path / "none" / "here.db"))
    assert ds.json("audit", "--file", str(GAMES))["games"] == 33
    assert not (tmp_path / "none").exists()


def test_people_read_line_game_seq_and_both_changes(ds: Ds, tmp_path: Path) -> None:
    said = game("D", "T2T3", "D", id=id_text(9))
    for event, score in zip(said["events"], (0, 10, 10), strict=True):
        event["score"] = score
    path = write(tmp_path / "lie.jsonl", ["", as_line(said)])
    ran = ds("audit", "--file", path)
    assert ran.status == 1
    fault, summary = ran.out.splitlines()
    for part in ("line 2", id_text(9), "seq 2", "T2T3", "+5", "+10", "[score]"):
        assert part in fault
    assert "1 game, 3 events" in summary
    assert "1 fault" in summary


def test_csv_has_the_faults_as_rows(ds: Ds, tmp_path: Path) -> None:
    lie, _, _ = damage.wrong_scores_from_there(vectors()[4], Random(1))
    path = write(tmp_path / "lie.jsonl", [lie])
    ran = ds("audit", "--file", path, "--csv")
    report = ds("audit", "--file", path, "--json").json
    assert ran.status == 1
    assert ran.out.splitlines()[0].split(",") == ROW_KEYS
    assert [row["seq"] for row in ran.csv] == [str(row["seq"]) for row in report["faults"]]
    assert len(ran.csv) == 2


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "JSON"),
        ("not json", "JSON"),
        ("[]", "line"),
        ("null", "line"),
        ('{"format":"ds-game/2"}', "ds-game/2"),
        (as_line(game("D") | {"more": 1}), "more"),
        (as_line(game("D"))[:-1] + ',"player":"kai"}', "player"),
        (as_line({k: v for k, v in game("D").items() if k != "format"}), "format"),
        (as_line({k: v for k, v in game("D").items() if k != "events"}), "events"),
        (as_line({k: v for k, v in game("D").items() if k != "code"}), "deal"),
        (as_line(game("D", mode="D1V")), "mode"),
        (as_line(game("D", code="DS2-D1N-AAAAAAB")), "DS2"),
        (as_line(game("D", code="ds1-d1n-aaaaaab")), "upper case"),
        (as_line(game("D", id="zz")), "id"),
        (as_line(game("D", started_at="2026-11-30T02:10:00")), "started_at"),
        (as_line(game("D", player="")), "player"),
        (as_line(game("D", score=None)), "score"),
        (as_line(game("D", score="0")), "score"),
        (as_line(game("D", status="lost")), "status"),
        (as_line(game("D", events=[{"seq": 1}])), "move"),
        (as_line(game("D", events=[{"seq": 1.5, "move": "D"}])), "seq"),
    ],
)
def test_an_unreadable_line_is_a_fault_and_the_others_are_judged(
    ds: Ds, tmp_path: Path, line: str, named: str
) -> None:
    path = write(tmp_path / "mixed.jsonl", [game("D", "D"), line, game("D")])
    ran = ds("audit", "--file", path, "--json")
    assert ran.status == 1
    report = ran.json
    assert (report["games"], report["events"]) == (3, 3)
    (row,) = report["faults"]
    assert (row["line"], row["kind"]) == (2, "format")
    assert named in row["message"]


def test_times_that_run_backwards_are_a_warning(ds: Ds, tmp_path: Path) -> None:
    said = game("D", "D", "D", id=id_text(1), started_at=utc())
    for event, seconds in zip(said["events"], (5, 3, 4), strict=True):
        event["at"] = utc(seconds=seconds)
    path = write(tmp_path / "times.jsonl", [said])
    report = ds.json("audit", "--file", path)
    assert report["faults"] == []
    assert [(row["kind"], row["line"], row["seq"]) for row in report["warnings"]] == [
        ("times", 1, 2)
    ]
    assert "warning" in ds.ok("audit", "--file", path).out


def test_where_nothing_is_claimed_nothing_is_wrong(ds: Ds, tmp_path: Path) -> None:
    path = write(tmp_path / "claims.jsonl", [game("D", "T2T3", "D", "U")])
    assert ds.json("audit", "--file", path)["faults"] == []


def test_a_drift_is_seen_over_events_that_claim_nothing(ds: Ds, tmp_path: Path) -> None:
    said = game("D", "T2T3", "D", "D")
    said["events"][0]["score"] = 0
    # T2T3 brings 5, and nobody says so: the claim after it is 5 short.
    said["events"][2]["score"] = 0
    said["events"][3]["score"] = 0
    path = write(tmp_path / "drift.jsonl", [said])
    (row,) = ds("audit", "--file", path, "--json").json["faults"]
    assert (row["kind"], row["seq"], row["drift"]) == ("score", 3, -5)
    assert (row["claimed"], row["expected"]) == (0, 5)


def test_a_file_and_games_are_one_too_many(ds: Ds) -> None:
    ds.ok("new")
    assert "--file" in ds.fails(2, "audit", "@1", "--file", str(GAMES))


def test_an_empty_file_has_no_faults(ds: Ds, tmp_path: Path) -> None:
    path = write(tmp_path / "empty.jsonl", [])
    counts = dict.fromkeys(("games", "events", "unjudged"), 0)
    report = ds.json("audit", "--file", path)
    assert {key: report[key] for key in REPORT_KEYS} == {**counts, "faults": [], "warnings": []}
