"""Charts as SVG: one mark for what there is one of, in its place, and fit to stand in a page."""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

import pytest

from ds_cli.pages import charts, tally_charts
from ds_cli.pages.charts import Chart
from ds_core import STANDARD, VEGAS, Scoring

MONTHS = {"2026-01": (3, 1, 0), "2026-04": (0, 2, 1)}
"""Won, given up and open games of some months."""


def row(mode: str, score: int, status: str = "won", **said: Any) -> dict[str, Any]:
    return {"mode": mode, "score": score, "status": status, "moves": 150, "duration_s": 600} | said


def ledger(*scores: int, best: Any = None, worst: Any = None) -> dict[str, Any]:
    """A ledger of games called 1, 2, …; a stretch is its first and last game and its change."""
    balance, rows = 0, []
    for number, score in enumerate(scores, 1):
        balance += score
        rows.append({"game": str(number), "score": score, "balance": balance})
    stretches = {
        f"{name}_stretch": said
        and {
            "from": str(said[0]),
            "to": str(said[1]),
            "games": said[1] - said[0] + 1,
            "change": said[2],
        }
        for name, said in (("best", best), ("worst", worst))
    }
    return {"net": balance, "rows": rows, **stretches}


def rates(**of_mode: tuple[int, int, float, float, float]) -> dict[str, Any]:
    """Statistics of modes: won, abandoned, the win rate's lower bound, itself, its upper one."""
    keys = ("won", "abandoned", "win_rate_low", "win_rate", "win_rate_high")
    found = {
        mode: dict(zip(keys, of_mode.get(mode, (0, 0, None, None, None)), strict=True))
        for mode in ("D1N", "D1V", "D3N", "D3V", "total")
    }
    return {"modes": {m: of for m, of in found.items() if m != "total"}, "total": found["total"]}


def by_month() -> dict[str, Any]:
    return {
        "by": "month",
        "periods": [
            {
                "period": month,
                "total": {
                    "games": sum(counts),
                    **dict(zip(("won", "abandoned", "open"), counts, strict=True)),
                },
            }
            for month, counts in MONTHS.items()
        ],
    }


def spread(**of_mode: tuple[float, float, float]) -> dict[str, Any]:
    keys = ("q1_score", "median_score", "q3_score")
    return {"modes": {mode: dict(zip(keys, of, strict=True)) for mode, of in of_mode.items()}}


def parsed(chart: Chart | None) -> ElementTree.Element:
    assert chart is not None
    return ElementTree.fromstring(chart.svg)


def marked(chart: Chart | None, name: str) -> list[ElementTree.Element]:
    """The elements that a chart named, of which every bar has the name of its series."""
    return [element for element in parsed(chart).iter() if element.get("class") == f"mark-{name}"]


def points(chart: Chart | None, name: str) -> list[tuple[float, float]]:
    """The places of the single marks of a series."""
    (series,) = marked(chart, name)
    return [(float(use.attrib["x"]), float(use.attrib["y"])) for use in series.iter("use")]


def path_of(element: ElementTree.Element) -> list[tuple[float, float]]:
    """The corners of the first path of an element."""
    path = next(element.iter("path")).attrib["d"]
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def height(bar: ElementTree.Element) -> float:
    ys = [y for _, y in path_of(bar)]
    return max(ys) - min(ys)


def heights(chart: Chart | None, name: str) -> list[float]:
    """How high the bars of a series are, those that have any height."""
    return [found for bar in marked(chart, name) if (found := height(bar)) > 0.2]


def text_at(chart: Chart | None, text: str) -> float:
    """How far to the right a label of the lower axis stands."""
    (found,) = [e for e in parsed(chart).iter("text") if e.text == text]
    return float(found.attrib["x"])


