"""What an event did, in words."""

from collections.abc import Callable
from typing import Final

from ds_core import MOVES, Card, View
from ds_core.move import ABANDON, DRAW, FOUNDATION_TO_COLUMN, TURN_BACK
from ds_events.replay import Frame, Moved

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)
_PILES: Final = {"W": "the waste", "T": "column", "F": "foundation"}


def meaning(frame: Frame, name: Callable[[Card], str], undone: str | None = None) -> str:
    """Return what the event of a frame did; `name` writes a card, of those that are face up.

    `undone` is the move that an undo takes back.
    """
    if frame.move is None:
        return "the deal"
    kind, moved = MOVES[frame.move].kind, frame.moved
    if moved is None:
        return "the game is abandoned" if kind == ABANDON else ""
    if frame.undoes is not None:
        return f"{undone or 'the move'} of event {frame.undoes} is taken back"
    if kind == TURN_BACK:
        return f"the waste is turned back: {moved.count} cards in the stock"
    cards = _cards(frame.seen, moved, name)
    if kind == DRAW:
        return f"{cards} from the stock"
    way = f"{_pile(moved.source)} to {_pile(moved.target)}"
    if moved.count == 1:
        way = f"from {way}" + (", taken back" if kind == FOUNDATION_TO_COLUMN else "")
    else:
        way = f", {way}"
    turned = ""
    if frame.turned_up is not None:
        card = frame.seen.columns[int(frame.turned_up[1:]) - 1].up[-1]
        turned = f", turns up {name(card)}"
    return f"{cards} {way}{turned}".replace(" ,", ",")


def _cards(seen: View, moved: Moved, name: Callable[[Card], str]) -> str:
    """The cards that moved: one by its name, several by their number and what tells them."""
    place = int(moved.target[1:] or 1) - 1
    if moved.target[0] == "F":
        return name(place // 2 * 13 + seen.foundations[place] - 1)
    if moved.target[0] == "T":
        first = name(seen.columns[place].up[-moved.count])
        return first if moved.count == 1 else f"{_NUMBERS[moved.count]} cards from {first} on"
    last = name(seen.waste[-1])
    return last if moved.count == 1 else f"{_NUMBERS[moved.count]} cards, {last} on top,"


def _pile(pile: str) -> str:
    return f"{_PILES[pile[0]]} {pile[1:]}".rstrip()
