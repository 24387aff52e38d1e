"""Many processes on one game: every seq is won by exactly one of them."""

import json
import subprocess
from functools import partial

import pytest

from ds_events.ids import format_id
from ds_events.store import EventStore
from tests.cli.running import environment
from tests.concurrency.crowd import SIZE, Crowd
from tests.concurrency.work import DEAL, contend, follow
from tests.crash.scenario import DS
from tests.events.building import audited

TRIES = 25


@pytest.mark.parametrize("afresh", [False, True], ids=["remembering", "afresh"])
def test_each_seq_is_won_once_and_everybody_else_is_told(
    crowd: Crowd, store: EventStore, url: str, afresh: bool
) -> None:
    game = store.create("mika", DEAL)

    contests = crowd.all_at_once(
        *[partial(contend, url, game.id, TRIES, afresh=afresh) for _ in range(SIZE)]
    )

    assert sorted(won for contest in contests for won in contest.won) == list(range(TRIES))
    lost = [told for contest in contests for told in contest.lost]
    assert len(lost) == TRIES * (SIZE - 1)
    for game_id, expected, actual in lost:
        assert game_id == game.id
        assert expected < actual <= TRIES
    assert [event.seq for event in store.read(game.id)] == list(range(1, TRIES + 1))
    assert audited(store.database).faults == []


def test_batches_of_several_moves_never_mix(crowd: Crowd, store: EventStore, url: str) -> None:
    game = store.create("mika", DEAL)

    shares = crowd.all_at_once(*[partial(follow, url, game.id, 60) for _ in range(SIZE)])

    won = sorted((version, size) for share in shares for version, size in share.items())
    version = 0
    for start, size in won:
        assert start == version
        version += size
    events = store.read(game.id)
    assert [event.seq for event in events] == list(range(1, version + 1))
    assert [event.move for event in events] == ["D", "U"] * (version // 2)
    assert audited(store.database).faults == []


def test_of_commands_that_expect_the_same_one_wins(store: EventStore, url: str) -> None:
    game = store.create("mika", DEAL)
    command = [*DS, "move", "D", "--expect", "0", "--json", "--db", url]
    racing = [
        subprocess.Popen(
            [*command, "--game", format_id(game.id)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for _ in range(3)
    ]

    ended = [(*process.communicate(timeout=120), process.returncode) for process in racing]

    assert sorted(status for *_, status in ended) == [0, 1, 1]
    for out, err, status in ended:
        if status:
            assert out == ""
            assert f"game {format_id(game.id)} stands at seq 1, not 0" in err
        else:
            assert json.loads(out)["seq"] == 1
    assert [event.move for event in store.read(game.id)] == ["D"]
