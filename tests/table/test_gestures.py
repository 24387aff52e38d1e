"""What a person does at the table: each gesture is at most one operation (R29-R32)."""

from collections.abc import Iterable, Iterator

import pytest
from textual.events import MouseUp

from ds_cli.table import board as board_module
from ds_cli.table.app import TableApp
from ds_cli.table.board import Board
from ds_cli.table.drawing import UNICODE
from ds_cli.table.sitting import Sitting
from ds_core import Deal, fold, parse_move, parse_moves
from ds_events.store import EventStore
from tests.core.building import deal
from tests.records import Refusal, positions, refusals
from tests.table.playing import (
    By,
    Table,
    app_of,
    at_table,
    board,
    by_keys,
    by_mouse,
    click,
    drag,
    move_pointer,
    said,
    visited,
)

# Column 1 sends its ace home; 7H fits on 8S, and on 8C, which is longer; 9S is for the run.
TOPS = {1: "AS", 3: "7H", 5: "8S", 7: "8C", 9: "9H"}


def _deal() -> Deal:
    return deal("D1N", TOPS, stock="2S KD 3H")


def _moves(store: EventStore, app: TableApp) -> list[str]:
    return [event.move for event in store.read(app.sitting.stored.id)]


def _clock(monkeypatch: pytest.MonkeyPatch, times: Iterable[float]) -> None:
    """Set the times of the clicks to come, in seconds."""
    rest: Iterator[float] = iter(times)
    monkeypatch.setattr(board_module, "monotonic", lambda: next(rest))


def _reachable(refusal: Refusal) -> bool:
    """Whether a person can ask for it by gestures.

    Not for what is no move (R37), nor for drawing or turning back where the stock does the
    other, nor for cards that cannot be picked: a back, or what an empty column has.
    """
    turns_back_early = refusal.rule == "R17" and len(refusal.moves) < 20
    return refusal.rule not in ("R37", "R18", "R7") and not turns_back_early


REACHABLE = [refusal for refusal in refusals() if _reachable(refusal)]


def _asked_by_keys(refusal: Refusal) -> bool:
    """Whether keys ask for it: they move as many cards of a column as fit, if any number does."""
    game = fold(refusal.deal, refusal.moves)
    return not any(move.text.startswith(refusal.refused + "x") for move in game.legal_moves())


ASKED = [
    *(pytest.param(by_mouse, refusal, id=f"mouse-{refusal.name}") for refusal in REACHABLE),
    *(
        pytest.param(by_keys, refusal, id=f"keys-{refusal.name}")
        for refusal in REACHABLE
        if _asked_by_keys(refusal)
    ),
]


@pytest.mark.parametrize(("by", "refusal"), ASKED)
def test_what_the_rules_refuse_is_said_and_not_recorded(
    store: EventStore, refusal: Refusal, by: By
) -> None:
    stored = store.record("mika", refusal.deal, refusal.moves)
    told = ""

    async def ask(pilot: Table) -> None:
        nonlocal told
        if by is by_keys and refusal.rule in ("R9", "R14"):
            # It is told as soon as the empty place is to be picked.
            await pilot.press(*{"W": "w", "F": "f1"}[refusal.refused[0]])
        else:
            await by(pilot, parse_move(refusal.refused))
        told = said(pilot)

    app = visited(TableApp(Sitting(store, "mika", stored), UNICODE), ask)
    assert store.load(stored.id).version == stored.version == app.sitting.stored.version
    # A place without a card offers a mouse nothing to take hold of.
    is_empty = by is by_mouse and refusal.rule in ("R9", "R14") and refusal.refused != "WF"
    assert is_empty or f"({refusal.rule})" in told, told


def test_every_kind_of_refusal_can_be_met() -> None:
    rules = {refusal.rule for refusal in REACHABLE}
    assert rules == {"R24", "R26", "R17", "R9", "R14", "R12", "R11", "R6"}


def test_an_empty_stock_and_an_empty_waste(store: EventStore) -> None:
    """R18, in the only place where a tap on the stock can meet it."""
    position = next(p for p in positions() if not p.stock and not p.waste and p.legal)
    stored = store.record("mika", position.deal, position.moves)

    async def ask(pilot: Table) -> None:
        await pilot.press("space")
        assert "(R18)" in said(pilot)

    visited(TableApp(Sitting(store, "mika", stored), UNICODE), ask)
    assert store.load(stored.id).version == stored.version


