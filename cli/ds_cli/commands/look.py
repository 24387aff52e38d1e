"""Commands that look at games without changing them."""

import time
from typing import Annotated, Final

import typer

from ds_cli import output
from ds_cli.board import board_lines, status_lines
from ds_cli.options import AtOption, GameOption, JsonOption, RevealOption, command, whole_number
from ds_cli.session import Session
from ds_cli.showing import board_json, game_json, names_of, show_game
from ds_core import Game, IllegalMove, advise, deal_code, format_deck, parse_code, view
from ds_events.ids import format_id
from ds_events.record import StoredGame

FRAME_SECONDS = 1.0
"""How long a frame of a replay stands on a terminal at speed 1."""


_STUCK: Final = "`ds undo` takes back, `ds new` starts another game"


def register(app: typer.Typer) -> None:
    """Add the commands that look."""
    command(app, "show", "ds show", "ds show --at 12", "ds show --game @2 --json")(show)
    command(app, "legal", "ds legal", "ds legal --json")(legal)
    command(app, "hint", "ds hint")(hint)
    command(app, "deal", "ds deal DS1-D1N-AAAAAAB", "ds deal ds1-d3v-aaaaaab --json")(deal)
    command(
        app,
        "replay",
        "ds replay --game @1",
        "ds replay --from 10 --to 20",
        "ds replay --speed 4",
    )(replay)


def show(
    session: Session,
    at: AtOption = None,
    reveal: RevealOption = False,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the board of a game, now or after an event."""
    stored = session.store.load(session.game_to_read(game))
    if at is not None:
        _check_frame(stored, at)
        stored = session.store.load(stored.id, at)
    show_game(stored, as_json=as_json, reveal=reveal)


def legal(session: Session, game: GameOption = None, as_json: JsonOption = False) -> None:
    """List the moves that the rules allow now.

    Undoing and abandoning are left out.
    """
    stored = session.store.load(session.game_to_read(game))
    moves = sorted(move.text for move in stored.game.legal_moves())
    if as_json:
        output.print_json({"game": format_id(stored.id), "seq": stored.version, "legal": moves})
    elif moves:
        output.print_lines([[(" ".join(moves), "")]])
    else:
        status = stored.game.status
        output.say(f"ds: no move is legal: {_STUCK if status == 'open' else f'it is {status}'}")


def hint(session: Session, game: GameOption = None, as_json: JsonOption = False) -> None:
    """Name one sensible move and say why.

    It rests on nothing that a player cannot see. Exits with 1 if there is none.
    """
    stored = session.store.load(session.game_to_read(game))
    status = stored.game.status
    if status != "open":
        raise IllegalMove("a hint", "R24", f"the game is {status}, and so closed")
    advice = advise(view(stored.game))
    if as_json:
        output.print_json(
            {
                "game": format_id(stored.id),
                "seq": stored.version,
                "move": advice.move.text if advice else None,
                "why": advice.why if advice else None,
            }
        )
    elif advice:
        output.print_lines([[(advice.move.text, "bold"), (f"  {advice.why}", "")]])
    if advice is None:
        output.say(f"ds: no move is any use here: {_STUCK}")
        raise typer.Exit(1)


def deal(
    session: Session,
    code: Annotated[str, typer.Argument(metavar="CODE", help="A code such as DS1-D1N-AAAAAAB.")],
    as_json: JsonOption = False,
) -> None:
    """Show the layout that a code stands for.

    No game is started, and the face-down cards are shown. The 104 cards are in the order in
    which they are dealt.
    """
    dealt = deal_code(parse_code(code))
    if as_json:
        output.print_json({"code": str(dealt.code), "deck": format_deck(dealt.cards)})
        return
    seen = view(Game(dealt), reveal=True)
    output.print_lines([[(str(dealt.code), "bold")], [], *board_lines(seen)])


def replay(
    session: Session,
    at: AtOption = None,
    start: Annotated[
        int | None,
        typer.Option(
            "--from",
            metavar="A",
            parser=whole_number(0),
            help="Begin at event A.",
            show_default=False,
        ),
    ] = None,
    end: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="B",
            parser=whole_number(0),
            help="End after event B.",
            show_default=False,
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(metavar="X", min=0.01, help="On a terminal: X frames a second."),
    ] = 1.0,
    reveal: RevealOption = False,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded game back, event by event.

    Undone moves are shown as they were played. Frame 0 is the board before the first event.
    """
    from ds_events.replay import frames

    if at is not None and (start is not None or end is not None):
        raise typer.BadParameter("--at shows one frame: it does not go with --from and --to")
    if start is not None and end is not None and end < start:
        raise typer.BadParameter(f"--to {end} comes before --from {start}")
    stored = session.store.load(session.game_to_read(game))
    first, last = (at, at) if at is not None else (start or 0, end)
    _check_frame(stored, max(first, last or 0))
    events = session.store.read(stored.id)[:last]
    shown = [frame for frame in frames(stored.header, events, reveal=reveal) if frame.seq >= first]
    if as_json:
        output.print_json(
            {
                **game_json(stored.header, view(stored.game)),
                "frames": [
                    {
                        "seq": frame.seq,
                        "move": frame.move,
                        "change": frame.change,
                        "at": output.utc(frame.at),
                        **board_json(frame.seen),
                    }
                    for frame in shown
                ],
            }
        )
        return
    scoring = stored.header.deal.mode.scoring
    for i, frame in enumerate(shown):
        if i and output.is_terminal():
            time.sleep(FRAME_SECONDS / speed)
        change = f"  {'+' if frame.change > 0 else ''}{scoring.format(frame.change)}"
        what = f"{frame.move}{change if frame.change else ''}" if frame.move else "start"
        output.print_lines(
            [
                [
                    (f"{frame.seq:>4}  ", "dim"),
                    (what, "bold cyan"),
                    (f"  {output.local_time(frame.at, seconds=True)}", "dim"),
                ],
                *status_lines(frame.seen, names_of(stored.header)),
                *board_lines(frame.seen),
                [],
            ]
        )


def _check_frame(stored: StoredGame, seq: int) -> None:
    if seq > stored.version:
        raise typer.BadParameter(
            f"the game has {output.counted(stored.version, 'event')}: there is no event {seq}"
        )
