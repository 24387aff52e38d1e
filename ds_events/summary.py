"""The projection: one row a game, written in the same transaction as its events."""

from typing import Any

from ds_events.record import StoredGame


def summarise(stored: StoredGame) -> dict[str, Any]:
    """Return the summary row of a game, in the order of the table's columns.

    Everything in it follows from header and log.
    """
    header, game = stored.header, stored.game
    return {
        "game_id": header.id,
        "player_id": header.player.id,
        "mode": str(header.deal.mode),
        "started_at": header.started_at,
        "version": game.seq,
        "status": game.status,
        **changes(stored),
    }


def changes(stored: StoredGame) -> dict[str, Any]:
    """Return what an append changes in the summary of a game that was open before it.

    `moves` and `undos` count over the whole log (R27), the other counters what stands. What
    stays as it is is left out: it is indexed, and to set it would write the indexes anew.
    """
    game = stored.game
    changed: dict[str, Any] = {
        "version": game.seq,
        "score": game.score,
        "moves": game.moves,
        "undos": game.undos,
        "recycles": game.recycles,
        "take_backs": game.take_backs,
        "home": game.home,
        "turned_up": game.turned_up,
        "first_at": stored.first_at,
        "last_at": stored.last_at,
        "ended_at": stored.ended_at,
        "head": stored.head,
        "idle": stored.idle,
    }
    if game.status != "open":
        changed["status"] = game.status
    return changed
