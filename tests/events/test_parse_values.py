"""The values of ds-game/1: of the right type, within the limits, or refused."""

from typing import Any

import pytest

from ds_core import format_deck
from ds_events.audit import audit_lines
from ds_events.errors import BadRecord
from ds_events.ids import format_id, parse_id
from ds_events.interchange import parse_record
from ds_events.limits import MAX_EVENTS
from tests.events.building import CODE, as_line, coded, game_line, own_deal, without

DECK = format_deck(own_deal().cards)

NUMBERS = [
    "1.0",
    "1e0",
    "0.5",
    "-0.0",
    "true",
    "false",
    '"1"',
    '""',
    "null",
    "[]",
    "[1]",
    "{}",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "01",
    "+1",
    "0x1",
    "1_0",
]
"""No whole number, as JSON would have it."""

TEXTS = ["1", "0", "1.5", "true", "null", "[]", '["D"]', "{}"]
"""No text, as JSON would have it."""


def _own(**said: object) -> dict[str, Any]:
    return without(game_line(), "code") | {"mode": "D1N", "deck": DECK} | said


def _with(game: dict[str, Any], key: str, value: str) -> bytes:
    """Return a game whose key has a value that is given as JSON text."""
    return as_line(game | {key: "VALUE"}).replace(b'"VALUE"', value.encode())


def _with_in_event(key: str, value: str) -> bytes:
    event = {"seq": 1, "move": "D", key: "VALUE"}
    return as_line(game_line(events=[event])).replace(b'"VALUE"', value.encode())


def _refusal(line: bytes) -> str:
    with pytest.raises(BadRecord) as caught:
        parse_record(line)
    return str(caught.value)


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("key", ["score", "moves"])
def test_a_number_of_the_game_is_a_whole_number(key: str, value: str) -> None:
    said = _refusal(_with(game_line(), key, value))

    assert said.startswith((f"{key}: ", "not readable as JSON"))


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("key", ["seq", "score"])
def test_a_number_of_an_event_is_a_whole_number(key: str, value: str) -> None:
    said = _refusal(_with_in_event(key, value))

    assert said.startswith((f"events.0.{key}: ", "not readable as JSON"))


@pytest.mark.parametrize("value", TEXTS)
@pytest.mark.parametrize(
    "key", ["format", "id", "mode", "deck", "label", "player", "started_at", "status"]
)
def test_a_text_of_the_game_is_a_text(key: str, value: str) -> None:
    assert _refusal(_with(_own(), key, value)).startswith(f"{key}: ")


@pytest.mark.parametrize("value", TEXTS)
def test_a_code_is_a_text(value: str) -> None:
    assert _refusal(_with(game_line(), "code", value)).startswith("code: ")


@pytest.mark.parametrize("value", TEXTS)
@pytest.mark.parametrize("key", ["move", "at"])
def test_a_text_of_an_event_is_a_text(key: str, value: str) -> None:
    assert _refusal(_with_in_event(key, value)).startswith(f"events.0.{key}: ")


@pytest.mark.parametrize("value", ["null", "{}", '"D T2T3"', "1", "[null]", '["D"]', "[[]]"])
def test_events_are_a_list_of_objects(value: str) -> None:
    assert _refusal(_with(game_line(), "events", value)).startswith("events")


@pytest.mark.parametrize("digits", [20, 4_000, 4_300])
@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("key", ["seq", "score"])
@pytest.mark.parametrize("code", ["DS1-D1N-AAAAAAB", "DS1-D1V-AAAAAAB"])
def test_a_very_long_number_is_a_fault_like_any_other(
    code: str, key: str, sign: str, digits: int
) -> None:
    # 4300 digits are the most that Python writes out, so a difference can have too many.
    line = _with_in_event(key, sign + "9" * digits).replace(CODE.encode(), code.encode())

    report = audit_lines([(7, line)])

    [fault] = report.faults
    assert fault.finding.kind in (key, "format")
    assert (fault.line, report.games) == (7, 1)


@pytest.mark.parametrize("digits", [4_301, 100_000])
def test_a_number_too_long_to_read_is_refused(digits: int) -> None:
    assert _refusal(_with_in_event("score", "9" * digits))


@pytest.mark.parametrize(
    "code",
    [
        "ds1-d1n-aaaaaab",
        "DS1-D1N-AAAAAAb",
        "DS1-D1N-AAAAAA1",
        "DS1-D1N-AAAAAA",
        "DS1-D2N-AAAAAAB",
        "DS1 D1N AAAAAAB",
        " DS1-D1N-AAAAAAB",
        "",
    ],
)
def test_a_code_is_written_as_records_hold_it(code: str) -> None:
    said = _refusal(as_line(game_line(code=code)))

    assert said.startswith("code: ")
    assert repr(code) in said


