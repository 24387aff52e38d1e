"""One line of ds-game/1: what has to be there, what may be, and what must not."""

import json
from typing import Any

import pytest

from ds_core import Claim, EndClaims, deal_cards, format_deck, parse_mode
from ds_events.errors import BadRecord
from ds_events.ids import parse_id
from ds_events.interchange import parse_record
from ds_events.limits import MAX_LINE
from tests.events.building import CODE, as_line, coded, game_line, own_deal, without

DECK = format_deck(own_deal().cards)
OWN = {"mode": "D3V", "deck": DECK}


def _own(**said: object) -> dict[str, Any]:
    return without(game_line(), "code") | OWN | said


def _refusal(line: bytes | dict[str, Any]) -> str:
    with pytest.raises(BadRecord) as caught:
        parse_record(line if isinstance(line, bytes) else as_line(line))
    return str(caught.value)


def test_the_least_that_a_line_can_say() -> None:
    record = parse_record(as_line(game_line()))

    assert record.deal == coded()
    assert record.claims == [Claim(1, "D"), Claim(2, "T2T3")]
    assert (record.player, record.started_at, record.end) == (None, None, EndClaims())


def test_everything_that_a_line_can_say() -> None:
    record = parse_record(
        as_line(
            {
                "format": "ds-game/1",
                "id": "0KQ3000000000",
                "mode": "D3V",
                "deck": DECK,
                "label": "APP-7 ♠",
                "player": "mika",
                "started_at": "2026-11-30T11:10:00+09:00",
                "events": [{"seq": 1, "move": "D", "score": -104, "at": "1970-01-01T00:00:01Z"}],
                "status": "open",
                "score": -104,
                "moves": 1,
            }
        )
    )

    assert record.id == parse_id("0KQ3000000000")
    assert record.deal == deal_cards(parse_mode("D3V"), own_deal().cards, "APP-7 ♠")
    assert (record.player, record.started_at) == ("mika", 1796004600000000)
    assert record.claims == [Claim(1, "D", -104, 1_000_000)]
    assert record.end == EndClaims("open", -104, 1)


def test_the_order_of_the_keys_and_white_space_mean_nothing() -> None:
    game = game_line(player="mika")
    turned = {key: game[key] for key in reversed(game)}

    spread = json.dumps(turned, indent=2).replace("\n", "\r\n\t")

    assert parse_record(spread.encode()) == parse_record(as_line(game))


def test_a_game_without_events_is_a_record() -> None:
    assert parse_record(as_line(game_line(events=[]))).claims == []


@pytest.mark.parametrize("key", ["format", "events"])
def test_a_required_key_is_named_where_it_is_missing(key: str) -> None:
    assert key in _refusal(without(game_line(), key))


@pytest.mark.parametrize("key", ["seq", "move"])
def test_a_required_key_of_an_event_is_named_where_it_is_missing(key: str) -> None:
    events = [{"seq": 1, "move": "D"}, without({"seq": 2, "move": "D"}, key)]

    assert f"events.1.{key}" in _refusal(game_line(events=events))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        pytest.param(without(game_line(), "code"), "no deal", id="nothing"),
        pytest.param(without(_own(), "deck"), "no deal", id="a mode alone"),
        pytest.param(without(_own(), "mode"), "no deal", id="a deck alone"),
        pytest.param(without(game_line(), "code") | {"label": "x"}, "no deal", id="a label"),
        pytest.param(game_line(deck=DECK), "one of the two", id="a code and a deck"),
        pytest.param(game_line(**OWN), "one of the two", id="everything"),
        pytest.param(game_line(mode="D3N"), "D3N.*D1N", id="another mode than the code"),
        pytest.param(game_line(label="x"), "label", id="a label beside a code"),
    ],
)
def test_a_game_has_one_deal(game: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        parse_record(as_line(game))


def test_a_mode_beside_a_code_may_agree_with_it() -> None:
    assert parse_record(as_line(game_line(mode="D1N"))).deal == coded()


@pytest.mark.parametrize("key", ["extra", "Format", "id ", "undo", "игра"])
def test_an_unknown_key_is_refused_and_named(key: str) -> None:
    assert key in _refusal(game_line(**{key: 1}))


@pytest.mark.parametrize("key", ["extra", "board", "Seq"])
def test_an_unknown_key_of_an_event_is_refused_and_named(key: str) -> None:
    assert f"events.0.{key}" in _refusal(game_line(events=[{"seq": 1, "move": "D", key: 1}]))


@pytest.mark.parametrize(
    "twice",
    [
        pytest.param('"format":"ds-game/1"', id="equal values"),
        pytest.param('"code":"DS1-D1N-AAAAAAA"', id="other values"),
        pytest.param('"c\\u006fde":"DS1-D1N-AAAAAAA"', id="written otherwise"),
        pytest.param('"events":[]', id="events"),
    ],
)
def test_a_doubled_key_is_refused(twice: str) -> None:
    line = as_line(game_line()).decode()

    assert "duplicate key" in _refusal(f"{line[:-1]},{twice}}}".encode())


@pytest.mark.parametrize("twice", ['"seq":1', '"seq":2', '"move":"R"', '"m\\u006fve":"D"'])
def test_a_doubled_key_of_an_event_is_refused(twice: str) -> None:
    line = as_line(game_line()).decode().replace('"move":"D"', f'"move":"D",{twice}')

    assert "duplicate key" in _refusal(line.encode())


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"true",
        b"1",
        b'"ds-game/1"',
        b"[]",
        b'[{"format":"ds-game/1"}]',
        b"{}",
        b"{",
        b"not JSON",
        b"{'format':'ds-game/1'}",
        b'{"format":"ds-game/1",}',
        b"// {}",
        as_line(game_line()) + b"x",
        as_line(game_line()) * 2,
        as_line(game_line())[:-1],
        b"\xef\xbb\xbf" + as_line(game_line()),
        b"\x00" + as_line(game_line()),
    ],
)
def test_what_is_no_object_of_json_is_refused(line: bytes) -> None:
    assert _refusal(line)


