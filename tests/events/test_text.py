"""ds-text/1: a game as text says what its line of ds-game/1 says, and nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ds_core import format_deck
from ds_events.errors import BadRecord
from ds_events.ids import parse_id
from ds_events.interchange import parse_record, to_store
from ds_events.store import EventStore
from ds_events.text import format_text, parse_text
from ds_events.transfer import ImportReport, export_text, import_records
from tests.events.building import (
    START,
    FakeClock,
    as_line,
    coded,
    exported,
    game_line,
    own_deal,
    take_in,
    utc,
    vector_lines,
    without,
)
from tests.events.conftest import NewDatabase
from tests.events.test_round_trip import records
from tests.records import golden_decks

DOCS = Path(__file__).parent.parent.parent / "docs"
BLOCKS = re.findall(
    r"```text\n(.*?)```", (DOCS / "ds-text-1.md").read_text(encoding="utf-8"), re.DOTALL
)

# What could steer a terminal: control characters, and those that turn or hide a text.
STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)


def _text(store: EventStore, game_id: int) -> str:
    with store.database.read() as connection:
        return export_text(connection, game_id)


def _texts(store: EventStore) -> list[str]:
    """Return every game as text, in the order in which they are exported."""
    ids = [parse_id(json.loads(line)["id"]) for line in exported(store.database)]
    return [_text(store, game_id) for game_id in ids if game_id is not None]


def _lines(text: str) -> list[tuple[int, bytes]]:
    """Return the lines of a text as a file is read: with their numbers, without blank ones."""
    lines = [line.strip(b" \t\r\n") for line in text.encode().split(b"\n")]
    return [(number, line) for number, line in enumerate(lines, 1) if line]


def _take_in_text(store: EventStore, text: str) -> ImportReport:
    return import_records(store, _lines(text), "mika", clock=FakeClock())


def _refused(*lines: str) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        parse_text(_lines("\n".join(lines)))
    return caught.value


def test_the_example_of_the_documents_is_printed_as_it_stands_there(store: EventStore) -> None:
    document = (DOCS / "ds-game-1.md").read_text(encoding="utf-8")
    [said] = re.findall(r"```json\n(.*?)```", document, re.DOTALL)
    assert take_in(store, [json.loads(said)]).added == 1

    assert _texts(store) == [BLOCKS[0]]


def test_the_examples_of_the_documents_say_what_they_are_to_say(store: EventStore) -> None:
    report = _take_in_text(store, "\n".join(BLOCKS))

    assert (report.added, report.faults) == (3, [])
    said = [json.loads(line) for line in exported(store.database)]
    own = next(game for game in said if "deck" in game)
    assert (own["deck"], own["label"]) == (golden_decks()["AAAAAAB"], 'the "small" table')
    assert [event["move"] for event in own["events"]] == ["D", "T2T3"]


def test_a_deck_is_written_as_it_is_dealt(store: EventStore, clock: FakeClock) -> None:
    deal = own_deal("D3V", "")
    game = store.create("mika", deal)
    clock.tick(3725.5)
    store.append(game.id, ["D"], expected_version=0)

    lines = _text(store, game.id).splitlines()

    assert lines[2] == '[Mode "D3V"]'
    rows = [line[7:].removesuffix('"]') for line in lines[3:16]]
    assert [len(row.split()) for row in rows] == [*range(1, 10), 15, 15, 15, 14]
    assert " ".join(rows) == format_deck(deal.cards)
    assert lines[16:] == [
        *('[Label ""]', '[Player "mika"]', '[Started "2026-11-30T02:10:00.000000Z"]'),
        *('[Status "open"]', '[Score "-104"]', '[Moves "1"]', ""),
        "   1. D         -104   1:02:05.5",
    ]


@pytest.mark.parametrize(
    ("after", "written"),
    [
        (0, "0:00:00"),
        (1, "0:00:00.000001"),
        (-1, "-0:00:00.000001"),
        (3_120_000, "0:00:03.12"),
        (-59_000_000, "-0:00:59"),
        (3_600_000_000 * 123 + 60_000_000, "123:01:00"),
    ],
)
def test_times_are_written_to_the_microsecond(
    store: EventStore, new_database: NewDatabase, after: int, written: str
) -> None:
    events = [{"seq": 1, "move": "D", "at": utc(START + after)}]
    take_in(store, [game_line(events=events, started_at=utc(START))])

    [text] = _texts(store)

    assert text.split()[-1] == written
    other = EventStore(new_database(), FakeClock())
    assert _take_in_text(other, text).added == 1
    assert exported(other.database) == exported(store.database)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ('say "x\\n"', r"say \"x\\n\""),
        ("\x1b[2J\r\n\t", r"\x1b[2J\r\n\t"),
        ("a\u202eb\u2028\U000e0001", r"a\u202eb\u2028\U000e0001"),
        ("] [Id", "] [Id"),
        ("👩\u200d🚀 山田", "👩\u200d🚀 山田"),
    ],
)
def test_names_are_escaped_where_they_have_to_be(
    store: EventStore, name: str, written: str
) -> None:
    game = store.create(name, coded())

    text = _text(store, game.id)

    assert f'[Player "{written}"]\n' in text
    record, _ = parse_text(_lines(text))
    assert record.player == name


def test_a_game_without_events_is_its_tags(store: EventStore) -> None:
    game = store.create("mika", coded())

    assert _text(store, game.id).endswith('[Moves "0"]\n')
    assert _take_in_text(store, _text(store, game.id)).unchanged == 1


def test_the_vectors_make_the_round(store: EventStore, new_database: NewDatabase) -> None:
    take_in(store, vector_lines())
    other = EventStore(new_database(), FakeClock())

    report = _take_in_text(other, "\n".join(_texts(store)))

    assert (report.added, report.faults) == (33, [])
    assert exported(other.database) == exported(store.database)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(game=records())
def test_any_record_makes_the_round(new_database: NewDatabase, game: dict[str, Any]) -> None:
    first, second = (EventStore(new_database(), FakeClock()) for _ in range(2))
    assert take_in(first, [as_line(game)]).added == 1

    [text] = _texts(first)

    assert not STEERING.search(text)
    assert _take_in_text(second, text).added == 1
    assert exported(second.database) == exported(first.database) == [as_line(game).decode()]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game=records())
def test_a_text_says_what_its_line_says(game: dict[str, Any]) -> None:
    """Without claims and times, too: the same made id, and so the same game."""
    line = parse_record(as_line(game))
    stored, log = to_store(line, line.judge(), "mika", START)
    written = format_text(stored, log)
    record, _ = parse_text(_lines(written))
    assert record == line

    bare = [
        re.sub(r"^ *(\d+\. \S+).*", r"\1", text)
        for text in written.splitlines()
        if not re.match(r"\[(Id|Started|Status|Score|Moves|Format) ", text)
    ]
    said = without(game, "id", "started_at", "status", "score", "moves")
    said["events"] = [without(event, "score", "at") for event in game["events"]]
    assert parse_text(_lines("\n".join(bare)))[0] == parse_record(as_line(said))


CODE = '[Code "DS1-D1N-AAAAAAB"]'
STARTED = '[Started "2026-11-30T02:10:00Z"]'


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ([CODE, "D"], 2, "'D' is no numbered move: write `1. D`"),
        ([CODE, "1. D", "T2T3 5"], 3, "write `2. D`"),
        ([CODE, "1.D"], 2, "no numbered move"),
        ([CODE, "1."], 2, "no numbered move"),
        ([CODE, "1. D 2. T2T3"], 2, "no numbered move"),
        ([CODE, "1. D 0 0:61:00"], 2, "no numbered move"),
        ([CODE, "1. D 0 1:00"], 2, "no numbered move"),
        ([CODE, "1. D 0 0:00:01.1234567"], 2, "no numbered move"),
        ([CODE, "1. D 0 0:00:00 ; a comment"], 2, "no numbered move"),
        ([CODE, "9" * 30 + ". D"], 2, "no numbered move"),
        ([CODE, "9" * 19 + ". D"], 2, "less than"),
        ([CODE, STARTED, "1. D 0 999999999:00:00"], 3, "years 1 to 9999"),
        ([CODE, "", "1. D 0 0:00:01"], 3, "no tag Started"),
        ([CODE, '[Started "noon"]', "1. D"], 2, "Started: 'noon' is no time"),
        ([CODE, CODE], 2, "Code is given a second time, after line 1"),
        (['[Format "ds-text/2"]', CODE], 1, "only ds-text/1"),
        (['[Format "ds-game/1"]', CODE], 1, "only ds-text/1"),
        ([CODE, '[Result "1-0"]'], 2, "'Result' is no tag of ds-text/1: there are Format, Id,"),
        ([CODE, '[player "mika"]'], 2, "'player' is no tag"),
        ([CODE, '[Player "mika]'], 2, "no tag: write"),
        ([CODE, '[Player "a"b"]'], 2, "no tag: write"),
        ([CODE, '[Player "a\\"]'], 2, "no tag: write"),
        ([CODE, "[Player mika]"], 2, "no tag: write"),
        ([CODE, '[Player "a\\q"]'], 2, r"Player: '\\\\q' stands for no character"),
        ([CODE, '[Player "\\ud800"]'], 2, "stands for no character"),
        ([CODE, '[Player "\\U00110000"]'], 2, "stands for no character"),
        ([CODE, '[Player "\\x00"]'], 2, "Player: .*NUL"),
        ([CODE, f'[Player "{"x" * 65}"]'], 2, "Player: .*at most 64"),
        ([CODE, '[Player ""]'], 2, "Player: .*blank"),
        (['[Code "ds1-d1n-aaaaaab"]', "1. D"], 1, "Code: .*upper case"),
        ([CODE, '[Id "zz"]'], 2, "Id: .*no id"),
        ([CODE, '[Status "lost"]'], 2, "Status: .*'open', 'won' or 'abandoned'"),
        ([CODE, '[Score "many"]'], 2, "Score: .*integer"),
        ([CODE, '[Moves "1.5"]'], 2, "Moves: .*integer"),
        ([CODE, '[Mode "D3V"]'], 2, "Mode: D3V stands beside the code"),
        ([CODE, '[Label "x"]'], 2, "Label: .*own deck"),
        (['[Mode "D1N"]', '[Deck "AS 2S', '2S"]', "1. D"], 2, "Deck: .*missing AS 3S"),
        (['[Mode "D1N"]', '[Deck "AS', "2S", "1. D"], 2, r'Deck: the deck does not end: "\] is'),
        (['[Mode "D1N"]', '[Deck "AS', '[Label "x"]', "1. D"], 2, "Deck: the deck does not end"),
        (["", '[Player "mika"]', "", "1. D"], 2, "no deal"),
    ],
)
def test_what_is_no_text_is_refused_with_the_line(lines: list[str], line: int, said: str) -> None:
    error = _refused(*lines)

    assert (error.line, bool(re.search(said, str(error)))) == (line, True), str(error)


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(BadRecord, match="no text in UTF-8") as caught:
        parse_text([(4, CODE.encode()), (7, b'[Player "\xe9"]')])

    assert caught.value.line == 7


def test_tags_come_in_any_order_and_moves_as_they_are_typed() -> None:
    record, places = parse_text(
        _lines(f'[Player  "mika"]\r\n{STARTED}\n\n\t{CODE} \n1.   D\t0\n 2. T2T3 0:00:01.50\n')
    )

    assert (record.player, record.started_at) == ("mika", START)
    assert list(record.claims) == [(1, "D", 0, None), (2, "T2T3", None, START + 1_500_000)]
    assert (places.first, places.events) == (1, [5, 6])


def test_names_are_read_with_any_escape() -> None:
    record, _ = parse_text(_lines(rf'{CODE}{chr(10)}[Player "\x41\u00e9\U0001f600\t\"\\n"]'))

    assert record.player == 'Aé😀\t"\\n'
