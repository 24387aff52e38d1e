"""Commands that look at games without changing them."""

from typing import Annotated, Final

import typer

from ds_cli import output
from ds_cli.board import board_lines
from ds_cli.options import AtOption, CsvOption, GameOption, JsonOption, RevealOption, command
from ds_cli.session import Session
from ds_cli.showing import check_frame, show_game
from ds_core import Game, IllegalMove, advise, deal_code, format_deck, parse_code, view
from ds_events.ids import format_id

_STUCK: Final = "`ds undo` takes back, `ds new` starts another game"


def register(app: typer.Typer) -> None:
    """Add the commands that look."""
    command(app, "show", "ds show", "ds show --at 12", "ds show --game @2 --json")(show)
    command(app, "legal", "ds legal", "ds legal --json")(legal)
    command(app, "hint", "ds hint")(hint)
    command(app, "deal", "ds deal DS1-D1N-AAAAAAB", "ds deal ds1-d3v-aaaaaab --json")(deal)


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
        check_frame(stored, at)
        stored = session.store.load(stored.id, at)
    show_game(stored, as_json=as_json, reveal=reveal)


def legal(
    session: Session,
    game: GameOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """List the moves that the rules allow now.

    Undoing and abandoning are left out.
    """
    output.choose_format(as_json, as_csv)
    stored = session.store.load(session.game_to_read(game))
    moves = sorted(move.text for move in stored.game.legal_moves())
    output.print_report(
        {"game": format_id(stored.id), "seq": stored.version, "legal": moves},
        as_json=as_json,
        as_csv=as_csv,
        columns=["move"],
        rows=[{"move": move} for move in moves],
        show=lambda: _show_legal(moves, stored.game.status),
    )


def _show_legal(moves: list[str], status: str) -> None:
    if moves:
        output.print_lines([[(" ".join(moves), "")]])
    else:
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
