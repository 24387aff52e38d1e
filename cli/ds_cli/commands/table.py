"""The commands that open a table in the terminal: one to play at, one to watch."""

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from ds_cli.options import GameOption, command
from ds_cli.session import Session
from ds_cli.settings import double_tap_is_on
from ds_core import DEALS, MODES, GameCode, deal_code, parse_code
from ds_events.extras import needed_for

if TYPE_CHECKING:
    from ds_events.record import StoredGame


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "play", "ds play", "ds play DS1-D1N-AAAAAAB", "ds play --game @2")(play)
    command(app, "watch", "ds watch @1", "ds watch 38HAK8DSDM6Y9")(watch)


AsciiOption: TypeAlias = Annotated[
    bool, typer.Option("--ascii", help="Draw with letters instead of suits and lines.")
]


def play(
    session: Session,
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="The newest open game of this code, or a new one.",
            show_default=False,
        ),
    ] = None,
    as_ascii: AsciiOption = False,
    game: GameOption = None,
) -> None:
    """Sit down and play, full screen, with mouse or keys.

    Opens the newest open game, or a new one. Every operation is recorded before the screen
    shows it: leave at any moment, and the game stands where it was. Taps, double taps and
    drags are those of the rules, and nothing moves by itself. DS_DOUBLE_TAP=off makes a
    double click one tap.
    """
    if code is not None and game is not None:
        raise typer.BadParameter("a code and --game: name one of the two")
    double_taps = double_tap_is_on()
    _check_terminal("play")
    with needed_for("ds play", "play"):
        from ds_cli.table.app import sit_down
        from ds_cli.table.sitting import Sitting

    sitting = Sitting(session.store, session.player, _game_to_play(session, code, game))
    _leave(sit_down(sitting, as_ascii=as_ascii, double_taps=double_taps))


def watch(
    session: Session,
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game: an id, the beginning of one, or @1."),
    ],
    as_ascii: AsciiOption = False,
) -> None:
    """Follow a game as it is played in another terminal.

    Nothing can be changed. Of several players' games, name one by its id.
    """
    _check_terminal("watch")
    with needed_for("ds watch", "play"):
        from ds_cli.table.app import sit_down
        from ds_cli.table.sitting import Sitting

    sitting = Sitting(session.store, session.player, session.store.load(session.find(game)))
    _leave(sit_down(sitting, as_ascii=as_ascii, watches=True))


def _game_to_play(session: Session, code: str | None, reference: str | None) -> "StoredGame":
    if reference is not None:
        return session.load_to_play(reference)
    if code is None:
        found = session.newest_open_game()
        wanted = GameCode(MODES["D1N"], secrets.randbelow(DEALS))
    else:
        wanted = parse_code(code)
        found = session.newest_open_game(wanted)
    if found is not None:
        return session.store.load(found)
    return session.store.create(session.player, deal_code(wanted))


def _check_terminal(name: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise typer.BadParameter(
            f"`ds {name}` fills a terminal, and this is none: `ds move` plays from programs, "
            "`ds show` prints a board"
        )


def _leave(status: int) -> None:
    if status:
        raise typer.Exit(status)
