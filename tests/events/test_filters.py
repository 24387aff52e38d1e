"""Filters: each report is about the games that a plain sieve leaves."""

from collections.abc import Callable
from random import Random

import pytest

from ds_core import Deal, deal_cards, deal_code, format_deck, parse_code, parse_deck, parse_mode
from ds_events.filters import Filters, SameDeal, same_deal
from ds_events.ids import format_id
from ds_events.report import list_games, score_history, vegas_ledger
from ds_events.schema import games as games_table
from ds_events.statistics import statistics
from ds_events.store import EventStore
from tests.events.building import START, coded, own_deal, take_in
from tests.events.many_games import PLAYERS, Known, id_of, some_games
from tests.events.tampering import change
from tests.events.test_statistics import right
from tests.records import golden_decks

Sieve = Callable[[Known], bool]


@pytest.fixture
def games(store: EventStore) -> list[Known]:
    """Give sixty games of three players, with many equal starts."""
    made = some_games(11, 60)
    assert take_in(store, [game.line for game in made]).added == 60
    return made


def _cards(game: Known) -> str:
    """Return the 104 cards of a game as a deck is written."""
    if "deck" in game.line:
        return str(game.line["deck"])
    return format_deck(deal_code(parse_code(game.line["code"])).cards)


def _some_filters(
    chance: Random, store: EventStore, games: list[Known], player: str | None
) -> tuple[Filters, Sieve]:
    """Return filters by chance, and the sieve that does the same."""
    moments = sorted({game.started_at for game in games})
    given = chance.sample(["status", "mode", "since", "until", "deal"], chance.choice([1, 1, 2, 3]))
    status = chance.choice(["won", "abandoned", "open"]) if "status" in given else None
    mode = chance.choice(["D1N", "D1V", "D3N", "D3V"]) if "mode" in given else None
    since = chance.choice([*moments, moments[1] + 1]) if "since" in given else None
    until = chance.choice([*moments, moments[-1] + 1]) if "until" in given else None
    like = chance.choice(games) if "deal" in given else None
    deal = None
    if like is not None:
        with store.database.read() as connection:
            deal = same_deal(connection, store.header(like.id).deal, id_of(player))
    filters = Filters(
        status=status,
        mode=None if mode is None else parse_mode(mode),
        since=since,
        until=until,
        deal=deal,
    )

    def holds(game: Known) -> bool:
        return (
            (status is None or game.status == status)
            and (mode is None or game.mode == mode)
            and (since is None or game.started_at >= since)
            and (until is None or game.started_at < until)
            and (like is None or _cards(game) == _cards(like))
        )

    return filters, holds


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("player", [*PLAYERS, None])
def test_every_report_is_about_what_a_sieve_leaves(
    store: EventStore, games: list[Known], player: str | None, seed: int
) -> None:
    chance = Random(f"{player}-{seed}")
    mine = [game for game in games if player in (None, game.player)]
    told = 0
    for _ in range(12):
        filters, holds = _some_filters(chance, store, games, player)
        left = [game for game in mine if holds(game)]
        counting = [game for game in left if game.counts]
        vegas = [game for game in counting if game.mode.endswith("V")]
        with store.database.read() as connection:
            listed = list_games(connection, id_of(player), filters)
            scores = score_history(connection, id_of(player), filters)
            ledger = vegas_ledger(connection, id_of(player), filters)
            report = statistics(connection, id_of(player), filters)

        assert [row.id for row in listed] == _ids(left, lambda game: game.key)[::-1]
        assert [row.id for row in scores] == _ids(counting, lambda game: game.key)
        ordered = _ids(vegas, lambda game: (not game.is_closed, game.last_at or 0, game.id))
        assert [row.game.id for row in ledger.rows] == ordered
        known = {game.id: game for game in games}
        balance = 0
        for row in ledger.rows:
            balance += known[row.game.id].score
            assert row.balance == balance
        assert (ledger.net, ledger.staked) == (balance, 104 * len(vegas))
        assert report.whole == right(left)
        told += bool(counting) and len(left) < len(mine)
    assert told > 3


