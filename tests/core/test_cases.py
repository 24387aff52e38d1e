"""Faults of other programs (the numbers of cases.md): here each keeps its right behaviour."""

from random import Random

import pytest

from ds_core import (
    MOVES,
    PILES,
    BadDeck,
    Card,
    Claim,
    Deal,
    Game,
    GameClosed,
    IllegalMove,
    deal_cards,
    deal_code,
    double_tap,
    fold,
    format_deck,
    judge,
    parse_code,
    parse_deck,
    parse_mode,
    parse_move,
    parse_moves,
    tap,
    view,
)
from tests import records
from tests.core.building import (
    ALL_MODES,
    deal,
    eager,
    every_card,
    refused,
    run,
    start,
    table,
    texts,
    tidy_deck,
)
from tests.core.building import cards as cards_of


def deal_of(mode: str, swaps: int = 40) -> Deal:
    return deal_cards(parse_mode(mode), tidy_deck(int(mode[1]), Random(3), swaps))


def test_case_1_an_ace_cannot_be_moved_between_the_foundations_of_its_suit() -> None:
    game = start(columns={1: "AS", 2: "2H"}, moves="T1F")

    assert {text[2:3] for text in MOVES if text[0] == "F"} == {"T"}
    assert refused(game, "F1F2") == "R37"
    assert [text for text in texts(game) if text[0] == "F"] == ["F1T2"]


@pytest.mark.parametrize(
    ("mode", "columns", "stock", "setup", "move"),
    [
        ("D1V", {}, "AS", "D", "WF"),  # the money went with it
        ("D3V", {}, "2S 3S AS", "D", "WF"),
        ("D1N", {}, "", "", "D"),  # no card of the stock stays face up
        ("D3N", {}, "", "D", "D"),
        ("D1N", {}, "", "D " * 59, "R"),  # no card is lost
        ("D3N", {}, "", "D " * 20, "R"),
        ("D1N", {1: "AS"}, "", "T1F " + "D " * 59, "R"),  # it cost 10, and 10 come back
    ],
)
def test_case_2_undo_gives_back_board_and_score_as_they_were(
    mode: str, columns: dict[int, str], stock: str, setup: str, move: str
) -> None:
    game = start(mode, columns, stock, setup)
    before, moves = table(game), game.moves

    run(game, move + " U")

    assert table(game) == before
    assert game.moves == moves + 1


@pytest.mark.parametrize(("mode", "draws"), [("D1V", 59), ("D3V", 20)])
def test_case_4_turning_back_under_vegas_is_refused_with_the_reason(mode: str, draws: int) -> None:
    game = start(mode, moves="D " * draws)

    with pytest.raises(IllegalMove, match=r"R17.*Vegas"):
        game.play(parse_move("R"))

    assert (game.seq, game.moves, len(game.waste)) == (draws, draws, 59)


@pytest.mark.parametrize("mode", ["D3N", "D3V"])
def test_case_6_draw_undo_draw_gives_the_same_cards_in_the_same_order(mode: str) -> None:
    game = start(mode, stock="2S 3H 4C 5D 6S 7H", moves="D D")
    assert format_deck(game.waste) == "2S 3H 4C 5D 6S 7H"

    run(game, "U")
    assert format_deck(game.waste) == "2S 3H 4C"
    assert format_deck(game.stock[:3]) == "5D 6S 7H"
    run(game, "D")

    assert format_deck(game.waste) == "2S 3H 4C 5D 6S 7H"


@pytest.mark.parametrize("played", [0, 1, 2])
def test_case_7_a_draw_of_three_with_fewer_left_loses_no_card(played: int) -> None:
    game = start("D3N", stock="AS AH AD", moves="D " + "WF " * played)
    lefts = set()
    for _ in range(3):
        while game.stock:
            lefts.add(min(len(game.stock), 3))
            run(game, "D")
            assert set(every_card(game).values()) == {2}
        run(game, "R")
        assert set(every_card(game).values()) == {2}

    # The first round draws 56 cards after those three, and each later one 59 - played.
    assert lefts == {3, 2, (59 - played) % 3 or 3}


