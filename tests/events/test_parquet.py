"""Parquet: games and events as tables that other programs read, whole or not at all."""

import json
import re
import tracemalloc
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyarrow import parquet as arrow

from ds_events import parquet
from ds_events.errors import CorruptLog, GameNotFound
from ds_events.ids import format_id, parse_id
from ds_events.parquet import export_parquet
from ds_events.record import Header, player_of, started
from ds_events.store import EventStore
from tests.events.building import (
    EPOCH,
    START,
    FakeClock,
    coded,
    exported,
    own_deal,
    take_in,
    vector_lines,
)
from tests.events.tampering import change_event

DOCS = Path(__file__).parent.parent.parent / "docs"
QUERIES = re.findall(
    r"```sql\n(.*?)```", (DOCS / "parquet.md").read_text(encoding="utf-8"), re.DOTALL
)


def _export(store: EventStore, folder: Path, ids: list[int] | None = None) -> None:
    with store.database.read() as connection:
        export_parquet(connection, folder, ids)


def _ask(query: str, folder: Path) -> list[tuple[Any, ...]]:
    """Return what DuckDB answers, the folder being called `tables` in the query."""
    connection = duckdb.connect()
    try:
        return connection.execute(query.replace("tables/", f"{folder}/")).fetchall()
    finally:
        connection.close()


def _micros(text: str) -> int:
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


def _mode(said: dict[str, Any]) -> str:
    return str(said.get("mode") or said["code"].split("-")[1])


@pytest.fixture
def vectors(store: EventStore) -> list[dict[str, Any]]:
    """Give the checked games as they are exported, the store holding them."""
    assert take_in(store, vector_lines()).added == 33
    return [json.loads(line) for line in exported(store.database)]


