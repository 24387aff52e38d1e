"""The options that say which games a report is about, on every command that has them."""

import shutil
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from ds_cli.main import main
from tests.cli import reckoning
from tests.cli.games import CODE, MODES, as_line, dealt, game, id_text, utc, write
from tests.cli.running import Ds, environment, process
from tests.cli.test_reports import rounded

COMMANDS: Final = ("games", "scores", "vegas", "stats")

Game = Mapping[str, Any]


@pytest.fixture(scope="module")
def record(
    tmp_path_factory: pytest.TempPathFactory, empty_record: Path
) -> tuple[Path, list[dict[str, Any]]]:
    """A record of random games, and those games."""
    folder = tmp_path_factory.mktemp("which")
    path = Path(shutil.copy(empty_record, folder / "games.db"))
    games = reckoning.random_games(17, 70)
    assert main(["import", write(folder / "games.jsonl", games), "--db", str(path)]) == 0
    return path, games


@pytest.fixture
def filled(ds: Ds, record: tuple[Path, list[dict[str, Any]]]) -> tuple[Ds, list[dict[str, Any]]]:
    path, games = record
    shutil.copy(path, ds.database)
    return ds, games


def _mode(said: Game) -> str:
    return str(said.get("mode") or said["code"].split("-")[1])


def _status(said: Game) -> str:
    moves = [event["move"] for event in said["events"]]
    return "abandoned" if "X" in moves else "won" if len(moves) > 99 else "open"


def _at(said: Game, zone: str) -> str:
    """Return when a game was started, on the clock of a zone."""
    moment = datetime.fromisoformat(said["started_at"]).astimezone(ZoneInfo(zone))
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


SIEVES: Final[dict[str, tuple[list[str], Callable[[Game], bool]]]] = {
    "mode": (["--mode", "D3V"], lambda said: _mode(said) == "D3V"),
    "won": (["--status", "won"], lambda said: _status(said) == "won"),
    "open in a mode": (
        ["--status", "open", "--mode", "D1V"],
        lambda said: _status(said) == "open" and _mode(said) == "D1V",
    ),
    "a local day": (
        ["--since", "2026-11-30", "--until", "2026-11-30"],
        lambda said: _at(said, "Asia/Tokyo").startswith("2026-11-30"),
    ),
    "a day in Berlin that has 25 hours": (
        ["--since", "2026-10-25", "--until", "2026-10-25", "--tz", "Europe/Berlin"],
        lambda said: _at(said, "Europe/Berlin").startswith("2026-10-25"),
    ),
    "a year in New York": (
        ["--since", "2027-01-01", "--tz", "America/New_York"],
        lambda said: _at(said, "America/New_York") >= "2027-01-01",
    ),
    "a time with an offset of its own": (
        ["--until", "2026-12-31T23:35+09:00", "--tz", "America/New_York"],
        lambda said: _at(said, "Asia/Tokyo") < "2026-12-31T23:35:00",
    ),
    "a deal by its code": (
        ["--deal", "ds1-d3n-aaaaaab"],
        lambda said: said.get("code", "").endswith("AAAAAAB"),
    ),
}


@pytest.mark.parametrize("name", SIEVES)
def test_every_report_is_about_the_games_that_are_meant(
    filled: tuple[Ds, list[dict[str, Any]]], name: str
) -> None:
    ds, games = filled
    options, holds = SIEVES[name]
    for whose, player in ([], "mika"), (["--everyone"], None):
        mine = [said for said in games if player in (None, said["player"])]
        left = [said for said in mine if holds(said)]
        assert 0 < len(left) < len(mine)

        listed = ds.json("games", *options, *whose)["rows"]
        assert {row["game"] for row in listed} == {said["id"] for said in left}
        scores = ds.json("scores", *options, *whose)
        assert scores == {"player": player, "rows": reckoning.scores(left)}
        assert ds.json("vegas", *options, *whose) == {"player": player, **reckoning.ledger(left)}
        assert rounded(ds.json("stats", *options, *whose)) == rounded(
            {"player": player, **reckoning.statistics(left)}
        )


def test_a_deal_is_named_by_a_game_as_well(ds: Ds) -> None:
    """R36: the same 104 cards, whatever mode they are played in and whatever a label says."""
    games = [
        game("D", id=id_text(1), started_at=utc(seconds=1)),
        game("D", code="DS1-D3V-AAAAAAB", id=id_text(2), started_at=utc(seconds=2)),
        dealt("D", mode="D1V", id=id_text(3), started_at=utc(seconds=3)),
        game("D", code="DS1-D1N-AAAAAAA", id=id_text(4), started_at=utc(seconds=4)),
    ]
    ds.ok("import", "-", stdin="\n".join(map(as_line, games)))
    same = [id_text(3), id_text(2), id_text(1)]
    for named in ("@4", "@3", "@2", id_text(1), id_text(3)[:13].lower(), CODE, CODE.lower()):
        rows = ds.json("games", "--deal", named)["rows"]
        assert [row["game"] for row in rows] == same
        assert [row["number"] for row in rows] == [2, 3, 4]
        assert ds.json("vegas", "--deal", named)["games"] == 2
        assert ds.json("stats", "--deal", named)["total"]["games"] == 3
    assert [row["game"] for row in ds.json("games", "--deal", "@1")["rows"]] == [id_text(4)]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--deal", "DS1-D9N-AAAAAAB"], 2, "DS1-D9N-AAAAAAB"),
        (["--deal", "DS2-D1N-AAAAAAB"], 2, "DS2-D1N-AAAAAAB"),
        (["--deal", "@7"], 1, "there is no game @7"),
        (["--deal", "nobody"], 1, "nobody"),
        (["--tz", "Europe/Berln"], 2, "did you mean Europe/Berlin?"),
        (["--tz", ""], 2, "is no time zone"),
        (["--tz", "Nowhere"], 2, "'Nowhere' is no time zone: write one such as Europe/Berlin"),
        (["--since", "yesterday", "--tz", "UTC"], 2, "'yesterday' is no date"),
        (["--mode", "D2N"], 2, "D2N"),
        (["--status", "lost"], 2, "lost"),
    ],
)
def test_what_cannot_be_meant_is_named(
    ds: Ds, command: str, options: list[str], status: int, said: str
) -> None:
    ds.ok("new", CODE)
    assert said in ds.fails(status, command, *options)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_is_meant_is_no_failure(ds: Ds, command: str) -> None:
    ds.ok("new", CODE)
    ds.ok("move", "D")
    ran = ds.ok(command, "--since", "2090-01-01")
    assert ran.out == ""
    assert "mika" in ran.err
    assert "yet" not in ran.err
    assert ds.json(command, "--mode", "D3N").get("rows", []) == []


