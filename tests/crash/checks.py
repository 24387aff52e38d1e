"""What has to hold after a crash; each check returns what was lost, in words."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Table, select

from ds_core import deal_code, parse_code
from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.errors import StoreError
from ds_events.ids import format_id, player_id
from ds_events.report import newest_game
from ds_events.schema import games, summaries
from ds_events.store import EventStore
from tests.crash.appending import Told, planned, player_of
from tests.crash.places import Place

SPARE: Final = "spare"
"""The player of the game on which one more move is played after each crash."""

CODE: Final = "DS1-D1N-AAAAAAB"


def sound(place: Place, url: str) -> list[str]:
    """The database is whole as the engine sees it, and its audit finds nothing."""
    harm = place.damage(url)
    if harm is not None:
        return [f"{url} is damaged: {harm}"]
    try:
        database = open_database(url)
    except StoreError as error:
        return [f"{url} cannot be opened: {error}"]
    report = audit_database(database)
    database.close()
    lost = [f"the audit: {fault}" for fault in report.faults]
    if report.unjudged:
        lost.append(f"the audit could not judge {report.unjudged} events")
    return lost


def goes_on(url: str) -> list[str]:
    """One more move can be played, as if nothing had been."""
    try:
        database = open_database(url)
        store = EventStore(database)
        with database.read() as connection:
            spare = newest_game(connection, player_id(SPARE), only_open=True)
        before = (
            store.create(SPARE, deal_code(parse_code(CODE))) if spare is None else store.load(spare)
        )
        move = "U" if before.version % 2 else "D"
        after = store.append(before.id, [move], expected_version=before.version)
        database.close()
    except StoreError as error:
        return [f"no move can be played any more: {error}"]
    if after.version != before.version + 1:
        return [f"one more move brought the spare game to {after.version}"]
    return []


def appended(
    database: Database, seed: int, told: Told, *, unacknowledged: bool = True
) -> list[str]:
    """All that an appending process was acknowledged is there, and nothing by half.

    The batch that was under way is there whole or not at all; it must not be there at all
    if `unacknowledged` is false, since the process was told that nothing was changed.
    """
    stored = games_of(database, player_of(seed))
    versions = {done.number: done.version for done in told.appends}
    ids = [game_id for game_id, _ in stored]
    known = list({done.number: done.game_id for done in told.appends}.values())
    if ids[: len(known)] != known:
        return [f"of the games {known} that were acknowledged there are {ids}"]
    if len(ids) > len(known) + unacknowledged:
        return [f"nobody acknowledged the games {ids[len(known) :]}"]
    lost = []
    for number, (game_id, version) in enumerate(stored):
        allowed = _allowed(
            planned(seed, number).versions,
            versions.get(number),
            under_way=unacknowledged and number == len(ids) - 1,
        )
        lost += followed(database, game_id, version, allowed, planned(seed, number).moves)
    return lost


def followed(
    database: Database,
    game_id: int,
    version: int,
    allowed: Collection[int],
    moves: list[str],
) -> list[str]:
    """A game stands at one of the versions that are allowed, with the moves of its plan."""
    name = format_id(game_id)
    if version not in allowed:
        return [f"game {name} stands at {version}, and should at {sorted(allowed)}"]
    there = [event.move for event in EventStore(database).read(game_id)]
    if there != moves[:version]:
        return [f"game {name} at {version} has other moves than were played: {there}"]
    return []


def same_heads(database: Database, right: Mapping[int, bytes], known: Collection[int]) -> list[str]:
    """Each game beside those that were `known` is one of the `right` ones, and whole.

    The head of a game is over all that there is of it; that it fits the events is the
    audit's to say.
    """
    stored = {game_id: head for game_id, head in heads(database).items() if game_id not in known}
    lost = [f"nobody asked for game {format_id(extra)}" for extra in stored.keys() - right.keys()]
    lost += [
        f"game {format_id(game_id)} is not what was imported"
        for game_id in stored.keys() & right.keys()
        if stored[game_id] != right[game_id]
    ]
    return lost


def missing(database: Database, ids: Iterable[int]) -> list[str]:
    """All of these games are there."""
    with database.read() as connection:
        there = set(connection.scalars(select(games.c.id)))
    return [f"game {format_id(lost)} is gone" for lost in set(ids) - there]


def heads(database: Database) -> dict[int, bytes]:
    """Return the head of the hash chain of every game."""
    with database.read() as connection:
        found = connection.execute(select(summaries.c.game_id, summaries.c.head))
        return {game_id: bytes(head) for game_id, head in found}


def standing(database: Database) -> dict[int, int]:
    """Return the version of every game on which no more moves are played."""
    others = summaries.c.player_id != player_id(SPARE)
    with database.read() as connection:
        found = connection.execute(select(summaries.c.game_id, summaries.c.version).where(others))
        return {row.game_id: row.version for row in found}


def rows(database: Database, *tables: Table) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of some tables in the order of their keys."""
    with database.read() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in tables
        }


def games_of(database: Database, player: str) -> list[tuple[int, int]]:
    """Return id and version of each game of a player, in the order in which they were started."""
    found = (
        select(summaries.c.game_id, summaries.c.version)
        .where(summaries.c.player_id == player_id(player))
        .order_by(summaries.c.game_id)
    )
    with database.read() as connection:
        return [(game_id, version) for game_id, version in connection.execute(found)]


def _allowed(versions: list[int], acknowledged: int | None, *, under_way: bool) -> set[int]:
    """At which versions a game may stand that was acknowledged to be at one."""
    if acknowledged is None:
        return {0}
    allowed = {acknowledged}
    if under_way and acknowledged != versions[-1]:
        allowed.add(versions[versions.index(acknowledged) + 1])
    return allowed