def _ids(games: list[Known], key: Callable[[Known], tuple[int, ...]]) -> list[int]:
    return [game.id for game in sorted(games, key=key)]


TWIN = golden_decks()["AAAAAAB"]
"""The 104 cards of the deal of `CODE`, as a deck of one's own."""


@pytest.fixture
def twins(store: EventStore) -> dict[str, int]:
    """Give games of one deal in three guises, and games of others, by name."""
    own = deal_cards(parse_mode("D3V"), parse_deck(TWIN), "DS1-D3V-AAAAAAA")
    return {
        "code": store.record("mika", coded("DS1-D1N-AAAAAAB"), []).id,
        "other mode": store.record("mika", coded("DS1-D3V-AAAAAAB"), []).id,
        "own deck": store.record("mika", own, []).id,
        "other code": store.record("mika", coded("DS1-D1N-AAAAAAA"), []).id,
        "other deck": store.record("mika", own_deal("D1N", "DS1-D1N-AAAAAAB"), []).id,
    }


def _named(store: EventStore, twins: dict[str, int], deal: Deal) -> set[str]:
    mika = id_of("mika")
    with store.database.read() as connection:
        filters = Filters(deal=same_deal(connection, deal, mika))
        found = {row.id for row in list_games(connection, mika, filters)}
    return {name for name, game_id in twins.items() if game_id in found}


@pytest.mark.parametrize("name", ["code", "other mode", "own deck"])
def test_games_are_the_same_deal_when_their_cards_are(
    store: EventStore, twins: dict[str, int], name: str
) -> None:
    """R36: whatever the code says or a label claims."""
    deal = store.header(twins[name]).deal

    assert _named(store, twins, deal) == {"code", "other mode", "own deck"}


@pytest.mark.parametrize("name", ["other code", "other deck"])
def test_a_label_makes_no_deal_the_same(
    store: EventStore, twins: dict[str, int], name: str
) -> None:
    assert _named(store, twins, store.header(twins[name]).deal) == {name}


def test_a_deck_that_nobody_has_a_code_of_is_looked_for_as_a_deck(store: EventStore) -> None:
    deal = deal_cards(parse_mode("D1N"), parse_deck(TWIN))
    store.record("noor", coded("DS1-D1N-AAAAAAB"), [])

    with store.database.read() as connection:
        assert same_deal(connection, deal, id_of("mika")) == SameDeal((), TWIN)
        assert same_deal(connection, deal, None).codes == tuple(
            f"DS1-{mode}-AAAAAAB" for mode in ("D1N", "D1V", "D3N", "D3V")
        )


def test_a_code_that_cannot_be_read_is_passed_over(store: EventStore) -> None:
    """It is the audit's to tell of it; a list of other games is not to fail on it."""
    broken = store.record("mika", coded("DS1-D1V-AAAAAAA"), []).id
    sound = store.record("mika", coded("DS1-D1N-AAAAAAB"), []).id
    change(store.database, games_table, broken, code="DS1-D9N-AAAAAAA")
    deal = deal_cards(parse_mode("D1N"), parse_deck(TWIN))

    with store.database.read() as connection:
        filters = Filters(deal=same_deal(connection, deal, id_of("mika")))
        assert [row.id for row in list_games(connection, id_of("mika"), filters)] == [sound]


def test_numbers_stay_those_of_the_whole_list(store: EventStore, games: list[Known]) -> None:
    with store.database.read() as connection:
        numbers = {row.id: row.number for row in list_games(connection, id_of("mika"))}
        filters = Filters(status="won", since=START)
        found = list_games(connection, id_of("mika"), filters)

    assert found
    assert {row.id: row.number for row in found}.items() <= numbers.items()
    assert {format_id(row.id) for row in found} == {
        game.line["id"] for game in games if game.player == "mika" and game.status == "won"
    }
