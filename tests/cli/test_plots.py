"""Reports drawn in the terminal: the right marks in the right places, whatever the terminal."""

import re
import sys
from itertools import pairwise
from typing import Any

import pytest

from ds_cli import plots
from ds_cli.plots import Drawing, plot_balance, plot_scores, plot_win_rates
from tests.cli.games import GAMES
from tests.cli.running import Ds, on_terminal

COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|9[0-7]|38)[0-9;]*m")


def scores(*of: tuple[str, int]) -> dict[str, Any]:
    return {"rows": [{"mode": mode, "score": score} for mode, score in of]}


def ledger(*of: int) -> dict[str, Any]:
    balances = [sum(of[: n + 1]) for n in range(len(of))]
    return {"net": sum(of), "rows": [{"balance": balance} for balance in balances]}


def tally(won: int, lost: int, low: float | None = None, high: float | None = None) -> Any:
    rate = won / (won + lost) if won + lost else None
    bounds = {"win_rate_low": low, "win_rate": rate, "win_rate_high": high}
    return {"won": won, "abandoned": lost, **bounds}


def canvas(drawing: Drawing) -> list[str]:
    """The rows between the axes, from the highest to the lowest."""
    lines = drawing.plain.splitlines()
    edges = [n for n, line in enumerate(lines) if re.search("[┌└]", line)]
    return [re.split("[┤┼│]", line, maxsplit=1)[1] for line in lines[edges[0] + 1 : edges[1]]]


def places(drawing: Drawing, mark: str) -> list[tuple[int, int]]:
    """Column and row of each mark, from the left; rows count from the top."""
    found = [
        (column, row)
        for row, line in enumerate(canvas(drawing))
        for column, character in enumerate(line)
        if character == mark
    ]
    return sorted(found)


def test_each_game_is_one_mark_of_its_mode() -> None:
    (points,) = plot_scores(
        scores(("D1N", 0), ("D3N", 1200), ("D1N", 600), ("D1N", 1200), ("D3N", 0)), 80
    )
    assert points.plain.startswith("Score of each game, in points:  ● D1N  ◆ D3N\n")
    (left, bottom), (middle, between), (right, top) = places(points, "●")
    assert left < middle < right
    assert between - top == pytest.approx(bottom - between, abs=1)
    (second, high), (last, low) = places(points, "◆")
    assert left < second < middle < right < last
    assert (high, low) == (top, bottom)


def test_points_and_dollars_are_two_plots() -> None:
    points, dollars = plot_scores(scores(("D1V", -104), ("D1N", 50), ("D3V", 416)), 80)
    assert "in points:  ● D1N\n" in points.plain
    assert "in dollars:  ● D1V  ◆ D3V\n" in dollars.plain
    assert "$" not in points.plain
    assert "-$200" in dollars.plain
    (only,) = plot_scores(scores(("D1V", 1)), 80)
    assert "in dollars" in only.plain


def test_of_very_many_games_marks_are_medians() -> None:
    """5,000 games in 70 columns: 72 in each, of which the half beyond the middle one decides."""
    (points,) = plot_scores(scores(*[("D1N", score) for score in [0, 1000, 1000] * 1667]), 80)
    assert re.match(r"Median score of every \d\d games, in points", points.plain)
    marks = places(points, "●")
    assert 50 < len(marks) <= 75
    assert len({row for _, row in marks}) == 1


def test_the_balance_goes_from_nothing_to_what_it_is() -> None:
    (balance,) = plot_balance(ledger(-104, -104, 416, 416), 80)
    assert balance.plain.startswith("Vegas balance after each game: 4 games, $624 in all\n")
    rows = canvas(balance)
    drawn = [
        (column, row)
        for row, line in enumerate(rows)
        for column, c in enumerate(line)
        if "\u2800" < c <= "\u28ff"
    ]
    lowest = max(row for _, row in drawn)
    # It begins above its lowest, goes down for half of the games, and ends at the top.
    assert min(drawn)[1] < lowest
    assert max(drawn)[1] == min(row for _, row in drawn)
    assert any(
        len(rows[0]) * 0.4 < column < len(rows[0]) * 0.6 for column, row in drawn if row == lowest
    )
    assert any(
        line.startswith("   $0") or line.lstrip().startswith("$0")
        for line in balance.plain.splitlines()
    )


