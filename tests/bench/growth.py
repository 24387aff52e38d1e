"""Whether a record of many games is as fast as one of few.

    python -m tests.bench.growth 100 10000 100000
    python -m tests.bench.growth 100 10000 100000 --engine postgres

A thousand games are simulated, and recorded again and again under new ids, players and times
until there are as many as asked for; a player has fifty. Each size is a database of its own,
and all of them take turns. What one game or one player costs has to stay the same; what covers
everybody may grow as the games do; what is written or checked one by one has to stay within
the same memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from ds_core import BOTS, DEALS, MODES, GameCode, deal_code, play_out, view
from ds_events.database import Database, open_database
from ds_events.ids import GameIds
from ds_events.log import chain_of, times_of
from ds_events.record import Header, StoredGame, extended, player_of, started
from ds_events.report import list_games, newest_game, score_history, vegas_ledger
from ds_events.schema import LogRow
from ds_events.statistics import statistics
from ds_events.store import EventStore
from ds_events.times import SECOND, Micros
from tests.bench.measure import Contestant, Outcome, Work, race
from tests.bench.places import postgres_places, sqlite_places

SIMULATED: Final = 1000
GAMES_OF_A_PLAYER: Final = 50
BATCH: Final = 60

SAME: Final = 1.3
"""How much more what concerns one game or one player may cost in a large record."""

SMALLEST: Final = 100
LARGE: Final = 100_000
WITHIN: Final = 1.0
"""Seconds that the statistics of everybody may take in a record of `LARGE` games."""

START: Final[Micros] = 1_700_000_000 * SECOND
_HOUR: Final = 3600 * SECOND


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield what one game and one player cost in a small record and in a larger one."""
    sizes, simulated = ((100, 600), 100) if quick else ((100, 10_000), SIMULATED)
    for engine in ("sqlite", "postgres"):
        yield from grow(engine, sizes, simulate(simulated), rounds=10 if quick else 60)


def main() -> int:
    """Grow databases as the command line says, and print what things cost in each."""
    from tests.bench.__main__ import add_report_only, show

    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__)
    parser.add_argument("sizes", nargs="+", type=int, metavar="GAMES")
    parser.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--rounds", type=int, default=60)
    add_report_only(parser)
    options = parser.parse_args()
    if min(options.sizes) < SMALLEST:
        parser.error(f"a record of fewer than {SMALLEST} games tells nothing")
    outcomes = []
    for outcome in grow(options.engine, options.sizes, simulate(SIMULATED), rounds=options.rounds):
        sys.stderr.write(f"{outcome.bench}\n")
        outcomes.append(outcome)
    return show(outcomes, report_only=options.report_only)


@dataclass(frozen=True, slots=True)
class Played:
    """A simulated game, to be recorded again."""

    stored: StoredGame
    log: list[LogRow]


def simulate(games: int) -> list[Played]:
    """Let the greedy bot play games, the modes in turn, an event every two seconds."""
    played = []
    modes = tuple(MODES.values())
    for number in range(games):
        chance = Random(number).random
        deal = deal_code(GameCode(modes[number % len(modes)], int(chance() * DEALS)))
        header = Header(number, player_of("bench"), deal, START)
        stored, log = extended(started(header), list(play_out(deal, BOTS["greedy"](chance))), START)
        late = [(seq, move, score, START + 2 * SECOND * seq) for seq, move, score, _ in log]
        played.append(Played(stored, late))
    return played


def fill(database: Database, games: int, played: Sequence[Played]) -> list[int]:
    """Record games again under new ids, players and times, and return the ids."""
    ids = GameIds()
    store = EventStore(database)
    made: list[int] = []
    batch: list[tuple[StoredGame, list[LogRow]]] = []
    for number in range(games):
        batch.append(_again(played[number % len(played)], ids.new(), number))
        made.append(batch[-1][0].id)
        if len(batch) == BATCH or number == games - 1:
            assert all(store.add(batch))
            batch = []
    if database.is_sqlite:
        with database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        with database.engine.connect() as connection:
            plain = connection.execution_options(isolation_level="AUTOCOMMIT")
            plain.exec_driver_sql("VACUUM ANALYZE")
    return made


def _again(game: Played, game_id: int, number: int) -> tuple[StoredGame, list[LogRow]]:
    later = number * _HOUR
    player = player_of(f"player {number // GAMES_OF_A_PLAYER}")
    header = replace(game.stored.header, id=game_id, player=player, started_at=START + later)
    log: list[LogRow] = [(seq, move, score, at + later) for seq, move, score, at in game.log]
    stored = StoredGame(header, game.stored.game, *times_of(log), chain_of(header, log))
    return stored, log


@dataclass(frozen=True, slots=True)
class Grown:
    """A database of some size, with the ids of its games, and one game that is played on."""

    size: int
    database: Database
    ids: list[int]
    open_game: int

    @property
    def name(self) -> str:
        """How large it is, in words."""
        return f"{self.size:,} games"


