"""What is exported, imported into an empty database and exported again is the same bytes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from unicodedata import normalize

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ds_core import DEALS, MODES, PACK, Game, GameCode, deal_cards, deal_code, format_deck
from ds_core import parse_move as move_of
from ds_events.ids import format_id, player_id
from ds_events.store import EventStore
from tests.events.building import (
    EPOCH,
    FakeClock,
    as_line,
    audited,
    coded,
    exported,
    take_in,
    utc,
    vector_lines,
)
from tests.events.conftest import NewDatabase

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=64)

ODD_TEXT = st.sampled_from(
    [
        "🂡👩‍👩‍👧‍👦 🏳️‍🌈",
        "'\"\\/`",
        "<script>alert(1)</script>&amp;",
        "\x01\x1b[2J\x7f\x85\u2028\u2029\ufeff",
        "\u202eميكا\u202c",
        "line\nbreak\r\n\ttab",
        "=1+1",
        "~mika",
        "\ud7ff\ue000\uffff\U0010ffff",
        "%s%(x)s{0}?:x",
    ]
)

NAMES = (
    (ANY_TEXT | ODD_TEXT)
    .map(lambda text: normalize("NFC", text))
    .filter(lambda name: bool(name.strip()) and len(name) <= 64)
) | st.integers(0, 2**63 - 1).map(lambda number: f"~{format_id(number)}")

MOMENTS = st.datetimes(timezones=st.just(UTC))
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
LAST = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
STEPS = st.integers(-10_000_000, 3_600_000_000)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Return a game that was played by the rules, as an export would write it."""
    chance = Random(draw(st.integers(0, 2**32)))
    mode = draw(st.sampled_from(sorted(MODES)))
    said: dict[str, Any] = {"format": "ds-game/1", "id": format_id(draw(st.integers(0, 2**63 - 1)))}
    if draw(st.booleans()):
        deal = deal_code(GameCode(MODES[mode], draw(st.integers(0, DEALS - 1))))
        said["code"] = str(deal.code)
    else:
        cards = [*PACK, *PACK]
        chance.shuffle(cards)
        deal = deal_cards(MODES[mode], cards, draw(st.none() | ANY_TEXT | ODD_TEXT))
        said |= {"mode": mode, "deck": format_deck(cards)}
        if deal.label is not None:
            said["label"] = deal.label
    at = (draw(MOMENTS) - EPOCH) // timedelta(microseconds=1)
    said |= {"player": draw(NAMES), "started_at": utc(at), "events": []}
    game = Game(deal)
    for step in draw(st.lists(STEPS, max_size=30)):
        texts = [move.text for move in game.legal_moves()] + ["U"] * bool(game.undoable)
        text = chance.choice([*texts, "X"] if chance.random() < 0.05 else texts or ["X"])
        game.play(move_of(text))
        at = min(max(at + step, FIRST), LAST)
        said["events"].append({"seq": game.seq, "move": text, "score": game.score, "at": utc(at)})
        if game.status != "open":
            break
    return said | {"status": game.status, "score": game.score, "moves": game.moves}


def _a_round(new_database: Callable[[], Any], lines: list[bytes]) -> list[str]:
    """Import lines into an empty database, all of them, and return its export."""
    store = EventStore(new_database(), FakeClock())
    report = take_in(store, lines, "nobody")
    assert (report.added, report.faults) == (len(lines), [])
    assert audited(store.database).faults == []
    return exported(store.database)


def test_the_vectors_make_the_round(new_database: NewDatabase) -> None:
    first = _a_round(new_database, list(vector_lines()))

    second = _a_round(new_database, [line.encode() for line in first])

    assert second == first


def test_what_the_store_records_makes_the_round(
    store: EventStore, clock: FakeClock, new_database: NewDatabase
) -> None:
    for name in ("mika", "Zoë \u202e", "mika"):
        game = store.create(name, coded("DS1-D3N-7777777"))
        clock.tick(1.5)
        store.append(game.id, ["D", "D", "U"], expected_version=0)
        clock.tick(-7)
        store.append(game.id, ["D", "X"], expected_version=3)
    first = exported(store.database)

    assert _a_round(new_database, [line.encode() for line in first]) == first


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(records(), min_size=1, max_size=6, unique_by=lambda game: game["id"]))
def test_any_record_makes_the_round(new_database: NewDatabase, games: list[dict[str, Any]]) -> None:
    # A name that is the same person as an erased one would be kept by whoever came first.
    owners = {game["player"] for game in games}
    assume(len({player_id(name) for name in owners}) == len(owners))
    right = [as_line(game).decode() for game in sorted(games, key=lambda game: game["id"])]

    first = _a_round(new_database, [as_line(game) for game in games])
    second = _a_round(new_database, [line.encode() for line in first])

    assert first == right
    assert second == right
