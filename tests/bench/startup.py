"""How long a command takes from its start to its end, against what it cannot do without.

`ds --help` needs typer, and is held against loading typer with the look that it gives its help.
`ds move D` needs typer and SQLAlchemy, and is held against loading the two: what it costs more
is to load the program itself, to open the record, to play and to show the board.

The contestants are whole processes of the same interpreter in the same environment; the round
that does not count leaves their bytecode behind.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.measure import Contestant, Outcome, Work, race

HELP: Final = "ds --help"
HELP_PEER: Final = "import typer.rich_utils"
HELP_TARGET: Final = 1.3

MOVE: Final = "ds move D"
MOVE_PEER: Final = "import typer, sqlalchemy"
MOVE_TARGET: Final = 1.5


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield the outcome of the help, then of a move."""
    rounds = 5 if quick else 21
    with TemporaryDirectory() as folder:
        record = {"DS_DATABASE_URL": str(Path(folder) / "games.db"), "DS_PLAYER": "bench"}
        environment = {**os.environ, **record}

        def run(command: Sequence[str]) -> Contestant:
            return lambda: _work(command, environment)

        def move() -> Work:
            # The move before it is taken back, so that every round plays on the same board.
            _run([*_program(), "undo"], environment)
            return _work([*_program(), "move", "D"], environment)

        _run([*_program(), "new", "DS1-D1N-AAAAAAB"], environment)
        _run([*_program(), "move", "D"], environment)
        contests: tuple[tuple[str, Contestant, str, float], ...] = (
            (HELP, run([*_program(), "--help"]), HELP_PEER, HELP_TARGET),
            (MOVE, move, MOVE_PEER, MOVE_TARGET),
        )
        for bench, ours, imports, target in contests:
            peer = run([sys.executable, "-c", imports])
            outcome = race(f"start-up of {bench}", {bench: ours, imports: peer}, rounds)
            yield outcome.dearer(bench, imports, target)


def _program() -> list[str]:
    """What runs `ds`: its script as it is installed with this interpreter, or its function."""
    script = Path(sys.executable).with_name("ds")
    if script.exists():
        return [str(script)]
    return [sys.executable, "-c", "import sys; from ds_cli.main import main; sys.exit(main())"]


def _work(command: Sequence[str], environment: Mapping[str, str]) -> Work:
    def work() -> int:
        _run(command, environment)
        return 1

    return work


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
