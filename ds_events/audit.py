"""The audit: a database held against itself and the rules, a file against the rules."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, select, text

from ds_core import Claim, Finding, judge
from ds_events import log, postgres, sqlite
from ds_events.errors import BadRecord, CorruptLog, DatabaseError
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
from ds_events.interchange import parse_record
from ds_events.record import StoredGame
from ds_events.schema import TRIGGERS, events, games, players, seals, summaries
from ds_events.summary import summarise

Progress = Callable[[int], None]


def audit_lines(
    lines: Iterable[tuple[int, bytes]], progress: Progress = lambda _: None
) -> AuditReport:
    """Referee the records of a file without storing them, in memory bounded by a line.

    A line that cannot be read is a fault of kind `format`, and the others are judged.
    """
    report = AuditReport()
    for line, content in lines:
        try:
            record = parse_record(content)
        except BadRecord as error:
            report.games += 1
            report.faults.append(Located(plain(FORMAT_FAULT, str(error)), None, line))
        else:
            report.count(record.judge(), format_id(record.id), line)
        progress(line)
    return report


def audit_database(
    connection: Connection,
    game_ids: Iterable[int] | None = None,
    progress: Progress = lambda _: None,
) -> AuditReport:
    """Recompute games from their logs and report where what is stored says otherwise.

    Without `game_ids` every game, and the database as a whole: rows that belong to no game,
    players that their names do not give, triggers that are missing. `progress` is told how
    many games have been audited. Raises `DatabaseError` for values of a kind that no column
    can hold, as only a damaged file has them.
    """
    report = AuditReport()
    try:
        for game_id in log.all_ids(connection) if game_ids is None else game_ids:
            audit_game(connection, game_id, report)
            progress(report.games)
        if game_ids is None:
            report.faults += _orphans(connection)
            report.faults += _strangers(connection)
            report.faults += _unguarded(connection)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise DatabaseError(
            f"the database is damaged: it holds what none of its columns can hold ({error}); "
            "restore it from a copy"
        ) from error
    return report


def audit_game(connection: Connection, game_id: int, report: AuditReport) -> None:
    """Add to a report what is wrong with one stored game; raises `GameNotFound`."""
    name = format_id(game_id)
    kept = (
        connection.execute(select(summaries).where(summaries.c.game_id == game_id))
        .mappings()
        .first()
    )
    entries = log.read_events(connection, game_id)
    try:
        header = log.read_header(connection, game_id)
    except CorruptLog as error:
        report.games += 1
        report.events += len(entries)
        report.unjudged += len(entries)
        report.faults.append(Located(plain(DEAL, error.reason), name))
        return
    verdict = judge(header.deal, [Claim(*event) for event in entries], None, header.started_at)
    report.count(verdict, name)
    found: list[Finding] = []
    if kept is None:
        found.append(plain(SUMMARY, "the game has no summary; `ds db rebuild` makes it again"))
    else:
        head = log.chain_of(header, entries)
        if head != kept["head"]:
            found.append(
                plain(
                    CHAIN,
                    "the game or its events are not what was appended: the hash chain over "
                    "them ends otherwise than the stored one",
                    bytes(kept["head"]).hex(),
                    head.hex(),
                )
            )
        if not verdict.faults:
            first_at, last_at = (entries[0].at, entries[-1].at) if entries else (None, None)
            right = StoredGame(header, verdict.game, first_at, last_at, kept["head"])
            found += _summary_faults(summarise(right), kept)
    report.faults += locate(found, name)


def _summary_faults(right: dict[str, Any], kept: Any) -> Iterator[Finding]:
    for column, expected in right.items():
        if kept[column] != expected:
            yield plain(
                SUMMARY,
                f"the summary's {column} is {kept[column]}, and by the log it is {expected}; "
                "`ds db rebuild` puts it right",
                kept[column],
                expected,
            )


def _orphans(connection: Connection) -> Iterator[Located]:
    for owned in (events, summaries, seals):
        stray = (
            select(owned.c.game_id)
            .distinct()
            .outerjoin(games, games.c.id == owned.c.game_id)
            .where(games.c.id.is_(None))
            .order_by(owned.c.game_id)
        )
        for game_id in connection.scalars(stray):
            name = format_id(game_id)
            yield Located(plain(ORPHAN, f"{owned.name} belong to game {name}, not there"), name)


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
