"""Commands that play: each appends to a game's log and shows the board after it."""

import secrets
from pathlib import Path
from typing import Annotated, Literal

import typer

from ds_cli.options import GameOption, JsonOption, command, whole_number
from ds_cli.output import say
from ds_cli.session import Session, read_text
from ds_cli.settings import double_tap_is_on
from ds_cli.showing import show_game
from ds_core import (
    DEALS,
    MODES,
    PILES,
    SCORINGS,
    GameCode,
    IllegalMove,
    Mode,
    Move,
    View,
    deal_cards,
    deal_code,
    double_tap,
    format_card,
    parse_code,
    parse_deck,
    parse_moves,
    tap,
    view,
)
from ds_events.ids import format_id
from ds_events.limits import check_label
from ds_events.record import StoredGame


def register(app: typer.Typer) -> None:
    """Add the commands that play."""
    command(
        app,
        "new",
        "ds new",
        "ds new DS1-D1N-AAAAAAB",
        "ds new --draw 3 --scoring vegas",
        'ds new --deck cards.txt --label "app 7731"',
    )(new)
    command(app, "move", "ds move D WT5 T3T7x4", "echo D D U | ds move -")(move)
    command(app, "draw", "ds draw")(draw)
    command(app, "tap", "ds tap W", "ds tap T4 --double")(tap_pile)
    command(app, "undo", "ds undo", "ds undo 5")(undo)
    command(app, "abandon", "ds abandon", "ds abandon --game @2")(abandon)


def new(
    session: Session,
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="A game code such as DS1-D1N-AAAAAAB.", show_default=False
        ),
    ] = None,
    draw: Annotated[
        Literal["1", "3"] | None,
        typer.Option(help="Cards a draw turns. [default: 1]", show_default=False),
    ] = None,
    scoring: Annotated[
        Literal["standard", "vegas"] | None,
        typer.Option(help="The scoring. [default: standard]", show_default=False),
    ] = None,
    deck: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="104 cards of your own, column 1 first; - is stdin.",
            show_default=False,
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="With --deck: where the deal comes from, such as another app's code.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Start a game: from a code, a random deal, or cards of your own.

    A game dealt elsewhere is started from its 104 cards, in the order in which they are
    dealt, with white space between them.
    """
    if label is not None and deck is None:
        raise typer.BadParameter("--label goes with --deck: a game with a code needs none")
    if code is not None and deck is not None:
        raise typer.BadParameter("a code and --deck: a game is dealt from one of the two")
    if deck is not None:
        deal = deal_cards(_mode(draw, scoring), parse_deck(read_text(deck)), check_label(label))
    elif code is not None:
        deal = deal_code(_agreeing(parse_code(code), draw, scoring))
    else:
        deal = deal_code(GameCode(_mode(draw, scoring), secrets.randbelow(DEALS)))
    left = session.newest_open_game()
    stored = session.store.create(session.player, deal)
    if left is not None:
        say(f"ds: game {format_id(left)} is left open; --game {format_id(left)} plays on in it")
    show_game(stored, as_json=as_json, played=[])


def move(
    session: Session,
    moves: Annotated[
        list[str],
        typer.Argument(metavar="MOVE", help="Moves in notation, in order; - reads stdin."),
    ],
    expect: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(0),
            help="Play only if the log stands at seq N.",
            show_default=False,
        ),
    ] = None,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play moves: all of them or, at the first that is refused, none.

    D draws, R turns the waste back, WF and WT5 play from the waste, T3F and T3T7 from a
    column, T3T7x4 four cards, F2T5 back from a foundation, U undoes, X abandons.
    """
    text = " ".join(read_text(Path(word)) if word == "-" else word for word in moves)
    wanted = parse_moves(text)
    if not wanted:
        raise typer.BadParameter("no MOVE is given: write one such as D or T3T7")
    _append(session, session.load_to_play(game), wanted, as_json, expect)


