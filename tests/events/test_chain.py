"""The hash chain, computed here from the bytes that its documentation names."""

from hashlib import blake2b
from typing import Any

import pytest
from sqlalchemy import select

from ds_core import deal_cards, format_deck
from ds_events import chain
from ds_events.database import Database
from ds_events.ids import format_id, parse_id, player_id
from ds_events.record import Event
from ds_events.schema import events, games, summaries
from ds_events.store import EventStore
from tests.events.building import FakeClock, audited, coded, own_deal, take_in, vector_lines

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

AT = 1764468600000000
"""2025-11-30T02:10:00Z in microseconds."""


def _written(number: int) -> str:
    symbols = ""
    for _ in range(13):
        number, symbol = divmod(number, 32)
        symbols = CROCKFORD[symbol] + symbols
    return symbols


def _heads(database: Database) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """Return the stored head of each game, and the one that its rows make."""
    right = {}
    with database.read() as connection:
        stored = {
            game: bytes(head)
            for game, head in connection.execute(select(summaries.c.game_id, summaries.c.head))
        }
        for row in connection.execute(select(games)).mappings():
            deal = row["code"] or f"{row['mode']}:{row['deck'].replace(' ', '')}"
            label = "" if row["label"] is None else f" {row['label']}"
            said = (
                f"ds-chain/1 {_written(row['id'])} {_written(row['player_id'])} {deal} "
                f"{row['started_at']}{label}"
            )
            head = blake2b(said.encode(), digest_size=32).digest()
            log = select(events.c.seq, events.c.move, events.c.score, events.c.at).where(
                events.c.game_id == row["id"]
            )
            for seq, move, score, at in connection.execute(log.order_by(events.c.seq)):
                said = f"{seq} {move} {score} {at}"
                head = blake2b(head + said.encode(), digest_size=32).digest()
            right[row["id"]] = head
    return stored, right


def test_a_worked_example() -> None:
    # As b2sum -l 256 gives it for the bytes of the documentation:
    # "ds-chain/1 0000000000001 0000000000002 DS1-D1N-AAAAAAB 1764468600000000",
    # then each head followed by "1 D 0 1764468603120000" and "2 T2T3 5 1764468604000000".
    head = chain.genesis(1, 2, coded(), AT)
    assert head.hex() == "cc1fa104da2f87a0dba116e0fd07f7c41ea59a45ba2c3e0b92693599da7cb9ce"

    head = chain.extend(head, [(1, "D", 0, AT + 3_120_000)])
    assert head.hex() == "06d5a79a649114e78e7219926bc219b79c476563ce9362cc9528fc020876196a"

    head = chain.extend(head, [(2, "T2T3", 5, AT + 4_000_000)])
    assert head.hex() == "f46651724edab08afd503f9b4235e67286707e56e9d3e50731c9e42598207700"


def test_the_worked_example_of_the_documentation(
    store: EventStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = parse_id("38HAJYHGW7VB3")
    assert format_id(player_id("mika")) == "6124GRB3029GZ"
    monkeypatch.setattr(store._ids, "new", lambda: game_id)

    game = store.create("mika", coded("DS1-D1N-AAAABOR"))
    clock.tick(3.12)
    game = store.append(game.id, ["T1F", "T5F", "U"], expected_version=0)

    assert game.head.hex() == "303bb16e9941611249348f8b86a6fc69e1c5b2d0231b0eb64fd5eca3434ed983"
    assert [fault.finding.kind for fault in audited(store.database).faults] == []


@pytest.mark.parametrize(("label", "ending"), [(None, ""), ("", " "), ("♠ APP", " ♠ APP")])
def test_a_deck_of_its_own_is_chained_as_mode_and_cards_without_spaces(
    label: str | None, ending: str
) -> None:
    deal = own_deal("D3V", label)
    cards = format_deck(deal.cards).replace(" ", "")
    said = f"ds-chain/1 7ZZZZZZZZZZZZ 000000000000Z D3V:{cards} -1{ending}"

    assert chain.genesis(2**63 - 1, 31, deal, -1) == blake2b(said.encode(), digest_size=32).digest()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"game_id": 3}, id="id"),
        pytest.param({"player_id": 3}, id="player"),
        pytest.param({"started_at": AT + 1}, id="start"),
        pytest.param({"deal": own_deal("D1V", "APP")}, id="mode"),
        pytest.param({"deal": own_deal("D1N", "APQ")}, id="label"),
        pytest.param({"deal": own_deal("D1N")}, id="no label"),
        pytest.param({"deal": coded()}, id="code"),
        pytest.param(
            {"deal": deal_cards(own_deal().mode, own_deal().cards[::-1], "APP")}, id="cards"
        ),
    ],
)
def test_everything_in_a_games_row_is_under_the_chain(other: dict[str, Any]) -> None:
    row: dict[str, Any] = {
        "game_id": 1,
        "player_id": 2,
        "deal": own_deal("D1N", "APP"),
        "started_at": AT,
    }

    assert chain.genesis(**row) != chain.genesis(**(row | other))


@pytest.mark.parametrize(
    "other", [{"seq": 2}, {"move": "R"}, {"score": 5}, {"at": AT + 1}, {"head": bytes(32)}]
)
def test_everything_in_an_event_is_under_the_chain(other: dict[str, Any]) -> None:
    row: dict[str, Any] = {
        "head": chain.genesis(1, 2, coded(), AT),
        "seq": 1,
        "move": "D",
        "score": 0,
        "at": AT,
    }

    def head(head: bytes, **event: Any) -> bytes:
        return chain.extend(head, [Event(**event)])

    assert head(**row) != head(**(row | other))


def test_the_stored_heads_are_those_that_the_rows_make(store: EventStore) -> None:
    take_in(store, vector_lines())
    played = [
        store.create("Łukasz ♠", coded("DS1-D3V-7777777")),
        store.create("mika", own_deal("D3N", "Ünïcode 🂡")),
        store.create("~0000000000001", own_deal("D1V")),
    ]
    for game in played:
        store.append(game.id, ["D", "D"], expected_version=0)
        store.append(game.id, ["U", "D", "X"], expected_version=2)

    stored, right = _heads(store.database)

    assert len(stored) == 36
    assert stored == right
    assert store.load(played[1].id).head == right[played[1].id]


def test_a_game_loaded_at_a_seq_has_the_head_of_then(store: EventStore) -> None:
    game = store.create("mika", coded())
    heads = [store.load(game.id).head]
    for version, move in enumerate(["D", "T2T3", "U"]):
        heads.append(store.append(game.id, [move], expected_version=version).head)
    stored, right = _heads(store.database)

    assert [store.load(game.id, seq).head for seq in range(4)] == heads
    assert stored == right == {game.id: heads[3]}
    assert len(set(heads)) == 4
