"""`ds simulate`: games of a bot, recorded like any other."""

import json
import re
from typing import Any

import pytest

from tests.cli.games import MODES, played
from tests.cli.running import Ds

ROW_KEYS = ["game", "code", "mode", "status", "score", "moves"]


def _exported(ds: Ds) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ds.ok("export", "--all").out.splitlines()]


def test_rows_say_what_was_recorded(ds: Ds) -> None:
    document = ds.json("simulate", "--games", "8", "--seed", "3")
    assert [list(row) for row in document["rows"]] == [ROW_KEYS] * 8
    assert document["rows"] == [
        {
            "game": said["id"],
            "code": said["code"],
            "mode": said["code"].split("-")[1],
            **{key: said[key] for key in ("status", "score", "moves")},
        }
        for said in _exported(ds)
    ]
    assert (document["player"], document["bot"], document["seed"]) == ("bot:greedy", "greedy", 3)


def test_csv_has_the_same_rows(ds: Ds) -> None:
    ran = ds.ok("simulate", "--games", "4", "--seed", "3", "--csv")
    assert ran.out.splitlines()[0].split(",") == ROW_KEYS
    assert [row["code"] for row in ran.csv] == [said["code"] for said in _exported(ds)]


def test_people_get_a_tally_by_mode(ds: Ds) -> None:
    out = ds.ok("simulate", "--games", "6", "--seed", "3").out
    tally: dict[str, list[int]] = {}
    for said in _exported(ds):
        won = said["status"] == "won"
        counts = tally.setdefault(said["code"].split("-")[1], [0, 0, 0])
        tally[said["code"].split("-")[1]] = [counts[0] + 1, counts[1] + won, counts[2] + (not won)]
    lines = [line.split() for line in out.splitlines()[1:]]
    assert {line[0]: list(map(int, line[1:])) for line in lines} == tally


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_every_game_is_closed_and_has_no_endless_end(ds: Ds, bot: str) -> None:
    """A game in which nothing happens for a round of the stock is abandoned."""
    ds.ok("simulate", "--games", "4", "--bot", bot, "--seed", "5")
    for said in _exported(ds):
        assert said["player"] == f"bot:{bot}"
        assert said["status"] in ("won", "abandoned")
        assert len(said["events"]) < 5000
        if said["status"] == "abandoned":
            assert said["events"][-1]["move"] == "X"
        end = played(said)
        assert (end.status, end.board.score, end.moves) == (
            *(said["status"], said["score"], said["moves"]),
        )


@pytest.mark.parametrize("mode", MODES)
def test_one_mode_alone(ds: Ds, mode: str) -> None:
    rows = ds.json("simulate", "--games", "3", "--mode", mode, "--seed", "2")["rows"]
    assert {row["mode"] for row in rows} == {mode}


def test_another_player_if_one_is_named(ds: Ds) -> None:
    """`DS_PLAYER` is whoever plays here; the bot's games are the bot's unless one is named."""
    assert ds.json("simulate", "--games", "1", "--seed", "1")["player"] == "bot:greedy"
    assert ds.json("simulate", "--games", "1", "--seed", "1", "--player", "kai")["player"] == "kai"
    assert ds.json("--player", "jo", "simulate", "--games", "1", "--seed", "1")["player"] == "jo"
    assert ds.json("games")["rows"] == []


def test_seeds_differ_and_without_one_it_is_said_which_was_taken(ds: Ds) -> None:
    def codes(*options: str) -> list[str]:
        return [row["code"] for row in ds.json("simulate", "--games", "3", *options)["rows"]]

    assert codes("--seed", "1") == codes("--seed", "1") != codes("--seed", "2")
    ran = ds.ok("simulate", "--games", "3", "--json")
    (seed,) = re.findall(r"--seed (\d+)", ran.err)
    assert [row["code"] for row in ran.json["rows"]] == codes("--seed", seed)


def test_the_same_game_differs_with_the_mode_only_in_its_mode(ds: Ds) -> None:
    """Seeds make deals, whatever the mode: in the four modes in turn, or in one."""
    in_turn = ds.json("simulate", "--games", "4", "--seed", "9")["rows"]
    for place, mode in enumerate(MODES):
        alone = ds.json("simulate", "--games", "4", "--seed", "9", "--mode", mode)["rows"]
        assert alone[place]["code"] == in_turn[place]["code"]
        assert alone[place]["score"] == in_turn[place]["score"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], "--games"),
        (["--games", "0"], "--games"),
        (["--games", "-1"], "--games"),
        (["--games", "x"], "--games"),
        (["--games", "1", "--bot", "clever"], "greedy"),
        (["--games", "1", "--mode", "D2N"], "D1N"),
        (["--games", "1", "--seed", "x"], "--seed"),
        (["--games", "1", "--json", "--csv"], "--csv"),
    ],
)
def test_wrong_options(ds: Ds, options: list[str], named: str) -> None:
    assert named in ds.fails(2, "simulate", *options)
