"""The acceptance lines of the project: what a newcomer's record has to stand up to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.games import GAMES, MODES, vectors
from tests.cli.running import Ds


def _without_id(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key != "id"}


def test_import_audit_export(ds: Ds) -> None:
    """What comes out is what went in, and an id for each game."""
    ds.ok("import", str(GAMES))
    report = ds.json("audit")
    assert (report["games"], report["faults"], report["unjudged"]) == (33, [], 0)
    last = ds.ok("audit").out.splitlines()[-1]
    assert last.startswith("33 games, ")
    assert "no faults" in last
    exported = [json.loads(line) for line in ds.ok("export", "--all").out.splitlines()]
    assert len(exported) == len({said["id"] for said in exported}) == 33
    by_deal = {said.get("code") or said["label"]: said for said in exported}
    for said in vectors():
        found = by_deal[said.get("code") or said["label"]]
        assert _without_id(found) == said
        assert [key for key in found if key != "id"] == list(said)


def test_the_exported_games_are_refereed_clean_in_a_file(ds: Ds, tmp_path: Path) -> None:
    path = str(tmp_path / "games.jsonl.gz")
    ds.ok("import", str(GAMES))
    ds.ok("export", "--all", "-o", path)
    assert ds.json("audit", "--file", path)["faults"] == []


@pytest.fixture(scope="module")
def seed_1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of `ds simulate --games 200 --bot greedy --seed 1`."""
    from ds_cli.main import main

    path = tmp_path_factory.mktemp("simulation") / "games.db"
    wanted = ["simulate", "--games", "200", "--bot", "greedy", "--seed", "1"]
    assert main([*wanted, "--json", "--db", str(path)]) == 0
    return path


def _exported(ds: Ds, path: Path) -> list[dict[str, Any]]:
    out = ds.ok("export", "--all", "--db", str(path)).out
    return [json.loads(line) for line in out.splitlines()]


def test_a_simulation_records_closed_games_of_all_modes(ds: Ds, seed_1: Path) -> None:
    games = _exported(ds, seed_1)
    assert len(games) == 200
    assert {said["player"] for said in games} == {"bot:greedy"}
    assert {said["status"] for said in games} == {"won", "abandoned"}
    # Ids grow with time, and exports are in their order: the four modes in turn.
    assert [said["code"].split("-")[1] for said in games] == list(MODES) * 50
    assert len({said["code"] for said in games}) > 190
    standard = [said for said in games if said["code"].startswith("DS1-D1N")]
    assert sum(said["status"] == "won" for said in standard) * 3 >= len(standard)


def test_an_audit_of_the_simulation_finds_nothing(ds: Ds, seed_1: Path) -> None:
    report = ds.json("audit", "--db", str(seed_1))
    assert (report["games"], report["faults"], report["unjudged"]) == (200, [], 0)


def test_the_same_seed_gives_the_same_games_in_another_record(
    ds: Ds, seed_1: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    # Half of them, which are the first of the two hundred.
    wanted = ["simulate", "--games", "100", "--bot", "greedy", "--seed", "1"]
    ds.ok(*wanted, "--db", str(other))
    assert list(map(_played, _exported(ds, other))) == list(
        map(_played, _exported(ds, seed_1)[:100])
    )


def _played(said: Mapping[str, Any]) -> tuple[Any, ...]:
    """Code, moves and scores of a game."""
    events = [(event["seq"], event["move"], event["score"]) for event in said["events"]]
    return said["code"], events, said["status"], said["score"], said["moves"]