@pytest.mark.parametrize("mode", ["d1n", "D2N", "D1", "N", "D1N ", ""])
def test_a_mode_is_one_of_four(mode: str) -> None:
    said = _refusal(as_line(_own(mode=mode)))

    assert said.startswith("mode: ")
    assert "D1N, D1V, D3N, D3V" in said


def test_every_fault_of_a_deck_is_named() -> None:
    cards = DECK.split()
    cards[7] = "XX"
    cards[103] = "10H"
    left_out = [DECK.split()[7], DECK.split()[103]]

    said = _refusal(as_line(_own(deck=" ".join(cards))))

    assert said.startswith("deck: ")
    for told in ("'XX' at 8", "'10H' at 104", *left_out):
        assert told in said


def test_a_doubled_card_is_named_with_the_one_that_it_stands_for() -> None:
    cards = DECK.split()
    other = next(i for i in range(104) if cards[i] != cards[0])
    missing, cards[other] = cards[other], cards[0]

    said = _refusal(as_line(_own(deck=" ".join(cards))))

    assert f"missing {missing}; surplus {cards[0]}" in said


@pytest.mark.parametrize("status", ["lost", "Won", "closed", ""])
def test_a_status_is_one_of_three(status: str) -> None:
    said = _refusal(as_line(game_line(status=status)))

    for told in ("status: ", "open", "won", "abandoned"):
        assert told in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0KQ3",
        "0KQ300000000",
        "0KQ30000000000",
        "8000000000000",
        "0KQ3-00000000",
        "@1",
        "U" * 13,
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    assert _refusal(as_line(game_line(id=text))).startswith("id: ")


@pytest.mark.parametrize("text", ["7zzzzzzzzzzzz", "oooooooooooil", "0KQ3abcdefghj"])
def test_an_id_may_be_written_as_people_write_it(text: str) -> None:
    right = text.upper().translate(str.maketrans("OIL", "011"))

    assert parse_record(as_line(game_line(id=text))).id == parse_id(right)
    assert format_id(parse_record(as_line(game_line(id=text))).id) == right


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("2026-11-30T02:10:00Z", 1796004600000000),
        ("2026-11-30T02:10:00.5Z", 1796004600500000),
        ("2026-11-30T11:10:00.000001+09:00", 1796004600000001),
        ("2026-11-29T18:40:00-07:30", 1796004600000000),
    ],
)
def test_times_are_read_in_utc(text: str, micros: int) -> None:
    events = [{"seq": 1, "move": "D", "at": text}]

    record = parse_record(as_line(game_line(started_at=text, events=events)))

    assert (record.started_at, record.claims[0][3]) == (micros, micros)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30T02:10:00",
        "2026-11-30",
        "2026-11-30T02:10:00.0000001Z",
        "2026-02-30T02:10:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "",
        "yesterday",
    ],
)
def test_what_is_no_time_is_refused_where_it_stands(text: str) -> None:
    assert _refusal(as_line(game_line(started_at=text))).startswith("started_at: ")
    events = [{"seq": 1, "move": "D"}, {"seq": 2, "move": "D", "at": text}]
    assert _refusal(as_line(game_line(events=events))).startswith("events.1.at: ")


@pytest.mark.parametrize("text", ["", " ", "x" * 65, "a\0b"])
def test_a_name_is_held_to_the_limits(text: str) -> None:
    assert _refusal(as_line(game_line(player=text))).startswith("player: ")


@pytest.mark.parametrize("text", ["x" * 65, "a\0b"])
def test_a_label_is_held_to_the_limits(text: str) -> None:
    assert _refusal(as_line(_own(label=text))).startswith("label: ")


def test_names_and_labels_as_large_as_they_can_be_are_read() -> None:
    record = parse_record(as_line(_own(label="\x01" * 64, player="\U0001f0a1" * 64)))

    assert (record.deal.label, record.player) == ("\x01" * 64, "\U0001f0a1" * 64)
    assert parse_record(as_line(_own(label=""))).deal.label == ""


def test_a_name_is_read_in_its_composed_form() -> None:
    assert parse_record(as_line(game_line(player="e\u0301"))).player == "\u00e9"


def test_a_game_has_so_many_events_and_no_more() -> None:
    events = [{"seq": seq, "move": "DU"[seq % 2 - 1]} for seq in range(1, MAX_EVENTS + 2)]

    assert "20000" in _refusal(as_line(game_line(events=events)))
    record = parse_record(as_line(game_line(events=events[:-1])))
    assert record.deal == coded()
    assert record.judge().faults == []
    assert record.judge().events == MAX_EVENTS