def drawn() -> list[Chart]:
    """Every chart there is, drawn anew."""
    scores = {
        "rows": [
            row("D1N", 1220),
            row("D1N", 300, "abandoned"),
            row("D3N", 900, "open"),
            row("D3N", 950),
            row("D1V", 416),
            row("D3V", -104, "abandoned"),
        ]
    }
    games = [
        {**game, "game": str(n), "ended_at": f"2026-11-30T00:00:0{n}Z"}
        for n, game in enumerate(scores["rows"])
    ]
    middle = spread(
        D1N=(530, 760, 990), D3N=(950, 950, 950), D1V=(416,) * 3, D3V=(-104, -104, -104)
    )
    vegas = ledger(416, -104, best=(1, 1, 416), worst=(2, 2, -104))
    made = [
        *(charts.score_history(scores, scoring) for scoring in (STANDARD, VEGAS)),
        *(charts.distribution(scores, middle, scoring) for scoring in (STANDARD, VEGAS)),
        charts.vegas_balance(vegas),
        charts.vegas_balance(vegas, width=charts.WIDTH),
        tally_charts.win_rates(rates(D1N=(1, 1, 0.1, 0.5, 0.9), total=(3, 2, 0.2, 0.6, 0.9))),
        tally_charts.streaks(games),
        tally_charts.durations(scores),
        tally_charts.lengths(scores),
        tally_charts.activity(by_month()),
        tally_charts.activity(by_month(), width=charts.WIDTH),
    ]
    assert all(made)
    return [chart for chart in made if chart is not None]


@pytest.fixture(scope="module")
def every_chart() -> list[Chart]:
    return drawn()


