"""What a player may see."""

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import (
    BOTS,
    PILES,
    Card,
    Deal,
    Game,
    Move,
    advise,
    deal_cards,
    double_tap,
    format_deck,
    parse_mode,
    standing,
    tap,
    view,
)
from tests.core.building import ALL_MODES, cards, coded, run, start, tops, walk


def hidden_places(deal: Deal, moves: list[Move]) -> list[int]:
    """Return where in the deck the cards lie that are face down after some moves."""
    game = run(Game(deal), " ".join(map(str, moves)))
    places: list[int] = []
    for column, down in enumerate(game.face_down):
        first = sum(range(column + 1))
        places += range(first, first + down)
    talon, drawn = list(range(45, 104)), 0
    for _, move in standing(moves):
        if move.text == "D":
            drawn = min(drawn + deal.mode.draw, len(talon))
        elif move.text == "R":
            drawn = 0
        elif move.text[0] == "W":
            drawn -= 1
            del talon[drawn]
    return places + talon[drawn:]


def with_other_hidden_cards(deal: Deal, places: list[int], chance: Random) -> Deal:
    """Return the deal with the cards at some places of the deck shuffled among themselves."""
    others: list[Card] = list(deal.cards)
    for place, other in zip(places, chance.sample(places, len(places)), strict=True):
        others[place] = deal.cards[other]
    return deal_cards(deal.mode, others)


@pytest.mark.parametrize("mode", ALL_MODES)
@given(number=st.integers(0, 2**35 - 1), steps=st.integers(0, 200), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_games_that_differ_in_hidden_cards_only_look_the_same(
    mode: str, number: int, steps: int, seed: int
) -> None:
    chance = Random(seed)
    deal = coded(mode, number)
    game = Game(deal)
    moves = walk(game, steps, chance)
    places = hidden_places(deal, moves)
    twin = Game(with_other_hidden_cards(deal, places, chance))
    for move in moves:
        twin.play(move)

    seen, other = view(game), view(twin)

    assert seen == other
    assert seen.hidden is None
    assert [tap(seen, pile) for pile in PILES] == [tap(other, pile) for pile in PILES]
    assert [double_tap(seen, pile) for pile in PILES] == [double_tap(other, pile) for pile in PILES]
    assert advise(seen) == advise(other)
    for make in BOTS.values():
        choices = [make(Random(seed).random).choose(one) for one in (seen, other)]
        assert choices[0] is choices[1]
    if deal.cards != twin.deal.cards:
        assert view(game, reveal=True) != view(twin, reveal=True)


def test_a_view_shows_the_board() -> None:
    game = start(columns={1: "8S", 2: "9H", 3: "AS"}, stock="KD QC", moves="D D T1T2 T3F")

    seen = view(game)

    assert seen.mode == parse_mode("D1N")
    assert (seen.status, seen.score) == ("open", 15)
    assert (seen.moves, seen.seq, seen.undoable) == (4, 4, 4)
    assert [column.down for column in seen.columns] == [0, 1, 1, 3, 4, 5, 6, 7, 8]
    assert [len(column) for column in seen.columns] == [0, 3, 2, 4, 5, 6, 7, 8, 9]
    assert format_deck(seen.columns[1].up) == "9H 8S"
    assert format_deck(seen.waste) == "KD QC"
    assert seen.stock == 57
    assert seen.foundations == (1, 0, 0, 0, 0, 0, 0, 0)
    assert set(seen.legal) == set(game.legal_moves())
    assert seen.hidden is None


def test_a_view_of_a_closed_game_offers_nothing() -> None:
    seen = view(start(columns={1: "AS"}, moves="T1F U X"))

    assert (seen.status, seen.legal, seen.undoable) == ("abandoned", (), 0)
    assert (seen.moves, seen.seq) == (1, 3)


def test_revealed_cards_lie_as_they_will_be_turned_up() -> None:
    columns = tops("9H 8S 7S 6S 5S 4S 3S 2S 2D") | {2: "KH 8S"}
    game = start(columns=columns, stock="AS AH AD", moves="D")

    seen = view(game, reveal=True)

    assert seen.hidden is not None
    assert [len(column) for column in seen.hidden.columns] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert format_deck(seen.hidden.columns[1]) == "KH"
    assert list(seen.hidden.stock[:2]) == cards("AH AD")
    assert len(seen.hidden.stock) == 58


def test_revealing_changes_nothing_else() -> None:
    game = start(moves="D")

    open_view, revealed = view(game), view(game, reveal=True)

    assert revealed.hidden is not None
    assert replace(revealed, hidden=None) == open_view


def test_a_view_does_not_change_with_the_game() -> None:
    game = start(columns={1: "8S", 2: "9H"}, moves="D")
    seen = view(game, reveal=True)
    again = view(game.copy(), reveal=True)

    run(game, "T1T2 D D U X")

    assert seen == again


def test_what_is_handed_out_cannot_be_changed() -> None:
    seen = view(start(), reveal=True)
    values = (seen, seen.columns[0], seen.hidden, seen.mode, seen.mode.scoring, coded("D1N", 1))

    for value in values:
        assert is_dataclass(value)
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)