def test_a_win_rate_stands_within_its_interval() -> None:
    modes = {
        "D1N": tally(1, 1, 0.25, 0.75),
        "D1V": tally(0, 0),
        "D3N": tally(2, 0, 0.5, 1.0),
        "D3V": tally(0, 3, 0.0, 0.5),
    }
    (drawing,) = plot_win_rates({"modes": modes, "total": tally(3, 4, 0.2, 0.6)}, 100)
    rows = canvas(drawing)
    assert len(rows) == 4
    labels = [line.replace("┤", " ") for line in drawing.plain.splitlines() if "/" in line]
    assert [label.split()[:2] for label in labels] == [
        ["D1N", "1/2"],
        ["D3N", "2/2"],
        ["D3V", "0/3"],
        ["total", "3/7"],
    ]
    width = len(rows[0].rstrip("│")) - 1
    for line, (low, rate, high) in zip(
        rows, ((0.25, 0.5, 0.75), (0.5, 1, 1), (0, 0, 0.5), (0.2, 3 / 7, 0.6)), strict=True
    ):
        assert line.index("●") == pytest.approx(rate * width, abs=1)
        # The end of an interval may lie under the mark.
        bar = [n for n, character in enumerate(line[: width + 1]) if character in "│─●"]
        assert [bar[0], bar[-1]] == pytest.approx([low * width, high * width], abs=1)


def test_periods_are_rows_the_newest_forty() -> None:
    periods = [{"period": f"2026-W{n:02}", "total": tally(1, 1, 0.1, 0.9)} for n in range(1, 53)]
    periods[-1]["total"] = tally(0, 0)
    (drawing,) = plot_win_rates({"by": "week", "periods": periods}, 80)
    assert drawing.plain.startswith("Win rate by week, with its 95 % interval, the newest 40\n")
    shown = re.findall(r"2026-W\d\d", drawing.plain)
    assert shown == [f"2026-W{n:02}" for n in range(12, 52)]


def test_nothing_gives_nothing() -> None:
    assert plot_scores(scores(), 80) == []
    assert plot_balance(ledger(), 80) == []
    assert plot_win_rates({"modes": {"D1N": tally(0, 0)}, "total": tally(0, 0)}, 80) == []


@pytest.mark.parametrize("count", [1, 2, 5000])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_is_as_wide_as_it_is_told_however_many_games(count: int, width: int) -> None:
    of = [("D1N", n % 1300) for n in range(count)]
    drawn = [*plot_scores(scores(*of), width), *plot_balance(ledger(*[-4] * count), width)]
    for drawing in drawn:
        _, *rows = drawing.plain.splitlines()
        assert {len(row) for row in rows} == {width}
        assert not re.search(r"\d{1,4}\.\d", drawing.plain)
        assert len(rows) <= 20


def test_one_plot_leaves_nothing_to_the_next() -> None:
    once = plot_balance(ledger(-104, 416), 80)
    plot_scores(scores(("D1N", 5), ("D3V", 416)), 120)
    plot_win_rates({"modes": {}, "total": tally(1, 1, 0.2, 0.8)}, 60)
    assert plot_balance(ledger(-104, 416), 80) == once


def test_colours_are_beside_the_plain_text() -> None:
    (drawing,) = plot_scores(scores(("D1N", 5)), 80)
    assert "\x1b" not in drawing.plain
    assert COLOUR.search(drawing.coloured)
    assert re.sub(r"\x1b\[[0-9;]*m", "", drawing.coloured) == drawing.plain


def coloured(drawing: Drawing) -> list[list[tuple[str, str]]]:
    """The characters of each row with the escape sequence that they stand under."""
    rows = []
    for line in drawing.coloured.splitlines():
        row, style = [], ""
        for escape, character in re.findall(r"(\x1b\[[0-9;]*m)|(.)", line):
            style = escape or style
            row += [(character, style)] if character else []
        rows.append(row)
    return rows


def test_no_plot_sets_a_background() -> None:
    drawn = [
        *plot_scores(scores(("D1V", -104), ("D3V", 416)), 80),
        *plot_balance(ledger(-104, 416), 80),
        *plot_win_rates({"modes": {"D1N": tally(1, 1, 0.2, 0.8)}, "total": tally(1, 1, 0, 1)}, 80),
    ]
    assert len(drawn) == 3
    for drawing in drawn:
        assert not re.search(r"\x1b\[([0-9;]*;)?(4[0-8]|10[0-7])[;m]", drawing.coloured)


