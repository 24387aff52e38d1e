"""A stored game shown: its board for people, and the JSON that programs rely on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from ds_cli import output
from ds_cli.board import board_lines, status_lines
from ds_core import Move, View, format_card, view
from ds_events.ids import format_id
from ds_events.record import Event, Header, StoredGame

if TYPE_CHECKING:
    from ds_events.replay import Frame
    from ds_events.store import EventStore


def show_game(
    stored: StoredGame,
    *,
    as_json: bool,
    reveal: bool = False,
    played: Sequence[Move] | None = None,
) -> None:
    """Print a game's board, or as JSON what `ds show` gives, with the moves just played."""
    seen = view(stored.game, reveal=reveal)
    if as_json:
        document = game_json(stored.header, seen)
        if played is not None:
            document["played"] = [move.text for move in played]
        output.print_json(document)
    else:
        output.print_lines([*status_lines(seen, names_of(stored.header)), *board_lines(seen)])


def events_of(store: "EventStore", stored: StoredGame) -> list[Event]:
    """Return the events of a game as it was loaded, without what was played since."""
    return store.read(stored.id)[: stored.version]


def names_of(header: Header) -> list[str]:
    """Return what tells a game apart: id, deal, player."""
    return [format_id(header.id), *deal_names(header), str(header.player)]


def deal_names(header: Header) -> list[str]:
    """Return what a game was dealt from: its code, or its mode and label."""
    deal = header.deal
    if deal.code is not None:
        return [str(deal.code)]
    return [str(deal.mode), deal.label or "own deck"]


def game_json(header: Header, seen: View) -> dict[str, Any]:
    """Return the document of `ds show --json`."""
    deal = header.deal
    return {
        "id": format_id(header.id),
        "code": None if deal.code is None else str(deal.code),
        "label": deal.label,
        "mode": str(deal.mode),
        "player": str(header.player),
        **board_json(seen),
    }


def board_json(seen: View) -> dict[str, Any]:
    """Return a board as JSON has it; what is face down only where it was revealed."""
    columns: list[dict[str, Any]] = [
        {"down": column.down, "up": [format_card(card) for card in column.up]}
        for column in seen.columns
    ]
    document = {
        "status": seen.status,
        "score": seen.score,
        "moves": seen.moves,
        "seq": seen.seq,
        "undoable": seen.undoable,
        "columns": columns,
        "waste": [format_card(card) for card in seen.waste],
        "stock": seen.stock,
        "foundations": list(seen.foundations),
    }
    if seen.hidden is not None:
        for column, cards in zip(columns, seen.hidden.columns, strict=True):
            column["hidden"] = [format_card(card) for card in cards]
        document["hidden_stock"] = [format_card(card) for card in seen.hidden.stock]
    return document


def change_text(frame: "Frame") -> str:
    """Return what an event did to the score as people read it: `+5`, `-100`, `+$5`."""
    scoring = frame.seen.mode.scoring
    return ("+" if frame.change > 0 else "") + scoring.format(frame.change)


def check_frame(stored: StoredGame, seq: int) -> None:
    """Refuse the number of an event that a game has not had, as wrong usage."""
    if seq > stored.version:
        raise typer.BadParameter(
            f"the game has {output.counted(stored.version, 'event')}: there is no event {seq}"
        )
