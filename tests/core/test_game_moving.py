"""Cards moved to columns: R6 to R11, and what a refusal says."""

from itertools import pairwise, permutations

import pytest

from ds_core import PACK, IllegalMove, format_card, format_deck, parse_move
from tests.core.building import DULL, refused, run, start, texts, tops, up

COLUMNS = range(1, 10)


def column_of_spades(number: int) -> dict[int, str]:
    """Return a column that empties itself onto the foundations, the ace first."""
    return {number: " ".join(f"{rank}S" for rank in reversed("A23456789"[:number]))}


@pytest.mark.parametrize("top", [format_card(card) for card in PACK])
def test_r6_a_column_takes_the_next_lower_rank_of_the_opposite_colour(top: str) -> None:
    ranks, red = "A23456789TJQK", "HD"
    taken = set()
    for card in map(format_card, PACK):
        game = start(columns={1: top}, stock=card, moves="D")
        if "WT1" in texts(game):
            run(game, "WT1")
            assert up(game, 1) == f"{top} {card}"
            taken.add(card)
        else:
            assert refused(game, "WT1") == "R6"

    lower = ranks[: ranks.index(top[0])][-1:]
    other_suits = "SC" if top[1] in red else "HD"
    assert taken == {lower + suit for suit in other_suits if lower}


def test_r7_a_card_moves_with_all_cards_on_top_of_it() -> None:
    game = start(columns={1: "9H", 2: "9D", 3: "8S", 4: "7D"}, moves="T3T1 T4T1")

    run(game, "T1T2x2")

    assert (up(game, 1), up(game, 2)) == ("9H", "9D 8S 7D")


def test_r7_only_the_first_card_of_a_run_has_to_fit() -> None:
    game = start(columns={1: "9H", 2: "8D", 3: "8S", 4: "7D"}, moves="T3T1 T4T1")

    assert refused(game, "T1T2x2") == "R6"  # 8S on 8D; the 7D on top plays no part
    assert refused(game, "T1T2") == "R6"


def test_r7_a_run_is_split_where_the_player_says() -> None:
    game = start(columns={1: "9H", 2: "8C", 3: "8S", 4: "7D"}, moves="T3T1 T4T1 T1T2")

    assert (up(game, 1), up(game, 2)) == ("9H 8S", "8C 7D")


def test_r7_no_more_cards_move_than_lie_face_up() -> None:
    game = start(columns={1: "9H", 2: "TS", 3: "8S"}, moves="T3T1")

    assert refused(game, "T1T2x3") == "R7"
    assert refused(game, "T3T2x2") == "R7"  # one face up and one face down
    assert refused(game, "T2T1x13") == "R7"


def test_r7_the_longest_run_is_a_king_with_twelve_cards_on_top() -> None:
    whole_suit = "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
    game = start(columns={1: "AC", 2: "2D AD"}, stock=whole_suit)
    run(game, "T1F T2F T2F " + "D WT1 " * 13)
    assert up(game, 1) == whole_suit

    run(game, "T1T2x13")

    assert (up(game, 1), up(game, 2)) == ("", whole_suit)


def test_r7_the_column_that_a_run_leaves_is_no_target() -> None:
    game = start(columns=tops(DULL))

    assert refused(game, "T3T3") == "R37"
    assert not [text for text in texts(game) if text[:2] == text[2:4]]


def test_r8_a_black_six_has_four_possible_targets() -> None:
    game = start(columns={1: "7H", 2: "7H", 3: "7D", 4: "7D", 5: "7S", 6: "7C"}, stock="6C")

    run(game, "D")

    assert [text for text in texts(game) if text.startswith("WT")] == ["WT1", "WT2", "WT3", "WT4"]


def test_r9_only_the_top_card_of_the_waste_is_available() -> None:
    game = start(columns={1: "9H", 2: "8H"}, stock="8S 7S", moves="D D")

    assert refused(game, "WT1") == "R6"  # the 8S would fit, but the 7S lies on it
    run(game, "WT2")

    assert format_deck(game.waste) == "8S"
    assert up(game, 2) == "8H 7S"
    run(game, "WT1")
    assert game.waste == []


