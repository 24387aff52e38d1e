"""The largest things that can be recorded, and what no text may hold."""

import pytest

from ds_events.errors import LimitExceeded
from ds_events.ids import player_id
from ds_events.limits import MAX_EVENTS, MAX_LABEL, MAX_NAME
from ds_events.store import EventStore
from tests.events.building import (
    FakeClock,
    coded,
    contents,
    exported,
    own_deal,
    take_in,
)
from tests.events.conftest import NewDatabase

STORABLE = [
    pytest.param("m", id="one letter"),
    pytest.param("x" * 64, id="as long as can be"),
    pytest.param("\U0001f0a1" * 64, id="outside the first plane"),
    pytest.param("Łukasz 'O''Brien\" <b>&amp;</b>", id="quotes and markup"),
    pytest.param("\x01\t\r\n\x1b[31m\x7f\u2028\ufeff", id="control characters"),
    pytest.param("\u202e\u0645\u064a\u0643\u0627", id="right to left"),
    pytest.param(" ' ; DROP TABLE games; -- %s %(x)s :x ?", id="what SQL reads otherwise"),
]
REFUSED = [
    pytest.param("a\0b", "NUL", id="NUL"),
    pytest.param("a\ud800", "surrogate", id="first half of a pair"),
    pytest.param("\udfffb", "surrogate", id="second half of a pair"),
    pytest.param("x" * 65, "64.*65", id="one too long"),
    pytest.param("\U0001f0a1" * 65, "64.*65", id="one too long, four bytes each"),
]


def test_the_limits_are_those_of_the_documentation() -> None:
    assert (MAX_NAME, MAX_LABEL, MAX_EVENTS) == (64, 64, 20_000)


@pytest.mark.parametrize("name", STORABLE)
def test_a_name_is_kept_as_it_was_given(store: EventStore, name: str) -> None:
    game = store.create(name, coded())

    assert store.header(game.id).player.name == name
    assert store.header(game.id).player.id == player_id(name)


@pytest.mark.parametrize("label", STORABLE)
def test_a_label_is_kept_as_it_was_given(store: EventStore, label: str) -> None:
    game = store.create("mika", own_deal(label=label))

    assert store.load(game.id).header.deal.label == label


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *REFUSED,
        pytest.param("", "empty", id="empty"),
        pytest.param(" \t\u3000", "blank", id="blank"),
    ],
)
def test_a_name_that_cannot_be_recorded_starts_no_game(
    store: EventStore, name: str, why: str
) -> None:
    with pytest.raises(LimitExceeded, match=f"name.*{why}"):
        store.create(name, coded())

    assert not any(contents(store.database).values())


@pytest.mark.parametrize(("label", "why"), REFUSED)
def test_a_label_that_cannot_be_recorded_starts_no_game(
    store: EventStore, label: str, why: str
) -> None:
    with pytest.raises(LimitExceeded, match=f"label.*{why}"):
        store.create("mika", own_deal(label=label))

    assert not any(contents(store.database).values())


def test_a_name_is_counted_and_kept_in_its_composed_form(store: EventStore) -> None:
    decomposed, composed = "e\u0301" * 64, "\u00e9" * 64

    first = store.create(decomposed, coded())
    second = store.create(composed, coded())

    assert first.header.player == second.header.player
    assert store.header(first.id).player.name == composed
    assert len(contents(store.database)["players"]) == 1


def test_a_game_can_have_so_many_events_and_no_more(
    store: EventStore, new_database: NewDatabase
) -> None:
    # Everything at its largest: what can be recorded can be exported and imported.
    label = "\x01" * MAX_LABEL
    game = store.create("\x02" * MAX_NAME, own_deal(label=label))
    store.append(game.id, ["D", "U"] * (MAX_EVENTS // 2 - 1), expected_version=0)

    with pytest.raises(LimitExceeded, match=r"20000.*20001"):
        store.append(game.id, ["D", "D", "D"], expected_version=MAX_EVENTS - 2)
    assert len(store.read(game.id)) == MAX_EVENTS - 2
    full = store.append(game.id, ["D", "U"], expected_version=MAX_EVENTS - 2)
    assert full.version == MAX_EVENTS

    for move in ("D", "X"):
        with pytest.raises(LimitExceeded, match=r"20000.*20001"):
            store.append(game.id, [move], expected_version=MAX_EVENTS)
    lines = exported(store.database)
    other = EventStore(new_database(), FakeClock())
    assert take_in(other, [lines[0].encode()]).added == 1
    assert exported(other.database) == lines
