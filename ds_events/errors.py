"""What can go wrong with a record or its database, as typed errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from ds_events.ids import format_id


class StoreError(Exception):
    """Something about a stored record or its database; the message says what to do."""


class WrongExpectedVersion(StoreError):
    """An append that expected a game at another version than it has; nothing was written.

    `expected` and `actual` count events: a game at version 3 has had three.
    """

    def __init__(self, game: int, expected: int, actual: int) -> None:
        super().__init__(game, expected, actual)
        self.game = game
        self.expected = expected
        self.actual = actual

    def __str__(self) -> str:
        return (
            f"game {format_id(self.game)} stands at seq {self.actual}, not {self.expected}: "
            "somebody has played on it, or it was never that far; look at it and play again"
        )


class GameNotFound(StoreError):
    """No game, or more than one, answers to what was asked for."""


class PlayerNotFound(StoreError):
    """No player has the name that was asked for."""


class LimitExceeded(StoreError, ValueError):
    """A name, label or game larger than what can be recorded (see `ds_events.limits`)."""


class BadRecord(StoreError, ValueError):
    """A text that is no record of a game; the message says where and why.

    `path` leads to what is wrong within a document, `("events", 3, "at")`, empty for all of
    it; `line` is the line of a text that has several, counted from 1 in its file.
    """

    def __init__(
        self, reason: str, path: tuple[str | int, ...] = (), line: int | None = None
    ) -> None:
        super().__init__(reason, path, line)
        self.reason = reason
        self.path = path
        self.line = line

    def __str__(self) -> str:
        where = ".".join(map(str, self.path))
        return f"{where}: {self.reason}" if where else self.reason


class UnreadableFile(StoreError, ValueError):
    """A file of records that cannot be opened or decoded at all."""


class BadDatabaseUrl(StoreError, ValueError):
    """A database URL that names no SQLite file and no Postgres server."""


class CorruptLog(StoreError):
    """A stored log that contradicts itself or the rules; `seq` is the event, if one is."""

    def __init__(self, game: int, seq: int | None, reason: str) -> None:
        super().__init__(game, seq, reason)
        self.game = game
        self.seq = seq
        self.reason = reason

    def __str__(self) -> str:
        where = "" if self.seq is None else f" at seq {self.seq}"
        return (
            f"the stored log of game {format_id(self.game)} is damaged{where}: {self.reason}; "
            f"`ds audit {format_id(self.game)}` says more"
        )


class MissingExtra(StoreError):
    """A package that an optional part of the program needs, and that is not installed."""

    def __init__(self, package: str, purpose: str, extra: str) -> None:
        super().__init__(package, purpose, extra)
        self.package = package
        self.purpose = purpose
        self.extra = extra

    def __str__(self) -> str:
        install = f"pip install 'double-solitaire-record[{self.extra}]'"
        return f"{self.package} is needed for {self.purpose}: {install}"


class WorkersFailed(StoreError):
    """Work that was spread over processes or machines, and they could not do it."""


class DatabaseError(StoreError):
    """The database cannot be used: unreachable, full, read-only or damaged."""


class ConstraintViolated(DatabaseError):
    """A row that the database refuses, such as one whose id is taken."""


class NotARecord(DatabaseError):
    """A database that holds something else, or a file that is no database."""


class Locked(DatabaseError):
    """Another process has kept the database locked for longer than the time-out."""


class OutcomeUnknown(DatabaseError):
    """The connection was lost during a commit: what was sent may or may not be stored."""


class SchemaBehind(DatabaseError):
    """A database of an older schema than this program writes."""


class SchemaAhead(DatabaseError):
    """A database of a newer schema than this program knows."""


@contextmanager
def damage_told(game: int | None = None) -> Iterator[None]:
    """Raise as `DatabaseError` what comes of values of a kind that no column can hold.

    Only a damaged file has them: a text where a number should be, or nothing at all. `game` is
    the id of the one that is looked at, if it is only one.
    """
    try:
        yield
    except (StoreError, UnicodeDecodeError):
        raise
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        where = "it" if game is None else f"of game {format_id(game)} it"
        raise DatabaseError(
            f"the database is damaged: {where} holds what none of its columns can hold ({error}); "
            "restore it from a copy"
        ) from error
