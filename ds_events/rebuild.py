"""Summaries made again from the log."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, insert, select, update

from ds_events import log
from ds_events.database import Database
from ds_events.errors import CorruptLog
from ds_events.findings import CHAIN, SUMMARY, Located, plain
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.schema import games, summaries
from ds_events.summary import summarise
from ds_events.transfer import BATCH_EVENTS

BATCH_GAMES: Final = 100
"""Games that are looked at in one transaction, and fewer if they are long."""


@dataclass(slots=True)
class RebuildReport:
    """What a rebuild did: games looked at, summaries put right, and games left alone."""

    games: int = 0
    rebuilt: int = 0
    faults: list[Located] = field(default_factory=list)


def rebuild(database: Database, progress: Callable[[int], None] = lambda _: None) -> RebuildReport:
    """Make every summary again from its log, and report what was put right.

    A game whose log contradicts the rules, or whose hash chain ends otherwise than the
    stored head, is left as it is and reported: a summary must not hide that. A summary that
    is missing is made again with its head. `progress` is told how many games are done.
    """
    report = RebuildReport()
    with database.read() as connection:
        batches = list(_batches(connection))
    for batch in batches:
        # Nobody has to wait while games are looked at, only while one is put right.
        with database.read() as connection:
            wrong = [game_id for game_id in batch if not _is_right(connection, game_id)]
        if wrong:
            with database.write() as connection:
                for game_id in wrong:
                    _put_right(connection, game_id, report)
        report.games += len(batch)
        progress(report.games)
    return report


def _batches(connection: Connection) -> Iterator[list[int]]:
    """Yield the ids of all games, as many at once as one transaction is to look at."""
    batch: list[int] = []
    waiting = 0
    sized = select(games.c.id, summaries.c.version).outerjoin(
        summaries, summaries.c.game_id == games.c.id
    )
    for game_id, version in connection.execute(sized.order_by(games.c.id)):
        batch.append(game_id)
        waiting += version or 0
        if len(batch) >= BATCH_GAMES or waiting >= BATCH_EVENTS:
            yield batch
            batch, waiting = [], 0
    if batch:
        yield batch


def _is_right(connection: Connection, game_id: int) -> bool:
    """Whether a game's summary is what its log makes it."""
    try:
        return _kept(connection, game_id) == _right(connection, game_id)
    except CorruptLog:
        return False


def _put_right(connection: Connection, game_id: int, report: RebuildReport) -> None:
    """Make a game's summary again, or report why it cannot be."""
    # Locked first, so that what is read of the log is all that the summary has to say.
    kept = _kept(connection, game_id, lock=True)
    try:
        right = _right(connection, game_id)
    except CorruptLog as error:
        report.faults.append(Located(plain(SUMMARY, str(error)), format_id(game_id)))
        return
    if kept is None:
        connection.execute(insert(summaries), right)
        report.rebuilt += 1
    elif kept["head"] != right["head"]:
        message = (
            "the hash chain ends otherwise than the stored head; the summary was left as it is"
        )
        fault = plain(CHAIN, message, bytes(kept["head"]).hex(), right["head"].hex())
        report.faults.append(Located(fault, format_id(game_id)))
    elif kept != right:
        connection.execute(update(summaries).where(summaries.c.game_id == game_id).values(right))
        report.rebuilt += 1


def _kept(connection: Connection, game_id: int, *, lock: bool = False) -> dict[str, Any] | None:
    """The summary that is stored, if one is."""
    found = select(summaries).where(summaries.c.game_id == game_id)
    if lock:
        found = found.with_for_update()
    row = connection.execute(found).mappings().first()
    return None if row is None else dict(row)


def _right(connection: Connection, game_id: int) -> dict[str, Any]:
    """The summary that the log makes; raises `CorruptLog`."""
    header = log.read_header(connection, game_id)
    entries = log.read_events(connection, game_id)
    game = log.fold_log(header, entries)
    first_at, last_at = (entries[0].at, entries[-1].at) if entries else (None, None)
    return summarise(StoredGame(header, game, first_at, last_at, log.chain_of(header, entries)))
