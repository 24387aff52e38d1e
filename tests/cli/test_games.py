"""`ds games`: which games are listed, how they are numbered, and in which form."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from time import tzset
from typing import Any

import pytest

from ds_cli import output
from ds_core import deal_code, parse_code
from ds_events.database import open_database
from ds_events.record import Header, player_of, started
from ds_events.store import EventStore
from tests.cli.games import CODE, as_line, dealt, game, id_text, utc
from tests.cli.running import Ds, process

KEYS = [
    *("number", "game", "code", "label", "mode", "player", "status", "score", "moves", "seq"),
    *("started_at", "last_at", "ended_at", "duration_s"),
]

# Tokyo is nine hours ahead: the second and third game start on the 2nd of November there.
STARTS = ("2026-11-01T14:59:59", "2026-11-01T15:00:00", "2026-11-02T14:59:59")


def _games() -> list[dict[str, Any]]:
    """Return six games of two players; the last two of mika start at the same time."""
    return [
        game("D", "X", id=id_text(1), started_at=utc(STARTS[0])),
        game("D", id=id_text(2), code="DS1-D1V-AAAAAAB", started_at=utc(STARTS[1])),
        game("D", id=id_text(3), code="DS1-D3N-AAAAAAB", started_at=utc(STARTS[2])),
        dealt("D", "U", id=id_text(5), label="app 1", started_at=utc("2026-11-05T00:00:00")),
        game(id=id_text(4), started_at=utc("2026-11-05T00:00:00")),
        game("D", id=id_text(6), player="kai", started_at=utc("2026-11-04T00:00:00")),
    ]


@pytest.fixture
def filled(ds: Ds) -> Ds:
    """`ds` on a record of these games."""
    ds.ok("import", "-", stdin="\n".join(map(as_line, _games())))
    return ds


def _listed(ds: Ds, *options: str) -> list[str]:
    """Return the ids that `ds games` lists, without their leading zeros."""
    return [row["game"].lstrip("0") for row in ds.json("games", *options)["rows"]]


def test_games_are_listed_newest_first_and_then_by_id(filled: Ds) -> None:
    document = filled.json("games")
    assert document["player"] == "mika"
    assert [row["game"] for row in document["rows"]] == [id_text(n) for n in (5, 4, 3, 2, 1)]
    assert [row["number"] for row in document["rows"]] == [1, 2, 3, 4, 5]
    for row in document["rows"]:
        assert list(row) == KEYS


def test_a_row_says_what_the_game_is(filled: Ds) -> None:
    rows = {row["game"]: row for row in filled.json("games")["rows"]}
    assert rows[id_text(5)] == dict(
        zip(
            KEYS,
            [
                *(1, id_text(5), None, "app 1", "D1N", "mika", "open", 0, 1, 2),
                *("2026-11-05T00:00:00.000000Z", "2026-11-05T00:00:00.000000Z", None, 0),
            ],
            strict=True,
        )
    )
    closed = rows[id_text(1)]
    assert (closed["status"], closed["moves"], closed["seq"]) == ("abandoned", 1, 2)
    assert closed["ended_at"] == closed["last_at"] == utc(STARTS[0])
    empty = rows[id_text(4)]
    assert (empty["last_at"], empty["duration_s"], empty["seq"]) == (None, None, 0)
    assert rows[id_text(2)]["score"] == -104


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--status", "open"], "5 4 3 2"),
        (["--status", "abandoned"], "1"),
        (["--status", "won"], ""),
        (["--mode", "D1N"], "5 4 1"),
        (["--mode", "D1V"], "2"),
        (["--mode", "D3N"], "3"),
        (["--mode", "D3V"], ""),
        (["--limit", "2"], "5 4"),
        (["--limit", "0"], ""),
        (["--limit", "99"], "5 4 3 2 1"),
        (["--status", "open", "--mode", "D1N", "--limit", "1"], "5"),
        # A day is a local day, and counts whole.
        (["--since", "2026-11-02"], "5 4 3 2"),
        (["--since", "2026-11-03"], "5 4"),
        (["--until", "2026-11-02"], "3 2 1"),
        (["--until", "2026-11-01"], "1"),
        (["--since", "2026-11-02", "--until", "2026-11-02"], "3 2"),
        (["--since", "2026-11-02T00:00:01"], "5 4 3"),
        (["--until", "2026-11-02T00:00"], "1"),
        (["--until", "2026-11-02 00:00:01"], "2 1"),
        # A time may bring an offset of its own.
        (["--since", "2026-11-01T15:00:00+00:00"], "5 4 3 2"),
        (["--since", "2026-11-01T15:00:00Z", "--until", "2026-11-01T16:00:00Z"], "2"),
    ],
)
def test_filters(filled: Ds, options: list[str], ids: str) -> None:
    assert _listed(filled, *options) == ids.split()


def test_numbers_are_the_same_whatever_is_filtered(filled: Ds) -> None:
    """`@3` must mean the same game to whoever read its number in a filtered list."""
    rows = filled.json("games", "--mode", "D1V")["rows"]
    assert [(row["number"], row["game"]) for row in rows] == [(4, id_text(2))]
    assert filled.json("show", "--game", "@4")["id"] == id_text(2)


def test_everyone_lists_all_players_and_numbers_none(filled: Ds) -> None:
    """`@1` counts the games of one player: among several it would mean another game."""
    document = filled.json("games", "--everyone")
    assert document["player"] is None
    assert [row["game"] for row in document["rows"]] == [id_text(n) for n in (5, 4, 6, 3, 2, 1)]
    assert {row["number"] for row in document["rows"]} == {None}
    assert "kai" in filled.ok("games", "--everyone").out
    assert "kai" not in filled.ok("games").out


def test_csv_has_the_same_rows(filled: Ds) -> None:
    for options in ([], ["--everyone"]):
        document, ran = filled.json("games", *options), filled.ok("games", "--csv", *options)
        assert ran.out.splitlines()[0].split(",") == KEYS
        assert ran.csv == [
            {key: "" if value is None else str(value) for key, value in row.items()}
            for row in document["rows"]
        ]


def test_the_table_has_local_times_money_and_numbers(filled: Ds) -> None:
    lines = filled.ok("games").out.splitlines()
    assert lines[0].split() == ["game", "deal", "status", "score", "moves", "started"]
    numbers = [line.split()[0] for line in lines[1:]]
    assert numbers == ["@1", "@2", "@3", "@4", "@5"]
    fourth = lines[4].split()
    assert fourth[:6] == ["@4", id_text(2), "DS1-D1V-AAAAAAB", "open", "-$104", "1"]
    assert " ".join(fourth[6:]).startswith("2026-11-02 00:00")
    assert "app 1" in lines[1]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("options", [[], ["--limit", "1"], ["--limit", "0"], ["--everyone"]])
def test_json_is_one_document_as_others_print_it(filled: Ds, options: list[str]) -> None:
    """It is written row by row, and nobody can tell."""
    document = filled.json("games", *options)
    assert filled.ok("games", "--json", *options).out == json.dumps(document) + "\n"
    screen = filled.screen("games", "--json", *options)
    assert screen.text == json.dumps(document, indent=2) + "\n"


@pytest.mark.parametrize("on_terminal", [False, True])
def test_rows_are_written_as_they_come(on_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[int] = []

    class Watched(io.StringIO):
        def write(self, text: str) -> int:
            ahead = len(came) - self.getvalue().count('"row"')
            assert ahead <= 1
            return super().write(text)

    def rows() -> Iterator[dict[str, str]]:
        for number in range(5):
            came.append(number)
            yield {"row": "[]\n.\u2028" * number}

    written = Watched()
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(output, "is_terminal", lambda: on_terminal)
    output.print_json_rows({"player": 'a "rows": []', "n": []}, rows())
    document = {"player": 'a "rows": []', "n": [], "rows": list(rows())}
    indent = 2 if on_terminal else None
    assert written.getvalue() == json.dumps(document, indent=indent) + "\n"


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_ten_times_the_games_take_no_more_memory(ds: Ds, option: str) -> None:
    """What a process holds at most, in KiB, with 3,000 and with 30,000 games."""
    deal = deal_code(parse_code(CODE))
    with closing(open_database(ds.database)) as database:
        store = EventStore(database)
        for first in range(0, 30_000, 3000):
            headers = [
                Header(number, player_of("mika"), deal, number)
                for number in range(first, first + 3000)
            ]
            store.add([(started(header), []) for header in headers])
    measured = (
        "import resource, sys; from ds_cli.main import main; main(); "
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    )
    program = [sys.executable, "-c", measured]
    few, many = (
        int(process("games", option, "--limit", limit, program=program).stderr)
        for limit in ("3000", "30000")
    )
    # As a list, the 27,000 more would be 30 MB.
    assert many - few < 8000


def test_nothing_to_list_is_no_failure(ds: Ds) -> None:
    assert ds.json("games") == {"player": "mika", "rows": []}
    assert ds.json("games", "--everyone") == {"player": None, "rows": []}
    assert ds.ok("games", "--csv").out == ",".join(KEYS) + "\n"
    ran = ds.ok("games")
    assert ran.out == ""
    assert "mika" in ran.err
    assert ds.ok("games", "--everyone").err.startswith("ds: no games")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--status", "lost"], ["--status", "open", "won", "abandoned"]),
        (["--mode", "D2N"], ["--mode", "D1N", "D3V"]),
        (["--limit", "-1"], ["--limit"]),
        (["--limit", "many"], ["--limit"]),
        (["--since", "yesterday"], ["yesterday", "2026-11-30"]),
        (["--until", "2026-02-30"], ["2026-02-30", "2026-11-30"]),
        (["--since", ""], ["2026-11-30"]),
        (["--until", "30.11.2026"], ["30.11.2026", "2026-11-30"]),
        (["--until", "2026-W49"], ["2026-W49", "2026-11-30T14:00"]),
        (["--since", "2026W491"], ["2026W491", "2026-11-30T14:00"]),
        (["game"], ["game"]),
        (["--games"], ["--games"]),
    ],
)
def test_wrong_options_name_what_is_wrong_and_what_is_right(
    filled: Ds, options: list[str], named: list[str]
) -> None:
    message = filled.fails(2, "games", *options)
    for part in named:
        assert part in message
    assert "`ds games --help`" in message


def test_a_limit_beyond_all_numbers_is_no_limit_or_wrong_usage(filled: Ds) -> None:
    ran = filled("games", "--limit", f"{10**20}", "--json")
    assert ran.status in (0, 2)
    assert "should not happen" not in ran.err
    if ran.status == 0:
        assert len(ran.json["rows"]) == 5


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo", "America/New_York", "UTC"])
@pytest.mark.parametrize(
    ("option", "day", "ids"),
    [
        ("--since", "0001-01-01", "5 4 3 2 1"),
        ("--until", "0001-01-01", ""),
        ("--since", "9999-12-31", ""),
        ("--until", "9999-12-31", "5 4 3 2 1"),
    ],
)
def test_the_first_and_the_last_day_bound_everything(
    filled: Ds, option: str, day: str, ids: str, zone: str | None
) -> None:
    """Also where the day begins or ends outside the years that there are in UTC."""
    options = [option, day] + ([] if zone is None else ["--tz", zone])
    assert _listed(filled, *options) == ids.split()


def test_the_last_moment_is_before_the_end_of_the_last_day(ds: Ds) -> None:
    said = game(id=id_text(1), started_at="9999-12-31T23:59:59.999999Z")
    ds.ok("import", "-", stdin=as_line(said))
    for zone in ("Asia/Tokyo", "UTC", "America/New_York"):
        assert _listed(ds, "--until", "9999-12-31", "--tz", zone) == ["1"]


def test_a_limit_of_none_says_nothing_of_what_there_is(filled: Ds) -> None:
    ran = filled.ok("games", "--limit", "0")
    assert (ran.out, ran.err) == ("", "")


# The first hour of year 1 and the last of year 9999 have no local time in half of the world.
@pytest.mark.parametrize("time", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_game_of_any_year_can_be_listed(
    ds: Ds, monkeypatch: pytest.MonkeyPatch, time: str, zone: str
) -> None:
    said = game("D", "T2T3", id=id_text(1), started_at=time)
    ds.ok("import", "-", stdin=as_line(said))
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        tzset()
        for command in (["games"], ["log"], ["scores"], ["replay"], ["show"]):
            assert ds(*command).status == 0, command
    tzset()


def test_local_means_the_zone_of_whoever_looks(filled: Ds, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/New_York")
        tzset()
        assert "2026-11-01 10:00" in filled.ok("games").out
        assert _listed(filled, "--since", "2026-11-02") == ["5", "4", "3"]
        # JSON and files stay in UTC.
        assert filled.json("games")["rows"][3]["started_at"] == utc(STARTS[1])
    tzset()


def test_codes_are_listed_as_they_are_recorded(ds: Ds) -> None:
    ds.ok("new", CODE.lower())
    (row,) = ds.json("games")["rows"]
    assert row["code"] == CODE
