"""Games that come without an id: one is made from what the line says."""

import json
from typing import Any

import pytest

from ds_core import format_deck
from ds_events.interchange import parse_record
from ds_events.store import EventStore
from tests.events.building import (
    as_line,
    child,
    contents,
    game_line,
    own_deal,
    take_in,
    vector_lines,
    without,
)

AT = "2026-11-30T02:10:00Z"
LATER = "2026-11-30T02:10:01Z"


def _id(game: dict[str, Any]) -> int:
    return parse_record(as_line(game)).id


def _own(**said: object) -> dict[str, Any]:
    deck = format_deck(own_deal().cards)
    return without(game_line(), "code") | {"mode": "D1N", "deck": deck, "label": "APP"} | said


def _full(**said: object) -> dict[str, Any]:
    events = [
        {"seq": 1, "move": "D", "score": 0, "at": AT},
        {"seq": 2, "move": "T2T3", "score": 5, "at": LATER},
    ]
    return game_line(player="mika", started_at=AT, events=events) | said


def test_the_same_line_twice_is_one_game(store: EventStore) -> None:
    line = as_line(game_line())

    report = take_in(store, [line, line])
    again = take_in(store, [line])

    assert (report.added, report.unchanged, report.rejected) == (1, 1, 0)
    assert (again.added, again.unchanged, again.rejected) == (0, 1, 0)
    assert len(contents(store.database)["games"]) == 1


def test_the_same_line_is_one_game_whoever_imports_it(store: EventStore) -> None:
    line = as_line(game_line())

    take_in(store, [line], "mika")
    report = take_in(store, [line], "noor")

    assert (report.added, report.unchanged) == (0, 1)
    [(_, name)] = contents(store.database)["players"]
    assert name == "mika"


def test_all_vectors_are_different_games() -> None:
    assert len({parse_record(line).id for line in vector_lines()}) == 33


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(dict(reversed(_full().items())), id="keys in another order"),
        pytest.param(_full(mode="D1N"), id="the mode that the code says"),
        pytest.param(_full(started_at="2026-11-30T11:10:00.000+09:00"), id="another offset"),
        pytest.param(_full(status="open", score=5, moves=2), id="claims about the end"),
        pytest.param(
            _full(
                events=[
                    {"seq": 1, "move": "D", "at": AT},
                    {"seq": 2, "move": "T2T3", "at": LATER},
                ]
            ),
            id="no claims of scores",
        ),
    ],
)
def test_what_the_rules_decide_and_how_it_is_written_make_no_other_game(
    other: dict[str, Any],
) -> None:
    assert _id(other) == _id(_full())
    spread = json.dumps(other, indent=3).encode()
    assert parse_record(spread).id == _id(_full())


def test_a_name_composed_otherwise_makes_no_other_game() -> None:
    assert _id(_full(player="e\u0301")) == _id(_full(player="\u00e9"))


@pytest.mark.parametrize(
    ("game", "other"),
    [
        pytest.param(_full(), _full(code="DS1-D1N-AAAAAAA"), id="code"),
        pytest.param(_full(), _full(code="DS1-D1V-AAAAAAB"), id="mode of the code"),
        pytest.param(_full(), _full(player="noor"), id="player"),
        pytest.param(_full(), without(_full(), "player"), id="no player"),
        pytest.param(_full(), _full(started_at=LATER), id="start"),
        pytest.param(_full(), without(_full(), "started_at"), id="no start"),
        pytest.param(_full(), _full(events=[]), id="no events"),
        pytest.param(_full(), _full(events=_full()["events"][:1]), id="fewer events"),
        pytest.param(
            _full(),
            _full(events=[_full()["events"][0], _full()["events"][1] | {"at": AT}]),
            id="a time",
        ),
        pytest.param(
            _full(),
            _full(events=[_full()["events"][0], _full()["events"][1] | {"move": "D"}]),
            id="a move",
        ),
        pytest.param(_own(), _own(mode="D1V"), id="mode"),
        pytest.param(_own(), _own(label="APQ"), id="label"),
        pytest.param(_own(label=""), without(_own(), "label"), id="no label"),
        pytest.param(_own(), _own(deck=" ".join(reversed(_own()["deck"].split()))), id="deck"),
    ],
)
def test_everything_that_tells_games_apart_makes_another_game(
    game: dict[str, Any], other: dict[str, Any]
) -> None:
    assert _id(game) != _id(other)


def test_the_id_is_the_same_in_every_process() -> None:
    program = (
        "import sys\n"
        "from ds_events.interchange import parse_record\n"
        "print(parse_record(sys.stdin.buffer.read()).id)\n"
    )

    said, _ = child(program).communicate(as_line(_own(player="Łukasz")).decode(), timeout=60)

    assert int(said) == _id(_own(player="Łukasz"))
