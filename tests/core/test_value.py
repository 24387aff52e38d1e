"""Values survive being copied and sent to another process, on either build."""

import copy
import pickle

import pytest

from ds_core import EndClaims, Finding, Game, advise, parse_move, view
from tests.core.building import coded

DEAL = coded("D3V", 7)
SEEN = view(Game(coded("D1N", 1)), reveal=True)


@pytest.mark.parametrize(
    "value",
    [
        DEAL,
        DEAL.code,
        DEAL.mode,
        DEAL.mode.scoring,
        SEEN,
        SEEN.columns[3],
        SEEN.hidden,
        advise(SEEN),
        EndClaims("won", 1220, None),
        Finding("score", 2, "T2T3", 15, 5, 10, "it is off"),
        parse_move("T3T7x4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_the_same_when_it_is_copied_or_pickled(value: object) -> None:
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(again) is type(value)
        assert again == value
        assert hash(again) == hash(value)
