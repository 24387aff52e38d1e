"""The projection: one row a game, written in the same transaction as its events."""

from typing import Any, Final

from sqlalchemy import Connection, bindparam, update

from ds_events.record import StoredGame
from ds_events.schema import summaries

# Made once: to build a statement takes longer than to run it. It sets what it is given of
# the columns.
_ADVANCE: Final = update(summaries).where(
    summaries.c.game_id == bindparam("game"), summaries.c.version == bindparam("expected")
)


def summarise(stored: StoredGame) -> dict[str, Any]:
    """Return the summary row of a game: everything in it follows from header and log.

    `moves` and `undos` count over the whole log (R27), the other counters what stands.
    """
    header, game = stored.header, stored.game
    return {
        "game_id": header.id,
        "player_id": header.player.id,
        "mode": str(header.deal.mode),
        "started_at": header.started_at,
        "version": game.seq,
        "status": game.status,
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
    }


def advance(connection: Connection, stored: StoredGame, expected_version: int) -> bool:
    """Bring a game's summary up to date if it still is at `expected_version`.

    Returns whether it was. This one statement is what lets a single writer win each seq.
    """
    row = summarise(stored)
    # What stays as it is is left out: it is indexed, and to set it would write the indexes anew.
    for fixed in ("game_id", "player_id", "mode", "started_at"):
        del row[fixed]
    if stored.game.status == "open":
        del row["status"]
    changed = connection.execute(_ADVANCE, {**row, "game": stored.id, "expected": expected_version})
    return changed.rowcount == 1