def test_charts_stand_side_by_side_in_one_page(every_chart: list[Chart]) -> None:
    """Every id is there once, and what is referred to is there; colours are the page's."""
    ids: list[str] = []
    for chart in every_chart:
        root = parsed(chart)
        own = {e.attrib["id"] for e in root.iter() if "id" in e.attrib}
        references = set(re.findall(r'(?:href="|url\()#([^")]+)', chart.svg))
        assert references <= own
        assert set(root.attrib["aria-labelledby"].split()) <= own
        ids += [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
        assert "var(--chart-" in chart.svg
        assert not re.search(r"#[0-9a-f]{6}\b(?!\")", re.sub(r"(#)[\w-]+-\w+", "", chart.svg))
        assert root.find(".//style") is None
        assert root.find(".//metadata") is None
        assert root.attrib["viewBox"].startswith("0 0 ")
    assert len(ids) == len(set(ids))


def test_a_chart_says_in_words_what_it_shows(every_chart: list[Chart]) -> None:
    for chart in every_chart:
        root = parsed(chart)
        title, words = root[0], root[1]
        assert (title.tag, words.tag) == ("title", "desc")
        assert title.text
        assert words.text == chart.says
        assert re.search(r"\d", chart.says)


def test_the_same_games_are_the_same_bytes(every_chart: list[Chart]) -> None:
    assert drawn() == every_chart


def test_without_games_there_are_no_charts() -> None:
    none: dict[str, Any] = {"rows": []}
    assert charts.score_history(none, STANDARD) is None
    assert charts.distribution(none, spread(), VEGAS) is None
    assert charts.vegas_balance(ledger()) is None
    assert tally_charts.win_rates(rates()) is None
    assert tally_charts.streaks([]) is None
    assert tally_charts.durations(none) is tally_charts.lengths(none) is None
    assert tally_charts.activity({"by": "month", "periods": []}) is None


def test_each_game_is_one_mark_of_its_mode_and_the_higher_the_better() -> None:
    rows = [row("D1N", 1220), row("D1V", 416), row("D1N", 0, "abandoned"), row("D1N", 610, "open")]
    chart = charts.score_history({"rows": [*rows, row("D1N", 1220)]}, STANDARD)
    won, others = points(chart, "D1N-won"), points(chart, "D1N-not-won")
    assert (len(won), len(others)) == (2, 2)
    (first, top), (last, _) = won
    (second, bottom), (third, middle) = others
    assert first < second < third < last
    assert [second - first, third - second] == pytest.approx([(last - first) / 3] * 2, abs=0.2)
    assert bottom - top == pytest.approx(2 * (bottom - middle), abs=0.2)
    # Dollars are in no chart of points.
    assert marked(chart, "D1V-won") == []
    assert len(points(charts.score_history({"rows": rows}, VEGAS), "D1V-won")) == 1


@pytest.mark.parametrize(("mode", "scoring"), [("D1N", STANDARD), ("D3V", VEGAS)])
@pytest.mark.parametrize("score", [0, 1, 4, 500])
def test_no_number_stands_twice_at_the_axis_of_scores(
    mode: str, scoring: Scoring, score: int
) -> None:
    chart = charts.score_history({"rows": [row(mode, score, "open")]}, scoring)

    said = ["".join(text.itertext()) for text in parsed(chart).iter("text")]
    numbers = [each for each in said if re.fullmatch(r"\$?\d+", each)]

    assert len(numbers) > 2
    assert len(numbers) == len(set(numbers))


def test_a_line_through_scores_begins_with_the_tenth_of_eleven_games() -> None:
    ten = {"rows": [row("D3N", 100)] * 10}
    assert marked(charts.score_history(ten, STANDARD), "D3N-mean") == []
    scores = {"rows": [row("D3N", 0)] * 10 + [row("D3N", 1000)]}
    (line,) = marked(charts.score_history(scores, STANDARD), "D3N-mean")
    (_, low), (_, high) = path_of(line)
    marks = points(charts.score_history(scores, STANDARD), "D3N-won")
    # The mean of nine times 0 and one 1000.
    assert low - high == pytest.approx((marks[0][1] - marks[-1][1]) / 10, abs=0.2)


def test_bars_of_a_distribution_are_as_high_as_scores_are_many() -> None:
    rows = [row("D1N", score) for score in (0, 0, 0, 610, 1220, 1220)]
    rows.append(row("D1N", 700, "open"))
    chart = charts.distribution({"rows": rows}, spread(D1N=(0, 305, 1067.5)), STANDARD)
    three, one, two = heights(chart, "D1N")
    assert [one, two] == pytest.approx([three / 3, three * 2 / 3], abs=0.2)


def test_a_balance_begins_at_0_and_marks_its_stretches() -> None:
    chart = charts.vegas_balance(
        ledger(-104, 36, 416, -4, -20, best=(2, 3, 452), worst=(1, 1, -104))
    )
    (line,) = marked(chart, "balance")
    balance = path_of(line)
    assert len(balance) == 6
    ups = [-y for _, y in balance]
    # 0, -104, -68, 348, 344, 324
    assert sorted(range(6), key=ups.__getitem__) == [1, 2, 0, 5, 4, 3]
    (best,), (worst,) = marked(chart, "best"), marked(chart, "worst")
    assert path_of(best) == balance[1:4]
    assert path_of(worst) == balance[0:2]
    assert chart is not None
    assert "best stretch: +$452 in 2 games" in chart.says
    assert "worst stretch: -$104 in 1 game" in chart.says


def test_a_ledger_that_never_won_has_no_best_stretch() -> None:
    chart = charts.vegas_balance(ledger(-104, -4, worst=(1, 2, -108)))
    assert marked(chart, "best") == []
    assert len(marked(chart, "worst")) == 1


def test_a_win_rate_stands_between_its_bounds_on_a_scale_to_100_percent() -> None:
    chart = tally_charts.win_rates(
        rates(D1N=(1, 1, 0.25, 0.5, 0.75), D3V=(0, 4, 0.0, 0.0, 0.49), total=(1, 5, 0.1, 0.2, 0.5))
    )
    none, all_of_it = text_at(chart, "0 %"), text_at(chart, "100 %")
    assert marked(chart, "D1V") == marked(chart, "D3N") == []
    for name, low, rate, high in (("D1N", 0.25, 0.5, 0.75), ("D3V", 0, 0, 0.49)):
        (place,) = points(chart, name)
        (bar,) = marked(chart, f"{name}-interval")
        at = [place[0], *(x for x, _ in path_of(bar))]
        wanted = [none + share * (all_of_it - none) for share in (rate, low, high)]
        assert at == pytest.approx(wanted, abs=0.5)
    assert {"50.0%", "0.0%", "20.0%"} <= {e.text for e in parsed(chart).iter("text")}


def test_a_streak_is_a_bar_as_wide_and_high_as_it_is_long() -> None:
    outcomes = ["won", "won", "abandoned", "open", "won", "abandoned", "abandoned", "abandoned"]
    games = [
        row("D3N", 0, status, game=str(n), ended_at=f"2026-11-30T00:00:{n:02}Z")
        for n, status in enumerate(outcomes)
    ]
    # In the order in which they ended, whatever that of the list; never played is no game.
    games = [*reversed(games), row("D3N", 0, "abandoned", game="9", ended_at="2026", moves=0)]
    chart = tally_charts.streaks(games)
    two, one = map(height, marked(chart, "D3N-won"))
    short, long = map(height, marked(chart, "D3N-not-won"))
    assert [one, short, long] == pytest.approx([two / 2, two / 2, two * 1.5], abs=0.2)
    widths = [
        max(x for x, _ in path_of(bar)) - min(x for x, _ in path_of(bar))
        for bar in (*marked(chart, "D3N-won"), *marked(chart, "D3N-not-won"))
    ]
    assert widths == pytest.approx([w * widths[1] for w in (2, 1, 1, 3)], abs=0.4)


def _total(chart: Chart | None, statuses: Iterable[str] = ("won", "abandoned", "open")) -> float:
    return sum(sum(heights(chart, status)) for status in statuses)


@pytest.mark.parametrize(
    ("draw", "key", "values"),
    [
        # One more than a second, and one that ran backwards: they are in the first bar.
        (tally_charts.durations, "duration_s", (-5, 0, 30, 900, 900, 86_400 * 400)),
        (tally_charts.lengths, "moves", (1, 1, 40, 180, 180, 900)),
    ],
)
def test_bars_hold_every_game_once(draw: Any, key: str, values: Sequence[int]) -> None:
    rows = [
        row("D1N", 0, status, **{key: value})
        for value, status in zip(
            values, ["won", "won", "open", "abandoned", "won", "won"], strict=True
        )
    ]
    chart = draw({"rows": rows})
    one = heights(chart, "open")[0]
    assert _total(chart) / one == pytest.approx(len(values), abs=0.1)
    assert _total(chart, ["won"]) / one == pytest.approx(4, abs=0.1)


def test_months_without_games_stand_between_the_others() -> None:
    chart = tally_charts.activity(by_month())
    labels = [e.text for e in parsed(chart).iter("text")]
    assert [month for month in labels if month and month.startswith("2026-")] == [
        "2026-01",
        "2026-02",
        "2026-03",
        "2026-04",
    ]
    three = heights(chart, "won")[0]
    given_up, still_open = heights(chart, "abandoned"), heights(chart, "open")
    assert given_up == pytest.approx([three / 3, three * 2 / 3], abs=0.2)
    assert still_open == pytest.approx([three / 3], abs=0.2)


def test_over_many_years_only_months_with_games_are_shown() -> None:
    total = {"games": 1, "won": 1, "abandoned": 0, "open": 0}
    periods = [{"period": f"{year}-06", "total": total} for year in (1970, 2026)]
    assert len(heights(tally_charts.activity({"by": "month", "periods": periods}), "won")) == 2


def test_of_very_many_months_the_newest_are_drawn_and_the_words_are_about_them() -> None:
    months = [f"{2020 + n // 12}-{n % 12 + 1:02}" for n in range(70)]
    periods = [
        {"period": month, "total": {"games": n, "won": n, "abandoned": 0, "open": 0}}
        for month, n in zip(months, [9, *[1] * 20, 3, *[1] * 48], strict=True)
    ]
    chart = tally_charts.activity({"by": "month", "periods": periods})
    assert len(heights(chart, "won")) == 60
    assert chart is not None
    assert "the newest 60 of 70 months with games, 2020-11 to 2025-10." in chart.says
    assert "The most in 2021-10: 3." in chart.says
    few = tally_charts.activity({"by": "month", "periods": periods[:60]})
    assert few is not None
    assert "in each month, 2020-01 to 2024-12. The most in 2020-01: 9." in few.says


def test_a_game_of_thousands_of_years_is_in_the_chart() -> None:
    """From the first moment of the calendar to its last there are 3.2 * 10 ** 11 seconds."""
    chart = tally_charts.durations({"rows": [row("D1N", 0, duration_s=315_537_897_599)]})
    assert len(heights(chart, "won")) == 1


def test_thousands_of_games_are_no_larger_than_a_thousand() -> None:
    rows = [
        row(
            "D1N", (n * 37) % 1300, "won" if n % 3 else "abandoned", game=f"{n:05}", ended_at="2026"
        )
        for n in range(20_000)
    ]
    made = [
        charts.score_history({"rows": rows}, STANDARD),
        charts.distribution({"rows": rows}, spread(D1N=(1, 2, 3)), STANDARD),
        charts.vegas_balance(ledger(*(((n * 37) % 90) * 5 - 104 for n in range(20_000)))),
        tally_charts.streaks(rows),
        tally_charts.durations({"rows": rows}),
        tally_charts.lengths({"rows": rows}),
    ]
    for chart in made:
        assert chart is not None
        assert len(chart.svg) < 200_000


def test_a_thinned_line_keeps_its_highest_and_lowest_value() -> None:
    scores = [0] * 9000
    scores[4321], scores[4322] = 4000, -8000
    (line,) = marked(charts.vegas_balance(ledger(*scores)), "balance")
    ys = [y for _, y in path_of(line)]
    assert ys.count(min(ys)) == 1
    assert max(ys) - ys[0] == pytest.approx(ys[0] - min(ys), abs=0.3)
