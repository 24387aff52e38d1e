"""One game at two tables: it never forks, and each sees what the other has done."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ds_cli.table.app import TableApp
from ds_cli.table.drawing import UNICODE
from ds_cli.table.screens import play as play_screen
from ds_cli.table.sitting import Sitting
from ds_events.database import open_database
from ds_events.store import EventStore
from tests.core.building import deal
from tests.table.playing import board, said

DEAL = deal("D1N", {1: "AS", 3: "7H", 7: "8C"})


@pytest.fixture
def others(tmp_path: Path, store: EventStore) -> Iterator[EventStore]:
    """The same record, opened by somebody else."""
    with closing(open_database(tmp_path / "games.db")) as database:
        yield EventStore(database)


def test_the_second_is_told_and_catches_up(
    store: EventStore, others: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that only the refused append tells.
    monkeypatch.setattr(play_screen, "LOOKS_EVERY", 60)
    game = store.create("mika", DEAL)
    first = TableApp(Sitting(store, "mika", game), UNICODE)
    second = TableApp(Sitting(others, "mika", others.load(game.id)), UNICODE)

    async def play() -> None:
        async with first.run_test(size=(80, 24)) as here, second.run_test(size=(80, 24)) as there:
            await here.press("1", "f")
            await there.press("3", "7")
            assert "was not recorded: somebody else has played" in said(there)
            assert board(there).seen == board(here).seen
            await there.press("3", "7")
            await here.press("space")
            assert "was not recorded" in said(here)

    asyncio.run(play())
    assert [event.move for event in store.read(game.id)] == ["T1F", "T3T7"]
    assert first.sitting.seen == second.sitting.seen


def test_what_others_play_is_shown_as_it_happens(
    store: EventStore, others: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_screen, "LOOKS_EVERY", 0.02)
    game = store.create("mika", DEAL)
    player = TableApp(Sitting(store, "mika", game), UNICODE)
    watcher = TableApp(Sitting(others, "kai", others.load(game.id)), UNICODE, watches=True)

    async def play() -> None:
        async with player.run_test(size=(80, 24)) as here, watcher.run_test(size=(80, 24)) as there:
            await here.press("1", "f")
            for _ in range(200):
                await there.pause(0.02)
                if board(there).seen == board(here).seen:
                    break
            assert board(there).seen == board(here).seen
            assert "A♠ from column 1" in said(there)
            assert "mika" in said(there, "headline")
            # Nothing that a watcher does changes anything.
            await there.press("space", "3", "7", "u", "x", "n", "1")
            await there.click(type(board(there)), offset=(66, 1))

    asyncio.run(play())
    assert [event.move for event in store.read(game.id)] == ["T1F"]
