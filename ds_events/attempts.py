"""Several games of one deal: the same 104 cards, however they were dealt and named (R36)."""

from collections.abc import Iterable

from sqlalchemy import Connection, select

from ds_core import format_deck, parse_code, shuffle
from ds_events.report import GameRow
from ds_events.schema import games


def repeated_deals(connection: Connection, found: Iterable[GameRow]) -> list[list[GameRow]]:
    """Return the games of each deal that was tried more than once, among those that are given.

    A deal is its 104 cards, in any mode, by a code or from a deck of its own. Games that were
    never played are no attempts. The attempts come from the oldest to the newest, the deal of
    the newest attempt first.
    """
    rows = sorted(
        (row for row in found if row.moves >= 1), key=lambda row: (row.started_at, row.id)
    )
    own = any(row.code is None for row in rows)
    decks = _own_decks(connection) if own else {}
    layouts: dict[str, str] = {}
    attempts: dict[str, list[GameRow]] = {}
    for row in rows:
        if row.code is None:
            deal = decks[row.id]
        elif own:
            # Only cards can be compared with cards; the layout is that of the deal alone (R34).
            name = row.code.rpartition("-")[2]
            if name not in layouts:
                layouts[name] = format_deck(shuffle(parse_code(row.code)))
            deal = layouts[name]
        else:
            deal = row.code.rpartition("-")[2]
        attempts.setdefault(deal, []).append(row)
    repeated = [tried for tried in attempts.values() if len(tried) > 1]
    return sorted(repeated, key=lambda tried: (tried[-1].started_at, tried[-1].id), reverse=True)


def _own_decks(connection: Connection) -> dict[int, str]:
    """The cards of each game that was dealt from a deck of its own."""
    kept = select(games.c.id, games.c.deck).where(games.c.deck.is_not(None))
    return {game: str(deck) for game, deck in connection.execute(kept)}
