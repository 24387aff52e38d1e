"""A board in little room: columns are compressed, with numbers, and never cut off."""

import re
from collections.abc import Sequence
from dataclasses import fields

import pytest

from ds_cli.board import LEAST_HEIGHT, board_lines
from ds_cli.drawing import LEAST_ROWS, Marks
from ds_cli.output import Line
from ds_cli.terminal.playback import Playback
from ds_cli.terminal.screen import HELP, LEAST_SIZE, Screen
from ds_core import ColumnView, Game, Hidden, View, deal_code, parse_card, parse_code, view
from ds_events.replay import Frame, Moved

FRESH = view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB"))))


def _run(first: str, count: int) -> tuple[int, ...]:
    """Return the cards of a run (R6): down by rank from the first, the colours in turn."""
    ranks = "A23456789TJQK"
    place, suit = ranks.index(first[0]), first[1]
    other = {"S": "H", "H": "S"}[suit]
    return tuple(parse_card(ranks[place - i] + (suit, other)[i % 2]) for i in range(count))


def _seen(*columns: tuple[int, str, int], hidden: bool = False, stock: int = 0) -> View:
    """Return a board of columns: face-down cards, the first face-up one, how many of those."""
    views = [ColumnView(down, _run(first, count)) for down, first, count in columns]
    views += [ColumnView(0, ())] * (9 - len(views))
    below = tuple((parse_card("9C"),) * column.down for column in views)
    return View(
        mode=FRESH.mode,
        status="open",
        score=0,
        moves=0,
        seq=0,
        undoable=0,
        columns=tuple(views),
        waste=(),
        stock=stock,
        foundations=(0,) * 8,
        legal=(),
        hidden=Hidden(below, (parse_card("TH"),) * stock) if hidden else None,
    )


LONGEST = _seen((8, "KS", 13), (0, "KH", 13), (7, "KS", 13), (8, "2H", 1), (1, "KS", 12))
"""Columns as long as there are: eight face-down cards under a king and all that fits on it."""


def _text(line: Line) -> str:
    return "".join(text for text, _ in line)


def _columns(lines: Sequence[Line]) -> list[list[str]]:
    """Return what each column shows, from the top of the screen to the bottom."""
    rows = [_text(line) for line in lines]
    top = next(place for place, row in enumerate(rows) if row.startswith("  T1"))
    found: list[list[str]] = [[] for _ in range(9)]
    for row in rows[top + 1 :]:
        for number in range(9):
            cell = row[number * 6 : number * 6 + 6].strip()
            if cell:
                found[number].append(cell)
    return found


def _counted(cell: str) -> int:
    """How many cards a cell stands for."""
    number = re.search(r"×(\d+)", cell)
    return int(number[1]) if number else 0 if cell == "--" else 1


@pytest.mark.parametrize("height", range(LEAST_HEIGHT, 32))
@pytest.mark.parametrize("seen", [LONGEST, FRESH], ids=["longest", "fresh"])
def test_a_board_fits_its_height_and_every_card_is_counted(seen: View, height: int) -> None:
    lines = board_lines(seen, height=height)
    assert len(lines) <= height
    assert max(len(_text(line)) for line in lines) <= 79
    columns = _columns(lines)
    for cells, column in zip(columns, seen.columns, strict=True):
        assert sum(map(_counted, cells)) == len(column)
        up = [cell for cell in cells if "░" not in cell]
        if column.up:
            assert up[0] == _card(column.up[0])
            assert up[-1] == _card(column.up[-1])
        # Face-down cards are folded all or none.
        backs = [cell for cell in cells if "░" in cell]
        assert backs in (["░░"] * column.down, [f"░░×{column.down}"])