@pytest.mark.parametrize("text", ["WF", *(f"WT{number}" for number in COLUMNS)])
def test_r9_an_empty_waste_gives_nothing(text: str) -> None:
    assert refused(start(columns=tops(DULL)), text) == "R9"


def test_r9_the_waste_goes_to_a_column_or_to_a_foundation() -> None:
    game = start(columns={1: "2H"}, stock="AS", moves="D")

    assert {"WT1", "WF"} <= set(texts(game))


@pytest.mark.parametrize(
    ("columns", "move"),
    [({1: "9H", 2: "7C 8S"}, "T2T1"), ({1: "9H", 2: "7C AS"}, "T2F")],
)
def test_r10_an_exposed_card_turns_up_with_the_move_that_exposed_it(
    columns: dict[int, str], move: str
) -> None:
    game = start(columns=columns)

    run(game, move)

    assert (up(game, 2), game.face_down[1], game.turned_up) == ("7C", 0, 1)
    assert (game.seq, game.moves, game.undoable) == (1, 1, 1)
    run(game, "U")
    assert (up(game, 2), game.face_down[1], game.turned_up) == (columns[2][-2:], 1, 0)


def test_r10_a_card_that_was_turned_up_is_available() -> None:
    game = start(columns={1: "9H", 2: "8C 8S", 3: "9D"}, moves="T2T1 T2T3")

    assert up(game, 3) == "9D 8C"


def test_r10_nothing_turns_up_while_a_face_up_card_is_left() -> None:
    game = start(columns={1: "7D", 2: "8S", 3: "8C"}, moves="T1T2 T2T3")

    assert (up(game, 2), game.turned_up) == ("8S", 0)


def accepted(number: int, prefix: str, columns: dict[int, str], stock: str, move: str) -> bool:
    """Empty a column, play the prefix and say whether the move is taken; if not, it is R11."""
    game = start(columns={**columns, **column_of_spades(number)}, stock=stock)
    run(game, f"T{number}F " * number)
    assert game.columns[number - 1] == []
    run(game, prefix)
    if parse_move(move) in game.legal_moves():
        run(game, move)
        return True
    assert refused(game, move) == "R11"
    return False


@pytest.mark.parametrize("number", COLUMNS)
@pytest.mark.parametrize("suit", "SHDC")
def test_r11_of_the_waste_only_a_king_goes_to_an_empty_column(number: int, suit: str) -> None:
    taken = [
        rank for rank in "A23456789TJQK" if accepted(number, "D", {}, rank + suit, f"WT{number}")
    ]

    assert taken == ["K"]


@pytest.mark.parametrize(("source", "number"), list(permutations(COLUMNS, 2)))
def test_r11_of_a_column_only_a_king_goes_to_an_empty_column(source: int, number: int) -> None:
    taken = [
        rank
        for rank in "A23456789TJQK"
        if accepted(number, "", {source: f"{rank}H"}, "", f"T{source}T{number}")
    ]

    assert taken == ["K"]


@pytest.mark.parametrize("number", COLUMNS)
def test_r11_of_runs_only_those_of_a_king_go_to_an_empty_column(number: int) -> None:
    first, second = [other for other in (1, 2, 3) if other != number][:2]
    ranks = "A23456789TJQK"
    taken = [
        rank
        for lower, rank in pairwise(ranks)
        if accepted(
            number,
            f"T{second}T{first}",
            {first: f"{rank}D", second: f"{lower}C"},
            "",
            f"T{first}T{number}x2",
        )
    ]

    assert taken == ["K"]


@pytest.mark.parametrize("number", COLUMNS)
def test_r11_of_a_foundation_only_a_king_goes_to_an_empty_column(number: int) -> None:
    hearts = " ".join(f"{rank}H" for rank in "A23456789TJQK")
    taken = [
        rank
        for height, rank in enumerate("A23456789TJQK", 1)
        if accepted(number, "D WF " * height, {}, hearts, f"F3T{number}")
    ]

    assert taken == ["K"]


def test_r11_a_face_down_card_waiting_below_changes_nothing() -> None:
    game = start(columns={1: "AS", 2: "2H QH"}, moves="T1F")

    assert refused(game, "T2T1") == "R11"
    assert game.face_down[1] == 1


