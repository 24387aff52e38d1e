"""Summaries made again from the log."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update

from ds_events import log
from ds_events.database import Database
from ds_events.errors import CorruptLog, damage_told
from ds_events.findings import CHAIN, SUMMARY, Located, plain
from ds_events.ids import format_id
from ds_events.record import Header, StoredGame
from ds_events.schema import LogRow, summaries
from ds_events.summary import summarise

# Statements that are made once: to build one takes longer than to run it.
_OF_GAME: Final = summaries.c.game_id == bindparam("game")
_LOCKED: Final = select(summaries).where(_OF_GAME).with_for_update()
_CHANGE: Final = update(summaries).where(_OF_GAME)


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
    with database.read() as connection, damage_told():
        spans = list(log.spans(connection))
    for span in spans:
        # Nobody has to wait while games are looked at, only while one is put right.
        with database.read() as connection, damage_told():
            wrong = list(_wrong(connection, span, report))
        if wrong:
            began = time.monotonic()
            with database.write() as connection, damage_told():
                for game_id in wrong:
                    _put_right(connection, game_id, report)
            if database.is_sqlite:
                # It lets nobody queue for its lock: who waits looks again now and then.
                time.sleep(time.monotonic() - began)
        progress(report.games)
    return report


def _wrong(connection: Connection, span: log.Span, report: RebuildReport) -> Iterator[int]:
    """Count the games of a span, and yield those whose summary is not what the log makes it."""
    for row, kept in log.read_span(connection, span):
        report.games += 1
        try:
            with damage_told(row.id):
                right = _right(log.header_of(row), log.read_log(connection, row.id))
        except CorruptLog:
            yield row.id
        else:
            if kept is None or tuple(kept) != tuple(right.values()):
                yield row.id


def _put_right(connection: Connection, game_id: int, report: RebuildReport) -> None:
    """Make a game's summary again, or report why it cannot be."""
    # Locked first, so that what is read of the log is all that the summary has to say.
    kept = connection.execute(_LOCKED, {"game": game_id}).mappings().first()
    try:
        header = log.read_header(connection, game_id)
        right = _right(header, log.read_log(connection, game_id))
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
    elif dict(kept) != right:
        connection.execute(_CHANGE, {**right, "game": game_id})
        report.rebuilt += 1


def _right(header: Header, entries: list[LogRow]) -> dict[str, Any]:
    """The summary that the log makes; raises `CorruptLog`."""
    game = log.fold_log(header, entries)
    head = log.chain_of(header, entries)
    return summarise(StoredGame(header, game, *log.times_of(entries), head))
