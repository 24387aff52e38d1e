"""Boards and moves in words, for those who listen to a page or a picture."""

from collections.abc import Iterator
from typing import Final

from ds_cli.drawing import card_name
from ds_cli.output import counted
from ds_core import Card, View
from ds_events.replay import Frame

RANK_WORDS: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")


def card_words(card: Card) -> str:
    """Return a card in words.

    >>> card_words(22)
    'ten of hearts'
    """
    suit, rank = divmod(card, 13)
    return f"{RANK_WORDS[rank]} of {SUIT_WORDS[suit]}"


def pile_words(pile: str) -> str:
    """Return the name of a pile in words.

    >>> pile_words("T3"), pile_words("F4"), pile_words("S")
    ('column 3', 'the second foundation of hearts', 'the stock')
    """
    if pile in ("S", "W"):
        return "the stock" if pile == "S" else "the waste"
    number = int(pile[1]) - 1
    if pile[0] == "T":
        return f"column {number + 1}"
    return f"the {('first', 'second')[number % 2]} foundation of {SUIT_WORDS[number // 2]}"


def board_words(seen: View) -> Iterator[str]:
    """Yield a board in sentences: how it goes, stock, waste, foundations, columns."""
    score = seen.mode.scoring.format(seen.score)
    yield f"The game is {seen.status}, score {score}, {counted(seen.moves, 'move')}."
    yield f"Stock: {counted(seen.stock, 'card')}."
    last = f", the last is the {card_words(seen.waste[-1])}" if seen.waste else ""
    yield f"Waste: {counted(len(seen.waste), 'card')}{last}."
    for suit, name in enumerate(SUIT_WORDS):
        heights = [
            RANK_WORDS[height - 1] if height else "empty"
            for height in seen.foundations[suit * 2 : suit * 2 + 2]
        ]
        yield f"Foundations of {name}: {' and '.join(heights)}."
    for number, column in enumerate(seen.columns, 1):
        said = [f"{column.down} face down"] if column.down else []
        said += map(card_words, column.up)
        yield f"Column {number}: {', '.join(said) or 'empty'}."


def frame_words(frame: Frame) -> str:
    """Return what an event did, in words: the cards, where they went, score and change."""
    scoring = frame.seen.mode.scoring
    score = f"score {scoring.format(frame.seen.score)}"
    if frame.move is None:
        return f"Start of the game, {score}"
    said = [f"Event {frame.seq}: {_what(frame)}"]
    if frame.turned_up is not None:
        up = frame.seen.columns[int(frame.turned_up[1]) - 1].up
        said.append(f"the {card_words(up[-1])} turned up")
    if frame.change:
        amount = scoring.format(abs(frame.change))
        said.append(f"{'plus' if frame.change > 0 else 'minus'} {amount}")
    said.append(score)
    if frame.seen.status == "won":
        said.append("the game is won")
    return ", ".join(said)


def short_words(frame: Frame) -> str:
    """Return what an event did, in as few words as a list of moves has room for."""
    moved = frame.moved
    if moved is None:
        return "abandoned"
    if moved.target == "S":
        return "draw undone" if frame.undoes is not None else "waste turned back"
    cards = _moved_cards(frame)
    name = card_name(cards[0]) + (f" +{len(cards) - 1}" if len(cards) > 1 else "")
    if moved.source == "S":
        name = " ".join(map(card_name, cards)) if len(cards) <= 3 else f"{len(cards)} cards"
    if frame.undoes is not None:
        return f"{name} back"
    if moved.source == "S":
        return f"drawn: {name}"
    to = "home" if moved.target[0] == "F" else f"to column {moved.target[1]}"
    return f"{name} {to}"


def _what(frame: Frame) -> str:
    moved = frame.moved
    if moved is None:
        return "the game is abandoned"
    taken_back = "" if frame.undoes is None else f"event {frame.undoes} is taken back, "
    if moved.target == "S":
        if taken_back:
            back = "is" if moved.count == 1 else "are"
            return f"{taken_back}{counted(moved.count, 'card')} {back} face down in the stock again"
        return "the waste is turned back"
    cards = _moved_cards(frame)
    if moved.source == "S":
        if taken_back:
            return f"{taken_back}the waste lies face up again"
        return f"drawn {', '.join(map(card_words, cards))}"
    more = f" and {counted(len(cards) - 1, 'card')} on it" if len(cards) > 1 else ""
    way = f"from {pile_words(moved.source)} to {pile_words(moved.target)}"
    return f"{taken_back}{card_words(cards[0])}{more} {way}"


def _moved_cards(frame: Frame) -> list[Card]:
    """The cards that an event moved to where they can be seen, the lowest first."""
    moved, seen = frame.moved, frame.seen
    if moved is None:
        return []
    number = int(moved.target[1:] or 0) - 1
    if moved.target == "W":
        return list(seen.waste[-moved.count :])
    if moved.target[0] == "F":
        return [number // 2 * 13 + seen.foundations[number] - 1]
    column = seen.columns[number]
    if len(column.up) >= moved.count:
        return list(column.up[-moved.count :])
    return list(column.up)
