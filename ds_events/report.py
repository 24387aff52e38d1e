"""Lists of games, the score history and the Vegas ledger, read from the summaries."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, select

from ds_core import MODES, VEGAS, GameCode
from ds_events.errors import GameNotFound
from ds_events.filters import Filters
from ds_events.ids import format_id, parse_prefix
from ds_events.record import Player
from ds_events.schema import games, micros, players, summaries
from ds_events.times import SECOND, Micros

STAKE: Final = -VEGAS.start
"""Dollars staked on every Vegas game (R22)."""

VEGAS_MODES: Final = frozenset(text for text, mode in MODES.items() if mode.scoring is VEGAS)

COUNTS: Final = summaries.c.moves >= 1
"""Whether a game counts in scores, ledger and statistics: not before its first operation."""

_NEWEST_FIRST: Final = (summaries.c.started_at.desc(), summaries.c.game_id.desc())

_SOME: Final = {"yield_per": 1000}
"""How a statement is executed whose rows are read some at a time, from a server too."""


class GameRow(NamedTuple):
    """One game of a list. `number` is the n of `@n`, among all games of its player."""

    id: int
    player: Player
    number: int | None
    code: str | None
    label: str | None
    mode: str
    status: str
    score: int
    moves: int
    version: int
    started_at: Micros
    first_at: Micros | None
    last_at: Micros | None
    ended_at: Micros | None

    @property
    def deal_name(self) -> str:
        """What the game was dealt from: its code, or its mode and label."""
        return self.code or f"{self.mode} {self.label or 'own deck'}"

    @property
    def duration_s(self) -> int | None:
        """Whole seconds from the first event to the last, `None` without events."""
        if self.first_at is None or self.last_at is None:
            return None
        return (self.last_at - self.first_at) // SECOND


class LedgerRow(NamedTuple):
    """One game of the Vegas ledger, and the balance in dollars after it."""

    game: GameRow
    balance: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The Vegas ledger, in dollars: all games that count, at their present score.

    `net` is `returned` less `staked`; `settled_net` is the part of the closed games.
    """

    rows: list[LedgerRow]
    staked: int
    returned: int
    net: int
    settled_net: int


def list_games(
    connection: Connection, player: int | None, filters: Filters | None = None
) -> list[GameRow]:
    """Return a player's games, or everybody's for `None`, the newest first.

    Newest is by start, then by id. Numbers count all games of a player, filters or not, and
    are left out where everybody's games are listed.
    """
    return list(stream_games(connection, player, filters))


def stream_games(
    connection: Connection, player: int | None, filters: Filters | None = None
) -> Generator[GameRow]:
    """Yield what `list_games` returns, read some at a time, however many games there are."""
    filters = filters or Filters()
    found = _of_player(_rows(), player).order_by(*_NEWEST_FIRST)
    found = found.where(*filters.conditions())
    numbered = _numbered(connection, player)
    with (
        closing(numbered),
        connection.execute(found.limit(filters.limit), execution_options=_SOME) as rows,
    ):
        for row in rows:
            number = next((number for number, game_id in numbered if game_id == row.id), None)
            yield _game_row(row, number)


def score_history(
    connection: Connection, player: int | None, filters: Filters | None = None
) -> list[GameRow]:
    """Return a player's games that count, or everybody's, from the oldest to the newest."""
    found = _counting(player, filters)
    return _fetch(connection, found.order_by(summaries.c.started_at, summaries.c.game_id))


def vegas_ledger(
    connection: Connection, player: int | None, filters: Filters | None = None
) -> Ledger:
    """Return a player's Vegas ledger, or everybody's, of the games that are meant.

    Closed games come in the order in which they ended, then the open ones by their last
    event; of equal times the lower id comes first.
    """
    is_open = summaries.c.status == "open"
    found = (
        _counting(player, filters)
        .where(summaries.c.mode.in_(sorted(VEGAS_MODES)))
        .order_by(is_open, summaries.c.last_at, summaries.c.game_id)
    )
    rows: list[LedgerRow] = []
    balance = settled = 0
    for game in _fetch(connection, found):
        balance += game.score
        if game.status != "open":
            settled = balance
        rows.append(LedgerRow(game, balance))
    staked = STAKE * len(rows)
    return Ledger(rows, staked, staked + balance, balance, settled)


