"""How long it takes to fold a recorded game in memory.

The target: at most half a millisecond for 300 events, the best of 20 rounds. It is a number to
look at and to compare (`min_ms_per_300_events` of each benchmark), not a condition: how fast a
machine is decides nothing about whether the code is right.
"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from ds_core import EndClaims, fold
from tests import records

RECORDS = [record for record in records.games() if 250 <= len(record.claims) <= 400]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_fold(benchmark: BenchmarkFixture, record: records.GameRecord) -> None:
    moves = record.moves

    game = benchmark.pedantic(  # type: ignore[no-untyped-call]
        fold, args=(record.deal, moves), rounds=20, warmup_rounds=2
    )

    if benchmark.stats is not None:  # there are none with --benchmark-disable
        best = benchmark.stats.stats.min
        benchmark.extra_info["min_ms_per_300_events"] = best * 1000 * 300 / len(moves)
    assert EndClaims(game.status, game.score, game.moves) == record.end
