"""Scenarios in which games are played and stored."""

import sys
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from sqlalchemy import select

from ds_events.database import open_database
from ds_events.ids import format_id, player_id
from ds_events.schema import summaries
from ds_events.store import EventStore
from ds_events.transfer import import_records
from tests.crash import checks, templates
from tests.crash.appending import parse_told, planned
from tests.crash.places import Place, Template
from tests.crash.scenario import Ended, Examined, Scenario


class Appending(Scenario):
    """One to three processes that append to games of their own as fast as they can."""

    uses = 5
    endless = True

    def __init__(self, place: Place, random: Random) -> None:
        super().__init__(place, random)
        self._seeds: list[int] = []
        self._earlier: dict[int, int] = {}

    def begin(self) -> list[Sequence[str]]:
        self._seeds = [self.random.getrandbits(40) for _ in range(self.random.randint(1, 3))]
        program = [sys.executable, "-m", "tests.crash.appending"]
        return [[*program, self.url, str(seed)] for seed in self._seeds]

    def examine(self, ended: list[Ended]) -> Examined:
        found = Examined()
        database = open_database(self.url)
        for seed, process in zip(self._seeds, ended, strict=True):
            told = parse_told(process.said)
            found.acknowledged += len(told.appends)
            found.lost += checks.appended(database, seed, told)
            if told.error is not None:
                found.lost.append(f"an append failed: {told.error}")
        standing = checks.standing(database)
        database.close()
        found.lost += [
            f"game {format_id(game_id)} of an earlier crash went from {version} to "
            f"{standing.get(game_id)}"
            for game_id, version in self._earlier.items()
            if standing.get(game_id) != version
        ]
        self._earlier = standing
        return found


class Moving(Scenario):
    """`ds move` on one game, a few moves at a time."""

    uses = 10

    def __init__(self, place: Place, random: Random) -> None:
        super().__init__(place, random)
        self._plan = planned(random.getrandbits(40), 0)
        database = open_database(self.url)
        self._game = EventStore(database).create("mika", self._plan.deal).id
        database.close()
        self._before = self._due = 0

    def begin(self) -> list[Sequence[str]]:
        batch = self._plan.batch_at(self._before) or ()
        self._due = self._before + len(batch)
        return [self.ds("move", *batch, "--json", "--game", format_id(self._game))]

    def examine(self, ended: list[Ended]) -> Examined:
        shown = ended[0].document
        allowed = {self._before, self._due} if shown is None else {self._due}
        database = open_database(self.url)
        version = EventStore(database).load(self._game).version
        lost = checks.followed(database, self._game, version, allowed, self._plan.moves)
        database.close()
        self._before = version
        return Examined(int(shown is not None), lost)


class Importing(Scenario):
    """`ds import` of games that it stores in one transaction."""

    lines: ClassVar[list[bytes]] = templates.few_lines()
    imported: ClassVar[Template] = templates.WITH_FEW

    def __init__(self, place: Place, random: Random) -> None:
        super().__init__(place, random)
        self._file = place.folder / "games.jsonl"
        self._file.write_bytes(b"\n".join(self.lines))
        self._known = self._heads(self.url)
        self._right = self._heads(place.filled(self.imported))

    def begin(self) -> list[Sequence[str]]:
        return [self.ds("import", str(self._file))]

    def examine(self, ended: list[Ended]) -> Examined:
        database = open_database(self.url)
        lost = checks.same_heads(database, self._right, self._known.keys())
        done = ended[0].said.startswith(f"{len(self._right)} games added")
        if done:
            lost += checks.missing(database, self._right)
        with self._file.open("rb") as file:
            report = import_records(EventStore(database), enumerate(file, 1), "mika")
        if report.rejected or report.added + report.unchanged != len(self._right):
            lost.append(f"the import could not be taken up again: {report}")
        lost += checks.missing(database, self._right)
        database.close()
        return Examined(len(self._right) if done else 0, lost)

    def _heads(self, url: str) -> dict[int, bytes]:
        database = open_database(url)
        heads = checks.heads(database)
        database.close()
        return heads


class ImportingMore(Importing):
    """`ds import` of more games than it stores in one transaction."""

    lines = templates.many_lines()
    imported = templates.WITH_MANY


class Simulating(Scenario):
    """`ds simulate`, which records a whole game in each of its transactions."""

    uses = 6

    def begin(self) -> list[Sequence[str]]:
        self._number = self.random.randint(4, 12)
        self._player = f"simulated {self.random.getrandbits(40)}"
        seed = str(self.random.getrandbits(30))
        return [
            self.ds(
                *("simulate", "--games", str(self._number), "--seed", seed, "--json"),
                *("--player", self._player),
            )
        ]

    def examine(self, ended: list[Ended]) -> Examined:
        database = open_database(self.url)
        found = select(summaries.c.mode, summaries.c.status).order_by(summaries.c.game_id)
        with database.read() as connection:
            there = connection.execute(
                found.where(summaries.c.player_id == player_id(self._player))
            ).all()
        database.close()
        lost = [
            f"simulated game {number} is {status} in mode {mode}"
            for number, (mode, status) in enumerate(there)
            if status == "open" or mode != ("D1N", "D1V", "D3N", "D3V")[number % 4]
        ]
        shown = ended[0].document
        if shown is not None and len(there) != self._number:
            lost.append(f"of {self._number} simulated games {len(there)} are there")
        return Examined(0 if shown is None else self._number, lost)