@pytest.mark.parametrize("depth", [100, 5_000, MAX_LINE // 10])
@pytest.mark.parametrize("nest", ["[]", '{"a":}'], ids=["lists", "objects"])
def test_deep_nesting_is_refused(nest: str, depth: int) -> None:
    opening, closing = nest[:-1] * depth, nest[-1] * depth
    deep = f'{{"events":{opening}1{closing}}}' if nest == "[]" else f"{opening}1{closing}"

    assert _refusal(deep.encode()[:MAX_LINE])


@pytest.mark.parametrize(
    "line",
    [
        as_line(game_line(player="PLAYER")).replace(b"PLAYER", b"\xff"),
        as_line(game_line(player="PLAYER")).replace(b"PLAYER", b"\xc3"),
        as_line(game_line(player="PLAYER")).replace(b"PLAYER", b"\xc0\xaf"),
        as_line(game_line(player="PLAYER")).replace(b"PLAYER", b"\xed\xa0\x80"),
        as_line(game_line(player="PLAYER")).replace(b"PLAYER", b"\xf4\x90\x80\x80"),
        as_line(game_line(player="PLAYER")).replace(b"player", b"pl\xe4yer"),
        as_line(game_line(player="mika")).decode().encode("utf-16"),
        as_line(game_line(player="mika")).decode().encode("utf-16-le"),
    ],
)
def test_what_is_no_utf_8_is_refused(line: bytes) -> None:
    assert _refusal(line)


@pytest.mark.parametrize("text", ["\\ud83c", "\\ud83cx", "\\udca1", "\\udca1\\ud83c", "\\u00"])
@pytest.mark.parametrize("key", ["player", "label"])
def test_half_a_surrogate_pair_is_refused(key: str, text: str) -> None:
    line = as_line(_own(**{key: "TEXT"})).replace(b"TEXT", text.encode())

    assert _refusal(line)


def test_a_whole_surrogate_pair_is_one_character() -> None:
    line = as_line(game_line(player="TEXT")).replace(b"TEXT", b"\\ud83c\\udca1")

    assert parse_record(line).player == "\U0001f0a1"


@pytest.mark.parametrize("version", ["ds-game/2", "ds-game/1.1", "DS-GAME/1", "ds-game/1 ", ""])
def test_an_unknown_version_is_refused_with_the_version_needed(version: str) -> None:
    said = _refusal(game_line(format=version))

    assert "format" in said
    assert repr(version) in said
    assert "ds-game/1" in said.replace(repr(version), "")


def test_a_line_longer_than_allowed_is_refused_before_it_is_read() -> None:
    padded = as_line(game_line()) + b" " * MAX_LINE

    assert parse_record(padded[:MAX_LINE]).deal == coded()
    assert str(MAX_LINE) in _refusal(padded[: MAX_LINE + 1])


def test_the_first_fault_is_told_and_how_many_more_there_are() -> None:
    said = _refusal(game_line(id=1, status="lost", moves="many"))

    assert said.startswith("id: ")
    assert "2 more" in said


def test_an_unknown_rule_set_names_the_one_that_is_known() -> None:
    said = _refusal(game_line(code=CODE.replace("DS1", "DS2")))

    assert "DS2" in said
    assert "only DS1" in said
