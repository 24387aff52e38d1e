"""Lists of games and the score history, and which game a reference names."""

import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from itertools import product

import pytest

from ds_core import parse_mode
from ds_events.errors import GameNotFound
from ds_events.filters import Filters
from ds_events.ids import format_id, player_id
from ds_events.record import Header, Player, player_of, started
from ds_events.report import (
    GameRow,
    find_game,
    list_games,
    newest_game,
    score_history,
    stream_games,
)
from ds_events.store import EventStore
from tests.events.building import (
    START,
    FakeClock,
    coded,
    game_line,
    own_deal,
    take_in,
    without,
)
from tests.events.conftest import Reopen
from tests.events.many_games import PLAYERS, Known, id_of, some_games


def _list(store: EventStore, player: str | None, filters: Filters | None = None) -> list[GameRow]:
    with store.database.read() as connection:
        return list_games(connection, id_of(player), filters)


def _find(store: EventStore, reference: str, player: str = "mika") -> int:
    with store.database.read() as connection:
        return find_game(connection, reference, player_id(player))


def _not_found(store: EventStore, reference: str, player: str = "mika") -> str:
    with pytest.raises(GameNotFound) as caught:
        _find(store, reference, player)
    return str(caught.value)


def _newest_first(games: Sequence[Known]) -> list[Known]:
    return sorted(games, key=lambda game: game.key, reverse=True)


def _as_row(game: Known, number: int | None) -> GameRow:
    return GameRow(
        id=game.id,
        player=Player(player_id(game.player), game.player),
        number=number,
        code=game.line.get("code"),
        label=game.line.get("label"),
        mode=game.mode,
        status=game.status,
        score=game.score,
        moves=game.moves,
        version=game.version,
        started_at=game.started_at,
        first_at=game.first_at,
        last_at=game.last_at,
        ended_at=game.last_at if game.is_closed else None,
    )


@pytest.fixture
def games(store: EventStore) -> list[Known]:
    """Give forty games of three players, with many equal starts."""
    made = some_games(5, 40)
    assert take_in(store, [game.line for game in made]).added == 40
    return made


@pytest.mark.parametrize("player", PLAYERS)
def test_a_players_games_are_listed_newest_first_and_numbered(
    store: EventStore, games: list[Known], player: str
) -> None:
    mine = _newest_first([game for game in games if game.player == player])

    assert _list(store, player) == [_as_row(game, n) for n, game in enumerate(mine, 1)]


def test_everybodys_games_are_listed_without_numbers(store: EventStore, games: list[Known]) -> None:
    assert _list(store, None) == [_as_row(game, None) for game in _newest_first(games)]


@pytest.mark.parametrize("player", [*PLAYERS, None])
def test_filters_leave_out_rows_and_keep_the_numbers(
    store: EventStore, games: list[Known], player: str | None
) -> None:
    everything = _list(store, player)
    moments = sorted({game.started_at for game in games})
    since, until = moments[1], moments[3]
    tried = 0
    for status, mode, after, before, limit in product(
        (None, "won", "open"), (None, "D1V"), (None, since), (None, until), (None, 0, 3)
    ):
        filters = Filters(status, parse_mode(mode) if mode else None, after, before, limit)
        right = [
            row
            for row in everything
            if (status is None or row.status == status)
            and (mode is None or row.mode == mode)
            # The first moment is included, the last is not.
            and (after is None or row.started_at >= after)
            and (before is None or row.started_at < before)
        ]
        assert _list(store, player, filters) == right[:limit]
        tried += bool(right) and len(right) < len(everything)
    assert tried > 10


@pytest.mark.parametrize("player", [*PLAYERS, None])
def test_the_score_history_holds_what_counts_from_the_oldest_on(
    store: EventStore, games: list[Known], player: str | None
) -> None:
    mine = [game for game in games if player in (None, game.player) and game.counts]
    assert len(mine) < len([game for game in games if player in (None, game.player)])

    with store.database.read() as connection:
        told = score_history(connection, id_of(player))

    assert told == [_as_row(game, None) for game in sorted(mine, key=lambda game: game.key)]


def test_a_restart_changes_no_list(store: EventStore, games: list[Known], reopen: Reopen) -> None:
    again = EventStore(reopen(store.database))

    for player in (*PLAYERS, None):
        assert _list(again, player) == _list(store, player)


def test_there_is_nothing_to_list_without_games(store: EventStore) -> None:
    assert _list(store, "mika") == []
    assert _list(store, None) == []
    with store.database.read() as connection:
        assert score_history(connection, None) == []


def test_a_duration_is_whole_seconds_from_the_first_event_to_the_last(
    store: EventStore, clock: FakeClock
) -> None:
    game = store.create("mika", coded())
    assert _list(store, "mika")[0].duration_s is None
    clock.tick(100)
    store.append(game.id, ["D"], expected_version=0)
    assert _list(store, "mika")[0].duration_s == 0
    clock.tick(1.999999)
    store.append(game.id, ["D"], expected_version=1)
    assert _list(store, "mika")[0].duration_s == 1
    clock.tick(0.000001)
    store.append(game.id, ["D"], expected_version=2)
    assert _list(store, "mika")[0].duration_s == 2


def test_a_game_is_named_by_its_code_or_by_mode_and_label(store: EventStore) -> None:
    for deal in (coded(), own_deal("D3V", "APP-1"), own_deal("D1V")):
        store.create("mika", deal)

    assert {row.deal_name for row in _list(store, "mika")} == {
        "DS1-D1N-AAAAAAB",
        "D3V APP-1",
        "D1V own deck",
    }


