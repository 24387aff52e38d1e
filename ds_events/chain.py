"""The hash chain over what never changes of a game: its row, then each event.

Every link is BLAKE2b with a digest of 32 bytes; the bytes that are hashed are ASCII fields
separated by single spaces, so that anybody can check a record without this program. The
first link is over

    ds-chain/1 ID PLAYER DEAL STARTED[ LABEL]

where ID and PLAYER are ids of 13 characters, DEAL is a game code or a mode, a colon and the
104 cards without spaces, STARTED is in microseconds since 1970 UTC, and LABEL, if there is
one, is UTF-8. Each further link is over the link before it, 32 bytes, followed by

    SEQ MOVE SCORE AT

with AT in microseconds since 1970 UTC.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from ds_core import Deal, format_deck
from ds_events.ids import format_id
from ds_events.times import Micros

if TYPE_CHECKING:
    from ds_events.schema import LogRow

HEAD_SIZE: Final = 32
"""Bytes of a link."""

_FRESH: Final = blake2b(digest_size=HEAD_SIZE)


def genesis(game_id: int, player_id: int, deal: Deal, started_at: Micros) -> bytes:
    """Return the link over a game's row: the head of a game without events."""
    if deal.code is not None:
        dealt = str(deal.code)
    else:
        dealt = f"{deal.mode}:{format_deck(deal.cards).replace(' ', '')}"
    row = f"ds-chain/1 {format_id(game_id)} {format_id(player_id)} {dealt} {started_at}"
    if deal.label is not None:
        row += f" {deal.label}"
    return blake2b(row.encode(), digest_size=HEAD_SIZE).digest()


def extend(head: bytes, log: "Iterable[LogRow]") -> bytes:
    """Return the head after more events, each given as seq, move, score and time."""
    for seq, move, score, at in log:
        # To copy a fresh hash takes half the time of making one.
        link = _FRESH.copy()
        link.update(head + f"{seq} {move} {score} {at}".encode())
        head = link.digest()
    return head
