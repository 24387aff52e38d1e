"""Games and events as two Parquet files, for those who query them with something else."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from ds_core import format_deck
from ds_events import log
from ds_events.errors import damage_told
from ds_events.extras import needed_for
from ds_events.files import whole_folder
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.times import SECOND

GAMES_FILE: Final = "games.parquet"
EVENTS_FILE: Final = "events.parquet"

GAMES_AT_ONCE: Final = 10_000
EVENTS_AT_ONCE: Final = 100_000
"""Rows of a row group, which are held in memory until it is written."""


def export_parquet(
    connection: Connection,
    folder: Path,
    game_ids: Iterable[int] | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Write some games, or all, into a folder as `games.parquet` and `events.parquet`.

    The folder has both, whole, or stays as it was (`ds_events.files.whole_folder`). Games are
    in the order of their ids, events in that of their games and then of seq. `progress` is
    told how many games are done. Raises `MissingExtra` without pyarrow, `CorruptLog` at a game
    whose log contradicts the rules or itself, `UnreadableFile` for a folder that cannot be
    written or holds something else.
    """
    with needed_for("--parquet", "parquet"):
        import pyarrow
        import pyarrow.parquet
    ids = log.all_ids(connection) if game_ids is None else sorted(game_ids)
    with (
        whole_folder(folder, (GAMES_FILE, EVENTS_FILE)) as made,
        _Rows(made / GAMES_FILE, _games_schema(pyarrow), ["id"], GAMES_AT_ONCE) as games,
        _Rows(
            made / EVENTS_FILE, _events_schema(pyarrow), ["game", "seq"], EVENTS_AT_ONCE
        ) as events,
    ):
        for done, game_id in enumerate(ids, 1):
            with damage_told(game_id):
                stored, entries = log.load_with_log(connection, game_id)
                name = format_id(game_id)
                games.add([_game_row(name, stored)])
                before = stored.header.deal.mode.scoring.start
                rows = []
                for seq, move, score, at in entries:
                    rows.append((name, seq, move, score, score - before, at))
                    before = score
                events.add(rows)
            progress(done)


def _games_schema(arrow: Any) -> Any:
    text, number, time = arrow.string(), arrow.int32(), arrow.timestamp("us", tz="UTC")
    return arrow.schema(
        [
            arrow.field("id", text, nullable=False),
            arrow.field("code", text),
            arrow.field("mode", text, nullable=False),
            arrow.field("label", text),
            arrow.field("deck", text),
            arrow.field("player", text, nullable=False),
            arrow.field("status", text, nullable=False),
            *(
                arrow.field(name, number, nullable=False)
                for name in ("score", "moves", "undos", "recycles", "home", "events")
            ),
            arrow.field("started_at", time, nullable=False),
            arrow.field("first_at", time),
            arrow.field("last_at", time),
            arrow.field("ended_at", time),
            arrow.field("duration_s", arrow.int64()),
        ]
    )


def _game_row(name: str, stored: StoredGame) -> tuple[Any, ...]:
    header, game = stored.header, stored.game
    deal = header.deal
    first_at, last_at = stored.first_at, stored.last_at
    return (
        name,
        None if deal.code is None else str(deal.code),
        str(deal.mode),
        deal.label,
        format_deck(deal.cards) if deal.code is None else None,
        str(header.player),
        game.status,
        *(game.score, game.moves, game.undos, game.recycles, game.home, game.seq),
        header.started_at,
        first_at,
        last_at,
        stored.ended_at,
        None if first_at is None or last_at is None else (last_at - first_at) // SECOND,
    )


def _events_schema(arrow: Any) -> Any:
    return arrow.schema(
        [
            arrow.field("game", arrow.string(), nullable=False),
            arrow.field("seq", arrow.int32(), nullable=False),
            arrow.field("move", arrow.string(), nullable=False),
            arrow.field("score", arrow.int32(), nullable=False),
            arrow.field("change", arrow.int32(), nullable=False),
            arrow.field("played_at", arrow.timestamp("us", tz="UTC"), nullable=False),
        ]
    )


class _Rows:
    """The rows of one file, written in row groups, sorted by the columns `key`."""

    def __init__(self, path: Path, schema: Any, key: list[str], at_once: int) -> None:
        from pyarrow import parquet

        sorting = [parquet.SortingColumn(schema.get_field_index(name)) for name in key]
        self._schema = schema
        self._at_once = at_once
        self._rows: list[tuple[Any, ...]] = []
        self._writer = parquet.ParquetWriter(
            path, schema, compression="zstd", sorting_columns=sorting
        )

    def __enter__(self) -> "_Rows":
        return self

    def __exit__(self, *failure: object) -> None:
        try:
            if failure == (None, None, None):
                self._write()
        finally:
            self._writer.close()

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Take rows, and write those that are held once they are enough."""
        self._rows += rows
        if len(self._rows) >= self._at_once:
            self._write()

    def _write(self) -> None:
        import pyarrow

        if self._rows:
            columns = [
                pyarrow.array(column, field.type)
                for column, field in zip(zip(*self._rows, strict=True), self._schema, strict=True)
            ]
            self._writer.write_batch(pyarrow.record_batch(columns, schema=self._schema))
            self._rows = []
