"""What a command works with: which database, which player, which game."""

import getpass
import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ds_events.errors import DatabaseError, GameNotFound, UnreadableFile
from ds_events.ids import player_id
from ds_events.limits import check_name

if TYPE_CHECKING:
    from ds_core import GameCode
    from ds_events.database import Database
    from ds_events.record import StoredGame
    from ds_events.store import EventStore

APPLICATION: Final = "double-solitaire"
"""The folder of the user's data folder that holds the record."""


class Session:
    """One run of a command: its settings, and the database, opened when first asked for.

    `run` runs another command and returns its exit status.
    """

    def __init__(self, run: Callable[[Sequence[str]], int]) -> None:
        self.run = run
        self._database: str | None = None
        self.named_player: str | None = None
        """The name that `--player` gives, if it does."""

    def override(self, database: str | None, player: str | None) -> None:
        """Take what was given on the command line, before or after the command."""
        self._database = database if database is not None else self._database
        self.named_player = player if player is not None else self.named_player

    @cached_property
    def player(self) -> str:
        """The player's name: `--player`, `DS_PLAYER`, or the name of the system's user."""
        if self.named_player is not None:
            return check_name(self.named_player)
        return check_name(os.environ.get("DS_PLAYER") or _system_user())

    @property
    def player_id(self) -> int:
        """The player's id."""
        return player_id(self.player)

    @property
    def url(self) -> str:
        """The database: `--db`, `DS_DATABASE_URL`, or a file in the user's data folder."""
        given = os.environ.get("DS_DATABASE_URL") if self._database is None else self._database
        if given or self._database is not None:
            return given or ""
        from platformdirs import user_data_path

        folder = user_data_path(APPLICATION, appauthor=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DatabaseError(
                f"the folder of the record, {folder}, cannot be made: {error.strerror}; "
                "name a database with --db"
            ) from error
        return str(folder / "games.db")

    @cached_property
    def database(self) -> "Database":
        """The database, ready for use; a new one is created."""
        from ds_events.database import open_database

        _leave_the_saying_to_us()
        return open_database(self.url)

    @cached_property
    def unchecked_database(self) -> "Database":
        """The database whatever its schema."""
        from ds_events.database import Database

        _leave_the_saying_to_us()
        return Database(self.url)

    @cached_property
    def store(self) -> "EventStore":
        """The event store of the database."""
        from ds_events.store import EventStore

        return EventStore(self.database)

    def close(self) -> None:
        """Close the database if it was opened."""
        for opened in ("database", "unchecked_database"):
            if opened in self.__dict__:
                self.__dict__[opened].close()

    def load_to_play(self, reference: str | None) -> "StoredGame":
        """Return the game that a command is to write to: as named, or the newest open one."""
        game_id = self.newest_open_game() if reference is None else self.find(reference)
        if game_id is None:
            raise GameNotFound(
                f"{self.player} has no open game: start one with `ds new`, or name a game "
                "with --game"
            )
        return self.store.load(game_id)

    def game_to_read(self, reference: str | None) -> int:
        """Return the id of the game to read: as named, the newest open one, or the newest."""
        if reference is not None:
            return self.find(reference)
        found = self.newest_open_game() or self._newest(only_open=False)
        if found is None:
            raise GameNotFound(f"{self.player} has no game yet: start one with `ds new`")
        return found

    def find_all(self, references: Sequence[str]) -> list[int]:
        """Return the ids of the games that references name, each once."""
        return list(dict.fromkeys(self.find(reference) for reference in references))

    def newest_open_game(self, code: "GameCode | None" = None) -> int | None:
        """Return the id of the player's newest open game, of a code if one is named."""
        return self._newest(only_open=True, code=code)

    def find(self, reference: str) -> int:
        """Return the id of the game that a reference such as `@1` or `38HA` names."""
        from ds_events.report import find_game

        with self.database.read() as connection:
            return find_game(connection, reference, self.player_id)

    def _newest(self, *, only_open: bool, code: "GameCode | None" = None) -> int | None:
        from ds_events.report import newest_game

        with self.database.read() as connection:
            return newest_game(connection, self.player_id, only_open=only_open, code=code)


def read_text(path: Path) -> str:
    """Return the text of a file, `-` being stdin; raises `UnreadableFile`."""
    from ds_events.files import is_database

    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read()
        elif is_database(path):
            raise UnreadableFile(f"{path} is an SQLite database, and no text")
        else:
            content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path} is no text in UTF-8: {error.reason}") from error


def _leave_the_saying_to_us() -> None:
    """Keep what the driver logs about a lost connection off stderr: the error says it."""
    import logging

    logging.getLogger("psycopg").addHandler(logging.NullHandler())


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