@pytest.mark.parametrize("player", PLAYERS)
def test_a_number_names_the_game_that_the_list_gives_it(
    store: EventStore, games: list[Known], player: str
) -> None:
    rows = _list(store, player)

    assert [_find(store, f"@{row.number}", player) for row in rows] == [row.id for row in rows]
    assert f"@{len(rows) + 1}" in _not_found(store, f"@{len(rows) + 1}", player)


@pytest.mark.parametrize("reference", ["@", "@0", "@-1", "@x", "@1.0", "@ 1", "@²", "@٣", "@1e0"])
def test_what_is_no_number_names_no_game(store: EventStore, reference: str) -> None:
    store.create("mika", coded())

    assert reference in _not_found(store, reference)


@pytest.mark.parametrize("digits", [9, 10, 20, 5000])
def test_a_number_larger_than_any_is_no_game(store: EventStore, digits: int) -> None:
    store.create("mika", coded())

    assert "there is no game" in _not_found(store, "@" + "9" * digits)


def test_an_id_names_a_game_of_any_player_however_it_is_written(
    store: EventStore, games: list[Known]
) -> None:
    for game in games:
        text = format_id(game.id)
        assert _find(store, text, "nobody") == game.id
        assert _find(store, text.lower().replace("0", "o").replace("1", "l")) == game.id


def test_the_beginning_of_an_id_names_the_game_if_there_is_but_one(
    store: EventStore, games: list[Known]
) -> None:
    texts = sorted(format_id(game.id) for game in games)
    for length in (1, 2, 3):
        for prefix in {text[:length] for text in texts}:
            meant = [text for text in texts if text.startswith(prefix)]
            if len(meant) == 1:
                assert format_id(_find(store, prefix.lower())) == meant[0]
            else:
                said = _not_found(store, prefix)
                assert said.startswith(f"{prefix} is the beginning of several games")
                assert all(text in said for text in meant[:2])


@pytest.mark.parametrize(
    "reference", ["ZZZZ", "7ZZZZZZZZZZZZ", "", "U", "!", "12345678901234", "mika", "8"]
)
def test_what_names_no_game_is_repeated(store: EventStore, reference: str) -> None:
    store.create("mika", coded())

    assert reference in _not_found(store, reference)


def test_the_message_says_what_to_type_instead(store: EventStore) -> None:
    assert "@1, @2" in _not_found(store, "mika!")
    assert "`ds games" in _not_found(store, "7ZZZZZZZZZZZZ")
    assert "`ds games`" in _not_found(store, "@1")


def test_the_newest_game_is_by_start_and_then_by_id(store: EventStore) -> None:
    bare = without(game_line(player="mika", events=[]), "started_at")
    lines = [
        bare | {"id": "0000000000009", "started_at": "2026-01-01T00:00:00Z"},
        bare | {"id": "0000000000002", "started_at": "2026-01-02T00:00:00Z"},
        bare | {"id": "0000000000003", "started_at": "2026-01-02T00:00:00Z"},
        bare | {"id": "0000000000004", "started_at": "2026-01-02T00:00:00Z", "player": "noor"},
    ]
    take_in(store, lines)
    mika, noor, ada = map(player_id, ("mika", "noor", "ada"))

    with store.database.read() as connection:
        assert newest_game(connection, mika) == newest_game(connection, mika, only_open=True) == 3
        assert newest_game(connection, noor) == 4
        assert newest_game(connection, ada) is None

    store.append(3, ["X"], expected_version=0)
    store.append(4, ["X"], expected_version=0)
    with store.database.read() as connection:
        assert newest_game(connection, mika) == 3
        assert newest_game(connection, mika, only_open=True) == 2
        assert newest_game(connection, noor, only_open=True) is None
    assert _find(store, "@1") == 3


def test_an_erased_player_is_listed_by_id(store: EventStore) -> None:
    take_in(store, [game_line(player="~0000000000001")])

    [row] = _list(store, None)

    assert (str(row.player), row.player.id, row.player.name) == ("~0000000000001", 1, None)
    assert (row.started_at, row.version) == (START, 2)


def _peak(store: EventStore, player: str | None, filters: Filters) -> int:
    """Return the most memory that Python has held while games were read one by one."""
    with (
        store.database.read() as connection,
        closing(stream_games(connection, id_of(player), filters)) as games,
    ):
        next(games)
        tracemalloc.start()
        try:
            assert sum(1 for _ in games) > 1000
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("player", ["mika", None])
def test_games_are_read_some_at_a_time(store: EventStore, player: str | None) -> None:
    deal = coded()
    for first in range(0, 8000, 2000):
        headers = [
            Header(number, player_of("mika"), deal, START + number)
            for number in range(first, first + 2000)
        ]
        assert all(store.add([(started(header), []) for header in headers]))

    few, many = (_peak(store, player, Filters(limit=limit)) for limit in (2000, 8000))

    assert many < 1.5 * few
    with (
        store.database.read() as connection,
        closing(stream_games(connection, id_of(player))) as games,
    ):
        assert next(games).id == 7999
        if not store.database.is_sqlite:
            # The server keeps the others, and not the client.
            kept = connection.exec_driver_sql("SELECT count(*) FROM pg_cursors").scalar()
            assert kept == (1 if player is None else 2)