def test_an_empty_column_has_nothing_to_pick(store: EventStore) -> None:
    async def ask(pilot: Table) -> None:
        await pilot.press("1", "f", "1")
        assert "column 1 is empty (R7)" in said(pilot)

    assert _moves(store, at_table(store, _deal(), ask)) == ["T1F"]


def test_a_click_is_a_tap(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await click(pilot, "T1")
        await click(pilot, "S")
        await click(pilot, "W")
        # Nothing happens by a tap on what no foundation takes, on a back, on a foundation.
        for pile, count in (("T3", 1), ("T9", 4), ("F1", 1), ("T1", 1)):
            await click(pilot, pile, count)

    app = at_table(store, _deal(), play)
    assert _moves(store, app) == ["T1F", "D", "WF"]


def test_a_double_click_is_a_double_tap(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """R31: no foundation takes 7H; of 8S and 8C, the longer column is the seventh."""
    _clock(monkeypatch, [0.0, 0.2])

    async def play(pilot: Table) -> None:
        await click(pilot, "T3")
        await click(pilot, "T3")

    assert _moves(store, at_table(store, _deal(), play)) == ["T3T7"]


def test_two_clicks_that_are_far_apart_are_two_taps(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    _clock(monkeypatch, [0.0, 0.6])

    async def play(pilot: Table) -> None:
        await click(pilot, "T3")
        await click(pilot, "T3")

    assert _moves(store, at_table(store, _deal(), play)) == []


def test_with_the_setting_off_a_double_click_is_one_tap(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    _clock(monkeypatch, [0.0, 0.2])

    async def play(pilot: Table) -> None:
        await click(pilot, "T3")
        await click(pilot, "T3")

    assert _moves(store, at_table(store, _deal(), play, double_taps=False)) == []


def test_a_second_click_after_one_that_moved_a_card_is_ignored(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first click sends 2S home behind its ace; the second was meant for the same card."""
    _clock(monkeypatch, [0.0, 1.0, 2.0, 2.2, 3.0, 3.2])

    async def play(pilot: Table) -> None:
        await click(pilot, "T1")
        await click(pilot, "S")
        await click(pilot, "W")
        await click(pilot, "W")
        # On the stock a double tap is one tap (R31).
        await click(pilot, "S")
        await click(pilot, "S")

    assert _moves(store, at_table(store, _deal(), play)) == ["T1F", "D", "WF", "D"]


def test_the_same_key_twice_is_a_double_tap(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await pilot.press("3", "3")

    assert _moves(store, at_table(store, _deal(), play)) == ["T3T7"]


def test_keys_find_how_many_cards_fit(store: EventStore) -> None:
    """7H lies on 8C; of both, those from the eight on fit on the nine."""

    async def play(pilot: Table) -> None:
        await pilot.press("3", "7")
        await pilot.press("7", "9")

    assert _moves(store, at_table(store, _deal(), play)) == ["T3T7", "T7T9x2"]


def test_a_number_of_cards_can_be_chosen(store: EventStore) -> None:
    """More than there are face up cannot be picked, nor fewer than one."""
    counts = []

    async def play(pilot: Table) -> None:
        await pilot.press("3", "7", "7")
        for key in ("down", "up", "up", "up"):
            await pilot.press(key)
            picked = board(pilot).picked
            counts.append(picked.count if picked else 0)
        await pilot.press("9")

    assert _moves(store, at_table(store, _deal(), play)) == ["T3T7", "T7T9x2"]
    assert counts == [1, 2, 2, 2]


def test_what_was_picked_can_be_put_down_again(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await pilot.press("3")
        assert board(pilot).picked is not None
        await pilot.press("escape")
        assert board(pilot).picked is None

    assert _moves(store, at_table(store, _deal(), play)) == []


@pytest.mark.parametrize(
    ("pile", "count", "target", "because"),
    [
        ("T3", 1, "T9", "(R6)"),
        ("T3", 1, "F1", "(R12)"),
        ("T3", 1, "T3", ""),
        ("T3", 1, "W", "onto a column, or home"),
        ("T3", 1, "S", "onto a column, or home"),
        ("T9", 3, "T1", ""),
        ("S", 1, "T3", ""),
    ],
)
def test_a_drop_that_no_rule_allows_goes_back(
    store: EventStore, pile: str, count: int, target: str, because: str
) -> None:
    """R32; and a back cannot be dragged at all."""
    told = ""

    async def play(pilot: Table) -> None:
        nonlocal told
        before = board(pilot).seen
        await drag(pilot, pile, count, target)
        assert board(pilot).seen == before
        told = said(pilot)

    assert _moves(store, at_table(store, _deal(), play)) == []
    assert because in told


def test_a_drag_that_is_taken_away_drops_nothing(store: EventStore) -> None:
    """A sheet opens meanwhile, or the button was let go of where nobody told the table."""

    async def play(pilot: Table) -> None:
        await drag(pilot, "T3", 1, "T7", lets_go=False)
        await pilot.press("t", "escape")
        place = board(pilot).layout_now().place("T7")
        await pilot.mouse_up(Board, (place.x + 1, place.y))
        await drag(pilot, "T3", 1, "T7", lets_go=False)
        await move_pointer(pilot, (place.x + 1, place.y), button=0)
        await pilot.mouse_up(Board, (place.x + 1, place.y))

    assert _moves(store, at_table(store, _deal(), play)) == []


def test_another_button_drops_nothing(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await drag(pilot, "T3", 1, "T7", lets_go=False)
        place = board(pilot).layout_now().place("T7")
        await pilot._post_mouse_events(
            [MouseUp], widget=Board, offset=(place.x + 1, place.y), button=3
        )
        assert _moves(store, app_of(pilot)) == []

    at_table(store, _deal(), play)


def test_a_foundation_is_asked_for_once(store: EventStore) -> None:
    """Anything but its number is what it always is."""

    async def play(pilot: Table) -> None:
        await pilot.press("1", "f", "f")
        assert "which foundation" in said(pilot, "keys")
        await pilot.press("escape", "3")
        assert "picked: 7♥" in said(pilot)
        await pilot.press("escape", "f", "u")
        await pilot.press("f")
        await click(pilot, "S")
        await pilot.press("3")
        assert "picked: 7♥" in said(pilot)

    assert _moves(store, at_table(store, _deal(), play)) == ["T1F", "U", "D"]


def test_a_run_goes_home_one_card_at_a_time(store: EventStore) -> None:
    told = ""

    async def play(pilot: Table) -> None:
        nonlocal told
        await drag(pilot, "T3", 1, "T7")
        await pilot.press("7", "up", "enter")
        assert "one at a time (R12)" in said(pilot)
        await drag(pilot, "T7", 2, "F3")
        told = said(pilot)

    assert _moves(store, at_table(store, _deal(), play)) == ["T3T7"]
    assert "one at a time (R12)" in told


def test_a_card_dropped_anywhere_on_the_foundations_goes_home(store: EventStore) -> None:
    """R13: F6 is a foundation of diamonds; the ace of spades goes to its own row."""

    async def play(pilot: Table) -> None:
        await drag(pilot, "T1", 1, "F6")

    app = at_table(store, _deal(), play)
    assert _moves(store, app) == ["T1F"]
    assert app.sitting.seen.foundations == (1, 0, 0, 0, 0, 0, 0, 0)


def test_nothing_moves_by_itself(store: EventStore) -> None:
    """R25: the deuce stays on the waste until it is sent home."""

    async def play(pilot: Table) -> None:
        await pilot.press("1", "f", "space")
        await pilot.pause(0.2)

    app = at_table(store, _deal(), play)
    assert _moves(store, app) == ["T1F", "D"]


def test_undo_takes_back_one_operation_at_a_time(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await pilot.press("1", "f", "space", "u", "backspace", "u")

    app = at_table(store, _deal(), play)
    assert _moves(store, app) == ["T1F", "D", "U", "U"]
    assert app.sitting.seen.foundations == (0,) * 8


def test_only_the_last_card_of_a_fan_is_available(store: EventStore) -> None:
    """R15: in draw 3 the cards below it can be neither tapped nor dragged."""
    fanned = deal("D3N", {1: "AS", 2: "3C"}, stock="2S 2H KD")

    async def play(pilot: Table) -> None:
        await pilot.press("1", "f", "space")
        await click(pilot, "W", 3)
        await drag(pilot, "W", 2, "T2")

    assert _moves(store, at_table(store, fanned, play)) == ["T1F", "D"]


def test_a_closed_game_takes_nothing(store: EventStore) -> None:
    stored = store.record("mika", _deal(), parse_moves("D X"))

    async def play(pilot: Table) -> None:
        for key in ("space", "1", "w", "u"):
            await pilot.press(key)
            assert "(R24)" in said(pilot)
        await click(pilot, "S")
        assert "(R24)" in said(pilot)

    visited(TableApp(Sitting(store, "mika", stored), UNICODE), play)
    assert store.load(stored.id).version == 2
