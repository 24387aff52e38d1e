"""Commands about players."""

from typing import Annotated

import typer

from ds_cli import output
from ds_cli.options import command, group
from ds_cli.session import Session


def register(app: typer.Typer) -> None:
    """Add the group `player`."""
    player = group(app, "player", "Look after players.", "ds player erase mika")
    command(player, "erase", "ds player erase mika")(erase)


def erase(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player's name.")],
) -> None:
    """Erase a player's name, and nothing else.

    The games stay, and so do seals and proofs: they rest on the player's id, under which
    the player is shown from then on. The name cannot be brought back; copies of the
    database, exports and proofs made before still hold it.
    """
    from ds_events.upkeep import erase_name

    shown, is_gone = erase_name(session.database, name)
    output.say(f"ds: the name {name} has been erased; its games are those of {shown}")
    if not is_gone:
        output.say(
            "ds: another process still reads the database as it was: its -wal file holds the "
            "name until that has ended and something has been written"
        )
