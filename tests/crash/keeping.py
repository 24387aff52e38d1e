"""Scenarios in which a database is looked after."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, select, update

from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.ids import parse_id
from ds_events.rebuild import rebuild
from ds_events.schema import events, games, players, seals, summaries
from ds_events.seal import audit_seal, parse_seal
from ds_events.transfer import export_records
from tests.crash import checks, templates
from tests.crash.places import Folder, Place, Shape, state_of
from tests.crash.scenario import Ended, Examined, Scenario


def _newest(place: Place) -> Shape:
    """The schema that an upgrade has to lead to."""
    return place.shape(place.filled(templates.READY))


class Upgrading(Scenario):
    """`ds db upgrade` of a database with the oldest schema."""

    template = templates.OLD

    def __init__(self, place: Place, random: Random) -> None:
        super().__init__(place, random)
        self._old = place.shape(self.url)
        self._before = self._log()

    def begin(self) -> list[Sequence[str]]:
        return [self.ds("db", "upgrade")]

    def examine(self, ended: list[Ended]) -> Examined:
        found = Examined(int(ended[0].status == 0))
        shape = self.place.shape(self.url)
        new = _newest(self.place)
        if shape not in ({new} if found.acknowledged else {self._old, new}):
            found.lost.append(f"the schema is neither old nor new: {shape ^ new}")
        if self._log() != self._before:
            found.lost.append("an upgrade changed the record")
        database = Database(self.url)
        database.upgrade()
        database.close()
        if self.place.shape(self.url) != new:
            found.lost.append("the upgrade could not be taken up again")
        found.lost += checks.sound(self.place, self.url)
        return found

    def _log(self) -> dict[str, list[tuple[Any, ...]]]:
        database = Database(self.url)
        there = checks.rows(database, players, games, events)
        # What the oldest schema has of a summary.
        kept = select(*(column for column in summaries.c if column.name != "idle"))
        with database.read() as connection:
            found = connection.execute(kept.order_by(summaries.c.game_id))
            there["summaries"] = [tuple(row) for row in found]
        database.close()
        return there


class Starting(Scenario):
    """`ds new` where there is no database yet."""

    template = None

    def begin(self) -> list[Sequence[str]]:
        return [self.ds("new", checks.CODE, "--json")]

    def examine(self, ended: list[Ended]) -> Examined:
        shown = ended[0].document
        shape = self.place.shape(self.url)
        lost = []
        if shape and shape != _newest(self.place):
            lost.append(f"half a schema was left: {shape}")
        database = open_database(self.url)
        if shown is not None:
            lost += checks.missing(database, [parse_id(shown["id"]) or 0])
        database.close()
        return Examined(int(shown is not None), lost)


class Rebuilding(Scenario):
    """`ds db rebuild` where every summary is wrong."""

    template = templates.MANY
    uses = 5

    def begin(self) -> list[Sequence[str]]:
        database = open_database(self.url)
        self._log = checks.rows(database, games, events)
        self._right = checks.rows(database, summaries)["summaries"]
        wrong = {"score": summaries.c.score + 1, "moves": 1000, "home": 104, "status": "won"}
        with database.write() as connection:
            connection.execute(update(summaries).values(wrong))
        self._wrong = checks.rows(database, summaries)["summaries"]
        database.close()
        return [self.ds("db", "rebuild")]

    def examine(self, ended: list[Ended]) -> Examined:
        done = ended[0].status == 0
        database = open_database(self.url)
        there = checks.rows(database, summaries)["summaries"]
        lost = [
            f"the summary {found} is neither the old one nor the right one, {right}"
            for found, right, wrong in zip(there, self._right, self._wrong, strict=True)
            if found != right and (done or found != wrong)
        ]
        if checks.rows(database, games, events) != self._log:
            lost.append("a rebuild changed the log")
        rebuild(database)
        if checks.rows(database, summaries)["summaries"] != self._right:
            lost.append("the rebuild could not be taken up again")
        database.close()
        return Examined(int(done), lost)


class BackingUp(Scenario):
    """`ds db backup` to a new file."""

    uses = 8

    def begin(self) -> list[Sequence[str]]:
        self._target = self.place.new_file(".copy")
        return [self.ds("db", "backup", str(self._target))]

    def activity(self) -> object:
        return [(path, state_of(path)) for path in self._written()]

    def examine(self, ended: list[Ended]) -> Examined:
        done = ended[0].status == 0
        lost = []
        if self._target.exists():
            lost += same_copy(self.place, self.url, self._target)
        elif done:
            lost.append(f"{self._target} is gone")
        # What a killed process was still writing lies beside its target, under another name.
        for left in self._written():
            left.unlink()
        return Examined(int(done), lost)

    def _written(self) -> list[Path]:
        return [path for path in self.place.folder.iterdir() if self._target.name in path.name]


class Sealing(Scenario):
    """`ds seal`."""

    template = templates.MANY
    uses = 8

    def begin(self) -> list[Sequence[str]]:
        return [self.ds("seal")]

    def examine(self, ended: list[Ended]) -> Examined:
        line = ended[0].said
        found = Examined(int(line.endswith("\n")))
        database = open_database(self.url)
        with database.read() as connection:
            sizes = select(seals.c.sealed_at, func.count()).group_by(seals.c.sealed_at)
            leaves = [(at, number) for at, number in connection.execute(sizes)]
            if found.acknowledged:
                report = audit_seal(connection, parse_seal(line))
                found.lost += [f"the seal {line!r}: {fault}" for fault in report.faults]
        due = len(checks.heads(database))
        database.close()
        found.lost += [
            f"the seal at {at} has {number} leaves of {due}"
            for at, number in leaves
            if number != due
        ]
        return found


def same_copy(place: Place, url: str, copy: Path) -> list[str]:
    """A backup is a whole database, or on a server whole lines, and holds what there is."""
    database = open_database(url)
    try:
        if not isinstance(place, Folder):
            with database.read() as connection:
                right = "".join(f"{line}\n" for line in export_records(connection))
            return [] if copy.read_text("utf-8") == right else [f"{copy} is no whole export"]
        harm = place.damage(str(copy))
        if harm is not None:
            return [f"the copy is damaged: {harm}"]
        copied = open_database(copy)
        tables = (players, games, events, summaries, seals)
        same = checks.rows(copied, *tables) == checks.rows(database, *tables)
        faults = audit_database(copied).faults
        copied.close()
        return [f"the copy: {fault}" for fault in faults] + ([] if same else ["the copy differs"])
    finally:
        database.close()