def test_a_system_without_zones_has_those_that_come_along(ds: Ds) -> None:
    ds.ok("new", CODE)
    asked = ("games", "--json", "--tz", "Europe/Berlin")
    ran = process(*asked, env={**environment(), "PYTHONTZPATH": ""})
    assert (ran.returncode, ran.stderr) == (0, b"")
    # Installed for other packages as well, so that it is ours has to be looked up.
    needed = tomllib.loads(
        (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    )
    assert any(named.startswith("tzdata") for named in needed["project"]["dependencies"])


def test_tables_have_the_times_of_the_zone_that_is_named(ds: Ds) -> None:
    said = game("D", "X", code="DS1-D1V-AAAAAAB", started_at=utc("2026-11-30T20:00:00"))
    for event in said["events"]:
        event["at"] = utc("2026-11-30T20:01:00")
    ds.ok("import", "-", stdin=as_line(said))
    for command, there in ("games", "15:00"), ("scores", "15:00"), ("vegas", "15:01"):
        assert f"2026-11-30 {there}" in ds.ok(command, "--tz", "America/New_York").out
        assert "2026-12-01 05:0" in ds.ok(command).out
    # JSON has UTC whatever the zone is.
    assert ds.json("scores", "--tz", "America/New_York") == ds.json("scores")
    assert "2026-11-30" in ds.ok("stats", "--tz", "America/New_York").out
    assert "2026-12-01" in ds.ok("stats").out


def test_a_mode_without_money_has_an_empty_ledger(
    filled: tuple[Ds, list[dict[str, Any]]],
) -> None:
    ds, _ = filled
    document = ds.json("vegas", "--mode", "D1N")
    assert (document["games"], document["rows"]) == (0, [])
    assert "no Vegas game of mika" in ds.ok("vegas", "--mode", "D1N").err


@pytest.mark.parametrize("zone", [None, "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("by", ["day", "week", "month"])
def test_statistics_by_period(
    filled: tuple[Ds, list[dict[str, Any]]], by: str, zone: str | None
) -> None:
    ds, games = filled
    options = ["--by", by, "--everyone"] + ([] if zone is None else ["--tz", zone])
    document = ds.json("stats", *options)
    wanted = reckoning.statistics(games, by, zone)
    assert rounded(document) == rounded({"player": None, **wanted})
    assert list(document) == ["player", "modes", "total", "by", "tz", "periods"]
    names = [period["period"] for period in document["periods"]]
    assert len(names) > 2
    rows = ds.ok("stats", "--csv", *options).csv
    assert list(rows[0])[:3] == ["period", "mode", "games"]
    assert [(row["period"], row["mode"]) for row in rows] == [
        (name, mode) for name in names for mode in (*MODES, "total")
    ]
    totals = [row for row in rows if row["mode"] == "total"]
    assert [int(row["games"]) for row in totals] == [
        period["total"]["games"] for period in document["periods"]
    ]
    shown = ds.ok("stats", *options).out.splitlines()
    assert shown[0].split()[:3] == [by, "mode", "games"]
    assert [line.split()[0] for line in shown[1:] if line.startswith("2")] == names
    assert max(map(len, shown)) <= 80


def test_a_period_that_nobody_knows_is_wrong_usage(ds: Ds) -> None:
    ds.ok("new", CODE)
    assert "year" in ds.fails(2, "stats", "--by", "year")


def test_the_statistics_fit_80_columns_and_every_encoding(
    filled: tuple[Ds, list[dict[str, Any]]],
) -> None:
    ds, games = filled
    for whose in ([], ["--everyone"]):
        out = ds.ok("stats", *whose).out
        assert max(map(len, out.splitlines())) <= 80
        assert [line for line in ds.screen("stats", *whose).lines if len(line) > 80] == []
    _, ascii_out, _ = ds.encoded("ascii", "stats", "--everyone")
    assert b"\\u2013" not in ascii_out
    total = reckoning.statistics(games)["total"]
    low, high = 100 * total["win_rate_low"], 100 * total["win_rate_high"]
    assert f"{low:.0f}-{high:.0f} %".encode() in ascii_out


def test_what_was_not_played_has_no_column_and_no_row(ds: Ds) -> None:
    ds.ok("new", CODE)
    ds.ok("move", "D")
    lines = ds.ok("stats").out.splitlines()
    assert lines[0].split() == ["D1N", "total"]
    names = {line[:20].strip() for line in lines}
    assert {"games", "open", "moves"} <= names
    assert not names & {"Vegas", "staked", "best", "fastest", "score, closed games", "most cards"}