def grow(
    engine: str, sizes: Sequence[int], played: Sequence[Played], *, rounds: int
) -> Iterator[Outcome]:
    """Yield what things cost in databases of several sizes, the smallest first."""
    all_places = sqlite_places if engine == "sqlite" else postgres_places
    with all_places() as places, ExitStack() as stack:
        grown = []
        for size in sorted(sizes):
            database = open_database(places().address)
            stack.callback(database.close)
            began = time.monotonic()
            ids = fill(database, size, played)
            sys.stderr.write(f"{size:,} games in {time.monotonic() - began:.0f} s\n")
            open_game = EventStore(database).create("player 0", played[0].stored.header.deal).id
            grown.append(Grown(size, database, ids, open_game))
        for bench, contestant in ONE.items():
            outcome = race(
                f"{bench} [{engine}]", {each.name: contestant(each) for each in grown}, rounds
            )
            for each in grown[1:]:
                outcome.dearer(each.name, grown[0].name, SAME)
            yield outcome
        for bench, reporting in EVERYBODY.items():
            yield _everybody(f"{bench} [{engine}]", reporting, grown)
        for command in (["audit"], ["export", "--all", "-o", os.devnull]):
            yield _memory(f"memory of ds {command[0]} [{engine}]", command, grown)


def _append(grown: Grown) -> Contestant:
    store = EventStore(grown.database)
    version = count(store.load(grown.open_game).version)

    def work() -> int:
        for _ in range(4):
            seq = next(version)
            store.append(grown.open_game, ["U" if seq % 2 else "D"], expected_version=seq)
        return 4

    return lambda: work


def _load(grown: Grown) -> Contestant:
    chosen = Random(1)

    def ready() -> Work:
        # The same simulated games in each database, so that all have as much to do.
        places = [chosen.randrange(SMALLEST) for _ in range(4)]

        def work() -> int:
            for place in places:
                EventStore(grown.database).load(grown.ids[place])
            return len(places)

        return work

    return ready


def _show(grown: Grown) -> Contestant:
    player = player_of("player 1").id

    def work() -> int:
        with grown.database.read() as connection:
            newest = newest_game(connection, player)
        assert newest is not None
        view(EventStore(grown.database).load(newest).game)
        return 1

    return lambda: work


def _reports(grown: Grown) -> Contestant:
    player = player_of("player 1").id

    def work() -> int:
        with grown.database.read() as connection:
            assert len(list_games(connection, player)) == GAMES_OF_A_PLAYER
            score_history(connection, player)
            vegas_ledger(connection, player)
            statistics(connection, player)
        return 1

    return lambda: work


ONE: Final[dict[str, Callable[[Grown], Contestant]]] = {
    "append": _append,
    "load": _load,
    "show": _show,
    "one player's reports": _reports,
}
"""What concerns one game or one player."""


def _everyones_statistics(database: Database) -> None:
    with database.read() as connection:
        statistics(connection, None)


def _everyones_ledger(database: Database) -> None:
    with database.read() as connection:
        vegas_ledger(connection, None)


def _everyones_scores(database: Database) -> None:
    with database.read() as connection:
        score_history(connection, None)


EVERYBODY: Final = {
    "everybody's statistics": _everyones_statistics,
    "everybody's ledger": _everyones_ledger,
    "everybody's scores": _everyones_scores,
}
"""What covers all games."""


def _everybody(bench: str, report: Callable[[Database], None], grown: Sequence[Grown]) -> Outcome:
    """What a report costs for each game, and in a large record altogether."""

    def contestant(each: Grown) -> Contestant:
        def work() -> int:
            report(each.database)
            return each.size

        return lambda: work

    outcome = race(bench, {each.name: contestant(each) for each in grown}, 5)
    for each in grown[1:]:
        outcome.dearer(each.name, grown[0].name, SAME)
        if each.size == LARGE:
            outcome.costs["the second that it may take"] = WITHIN / LARGE
            outcome.dearer(each.name, "the second that it may take", 1)
    return outcome


def _memory(bench: str, command: Sequence[str], grown: Sequence[Grown]) -> Outcome:
    """The most memory that a command takes, in MB."""
    costs = {each.name: _peak(command, each.database) for each in grown}
    outcome = Outcome(bench, "MB", costs)
    for each in grown[1:]:
        outcome.dearer(each.name, grown[0].name, SAME)
    return outcome


def _peak(command: Sequence[str], database: Database) -> float:
    """Run a command, and return the most memory that it took in MB."""
    program = (
        "import sys\n"
        "from ds_cli.main import main\n"
        "status = main(sys.argv[1:])\n"
        "lines = open('/proc/self/status').read().splitlines()\n"
        "sys.stderr.write(next(line for line in lines if line.startswith('VmHWM')))\n"
        "sys.exit(status)\n"
    )
    url = database.url.render_as_string(hide_password=False)
    with tempfile.TemporaryFile() as out:
        ran = subprocess.run(
            [sys.executable, "-c", program, *command, "--db", url],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            cwd=Path.cwd(),
        )
    return int(ran.stderr.split()[-2]) / 1024


if __name__ == "__main__":
    sys.exit(main())