def _card(card: int) -> str:
    return "A23456789TJQK"[card % 13] + "♠♥♦♣"[card // 13]


def test_there_is_as_much_as_fits() -> None:
    """Twelve rows: eight face-down cards in one, then ten of thirteen cards and the fold."""
    [column, *_] = _columns(board_lines(LONGEST, height=3 + 12))
    assert column == ["░░×8", "K♠", "Q♥", "J♠", "T♥", "9♠", "⋮×3", "5♠", "4♥", "3♠", "2♥", "A♠"]
    # With more room nothing but the face-down cards is folded, and then nothing.
    assert _columns(board_lines(LONGEST, height=3 + 14))[0][:2] == ["░░×8", "K♠"]
    assert len(_columns(board_lines(LONGEST, height=3 + 14))[0]) == 14
    assert len(_columns(board_lines(LONGEST, height=4 + 21))[0]) == 21


def test_the_least_rows_show_the_ends_of_the_longest_column() -> None:
    columns = _columns(board_lines(LONGEST, height=LEAST_HEIGHT))
    assert columns[0] == ["░░×8", "K♠", "⋮×11", "A♠"]
    assert columns[1] == ["K♥", "⋮×10", "2♠", "A♥"]
    assert columns[3] == ["░░×8", "2♥"]
    assert columns[4] == ["░░", "K♠", "⋮×10", "2♥"]
    assert columns[8] == ["--"]
    assert LEAST_ROWS == 4


def test_without_a_height_nothing_is_folded() -> None:
    assert [len(column) for column in _columns(board_lines(LONGEST))] == [
        21,
        13,
        20,
        9,
        13,
        *[1] * 4,
    ]


def test_revealed_cards_are_folded_with_their_number_too() -> None:
    seen = _seen((8, "KS", 13), hidden=True, stock=59)
    lines = board_lines(seen, height=18)
    assert len(lines) <= 18
    columns = _columns(lines[:-1])
    assert columns[0][0] == "(×8)"
    # As much of the stock as a line holds, and how many more there are.
    assert _text(lines[-1]).split() == ["next", *["T♥"] * 20, "+39", "more"]
    # With more room, all of it.
    tall = board_lines(seen, height=40)
    assert sum(_text(line).count("T♥") for line in tall) == 59 + 1


def _styles(lines: Sequence[Line], style: str) -> list[str]:
    return [text for line in lines for text, found in line if style in found]


def test_the_cards_that_moved_are_marked_even_in_a_fold() -> None:
    marks = Marks("T1", 4, "T4")
    assert _styles(board_lines(LONGEST, marks=marks), "reverse") == ["4♥", "3♠", "2♥", "A♠"]
    assert _styles(board_lines(LONGEST, marks=marks), "underline") == ["2♥"]
    small = board_lines(LONGEST, marks=marks, height=LEAST_HEIGHT)
    assert _styles(small, "reverse") == ["⋮×11", "A♠"]
    assert _styles(board_lines(LONGEST), "reverse") == []


def test_marks_on_stock_waste_and_foundations() -> None:
    seen = _seen((0, "KS", 1), stock=7)
    seen_fields = {field.name: getattr(seen, field.name) for field in fields(View)}
    played = View(
        **{**seen_fields, "waste": (1, 2, 3), "foundations": (0, 2, 0, 0, 0, 0, 0, 0)},
    )
    for pile, count, marked in (("S", 7, "7"), ("W", 3, "4♠"), ("F2", 1, "2♠")):
        assert _styles(board_lines(played, marks=Marks(pile, count)), "reverse") == [marked]


FRAME = Frame(60, "T2T1x13", -5, 0, LONGEST, Moved("T2", "T1", 13), "T4", 20_000, None)


@pytest.mark.parametrize("size", [(80, 24), (80, 16), (120, 50), LEAST_SIZE, (200, 12)])
@pytest.mark.parametrize("is_help", [False, True])
def test_a_screen_is_as_many_lines_as_there_are_and_none_too_long(
    size: tuple[int, int], is_help: bool
) -> None:
    start = Frame(0, None, 0, 0, LONGEST)
    names = ["3TWY2MNH5MV9J", "\x1b[2J", "m" * 64]
    screen = Screen(names, [start, FRAME], "final")
    for place in (0, 1):
        lines = screen.lines(Playback([start, FRAME], place), size, is_help=is_help)
        assert len(lines) == size[1]
        assert max(len(_text(line)) for line in lines) < size[0]
        text = "\n".join(map(_text, lines))
        assert ("score 0" in text, "undone by event 20000" in text) == (True, place == 1)
        assert ("\x1b" in text, r"\x1b[2J" in text) == (False, True)
        if is_help:
            assert ".." not in text.partition("score")[2]
            for pair in HELP:
                assert all(key in text and does in text for key, does in pair)
        else:
            cells = _columns(lines[:-2])[0]
            assert sum(map(_counted, cells)) == 21
    if size[0] >= 80:
        said = _text(screen.lines(Playback([start, FRAME], 1), size)[1])
        assert said == "T2T1x13 thirteen cards from K♠ on, column 2 to column 1, turns up 2♥   -5"