def draw(session: Session, game: GameOption = None, as_json: JsonOption = False) -> None:
    """Draw from the stock: one card, or three in draw-3."""
    _append(session, session.load_to_play(game), parse_moves("D"), as_json)


def tap_pile(
    session: Session,
    pile: Annotated[
        str,
        typer.Argument(metavar="PILE", help="S stock, W waste, T1-T9 columns, F1-F8 foundations."),
    ],
    double: Annotated[
        bool, typer.Option("--double", help="Tap twice. DS_DOUBLE_TAP=off makes it one tap.")
    ] = False,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tap a pile: the stock to draw, a last card to send it home.

    A double tap sends the card home, or onto the longest column that takes it. Exits with 1
    if the tap does nothing.
    """
    if pile not in PILES:
        raise typer.BadParameter(f"{pile!r} is no pile: write {', '.join(PILES)}")
    gesture = double_tap if double and double_tap_is_on() else tap
    stored = session.load_to_play(game)
    seen = view(stored.game)
    wanted = gesture(seen, pile)
    if wanted is None:
        name = "double tap" if gesture is double_tap else "tap"
        say(f"ds: a {name} on {pile} does nothing: {_why_nothing(seen, pile, name)}")
        raise typer.Exit(1)
    _append(session, stored, [wanted], as_json)


def undo(
    session: Session,
    count: Annotated[
        int, typer.Argument(metavar="N", parser=whole_number(1), help="How many operations.")
    ] = 1,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back the latest operations that stand: all N or none."""
    stored = session.load_to_play(game)
    can = stored.game.undoable
    if 0 < can < count:
        raise IllegalMove("U", "R26", f"{can} operations can be taken back, not {count}")
    # Where nothing can be taken back, the first undo says why.
    _append(session, stored, parse_moves("U") * (count if can else 1), as_json)


def abandon(session: Session, game: GameOption = None, as_json: JsonOption = False) -> None:
    """Close a game without winning it; its score stays what it is."""
    _append(session, session.load_to_play(game), parse_moves("X"), as_json)


def _append(
    session: Session,
    stored: StoredGame,
    wanted: list[Move],
    as_json: bool,
    expect: int | None = None,
) -> None:
    expected = stored.version if expect is None else expect
    try:
        after = session.store.append(stored.id, wanted, expected_version=expected)
    except IllegalMove as error:
        if len(wanted) > 1 and error.place is not None:
            error.add_note(f"it is move {error.place} of {len(wanted)}, and none was played")
        raise
    show_game(after, as_json=as_json, played=wanted)


def _mode(draw: str | None, scoring: str | None) -> Mode:
    """The mode that the options give: draw-1 and standard unless said (R15)."""
    return MODES[f"D{draw or 1}{SCORINGS[scoring or 'standard'].symbol}"]


def _agreeing(code: GameCode, draw: str | None, scoring: str | None) -> GameCode:
    """Refuse options that say something else than the code."""
    said = str(code.mode.draw), code.mode.scoring.name
    for option, value, right in (("--draw", draw, said[0]), ("--scoring", scoring, said[1])):
        if value is not None and value != right:
            raise typer.BadParameter(f"{option} {value} contradicts {code}, which says {right}")
    return code


def _why_nothing(seen: View, pile: str, gesture: str) -> str:
    """Say why a tap on a pile makes no move."""
    if seen.status != "open":
        return f"the game is {seen.status}, and so closed (R24)"
    if pile == "S":
        if seen.mode.scoring.turn_back is None:
            return "the stock is empty, and under Vegas the waste is never turned back (R17)"
        return "the stock and the waste are empty (R18)"
    if pile[0] == "F":
        return "a card comes back from a foundation by a move such as F2T5 only (R30)"
    cards = seen.waste if pile == "W" else seen.columns[int(pile[1]) - 1].up
    if not cards:
        return "no card is there (R30)"
    where = "foundation" if gesture == "tap" else "foundation and no other column"
    return f"no {where} takes {format_card(cards[-1])} ({'R30' if gesture == 'tap' else 'R31'})"
