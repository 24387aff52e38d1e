"""What holds in every game, from random deals and random moves."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import (
    MOVES,
    VEGAS,
    Deal,
    Game,
    IllegalMove,
    deal_cards,
    fold,
    format_card,
    parse_card,
    parse_mode,
    standing,
    view,
)
from tests.core.building import (
    ALL_MODES,
    coded,
    eager,
    every_card,
    refused,
    run,
    snapshot,
    table,
    texts,
    tidy_deck,
    walk,
)

seeds = st.integers(0, 2**32)
examples = settings(deadline=None, max_examples=40)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Any deal of any mode, or one that is nearly in order so that games get far."""
    mode = draw(st.sampled_from(ALL_MODES))
    number = draw(st.integers(0, 2**35 - 1))
    swaps = draw(st.sampled_from([None, None, 0, 3, 20]))
    if swaps is None:
        return coded(mode, number)
    return deal_cards(parse_mode(mode), tidy_deck(int(mode[1]), Random(number), swaps))


@given(deals(), seeds)
@examples
def test_r1_each_card_is_on_the_table_twice_after_every_event(deal: Deal, seed: int) -> None:
    game = Game(deal)
    chance = Random(seed)
    for _ in range(150):
        assert len(every_card(game)) == 52
        assert set(every_card(game).values()) == {2}
        if not walk(game, 1, chance, undo=0.1):
            break


@given(deals(), seeds, st.integers(1, 200))
@examples
def test_r26_undo_is_the_exact_inverse_of_every_operation(
    deal: Deal, seed: int, steps: int
) -> None:
    game = Game(deal)
    chance = Random(seed)
    tables = [(table(game), texts(game))]
    for _ in range(steps):
        if game.undoable and chance.random() < 0.1:
            run(game, "U")
            tables.pop()
        else:
            legal = game.legal_moves()
            if not legal:
                break
            game.play(chance.choice(legal))
            tables.append((table(game), texts(game)))
        assert (table(game), texts(game)) == tables[-1]
    if game.status != "open":
        tables = tables[-1:]

    while game.undoable:
        run(game, "U")
        tables.pop()
        assert (table(game), texts(game)) == tables[-1]
    assert len(tables) == 1


@given(deals(), seeds, st.integers(0, 120))
@examples
def test_a_refused_move_changes_nothing_now_or_later(deal: Deal, seed: int, steps: int) -> None:
    game = Game(deal)
    walk(game, steps, Random(seed), undo=0.1)
    untouched = game.copy()
    legal = set(texts(game))
    before = snapshot(game)

    for text, move in MOVES.items():
        if text in legal or text == "X" or (text == "U" and game.undoable):
            continue
        with pytest.raises(IllegalMove):
            game.play(move)
    assert snapshot(game) == before

    while game.undoable:
        run(game, "U")
        run(untouched, "U")
        assert snapshot(game) == snapshot(untouched)
    if game.status == "open":
        assert refused(game, "U") == refused(untouched, "U") == "R26"


@given(deals(), seeds, st.integers(0, 120))
@examples
def test_every_legal_move_is_taken(deal: Deal, seed: int, steps: int) -> None:
    game = Game(deal)
    walk(game, steps, Random(seed))

    legal = game.legal_moves()

    assert len(set(legal)) == len(legal)
    for move in legal:
        twin = game.copy()
        twin.play(move)
        assert twin.moves == game.moves + 1


@given(deals(), seeds)
@examples
def test_r21_r22_the_score_says_what_was_done_where_nothing_was_taken_back(
    deal: Deal, seed: int
) -> None:
    game = Game(deal)
    chance = Random(seed)
    stands: list[tuple[str, int]] = []
    for _ in range(250):
        able = [text for text in texts(game) if text[0] != "F"]
        homeward = eager(game)
        text = homeward if homeward and chance.random() < 0.5 else chance.choice([*able, "U"])
        if text == "U" and not game.undoable:
            continue
        if text == "U":
            stands.pop()
        else:
            stands.append((text, game.score))
        run(game, text)
        if deal.mode.scoring is VEGAS:
            assert game.score == -104 + 5 * game.home
        else:
            from_waste = sum(move.startswith("WT") for move, _ in stands)
            cost = sum(min(100, before) for move, before in stands if move == "R")
            assert game.score == 10 * game.home + 5 * game.turned_up + 5 * from_waste - cost
        if game.status == "won":
            assert (game.home, game.turned_up) == (104, 36)
            break


@given(deals(), seeds, st.integers(0, 250))
@examples
def test_r28_folding_the_log_gives_the_live_game(deal: Deal, seed: int, steps: int) -> None:
    game = Game(deal)
    moves = walk(game, steps, Random(seed), undo=0.2)

    again = fold(deal, moves)

    assert snapshot(again) == snapshot(game)
    assert texts(again) == texts(game)
    half = fold(deal, moves[: steps // 2])
    for move in moves[steps // 2 :]:
        half.play(move)
    assert snapshot(half) == snapshot(game)


def test_a_fold_stops_at_the_first_move_that_is_refused() -> None:
    with pytest.raises(IllegalMove) as caught:
        fold(coded("D1N", 1), [MOVES["D"], MOVES["R"], MOVES["U"]])

    assert (caught.value.move, caught.value.rule) == ("R", "R18")


@given(deals(), seeds, st.integers(0, 250))
@examples
def test_r26_what_stands_makes_the_same_table(deal: Deal, seed: int, steps: int) -> None:
    game = Game(deal)
    moves = walk(game, steps, Random(seed), undo=0.3)

    again = fold(deal, [move for _, move in standing(moves)])

    assert table(again) == table(game)
    assert again.moves == game.moves - game.undos


@given(deals(), seeds, st.integers(0, 120))
@examples
def test_a_copy_and_its_game_do_not_touch_each_other(deal: Deal, seed: int, steps: int) -> None:
    chance = Random(seed)
    game = Game(deal)
    walk(game, steps, chance)
    before, could = snapshot(game), texts(game)
    twin = game.copy()
    assert (snapshot(twin), texts(twin)) == (before, could)

    walk(twin, 50, chance, undo=0.4)
    assert (snapshot(game), texts(game)) == (before, could)

    there = snapshot(twin)
    while game.undoable:
        run(game, "U")
    assert snapshot(twin) == there
    if game.status == "open":
        run(game, "X")
        assert snapshot(twin) == there


@given(deals(), seeds, st.integers(0, 120))
@examples
def test_no_refusal_names_a_face_down_card(deal: Deal, seed: int, steps: int) -> None:
    game = Game(deal)
    walk(game, steps, Random(seed))
    seen = view(game)
    shown = {card for column in seen.columns for card in column.up} | set(seen.waste[-1:])
    shown |= {
        foundation // 2 * 13 + height - 1
        for foundation, height in enumerate(seen.foundations)
        if height
    }
    legal = set(seen.legal)

    for move in set(MOVES.values()) - legal:
        if move.text in "UX":
            continue
        with pytest.raises(IllegalMove) as caught:
            game.play(move)
        assert {parse_card(text) for text in caught.value.cards} <= shown
        names = {word.strip(":,.") for word in caught.value.reason.split()}
        allowed = shown | takers(caught.value.cards)
        assert {format_card(card) for card in set(range(52)) - allowed}.isdisjoint(names)


def takers(cards: tuple[str, ...]) -> set[int]:
    """Return the cards that a refusal may name as those that would fit on a named one."""
    ranks = "A23456789TJQK"
    return {
        parse_card(rank + suit)
        for card in cards
        for suit in "SHDC"
        for rank in ranks[: ranks.index(card[0])][-1:]
    }
