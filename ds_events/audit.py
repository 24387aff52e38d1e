"""The audit: a database held against itself and the rules, a file against the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from math import ceil
from typing import Any, Final

from sqlalchemy import CTE, Connection, Row, Table, func, select, text

from ds_core import Finding, judge
from ds_events import log, postgres, sqlite
from ds_events.database import Database
from ds_events.errors import BadRecord, CorruptLog, damage_told
from ds_events.findings import (
    CHAIN,
    DEAL,
    FORMAT_FAULT,
    ORPHAN,
    PLAYER,
    SUMMARY,
    TRIGGER,
    AuditReport,
    Located,
    locate,
    plain,
)
from ds_events.ids import format_id, player_id
from ds_events.record import StoredGame
from ds_events.schema import TRIGGERS, LogRow, events, games, players, seals, summaries
from ds_events.summary import summarise
from ds_events.workers import spread

Progress = Callable[[int], None]

SHARE_SPANS: Final = 6
"""The most spans that a worker is given at once."""


def audit_lines(
    lines: Iterable[tuple[int, bytes]], progress: Progress = lambda _: None
) -> AuditReport:
    """Referee the games of a file without storing them, in memory bounded by one of them.

    One that cannot be read is a fault of kind `format`, and the others are judged.
    """
    # Only here: what is in the database is checked without reading a line of JSON.
    from ds_events.written import written_games

    report = AuditReport()
    for written in written_games(lines):
        try:
            record = written.read()
        except BadRecord as error:
            report.games += 1
            fault = plain(FORMAT_FAULT, str(error))
            report.faults.append(Located(fault, None, error.line or written.line))
        else:
            report.count(record.judge(), format_id(record.id), written.line_of)
        progress(written.line)
    return report


def audit_database(
    database: Database, workers: Executor | None = None, progress: Progress = lambda _: None
) -> AuditReport:
    """Recompute all games from their logs and report where what is stored says otherwise.

    After that the database as a whole: rows that belong to no game, players that their names
    do not give, triggers that are missing. Games are read some at a time, each as it stands
    then; with `workers` by them, who have to reach the same database. `progress` is told how
    many games have been audited. Raises `DatabaseError` for values of a kind that no column
    can hold, as only a damaged file has them.
    """
    report = AuditReport()
    with database.read() as connection, damage_told():
        shares = list(_shares(list(log.spans(connection))))
    work = _audit_share if workers is None else _audit_share_elsewhere
    for part in spread(workers, partial(work, database), shares):
        report.add(part)
        progress(report.games)
    with database.read() as connection, damage_told():
        report.faults += _orphans(connection)
        report.faults += _strangers(connection)
        report.faults += _unguarded(connection)
    return report


def audit_games(
    database: Database, game_ids: Iterable[int], progress: Progress = lambda _: None
) -> AuditReport:
    """Recompute some games from their logs; raises `GameNotFound` or `DatabaseError`."""
    report = AuditReport()
    with database.read() as connection, damage_told():
        for game_id in game_ids:
            log.read_version(connection, game_id)
            _audit_span(connection, log.Span(game_id, game_id), report)
            progress(report.games)
    return report


def _shares(spans: Sequence[log.Span]) -> Iterator[Sequence[log.Span]]:
    """Yield what a worker is given at once.

    Much at first, so that to open the database weighs little, and less and less of what is
    left, so that no worker has long to wait for the last one.
    """
    begun = 0
    while begun < len(spans):
        share = spans[begun : begun + min(SHARE_SPANS, ceil((len(spans) - begun) / 3))]
        begun += len(share)
        yield share


def _audit_share(database: Database, share: Iterable[log.Span]) -> AuditReport:
    report = AuditReport()
    for span in share:
        with database.read() as connection, damage_told():
            _audit_span(connection, span, report)
    return report


def _audit_share_elsewhere(database: Database, share: Iterable[log.Span]) -> AuditReport:
    with closing(database):
        return _audit_share(database, share)


def _audit_span(connection: Connection, span: log.Span, report: AuditReport) -> None:
    bare = log.bare_of(connection)
    for row, kept in log.read_span(connection, span):
        with damage_told(row.id):
            entries = log.read_log(bare, row.id)
            found = _audit_game(row, kept, entries, report)
            report.faults += locate(found, format_id(row.id))


def _audit_game(
    row: Row[Any], kept: Row[Any] | None, entries: list[LogRow], report: AuditReport
) -> Iterator[Finding]:
    """Count one stored game, and yield what is wrong with it beside what the referee finds."""
    try:
        header = log.header_of(row)
    except CorruptLog as error:
        report.games += 1
        report.events += len(entries)
        report.unjudged += len(entries)
        yield plain(DEAL, error.reason)
        return
    verdict = judge(header.deal, entries, None, header.started_at)
    report.count(verdict, format_id(header.id))
    if kept is None:
        yield plain(SUMMARY, "the game has no summary; `ds db rebuild` makes it again")
        return
    head = log.chain_of(header, entries)
    if head != kept.head:
        yield plain(
            CHAIN,
            "the game or its events are not what was appended: the hash chain over "
            "them ends otherwise than the stored one",
            bytes(kept.head).hex(),
            head.hex(),
        )
    if not verdict.faults:
        right = summarise(StoredGame(header, verdict.game, *log.times_of(entries), kept.head))
        if tuple(right.values()) != tuple(kept):
            yield from _summary_faults(right, kept)


def _summary_faults(right: dict[str, Any], kept: Row[Any]) -> Iterator[Finding]:
    # Both are in the order of the table's columns.
    for (column, expected), stored in zip(right.items(), kept, strict=True):
        if stored != expected:
            yield plain(
                SUMMARY,
                f"the summary's {column} is {stored}, and by the log it is {expected}; "
                "`ds db rebuild` puts it right",
                stored,
                expected,
            )


def _orphans(connection: Connection) -> Iterator[Located]:
    for owned in (events, summaries, seals):
        owners = _owners(owned)
        stray = (
            select(owners.c.game_id)
            .outerjoin(games, games.c.id == owners.c.game_id)
            .where(owners.c.game_id.is_not(None), games.c.id.is_(None))
            .order_by(owners.c.game_id)
        )
        for game_id in connection.scalars(stray):
            name = format_id(game_id)
            yield Located(plain(ORPHAN, f"{owned.name} belong to game {name}, not there"), name)


def _owners(owned: Table) -> CTE:
    """Return the ids of the games that have rows in a table, and `NULL` behind the last.

    The index is gone through from id to id: there are hundreds of events for each.
    """
    known = select(func.min(owned.c.game_id).label("game_id")).cte(recursive=True)
    after = select(func.min(owned.c.game_id)).where(owned.c.game_id > known.c.game_id)
    return known.union_all(select(after.scalar_subquery()).where(known.c.game_id.is_not(None)))


def _strangers(connection: Connection) -> Iterator[Located]:
    missing = (
        select(games.c.id, games.c.player_id)
        .outerjoin(players, players.c.id == games.c.player_id)
        .where(players.c.id.is_(None))
        .order_by(games.c.id)
    )
    for game_id, owner in connection.execute(missing):
        message = f"its player {format_id(owner)} is not there"
        yield Located(plain(PLAYER, message), format_id(game_id))
    for known, name in connection.execute(select(players).where(players.c.name.is_not(None))):
        if player_id(name) != known:
            message = f"the player {name!r} is stored with the id {format_id(known)}"
            yield Located(plain(PLAYER, message, format_id(known), format_id(player_id(name))))


def _unguarded(connection: Connection) -> Iterator[Located]:
    dialect = connection.dialect.name
    catalog = {"sqlite": sqlite.TRIGGERS, "postgresql": postgres.TRIGGERS}
    there = set(connection.scalars(text(catalog[dialect])))
    for trigger in TRIGGERS[dialect]:
        if trigger not in there:
            message = f"the trigger {trigger} is missing: the log is not kept append-only"
            yield Located(plain(TRIGGER, message, None, trigger))
