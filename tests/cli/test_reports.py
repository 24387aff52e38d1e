"""`ds scores`, `ds vegas` and `ds stats` against a count by hand."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests.cli import reckoning
from tests.cli.games import (
    CODE,
    GAMES,
    MODES,
    as_line,
    dealt,
    game,
    id_text,
    utc,
    vector,
    vectors,
    write,
)
from tests.cli.running import Ds

TALLY = ["games", "won", "abandoned", "open", "win_rate", "win_rate_low", "win_rate_high"]
PLAYED = [
    *("active_s", "idle_s", "moves", "undos", "passes"),
    *("mean_moves", "mean_undos", "mean_passes"),
]
MONEY = [
    *("staked", "returned", "net", "return_on_stake", "biggest_win", "biggest_loss"),
    *("longest_drought", "longest_drought_from", "longest_drought_to"),
]
SCORES = [
    f"{figure}_{what}"
    for what in ("score", "won_score")
    for figure in ("best", "mean", "median", "q1", "q3")
]
MODE_KEYS = [
    *TALLY,
    *SCORES,
    *("current_streak", "current_streak_from"),
    *("longest_streak", "longest_streak_from", "longest_streak_to"),
    *("fastest_win_s", "mean_win_s", "fastest_active_win_s", "mean_active_win_s"),
    "fewest_moves_win",
    *PLAYED,
    *("home_not_won_best", "home_not_won_mean"),
    *MONEY,
]
TOTAL_KEYS = [*TALLY, *PLAYED, *MONEY]
SCORE_KEYS = ["game", "code", "mode", "started_at", "status", "score", "moves", "duration_s"]
LEDGER_KEYS = ["game", "code", "ended_at", "status", "score", "balance"]

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def records(
    tmp_path_factory: pytest.TempPathFactory, empty_record: Path
) -> dict[int, tuple[Path, list[dict[str, Any]]]]:
    """A record for each seed, and the games that are in it."""
    folder = tmp_path_factory.mktemp("reports")
    made = {}
    for seed in SEEDS:
        path = Path(shutil.copy(empty_record, folder / f"{seed}.db"))
        games = reckoning.random_games(seed, 60)
        lines = write(folder / f"{seed}.jsonl", games)
        assert main(["import", lines, "--db", str(path)]) == 0
        made[seed] = path, games
    return made


@pytest.fixture(params=SEEDS)
def filled(
    request: pytest.FixtureRequest,
    ds: Ds,
    records: dict[int, tuple[Path, list[dict[str, Any]]]],
) -> tuple[Ds, list[dict[str, Any]]]:
    """`ds` on a record of random games, and those games."""
    path, games = records[request.param]
    shutil.copy(path, ds.database)
    return ds, games


@pytest.fixture(params=["mika", "kai", None])
def whose(
    request: pytest.FixtureRequest, filled: tuple[Ds, list[dict[str, Any]]]
) -> tuple[Ds, list[dict[str, Any]], list[str], str | None]:
    """The games of one player or of everyone, with the options that ask for them."""
    ds, games = filled
    name: str | None = request.param
    if name is None:
        return ds, games, ["--everyone"], None
    return ds, [said for said in games if said["player"] == name], ["--player", name], name


Whose = tuple[Ds, list[dict[str, Any]], list[str], str | None]


def test_scores_are_the_games_that_count_from_the_oldest(whose: Whose) -> None:
    ds, games, options, name = whose
    document = ds.json("scores", *options)
    assert document == {"player": name, "rows": reckoning.scores(games)}
    assert list(document) == ["player", "rows"]
    assert list(document["rows"][0]) == SCORE_KEYS
    _same_in_csv(ds.ok("scores", "--csv", *options).csv, document["rows"], SCORE_KEYS)


def test_the_ledger_is_settled_games_first_and_then_open_ones(whose: Whose) -> None:
    ds, games, options, name = whose
    document = ds.json("vegas", *options)
    assert document == {"player": name, **reckoning.ledger(games)}
    keys = ["player", "games", "staked", "returned", "net", "settled_net"]
    keys += ["best_stretch", "worst_stretch", "rows"]
    assert list(document) == keys
    assert list(document["rows"][0]) == LEDGER_KEYS
    _same_in_csv(ds.ok("vegas", "--csv", *options).csv, document["rows"], LEDGER_KEYS)


def test_statistics_are_kept_by_mode(whose: Whose) -> None:
    ds, games, options, name = whose
    document = ds.json("stats", *options)
    assert rounded(document) == rounded({"player": name, **reckoning.statistics(games)})
    assert list(document) == ["player", "modes", "total"]
    assert list(document["modes"]) == list(MODES)
    for of_mode in document["modes"].values():
        assert list(of_mode) == MODE_KEYS
    assert list(document["total"]) == TOTAL_KEYS
    rows = [{"mode": mode, **of} for mode, of in document["modes"].items()]
    total = dict.fromkeys(MODE_KEYS) | {"mode": "total", **document["total"]}
    _same_in_csv(ds.ok("stats", "--csv", *options).csv, [*rows, total], ["mode", *MODE_KEYS])


def rounded(said: Any) -> Any:
    """Return a document in which fractions that are equal but for rounding are equal."""
    if isinstance(said, float):
        return round(said, 9)
    if isinstance(said, dict):
        return {key: rounded(value) for key, value in said.items()}
    return [rounded(value) for value in said] if isinstance(said, list) else said


def _same_in_csv(rows: list[dict[str, str]], wanted: list[dict[str, Any]], keys: list[str]) -> None:
    assert rows == [
        {key: "" if row[key] is None else str(row[key]) for key in keys} for row in wanted
    ]


def test_the_random_games_try_what_they_are_for(
    records: dict[int, tuple[Path, list[dict[str, Any]]]],
) -> None:
    """Ties, streaks longer than one and games that do not count are all among them."""
    ties = 0
    for _, games in records.values():
        counted = reckoning.statistics(games)
        assert counted["total"]["games"] < len(games)
        assert max(of["longest_streak"] for of in counted["modes"].values()) > 1
        ends = [row["ended_at"] for row in reckoning.ledger(games)["rows"] if row["ended_at"]]
        ties += len(ends) - len(set(ends))
    assert ties > 2


def test_the_tables_have_money_percentages_and_local_times(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    shown = _shown(ds.ok("stats", "--player", "vector").out)
    for number, mode in enumerate(MODES):
        statuses = [said["status"] for said in vectors() if _mode(said) == mode]
        won, given_up = statuses.count("won"), statuses.count("abandoned")
        tally = [len(statuses), won, given_up, statuses.count("open")]
        rows = ["games", "won", "given up", "open", "won of closed"]
        wanted = [*map(str, tally), f"{100 * won / (won + given_up):.1f} %"]
        assert [shown[row][number] for row in rows] == wanted
    assert shown["best"][:4] == ["1275", "$416", "1220", "$416"]
    assert [shown[row][-1] for row in ("games", "won", "given up", "open")] == [
        *("33", "13", "1", "19")
    ]
    assert (shown["won of closed"][-1], shown["net"][-1]) == ("92.9 %", "$909")
    scores = ds.ok("scores", "--player", "vector").out
    # 08:00 UTC is 17:00 in Tokyo; the first win took from 08:00:02 to 08:09:56.
    assert "2026-10-02 17:00" in scores
    assert next(line for line in scores.splitlines() if " 1175 " in line).split()[-1] == "9:54"
    vegas = ds.ok("vegas", "--player", "vector").out
    assert "14 games: staked $1456, returned $2365, net $909 ($832 in closed games)" in vegas
    assert "-$64" in vegas
    for out in (scores, vegas, ds.ok("stats", "--player", "vector").out):
        assert max(map(len, out.splitlines())) <= 80


def _shown(out: str) -> dict[str, list[str]]:
    """Return the cells of each row of the statistics by its name, of equal names the first."""
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        name, *cells = re.split(r"  +", line.strip())
        found.setdefault(name, cells)
    return found


def _mode(said: dict[str, Any]) -> str:
    return str(said.get("mode") or said["code"].split("-")[1])


def test_a_game_counts_from_its_first_operation(ds: Ds) -> None:
    """Case 14: a deal that was never played is in no statistic; an undone move was played."""
    ds.ok("new", "DS1-D1V-AAAAAAB")
    ds.ok("move", "X")
    ds.ok("new", "DS1-D1V-AAAAAAB")
    for command in ("scores", "vegas", "stats"):
        document = ds.json(command)
        assert document.get("rows", []) == []
        assert document.get("total", {"games": 0})["games"] == 0
    assert len(ds.json("games")["rows"]) == 2
    ds.ok("move", "D", "U")
    assert ds.json("stats")["modes"]["D1V"]["open"] == 1
    assert len(ds.json("scores")["rows"]) == len(ds.json("vegas")["rows"]) == 1


def test_without_games_there_are_zeros_and_nulls(ds: Ds) -> None:
    none: dict[str, Any] = dict.fromkeys(MODE_KEYS)
    counted = ("games", "won", "abandoned", "open", "active_s", "idle_s", "moves", "undos")
    none |= dict.fromkeys([*counted, "passes", "current_streak", "longest_streak"], 0)
    money = dict.fromkeys(("staked", "returned", "net", "longest_drought"), 0)
    empty = {mode: none | (money if mode.endswith("V") else {}) for mode in MODES}
    for options, name in ([], "mika"), (["--everyone"], None):
        assert ds.json("stats", *options) == {
            "player": name,
            "modes": empty,
            "total": {key: empty["D1V"][key] for key in TOTAL_KEYS},
        }
        assert ds.json("scores", *options) == {"player": name, "rows": []}
        nothing = {
            **dict.fromkeys(("games", "staked", "returned", "net", "settled_net"), 0),
            **dict.fromkeys(("best_stretch", "worst_stretch")),
        }
        assert ds.json("vegas", *options) == {"player": name, **nothing, "rows": []}
        assert ds.ok("scores", "--csv", *options).out == ",".join(SCORE_KEYS) + "\n"
        assert ds.ok("vegas", "--csv", *options).out == ",".join(LEDGER_KEYS) + "\n"
        for command in ("scores", "vegas", "stats"):
            ran = ds.ok(command, *options)
            assert ran.out == ""
            assert ran.err.startswith("ds: no ")


def test_an_abandoned_game_ends_a_streak_and_an_open_one_does_not(ds: Ds) -> None:
    win = vector(label="APP-D3N", status="won")

    def ended(number: int, kind: str) -> dict[str, Any]:
        moves = {"won": [e["move"] for e in win["events"]], "lost": ["D", "X"], "open": ["D"]}[kind]
        said = dealt(*moves, cards=win["deck"].split(), mode="D3N", id=id_text(number))
        return said | {"started_at": utc(seconds=number)}

    kinds = ["won", "lost", "won", "open", "won", "won", "open"]
    for number, kind in enumerate(kinds, 1):
        ds.ok("import", "-", stdin=as_line(ended(number, kind)))
    of_mode = ds.json("stats")["modes"]["D3N"]
    assert (of_mode["current_streak"], of_mode["longest_streak"]) == (3, 3)
    ds.ok("import", "-", stdin=as_line(ended(8, "lost")))
    of_mode = ds.json("stats")["modes"]["D3N"]
    assert (of_mode["current_streak"], of_mode["longest_streak"]) == (0, 3)
    # Case 16: the first game of a new streak is counted.
    ds.ok("import", "-", stdin=as_line(ended(9, "won")))
    of_mode = ds.json("stats")["modes"]["D3N"]
    assert (of_mode["current_streak"], of_mode["longest_streak"]) == (1, 3)
    shown = _shown(ds.ok("stats").out)
    assert (shown["now"][0], shown["longest"][0]) == ("1", "3")


def test_a_duration_that_runs_backwards_is_no_riddle(ds: Ds) -> None:
    """Times that run backwards are kept; five seconds back are not an hour and 55 seconds."""
    said = game("D", "T2T3", id=id_text(1))
    said["events"][0]["at"], said["events"][1]["at"] = utc(seconds=10), utc(seconds=5)
    ds.ok("import", "-", stdin=as_line(said))
    (row,) = ds.json("scores")["rows"]
    shown = ds.ok("scores").out.splitlines()[1].split()[-1]
    assert row["duration_s"] == -5
    assert shown == "-0:05"


def test_long_games_show_hours(ds: Ds) -> None:
    said = game("D", "T2T3", id=id_text(1))
    said["events"][0]["at"], said["events"][1]["at"] = utc(), utc(seconds=3725.9)
    ds.ok("import", "-", stdin=as_line(said))
    assert ds.ok("scores").out.splitlines()[1].split()[-1] == "1:02:05"
    assert ds.json("scores")["rows"][0]["duration_s"] == 3725


@pytest.mark.parametrize("command", ["scores", "vegas", "stats"])
def test_reports_take_no_game(ds: Ds, command: str) -> None:
    ds.ok("new", CODE)
    assert "@1" in ds.fails(2, command, "@1")