def test_what_is_of_no_mode_has_one_colour() -> None:
    total = tally(3, 4, 0.2, 0.6)
    (modes,) = plot_win_rates({"modes": {"D1N": total}, "total": total}, 80)
    periods = [{"period": f"2026-0{n}", "total": total} for n in (1, 2, 3)]
    (months,) = plot_win_rates({"by": "month", "periods": periods}, 80)
    (balance,) = plot_balance(ledger(-104, 416), 80)
    (mark,) = {style for row in coloured(modes)[3:4] for c, style in row if c == "●"}
    shown = [coloured(modes)[3], *coloured(months)[2:5]]
    for row in shown:
        assert {style for c, style in row if c in "●─"} == {mark}
    zero = next(row for row in coloured(balance) if "   $0" in "".join(c for c, _ in row))
    assert {style for c, style in zero if c == "─"} == {mark}
    assert {style for c, style in zero if c not in " $0┤│─"} == {"\x1b[38;5;14m"}


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-104, 416), (0, 1285), (-45_470, 3), (7, 7), (0, 104), (-3, -2)]
)
def test_ticks_are_round_and_cover_what_is_shown(low: int, high: int) -> None:
    ticks = plots.nice_ticks(low, high)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= len(ticks) <= 6
    steps = {after - before for before, after in pairwise(ticks)}
    (step,) = steps
    assert str(step).rstrip("0") in ("1", "2", "5")


REPORTS = pytest.mark.parametrize("command", ["scores", "vegas", "stats"])


@pytest.fixture
def filled(ds: Ds) -> Ds:
    ds.ok("import", str(GAMES))
    return ds


@REPORTS
def test_a_pipe_gets_plain_text(filled: Ds, command: str) -> None:
    ran = filled.ok(command, "--plot", "--player", "vector")
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) == 80
    assert all(line == line.rstrip() for line in ran.out.splitlines())
    assert ran.err == ""


@REPORTS
def test_a_terminal_gets_colours_at_its_own_width(filled: Ds, command: str) -> None:
    screen = on_terminal(command, "--plot", "--player", "vector", columns=64)
    assert screen.status == 0
    assert COLOUR.search(screen.raw)
    assert max(map(len, screen.lines)) == 64
    plain = filled.screen(command, "--plot", "--player", "vector", columns=64, NO_COLOR="1")
    assert not COLOUR.search(plain.raw)
    assert plain.lines == screen.lines
    assert "\x1b" not in filled.screen(command, "--plot", "--everyone", TERM="dumb").raw


@REPORTS
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_encoding_without_boxes_gets_what_it_has(
    filled: Ds, command: str, encoding: str
) -> None:
    status, out, err = filled.encoded(encoding, command, "--plot", "--player", "vector")
    text = out.decode("ascii")
    assert (status, err) == (0, b"")
    assert "\\u" not in text
    assert "+---" in text
    marks = {"scores": "[ox]", "vegas": r"\*", "stats": "o"}[command]
    assert re.search(marks, text.partition("\n")[2])


@REPORTS
def test_a_plot_is_one_of_the_formats(filled: Ds, command: str) -> None:
    for other in ("--json", "--csv"):
        said = filled.fails(2, command, "--plot", other)
        assert f"{other} and --plot" in said


@REPORTS
def test_without_games_it_says_so(ds: Ds, command: str) -> None:
    ran = ds.ok(command, "--plot")
    assert ran.out == ""
    assert ran.err.startswith("ds: no ")


def test_a_plot_is_of_the_games_that_are_asked_for(filled: Ds) -> None:
    both = filled.ok("scores", "--plot", "--player", "vector").out
    assert "in points" in both
    assert "in dollars" in both
    only = filled.ok("scores", "--plot", "--player", "vector", "--mode", "D3V").out
    assert "in dollars:  ◆ D3V\n" in only
    assert "in points" not in only
    count = len(filled.json("vegas", "--player", "vector", "--status", "open")["rows"])
    vegas = filled.ok("vegas", "--plot", "--player", "vector", "--status", "open").out
    assert f"{count} games" in vegas.splitlines()[0]


def test_win_rates_can_be_those_of_periods(filled: Ds) -> None:
    periods = filled.json("stats", "--by", "month", "--everyone")["periods"]
    drawn = filled.ok("stats", "--by", "month", "--plot", "--everyone").out
    assert drawn.startswith("Win rate by month")
    for period in periods:
        total = period["total"]
        closed = total["won"] + total["abandoned"]
        assert (f"{period['period']}  {total['won']}/{closed}" in drawn) is bool(closed)


@REPORTS
def test_without_the_extra_it_is_named(
    filled: Ds, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotext", None)
    said = filled.fails(3, command, "--plot", "--player", "vector")
    assert "plotext is needed for --plot" in said
    assert "double-solitaire-record[report]" in said