def test_r11_a_king_that_heads_its_column_may_move_to_another_empty_one() -> None:
    game = start(columns={1: "KH", 2: "2S AS"}, moves="T2F T2F T1T2")

    assert (up(game, 1), up(game, 2)) == ("", "KH")
    run(game, "T2T1")
    assert (up(game, 1), up(game, 2)) == ("KH", "")


def test_r11_a_whole_column_of_a_king_may_move_too() -> None:
    game = start(columns={1: "KH", 2: "2S AS", 3: "QS"}, moves="T3T1 T2F T2F T1T2x2")

    assert (up(game, 1), up(game, 2)) == ("", "KH QS")


@pytest.mark.parametrize(
    ("columns", "stock", "moves", "move", "rule", "cards"),
    [
        ({1: "9H", 2: "7S"}, "", "", "T2T1", "R6", ("7S", "9H")),
        ({1: "9H"}, "8H", "D", "WT1", "R6", ("8H", "9H")),
        ({1: "AS", 2: "QH"}, "", "T1F", "T2T1", "R11", ("QH",)),
        ({1: "AS", 2: "QH"}, "", "T1F", "T2F", "R12", ("QH",)),
        ({1: "AS"}, "2H", "T1F D", "WF", "R12", ("2H",)),
        ({1: "AS", 2: "2S"}, "", "T1F", "F1T2", "R6", ("AS", "2S")),
        ({1: "AS"}, "", "T1F", "F1T1", "R11", ("AS",)),
        ({1: "9H"}, "", "", "T1F", "R12", ("9H",)),
        ({1: "9H"}, "", "", "WT1", "R9", ()),
        ({1: "9H"}, "", "", "F1T1", "R14", ()),
        ({1: "9H"}, "", "", "T2T1x2", "R7", ()),
    ],
)
def test_a_refusal_names_the_move_the_rule_and_the_cards(
    columns: dict[int, str], stock: str, moves: str, move: str, rule: str, cards: tuple[str, ...]
) -> None:
    game = start(columns=columns, stock=stock, moves=moves)

    with pytest.raises(IllegalMove) as caught:
        game.play(parse_move(move))

    error = caught.value
    assert (error.move, error.rule, error.cards) == (move, rule, cards)
    assert all(part in str(error) for part in (move, rule, *cards))


def test_a_refusal_says_what_an_ace_takes_and_how_many_cards_there_are() -> None:
    game = start(columns={1: "AS", 2: "2S", 3: "2H"})

    with pytest.raises(IllegalMove, match="takes nothing"):
        game.play(parse_move("T2T1"))
    with pytest.raises(IllegalMove, match="has 1 face-up card, not 2"):
        game.play(parse_move("T3T2x2"))
    run(game, "T1T3")
    with pytest.raises(IllegalMove, match="has 2 face-up cards, not 3"):
        game.play(parse_move("T3T2x3"))
    with pytest.raises(IllegalMove, match="has no card, not 1"):
        game.play(parse_move("T1T2"))


@pytest.mark.parametrize(
    ("setup", "move", "rule"),
    [
        # Each is refused by two rules or more, and names the first in the order of the rules.
        ("T1F X", "R", "R24"),
        ("T1F X", "U", "R24"),
        ("T1F X", "X", "R24"),
        ("T1F X", "T9T1x13", "R24"),
        ("T1F", "T1T2x2", "R7"),
        ("T1F", "T9T1x2", "R7"),
        ("T1F", "T1F", "R7"),
        ("T1F", "F2T1", "R14"),
        ("T1F", "WT1", "R9"),
        ("T1F", "WF", "R9"),
    ],
)
def test_where_two_rules_refuse_the_first_in_order_is_named(
    setup: str, move: str, rule: str
) -> None:
    game = start("D1V", columns={1: "AS"}, moves=setup)

    assert refused(game, move) == rule


def test_r17_is_named_before_r18_under_vegas() -> None:
    assert refused(start("D1V"), "R") == "R17"
    assert refused(start("D1N"), "R") == "R18"