def test_duckdb_reads_all_that_the_record_says(
    store: EventStore, vectors: list[dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "tables"
    _export(store, folder)

    rows = _ask(
        "SELECT id, code, mode, deck, label, player, status, score, moves, events, undos,"
        " epoch_us(started_at), epoch_us(first_at), epoch_us(last_at), epoch_us(ended_at),"
        " duration_s FROM 'tables/games.parquet'",
        folder,
    )

    right = []
    for said in vectors:
        times = [_micros(event["at"]) for event in said["events"]]
        right.append(
            (
                said["id"],
                said.get("code"),
                _mode(said),
                *(said.get("deck"), said.get("label"), said["player"]),
                *(said["status"], said["score"], said["moves"], len(said["events"])),
                sum(event["move"] == "U" for event in said["events"]),
                *(_micros(said["started_at"]), times[0], times[-1]),
                None if said["status"] == "open" else times[-1],
                (times[-1] - times[0]) // 1_000_000,
            )
        )
    assert rows == right
    rows = _ask(
        "SELECT game, seq, move, score, epoch_us(played_at) FROM 'tables/events.parquet'", folder
    )
    assert rows == [
        (said["id"], event["seq"], event["move"], event["score"], _micros(event["at"]))
        for said in vectors
        for event in said["events"]
    ]


def test_changes_add_up_to_the_scores(
    store: EventStore, vectors: list[dict[str, Any]], tmp_path: Path
) -> None:
    _export(store, tmp_path / "tables")

    sums = _ask(
        "SELECT g.id, sum(e.change) FROM 'tables/games.parquet' g"
        " JOIN 'tables/events.parquet' e ON e.game = g.id GROUP BY g.id ORDER BY g.id",
        tmp_path / "tables",
    )

    # R22: a Vegas game begins at -104.
    assert sums == [
        (said["id"], said["score"] + (104 if _mode(said).endswith("V") else 0)) for said in vectors
    ]


def test_home_and_recycles_are_those_that_stand(store: EventStore, tmp_path: Path) -> None:
    """Of a game in which the stock was drawn and turned back, and that undone."""
    game = store.create("mika", coded())
    store.append(game.id, ["D"] * 59 + ["R", "U", "R", "D"], expected_version=0)
    _export(store, tmp_path / "tables")

    asked = "SELECT recycles, undos, home, moves, events FROM 'tables/games.parquet'"
    assert _ask(asked, tmp_path / "tables") == [(1, 1, 0, 62, 63)]


def test_the_columns_are_those_of_the_documents(store: EventStore, tmp_path: Path) -> None:
    _export(store, tmp_path / "tables")

    page = (DOCS / "parquet.md").read_text(encoding="utf-8")
    kinds = {"string": "text", "int32": "32 bits", "int64": "64 bits"}
    for name in ("games", "events"):
        section = page.partition(f"## `{name}.parquet`")[2].partition("## ")[0]
        documented = [
            (column, kind, is_null)
            for columns, kind, is_null in re.findall(
                r"^\| (`.*`) \| (text|32 bits|64 bits|time)(, or null)? \|", section, re.MULTILINE
            )
            for column in re.findall(r"`(\w+)`", columns)
        ]
        schema = arrow.read_schema(tmp_path / "tables" / f"{name}.parquet")
        written = {
            (field.name, kinds.get(str(field.type), "time"), ", or null" * field.nullable)
            for field in schema
        }
        assert set(documented) == written
        times = {str(field.type) for field in schema if field.name.endswith("at")}
        assert times == {"timestamp[us, tz=UTC]"}


def test_the_queries_of_the_documents_answer_as_they_say(
    store: EventStore, vectors: list[dict[str, Any]], tmp_path: Path
) -> None:
    _export(store, tmp_path / "tables")
    first, second = (_ask(query, tmp_path / "tables") for query in QUERIES)

    modes: dict[str, list[dict[str, Any]]] = {}
    for said in vectors:
        modes.setdefault(_mode(said), []).append(said)
    for mode, games, won, mean in first:
        of_mode = modes.pop(mode)
        closed = [said["score"] for said in of_mode if said["status"] != "open"]
        assert games == len(of_mode)
        assert won == sum(said["status"] == "won" for said in of_mode)
        assert mean == pytest.approx(sum(closed) / len(closed), abs=0.05)
    assert modes == {}

    [(player, events, undos, seconds)] = second
    moves = [event["move"] for said in vectors for event in said["events"]]
    spans = [
        _micros(said["events"][-1]["at"]) - _micros(said["events"][0]["at"]) for said in vectors
    ]
    assert (player, events, undos) == ("vector", len(moves), moves.count("U"))
    assert seconds == pytest.approx(sum(spans) / 1e6 / (len(moves) - len(vectors)))


def test_odd_games_are_in_the_tables(store: EventStore, clock: FakeClock, tmp_path: Path) -> None:
    """One without events, names of any kind, and times before 1970 and in year 9999."""
    odd = "\x1b'\"山\n"
    deal = own_deal("D3V", odd)
    store.add([(started(Header(5, player_of("~0000000000001"), deal, -1)), [])])
    far = {"seq": 1, "move": "X", "at": "9999-12-31T23:59:59.999999Z"}
    said = {"format": "ds-game/1", "code": "DS1-D1N-AAAAAAB", "id": format_id(4), "player": odd}
    take_in(store, [said | {"started_at": "0001-01-01T00:00:00Z", "events": [far]}])
    _export(store, tmp_path / "tables")

    rows = arrow.read_table(tmp_path / "tables" / "games.parquet").to_pydict()

    assert rows["id"] == [format_id(4), format_id(5)]
    assert (rows["player"], rows["label"]) == ([odd, "~0000000000001"], [None, odd])
    assert [time.isoformat() for time in rows["started_at"]] == [
        "0001-01-01T00:00:00+00:00",
        "1969-12-31T23:59:59.999999+00:00",
    ]
    assert rows["ended_at"][0].isoformat() == "9999-12-31T23:59:59.999999+00:00"
    assert (rows["duration_s"], rows["last_at"][1]) == ([0, None], None)
    assert (rows["status"], rows["score"]) == (["abandoned", "open"], [0, -104])


def test_no_games_are_empty_tables(store: EventStore, tmp_path: Path) -> None:
    _export(store, tmp_path / "tables")

    for name in ("games", "events"):
        assert _ask(f"SELECT count(*) FROM 'tables/{name}.parquet'", tmp_path / "tables") == [(0,)]


def test_games_that_are_asked_for_come_in_the_order_of_their_ids(
    store: EventStore, vectors: list[dict[str, Any]], tmp_path: Path
) -> None:
    wanted = [vectors[number]["id"] for number in (7, 2, 30)]
    ids = [number for number in map(parse_id, wanted) if number is not None]
    _export(store, tmp_path / "tables", ids)

    assert _ask("SELECT id FROM 'tables/games.parquet'", tmp_path / "tables") == [
        (name,) for name in sorted(wanted)
    ]
    assert _ask(
        "SELECT DISTINCT game FROM 'tables/events.parquet' ORDER BY game", tmp_path / "tables"
    ) == [(name,) for name in sorted(wanted)]


def test_rows_are_written_some_at_a_time(
    store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is held at once does not grow with the games; the rows stay in order."""
    monkeypatch.setattr(parquet, "GAMES_AT_ONCE", 100)
    monkeypatch.setattr(parquet, "EVENTS_AT_ONCE", 100)
    deal = coded()
    headers = [Header(n, player_of("mika"), deal, START + n) for n in range(2000)]
    assert all(store.add([(started(header), []) for header in headers]))

    def peak(count: int) -> int:
        ids = list(range(count))
        tracemalloc.start()
        try:
            _export(store, tmp_path / "tables", ids)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    # The rows of the 1600 more are several times as much.
    assert peak(2000) - peak(400) < 100_000
    file = arrow.ParquetFile(tmp_path / "tables" / "games.parquet")
    assert file.num_row_groups == 4
    _export(store, tmp_path / "tables")
    file = arrow.ParquetFile(tmp_path / "tables" / "games.parquet")
    assert file.num_row_groups == 20
    assert [column.column_index for column in file.metadata.row_group(0).sorting_columns] == [0]
    assert file.read(["id"]).to_pydict()["id"] == [format_id(n) for n in range(2000)]
    file.close()


@pytest.mark.parametrize("there", [False, True])
def test_a_damaged_log_leaves_the_folder_as_it_was(
    store: EventStore, tmp_path: Path, there: bool
) -> None:
    first = store.create("mika", coded())
    if there:
        _export(store, tmp_path / "tables")
    before = {path: path.read_bytes() for path in tmp_path.glob("tables/*")}
    game = store.create("mika", coded())
    store.append(game.id, ["D", "T2T3"], expected_version=0)
    change_event(store.database, game.id, 2, score=10)

    with pytest.raises(CorruptLog):
        _export(store, tmp_path / "tables")
    with pytest.raises(GameNotFound):
        _export(store, tmp_path / "tables", [first.id, 12345])

    assert {path: path.read_bytes() for path in tmp_path.glob("tables/*")} == before
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["tables"] * there


def test_the_same_record_is_the_same_bytes(
    store: EventStore, vectors: list[dict[str, Any]], tmp_path: Path
) -> None:
    for name in ("first", "second"):
        _export(store, tmp_path / name)

    for name in ("games.parquet", "events.parquet"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
