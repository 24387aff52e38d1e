"""Records that lie, and databases that have been tampered with."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

Game: TypeAlias = dict[str, Any]
Fault: TypeAlias = tuple[str, int | None, str | None, Any, Any, int | None]
"""Kind, seq, move, claimed, expected and drift."""


def wrong_score(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """One event's score is off: its change is wrong, and so is the next one's, back again."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    place = chance.randrange(len(events))
    by = chance.choice([-10, -5, 5, 100])
    faults = [_score_fault(said, place, by, by)]
    if place + 1 < len(events):
        faults.append(_score_fault(said, place + 1, -by, 0))
    events[place]["score"] += by
    return lie, faults, 0


def wrong_scores_from_there(
    said: Mapping[str, Any], chance: Random
) -> tuple[Game, list[Fault], int]:
    """The score drifts twice: two changes are wrong, and what goes on from there is right."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    first, second = sorted(chance.sample(range(len(events)), 2))
    for event in events[first:]:
        event["score"] += 5
    for event in events[second:]:
        event["score"] += 20
    # The claim about the end is about the rules alone, and was not touched.
    return lie, [_score_fault(said, first, 5, 5), _score_fault(said, second, 20, 25)], 0


def missing_event(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """An event is left out, and the numbers have a gap where it was."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    place = chance.randrange(len(events) - 1)
    del events[place]
    following = events[place]
    fault = ("seq", place + 2, following["move"], place + 2, place + 1, None)
    return lie, [fault], len(events) - place - 1


def swapped_pair(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """Two neighbours have changed places."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    place = chance.randrange(len(events) - 1)
    events[place], events[place + 1] = events[place + 1], events[place]
    fault = ("seq", place + 2, events[place]["move"], place + 2, place + 1, None)
    return lie, [fault], len(events) - place - 1


def illegal_move(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """An event is replaced by one that is legal nowhere: no column 1 ever holds such a run."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    place = chance.randrange(len(events))
    events[place]["move"] = "T1T9x13"
    fault = ("illegal_move", place + 1, "T1T9x13", "T1T9x13", "R7", None)
    return lie, [fault], len(events) - place - 1


def unreadable_move(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """An event is replaced by a text that is no move."""
    lie = deepcopy(dict(said))
    events = lie["events"]
    place = chance.randrange(len(events))
    events[place]["move"] = "T3T3"
    fault = ("unreadable_move", place + 1, "T3T3", "T3T3", None, None)
    return lie, [fault], len(events) - place - 1


def wrong_end(said: Mapping[str, Any], chance: Random) -> tuple[Game, list[Fault], int]:
    """The claims about the end are wrong, the events are not."""
    lie = deepcopy(dict(said))
    status = chance.choice([s for s in ("open", "won", "abandoned") if s != said["status"]])
    lie |= {"status": status, "score": said["score"] + 1, "moves": said["moves"] - 1}
    kinds = (("end_status", "status"), ("end_score", "score"), ("end_moves", "moves"))
    return lie, [(kind, None, None, lie[key], said[key], None) for kind, key in kinds], 0


def _score_fault(said: Mapping[str, Any], place: int, by: int, drift: int) -> Fault:
    events = said["events"]
    mode = said.get("mode") or said["code"].split("-")[1]
    before = events[place - 1]["score"] if place else (-104 if mode.endswith("V") else 0)
    change = events[place]["score"] - before
    return ("score", place + 1, events[place]["move"], change + by, change, drift)


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection on which no trigger guards the log; they are put back afterwards."""
    with closing(sqlite3.connect(path)) as connection:
        found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        guards = connection.execute(found).fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, statement in guards:
            connection.execute(statement)
        connection.commit()
