"""The report as people meet it: in a browser, on a phone, in the dark, and by its numbers."""

import io
import json
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from ds_cli.main import main
from tests.browser.conftest import Opened
from tests.cli.games import GAMES, as_line, dealt, game, id_text, utc

pytestmark = pytest.mark.browser

Keep = Callable[[Page, str], None]

ZONE = "Asia/Tokyo"

WIDTHS = {"phone": 390, "desktop": 1280}

MARKUP = "<img src=x onerror=alert(1)> & \"quotes\" 'and' {{ 7 * 7 }}"
"""A name that would be trouble if it were anything but text."""


def run(database: Path, *arguments: str) -> str:
    """Run `ds` in this process and return its output."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["--db", str(database), *arguments]) == 0, arguments
    return out.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def database(folder: Path) -> Path:
    """A record of some hundreds of games of several players, over some months."""
    path = folder / "games.db"
    said = []
    for number in range(240):
        # Some deals come again, in other modes; every fifth game is open.
        deal = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[number % 32]
        mode = ("D1N", "D1V", "D3N", "D3V")[number // 3 % 4]
        start = 86_400 * number // 2
        said.append(
            game(
                *["D"] * (1 + number % 19),
                *(["X"] if number % 5 else []),
                code=f"DS1-{mode}-AAAA{'ABCDE'[number // 48]}A{deal}",
                id=id_text(number + 1),
                started_at=utc("2026-01-05T00:00:00", start),
            )
        )
        for event in said[-1]["events"]:
            event["at"] = utc("2026-01-05T00:00:00", start + 9 * event["seq"] * (number % 7 + 1))
    said.append(dealt("D", "X", label=MARKUP, id=id_text(900), player=MARKUP, started_at=utc()))
    said.append(dealt("D", "D", id=id_text(901), player=MARKUP, started_at=utc()))
    lines = folder / "games.jsonl"
    lines.write_text("".join(f"{as_line(line)}\n" for line in said), encoding="utf-8")
    run(path, "import", str(lines))
    run(path, "simulate", "--games", "60", "--seed", "5", "--player", "mika")
    run(path, "import", str(GAMES), "--player", "mika")
    return path


def written(database: Path, name: str, *options: str) -> Path:
    path = database.parent / f"{name}.html"
    run(database, "report", "--html", str(path), "--tz", ZONE, *options)
    return path


@pytest.fixture(scope="module")
def whole(database: Path) -> Path:
    """The report of all players."""
    return written(database, "everyone", "--everyone")


def documents(database: Path, *options: str) -> dict[str, Any]:
    """What `--json` prints, under the names that the page has for it."""
    commands = {"stats": ["stats", "--by", "month"], "scores": ["scores"]}
    commands |= {"vegas": ["vegas"], "games": ["games"]}
    return {
        name: json.loads(run(database, *command, "--json", "--tz", ZONE, *options))
        for name, command in commands.items()
    }


def at(document: Any, path: str) -> Any:
    for step in path.split("."):
        document = document[int(step) if isinstance(document, list) else step]
    return document


def shown_numbers(page: Page) -> list[tuple[str, str, str]]:
    """Every number of a page: what it is of, its exact value, what is read."""
    found: list[tuple[str, str, str]] = page.evaluate(
        """[...document.querySelectorAll("[data-of]")].map(
            (e) => [e.dataset.of, e.value ?? e.dateTime, e.textContent])"""
    )
    return found


def as_read(text: str) -> float:
    """The number that a person reads, durations in seconds."""
    if ":" in text:
        sign = -1 if text.startswith("-") else 1
        parts = [int(part) for part in text.lstrip("-").split(":")]
        return sign * float(sum(part * 60**n for n, part in enumerate(reversed(parts))))
    number = float(re.sub(r"[$,%+]", "", text))
    return number / 100 if text.endswith("%") else number


@pytest.mark.parametrize("options", [["--everyone"], ["--player", "mika"], ["--mode", "D3V"]])
def test_numbers_on_the_page_are_those_of_json(
    opened: Opened, database: Path, options: list[str]
) -> None:
    options = [*options, *([] if "--everyone" in options else ["--player", "mika"])]
    page = opened(written(database, "numbers", *options))
    said = documents(database, *options)
    numbers = shown_numbers(page)
    for path, exact, text in numbers:
        value = at(said, path)
        if value is None:
            assert (exact, text) == ("", "–"), path
        elif isinstance(value, str):
            assert exact == value, path
            assert re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", text), path
        else:
            assert json.loads(exact) == value, path
            scale = 0.0006 if text.endswith("%") else 0.06 if "." in text else 0.51
            assert abs(as_read(text) - value) < (1 if ":" in text else scale), (path, text)
    paths = {path for path, *_ in numbers}
    assert _wanted(said) <= paths


def _wanted(said: Mapping[str, Any]) -> set[str]:
    """The numbers that have to be on a page."""
    money = {"staked", "returned", "net", "return_on_stake", "biggest_win", "biggest_loss"}
    money |= {"longest_drought", "longest_drought_from", "longest_drought_to"}
    stats = said["stats"]
    wanted = {
        f"stats.modes.{mode}.{key}"
        for mode, of in stats["modes"].items()
        for key in of
        if mode.endswith("V") or key not in money
    }
    wanted |= {f"stats.total.{key}" for key in stats["total"]}
    wanted |= {f"vegas.{key}" for key in ("games", "staked", "returned", "net", "settled_net")}
    wanted |= {
        f"stats.periods.{n}.total.{key}"
        for n in range(len(stats["periods"]))
        for key in ("games", "won", "abandoned", "open", "win_rate")
    }
    for document, keys in (
        ("games", ("started_at", "score", "moves", "duration_s")),
        ("vegas", ("ended_at", "score", "balance")),
    ):
        count = len(said[document]["rows"])
        wanted |= {f"{document}.rows.{n}.{key}" for n in range(count) for key in keys}
    for which in ("best_stretch", "worst_stretch"):
        if said["vegas"][which] is not None:
            wanted |= {f"vegas.{which}.change", f"vegas.{which}.games"}
    return wanted


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", WIDTHS)
def test_nothing_runs_over_or_out_of_its_place(
    opened: Opened, keep_picture: Keep, whole: Path, device: str, dark: bool
) -> None:
    page = opened(whole, width=WIDTHS[device], dark=dark)
    keep_picture(page, f"report-{device}-{'dark' if dark else 'light'}")
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTHS[device]
    # The texts of a chart: none on another one, none beyond its edge, none too small to read.
    charts: list[dict[str, Any]] = page.evaluate(
        """[...document.querySelectorAll("svg.chart")].filter((s) => s.checkVisibility()).map(
            (svg) => ({
              title: svg.querySelector("title").textContent,
              box: svg.getBoundingClientRect().toJSON(),
              texts: [...svg.querySelectorAll("text")].map(
                (t) => ({text: t.textContent, ...t.getBoundingClientRect().toJSON()})),
            }))"""
    )
    assert len(charts) == 10
    for chart in charts:
        box = chart["box"]
        for i, text in enumerate(chart["texts"]):
            assert box["left"] - 1 <= text["left"] <= text["right"] <= box["right"] + 1, text
            assert box["top"] - 1 <= text["top"] <= text["bottom"] <= box["bottom"] + 1, text
            assert text["height"] >= 9, text
            for other in chart["texts"][:i]:
                apart = (
                    text["left"] >= other["right"]
                    or other["left"] >= text["right"]
                    or text["top"] >= other["bottom"] - 3
                    or other["top"] >= text["bottom"] - 3
                )
                assert apart, (chart["title"], text["text"], other["text"])


def test_it_fits_a_sheet_of_paper_and_is_light_on_it(
    opened: Opened, keep_picture: Keep, with_replays: Path, whole: Path
) -> None:
    for path in (whole, with_replays):
        page = opened(path, width=794, dark=True)
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("document.documentElement.scrollWidth") <= 794
        assert not page.locator("nav").is_visible()
        colours = page.evaluate(
            """["--ground", "--text", "--chart-D1N"].map(
                (name) => getComputedStyle(document.documentElement).getPropertyValue(name))"""
        )
        assert colours == ["#fff", "#000", "#0068a8"]
        keep_picture(page, f"report-print-{path.stem}")


def test_it_can_be_read_without_being_seen(opened: Opened, whole: Path) -> None:
    page = opened(whole)
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("th:not([scope])").count() == 0
    assert page.locator("tbody tr:not(:has(th[scope=row]))").count() == 0
    assert page.locator("h1").count() == 1
    for chart in page.get_by_role("img").all():
        assert chart.locator("desc").text_content()
    # Every colour of a mode has its name beside it, and every link leads somewhere.
    for target in page.locator("nav a").all():
        place = target.get_attribute("href") or ""
        assert page.locator(place).count() == 1


def test_the_list_of_games_is_sorted_by_what_is_clicked(opened: Opened, whole: Path) -> None:
    page = opened(whole)
    table = page.locator("#all-games")
    head = table.get_by_role("columnheader", name="moves")
    for direction, reverse in (("ascending", False), ("descending", True)):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == direction
        moves = [
            int(value)
            for value in table.locator("tbody td:nth-last-child(2) data").evaluate_all(
                "all => all.map((e) => e.value)"
            )
        ]
        assert len(moves) > 300
        assert moves == sorted(moves, reverse=reverse)
    table.get_by_role("columnheader", name="started").get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    times = table.locator("tbody time").evaluate_all("all => all.map((e) => e.dateTime)")
    assert times == sorted(times)


@pytest.fixture(scope="module")
def with_replays(database: Path) -> Path:
    return written(database, "with replays #1", "--player", MARKUP, "--with-replays")


def test_a_game_leads_to_its_replay(opened: Opened, keep_picture: Keep, with_replays: Path) -> None:
    assert len(list((with_replays.parent / "with replays #1-replays").glob("*.html"))) == 2
    page = opened(with_replays)
    keep_picture(page, "report-two-games")
    link = page.locator("#all-games a").first
    name = link.text_content() or ""
    link.click()
    page.wait_for_load_state()
    assert page.url.endswith(f"/{name}.html")
    assert name in (page.locator("header").text_content() or "")


def test_names_and_labels_are_text(opened: Opened, with_replays: Path, whole: Path) -> None:
    page = opened(with_replays)
    assert page.locator("h1").text_content() == f"Double Solitaire: {MARKUP}"
    assert page.title() == f"Double Solitaire: {' '.join(MARKUP.split())}"
    assert page.locator("#all-games td", has_text="onerror").first.text_content() == MARKUP
    page = opened(whole)
    assert page.locator("img").count() == 0
    assert MARKUP in page.locator("#all-games td").all_text_contents()
    assert page.locator("script").count() == 1


def test_without_games_it_says_so(opened: Opened, keep_picture: Keep, database: Path) -> None:
    page = opened(written(database, "nobody", "--player", "nobody"))
    keep_picture(page, "report-no-games")
    assert page.locator("svg").count() == 0
    assert "No game has been played yet" in (page.locator("header").text_content() or "")
    assert {text for _, _, text in shown_numbers(page)} <= {"0", "$0", "–", "0:00"}


def test_a_chart_alone_is_not_larger_than_one_of_two(opened: Opened, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(database, "new", "DS1-D1N-AAAAAAB", "--player", "mika")
    run(database, "move", "D", "T2T3", "--player", "mika")
    page = opened(written(database, "one", "--player", "mika"), width=1280)

    scales = page.locator("svg.chart:visible").evaluate_all(
        "charts => charts.map(chart => chart.clientWidth / chart.viewBox.baseVal.width)"
    )

    assert scales
    assert max(scales) < 1.3


def test_attempts_at_one_deal_stand_side_by_side(opened: Opened, whole: Path) -> None:
    page = opened(whole)
    section = page.locator("#again")
    deals = section.locator("h3").all_text_contents()
    assert len(deals) > 3
    first = section.locator("table").first
    columns = first.locator("thead th").count() - 1
    assert columns >= 2
    assert first.locator("tbody tr").last.locator("td").count() == columns
    modes = first.locator("abbr").all_text_contents()
    assert len(modes) == columns