def find_game(connection: Connection, reference: str, player: int) -> int:
    """Return the id of the game that a reference names.

    `@1` is the player's newest game, `@2` the one before it; anything else is an id or the
    beginning of one, of any player. Raises `GameNotFound` for none and for several.
    """
    if reference.startswith("@"):
        return _find_numbered(connection, reference, player)
    span = parse_prefix(reference)
    if span is None:
        raise GameNotFound(
            f"{reference!r} is no game: write an id, the beginning of one, or @1, @2, … as "
            "`ds games` lists them"
        )
    found = select(games.c.id).where(games.c.id.between(*span)).order_by(games.c.id).limit(2)
    ids = connection.scalars(found).all()
    if not ids:
        raise GameNotFound(f"there is no game {reference}: `ds games --everyone` lists them")
    if len(ids) > 1:
        raise GameNotFound(
            f"{reference} is the beginning of several games, {format_id(ids[0])} and "
            f"{format_id(ids[1])} among them: write more of it"
        )
    return int(ids[0])


def newest_game(
    connection: Connection,
    player: int,
    *,
    only_open: bool = False,
    code: GameCode | None = None,
) -> int | None:
    """Return the id of a player's newest game, of a code if one is named; `None` without any."""
    found = _of_player(select(summaries.c.game_id), player)
    if code is not None:
        found = found.join(games, games.c.id == summaries.c.game_id)
        found = found.where(games.c.code == str(code))
    if only_open:
        found = found.where(summaries.c.status == "open")
    newest: int | None = connection.scalar(found.order_by(*_NEWEST_FIRST).limit(1))
    return newest


def _find_numbered(connection: Connection, reference: str, player: int) -> int:
    digits = reference[1:]
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    found = None
    if number:
        numbered = _of_player(select(summaries.c.game_id), player).order_by(*_NEWEST_FIRST)
        found = connection.scalar(numbered.offset(number - 1).limit(1))
    if found is None:
        raise GameNotFound(f"there is no game {reference}: `ds games` numbers them from @1")
    return int(found)


def _rows() -> Select[Any]:
    """Select the columns of `GameRow` in its order, the player as two, without a number."""
    kept = summaries.c
    return (
        select(
            kept.game_id.label("id"),
            kept.player_id,
            players.c.name,
            games.c.code,
            games.c.label,
            kept.mode,
            kept.status,
            kept.score,
            kept.moves,
            kept.version,
            *map(micros, (kept.started_at, kept.first_at, kept.last_at, kept.ended_at)),
        )
        .join_from(summaries, games, games.c.id == kept.game_id)
        .outerjoin(players, players.c.id == kept.player_id)
    )


def _counting(player: int | None, filters: Filters | None) -> Select[Any]:
    """Select the same of the games that count."""
    return _of_player(_rows(), player).where(COUNTS, *(filters or Filters()).conditions())


def _of_player(found: Select[Any], player: int | None) -> Select[Any]:
    return found if player is None else found.where(summaries.c.player_id == player)


def _fetch(connection: Connection, found: Select[Any]) -> list[GameRow]:
    players_by_id: dict[int, Player] = {}
    rows = []
    for game_id, owner, name, *rest in fetch_plain(connection, found):
        player = players_by_id.get(owner)
        if player is None:
            player = players_by_id[owner] = Player(owner, name)
        rows.append(GameRow(game_id, player, None, *rest))
    return rows


def fetch_plain(connection: Connection, found: Select[Any]) -> Sequence[Any]:
    """Return the rows of a statement as the driver gives them, which is faster.

    Times come as `Micros` only where the statement asks for them so (`schema.micros`).
    """
    cursor = connection.execute(found).cursor
    assert cursor is not None
    return cursor.fetchall()


def _game_row(row: Any, number: int | None = None) -> GameRow:
    game_id, owner, name, *rest = row
    return GameRow(game_id, Player(owner, name), number, *rest)


def _numbered(connection: Connection, player: int | None) -> Generator[tuple[int, int]]:
    """Yield all games of a player with their numbers, the newest first; for `None` nothing.

    A number from the database itself would have SQLite sort all games before it gives one.
    """
    if player is None:
        return
    all_ids = _of_player(select(summaries.c.game_id), player).order_by(*_NEWEST_FIRST)
    with connection.execute(all_ids, execution_options=_SOME) as ids:
        yield from enumerate(ids.scalars(), 1)