@pytest.mark.parametrize("mode", ALL_MODES)
def test_case_8_of_201_operations_of_mixed_kinds_200_can_be_taken_back(mode: str) -> None:
    chance = Random(8)
    game = Game(deal_of(mode))
    tables = [table(game)]
    kinds = set()
    turns_back_at_first = mode.endswith("N")
    while game.moves < 201:
        able = game.legal_moves()
        # Draws come first until the waste is turned back, so that this is among the kinds.
        early = [move for move in able if move.text in "DR"] if turns_back_at_first else []
        move = chance.choice(early or able)
        turns_back_at_first &= move.text != "R"
        kinds.add(move.kind)
        game.play(move)
        tables.append(table(game))
    assert len(kinds) == (7 if mode.endswith("N") else 6)

    for before in reversed(tables[1:-1]):
        run(game, "U")
        assert table(game) == before

    assert refused(game, "U") == "R26"


def test_case_9_a_win_cannot_be_undone_and_so_is_not_counted_twice() -> None:
    record = next(game for game in records.games() if game.end.status == "won")
    game = fold(record.deal, record.moves)

    for _ in range(2):
        with pytest.raises(GameClosed):
            game.play(parse_move("U"))

    assert (game.status, game.score, game.undoable) == ("won", record.end.score, 0)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_case_10_an_empty_column_takes_kings_and_nothing_else(mode: str) -> None:
    """Here in whole games; rank by rank and source by source in the tests of R11."""

    def ends(pile: list[Card]) -> bool:
        """Whether a pile ends in a king; in this game no card lies on one."""
        return pile[-1:] != [] and pile[-1] % 13 == 12

    game = Game(deal_of(mode, swaps=0))
    seen: set[int] = set()
    while (text := eager(game)) is not None:
        for number in [i for i, column in enumerate(game.columns, 1) if not column]:
            seen.add(number)
            kings = [f"T{i}T{number}" for i, pile in enumerate(game.columns, 1) if ends(pile)]
            kings += [
                f"F{i}T{number}" for i, height in enumerate(game.foundations, 1) if height == 13
            ]
            kings += [f"WT{number}"] if ends(game.waste) else []
            assert sorted(kings) == [text for text in texts(game) if text.endswith(f"T{number}")]
        run(game, text)

    assert game.status == "won"
    assert len(seen) == 8  # the ninth is emptied by the move that wins


def test_case_11_the_referee_names_the_first_bad_event_and_why() -> None:
    claims = [Claim(seq, move) for seq, move in enumerate(["D", "D", "T2T1x2", "D"], 1)]

    verdict = judge(deal("D1N", {1: "9H", 2: "8S 7H"}), claims)

    (fault,) = verdict.faults
    assert (fault.seq, fault.move, fault.kind, fault.expected) == (
        3,
        "T2T1x2",
        "illegal_move",
        "R7",
    )
    assert "column 2 has 1 face-up card, not 2" in fault.message
    assert verdict.unjudged == 1


@pytest.mark.parametrize("position", records.positions(), ids=lambda position: position.name)
def test_case_12_every_gesture_is_one_of_the_legal_moves(position: records.Position) -> None:
    game = fold(position.deal, position.moves)
    seen = view(game)

    for gesture in (tap, double_tap):
        moves = [move for pile in PILES if (move := gesture(seen, pile)) is not None]
        assert {move.text for move in moves} <= set(position.legal)
        for move in moves:
            twin = game.copy()
            twin.play(move)
            assert (twin.seq, twin.moves) == (game.seq + 1, game.moves + 1)


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize(("number", "deck"), records.golden_decks().items())
def test_case_17_the_same_number_deals_the_same_cards_for_ever(
    number: str, deck: str, mode: str
) -> None:
    """Under several hash seeds and against a plain shuffle in the tests of R33 and R35."""
    assert format_deck(deal_code(parse_code(f"DS1-{mode}-{number}")).cards) == deck


def test_case_18_a_deck_with_a_missing_and_a_doubled_card_is_refused_by_name() -> None:
    words = records.golden_decks()["AAAAAAB"].split()
    words[words.index("QH")] = "AS"
    words[50] = words[50].lower()

    with pytest.raises(BadDeck) as caught:
        parse_deck(" ".join(words))

    error = caught.value
    assert "QH" in error.missing
    assert error.surplus == ("AS",)
    assert error.unreadable == ((51, words[50]),)
    assert all(part in str(error) for part in ("missing", "QH", "surplus AS", "at 51"))


@pytest.mark.parametrize("gap", ["\n", "\r\n", " \n", "\t"])
def test_case_20_a_line_break_inside_a_text_truncates_nothing(gap: str) -> None:
    deck = records.golden_decks()["AAAAAAB"]

    assert parse_deck(deck.replace(" ", gap)) == tuple(cards_of(deck))
    assert [move.text for move in parse_moves(f"D{gap}T2T3{gap}U{gap}")] == ["D", "T2T3", "U"]
