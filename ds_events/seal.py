"""Seals: what all games were at some time, bound into one line to be kept elsewhere.

A seal has a leaf for each game, `ID VERSION HEAD` in ASCII with the head in hex, in the order
of the ids. Its line holds the root of the Merkle tree over them (`ds_events.merkle`). The
leaves are kept beside the log; whoever has the line can tell whether a sealed game has been
changed or taken away since.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, literal, select

from ds_core import Finding
from ds_events import log, merkle
from ds_events.database import Database
from ds_events.errors import BadRecord, CorruptLog, GameNotFound
from ds_events.findings import SEAL, AuditReport, Located, plain
from ds_events.ids import format_id
from ds_events.schema import Instant, seals, summaries
from ds_events.times import Clock, Micros, format_time, now, parse_time

FORMAT: Final = "ds-seal/1"

_LINE: Final = re.compile(
    rf"{FORMAT} (\S+) games=(\d{{1,18}}) events=(\d{{1,18}}) root=([0-9a-f]{{64}})", re.ASCII
)

_LEAVES: Final = (
    select(seals.c.game_id, seals.c.version, seals.c.head)
    .where(seals.c.sealed_at == bindparam("at"), seals.c.game_id > bindparam("after"))
    .order_by(seals.c.game_id)
)


@dataclass(frozen=True, slots=True)
class Seal:
    """The line of a seal: when, how many games and events, and the Merkle root, 32 bytes."""

    at: Micros
    games: int
    events: int
    root: bytes

    def __str__(self) -> str:
        counts = f"games={self.games} events={self.events}"
        return f"{FORMAT} {format_time(self.at)} {counts} root={self.root.hex()}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a seal holds of one game: how many events it had, and the head of its chain."""

    game_id: int
    version: int
    head: bytes

    def __str__(self) -> str:
        return f"{format_id(self.game_id)} {self.version} {self.head.hex()}"

    @property
    def hash(self) -> bytes:
        """The hash of the leaf in the Merkle tree."""
        return merkle.leaf_hash(str(self).encode("ascii"))


def parse_seal(line: str) -> Seal:
    """Return the seal that a line writes; raises `BadRecord`.

    >>> parse_seal("ds-seal/1 soon")
    Traceback (most recent call last):
    ...
    ds_events.errors.BadRecord: 'ds-seal/1 soon' is no seal: ...
    """
    found = _LINE.fullmatch(line.strip())
    try:
        if found is None:
            raise ValueError(f"a seal is the line that `ds seal` printed, {FORMAT} …")
        at, games, events, root = found.groups()
        return Seal(parse_time(at), int(games), int(events), bytes.fromhex(root))
    except ValueError as error:
        raise BadRecord(f"{line[:200]!r} is no seal: {error}") from None


def make_seal(database: Database, clock: Clock = now) -> Seal:
    """Store the leaves of all games as they stand, and return the line of the seal."""
    with database.write() as connection:
        database.backend.be_the_only_one(connection)
        latest = connection.scalar(select(func.max(seals.c.sealed_at)))
        # The time is what tells seals apart, so no two have the same.
        at = clock() if latest is None else max(clock(), latest + 1)
        sealed_at = literal(at, Instant).label("sealed_at")
        leaves = select(summaries.c.game_id, sealed_at, summaries.c.version, summaries.c.head)
        columns = ["game_id", "sealed_at", "version", "head"]
        connection.execute(insert(seals).from_select(columns, leaves))
        return _seal_of(connection, at)


def latest_seal(connection: Connection, game_id: int) -> Seal:
    """Return the newest seal that holds a game; raises `GameNotFound` if none does."""
    at = connection.scalar(select(func.max(seals.c.sealed_at)).where(seals.c.game_id == game_id))
    if at is None:
        raise GameNotFound(f"no seal holds game {format_id(game_id)}: `ds seal` makes one")
    return _seal_of(connection, at)


def leaves_of(connection: Connection, at: Micros) -> Iterator[Leaf]:
    """Yield the leaves of the seal of that time in the order of the games' ids."""
    for game_id, version, head in log.pages(connection, _LEAVES, at=at):
        yield Leaf(game_id, version, bytes(head))


def audit_seal(
    connection: Connection, seal: Seal, progress: Callable[[int], None] = lambda _: None
) -> AuditReport:
    """Hold the record against a seal whose line was kept elsewhere.

    First the stored leaves have to give the seal's root; then each game's chain, up to the
    version that was sealed, has to end in its leaf. What was played or added since is not
    looked at.
    """
    report = AuditReport()
    stored = _seal_of(connection, seal.at)
    if stored != seal:
        message = (
            f"the leaves that are stored for {format_time(seal.at)} give another seal: they "
            "have been changed or taken away, or this is the seal of another record"
        )
        report.faults.append(Located(plain(SEAL, message, str(stored), str(seal))))
        return report
    for leaf in leaves_of(connection, seal.at):
        report.games += 1
        report.events += leaf.version
        fault = _differs(connection, leaf)
        if fault is not None:
            report.faults.append(Located(fault, format_id(leaf.game_id)))
        progress(report.games)
    return report


def _seal_of(connection: Connection, at: Micros) -> Seal:
    """The seal that the stored leaves of a time give."""
    counted = 0
    events = 0

    def hashes() -> Iterator[bytes]:
        nonlocal counted, events
        for leaf in leaves_of(connection, at):
            counted += 1
            events += leaf.version
            yield leaf.hash

    root = merkle.root(hashes())
    return Seal(at, counted, events, root)


def _differs(connection: Connection, leaf: Leaf) -> Finding | None:
    """What is wrong with a game that was sealed, if anything is."""
    try:
        header = log.read_header(connection, leaf.game_id)
    except GameNotFound:
        return plain(SEAL, "the game was sealed and is not there any more")
    except CorruptLog as error:
        return plain(SEAL, error.reason)
    entries = log.read_events(connection, leaf.game_id, upto=leaf.version)
    head = log.chain_of(header, entries)
    if head == leaf.head:
        return None
    message = f"the game is not what was sealed when it had {leaf.version} events"
    return plain(SEAL, message, head.hex(), leaf.head.hex())
