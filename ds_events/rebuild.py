"""Summaries made again from the log."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from sqlalchemy import Connection, insert, select, update

from ds_events import log
from ds_events.database import Database
from ds_events.errors import CorruptLog
from ds_events.findings import CHAIN, SUMMARY, Located, plain
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.schema import summaries
from ds_events.summary import summarise
from ds_events.transfer import all_ids

BATCH_GAMES: Final = 100
"""Games that are rebuilt in one transaction, so that no writer waits for long."""


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
        ids = list(all_ids(connection))
    remaining = iter(ids)
    while batch := list(islice(remaining, BATCH_GAMES)):
        with database.write() as connection:
            for game_id in batch:
                _rebuild_game(connection, game_id, report)
        progress(report.games)
    return report


def _rebuild_game(connection: Connection, game_id: int, report: RebuildReport) -> None:
    report.games += 1
    of_game = summaries.c.game_id == game_id
    # Locked first, so that what is read of the log is all that the summary has to say.
    kept = connection.execute(select(summaries).where(of_game).with_for_update()).mappings().first()
    try:
        header = log.read_header(connection, game_id)
        entries = log.read_events(connection, game_id)
        game = log.fold_log(header, entries)
    except CorruptLog as error:
        report.faults.append(Located(plain(SUMMARY, str(error)), format_id(game_id)))
        return
    head = log.chain_of(header, entries)
    first_at, last_at = (entries[0].at, entries[-1].at) if entries else (None, None)
    right = summarise(StoredGame(header, game, first_at, last_at, head))
    if kept is None:
        connection.execute(insert(summaries), right)
        report.rebuilt += 1
    elif kept["head"] != head:
        message = (
            "the hash chain ends otherwise than the stored head; the summary was left as it is"
        )
        report.faults.append(
            Located(
                plain(CHAIN, message, bytes(kept["head"]).hex(), head.hex()), format_id(game_id)
            )
        )
    elif dict(kept) != right:
        connection.execute(update(summaries).where(of_game).values(right))
        report.rebuilt += 1
