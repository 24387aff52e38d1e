"""Records in and out: import through the referee, and export as ds-game/1 and ds-text/1."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from ds_events import log
from ds_events.errors import BadRecord, damage_told
from ds_events.findings import CONFLICT, FORMAT_FAULT, Located, locate, plain
from ds_events.ids import format_id
from ds_events.interchange import (
    Record,
    format_record,
    says_the_same,
    to_store,
)
from ds_events.record import StoredGame
from ds_events.schema import LogRow
from ds_events.store import EventStore
from ds_events.text import format_text
from ds_events.times import Clock, now
from ds_events.written import WrittenGame, written_games

BATCH_EVENTS: Final = 20_000
"""Events that an import commits at once: a small part of the lock time-out."""


@dataclass(slots=True)
class ImportReport:
    """What an import has done: games added, found stored already, and rejected, with why.

    `faults` has every fault of every rejected game, `warnings` those of the others; both
    are in the order of the games in their file.
    """

    added: int = 0
    unchanged: int = 0
    rejected: int = 0
    events: int = 0
    faults: list[Located] = field(default_factory=list)
    warnings: list[Located] = field(default_factory=list)
    _lines: list[int] = field(default_factory=list)
    """The first line of the game of each fault."""

    def reject(self, faults: list[Located], line: int) -> None:
        """Count a game that is not stored, with its faults; `line` is its first."""
        self.rejected += 1
        place = bisect_right(self._lines, line)
        self.faults[place:place] = faults
        self._lines[place:place] = [line] * len(faults)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A record that the referee has passed, on its way into the store."""

    line: int
    record: Record
    stored: StoredGame
    log: list[LogRow]


def import_records(
    store: EventStore,
    lines: Iterable[tuple[int, bytes]],
    player: str,
    report: ImportReport | None = None,
    *,
    clock: Clock = now,
    progress: Callable[[int], None] = lambda _: None,
) -> ImportReport:
    """Store the games of a file, each whole or not at all.

    `lines` are those of `ds_events.lines.read_lines`. A game is stored only if the referee
    finds no fault in it; `player` has it if the file names none. A game that is stored
    already with the same content changes nothing; the same id with other content is
    rejected. `progress` is told the first line of each game that has been dealt with. Returns
    the report, the one that was handed in if one was, which tells how far it came if a
    file or the database fails.
    """
    report = report or ImportReport()
    batch: list[_Candidate] = []
    waiting = 0
    for written in written_games(lines):
        candidate = _candidate(report, written, player, clock)
        if candidate is not None:
            batch.append(candidate)
            waiting += len(candidate.log) + 1
        if waiting >= BATCH_EVENTS:
            _store(store, batch, report)
            batch, waiting = [], 0
        progress(written.line)
    _store(store, batch, report)
    return report


def export_records(connection: Connection, game_ids: Iterable[int] | None = None) -> Iterator[str]:
    """Yield games as lines of ds-game/1, those asked for or all in the order of their ids.

    Raises `CorruptLog` at a game whose log contradicts the rules or itself.
    """
    for game_id in log.all_ids(connection) if game_ids is None else game_ids:
        with damage_told(game_id):
            line = format_record(*log.load_with_log(connection, game_id))
        yield line


def export_text(connection: Connection, game_id: int) -> str:
    """Return a game as ds-text/1; raises `GameNotFound` or `CorruptLog`."""
    with damage_told(game_id):
        return format_text(*log.load_with_log(connection, game_id))


def _candidate(
    report: ImportReport, written: WrittenGame, player: str, clock: Clock
) -> _Candidate | None:
    """Judge one game, or report why it is rejected."""
    try:
        record = written.read()
    except BadRecord as error:
        fault = Located(plain(FORMAT_FAULT, str(error)), None, error.line or written.line)
        report.reject([fault], written.line)
        return None
    verdict = record.judge()
    game = format_id(record.id)
    if verdict.faults:
        report.reject(locate(verdict.faults, game, written.line_of), written.line)
        return None
    report.warnings += locate(verdict.warnings, game, written.line_of)
    return _Candidate(written.line, record, *to_store(record, verdict, player, clock()))


def _store(store: EventStore, batch: list[_Candidate], report: ImportReport) -> None:
    added = store.add([(candidate.stored, candidate.log) for candidate in batch])
    for candidate, is_new in zip(batch, added, strict=True):
        if is_new:
            report.added += 1
            report.events += len(candidate.log)
        elif _is_stored(store, candidate.record):
            report.unchanged += 1
        else:
            game = format_id(candidate.record.id)
            message = f"game {game} is stored already with other content; it was left as it is"
            fault = Located(plain(CONFLICT, message), game, candidate.line)
            report.reject([fault], candidate.line)


def _is_stored(store: EventStore, record: Record) -> bool:
    with store.database.read() as connection:
        header = log.read_header(connection, record.id)
        return says_the_same(record, header, log.read_events(connection, record.id))
