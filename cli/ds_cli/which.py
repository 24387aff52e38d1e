"""The options that say which games a command is about, and what they mean."""

from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ds_cli import output
from ds_cli.options import EveryoneOption
from ds_cli.session import Session
from ds_core import Deal, deal_code, parse_code, parse_mode
from ds_events.ids import format_id

if TYPE_CHECKING:
    from ds_events.filters import Filters, SameDeal


@dataclass(frozen=True)
class Which:
    """Which games: a command that takes this as a parameter has all these options."""

    status: Annotated[
        Literal["open", "won", "abandoned"] | None,
        typer.Option(help="Only games of this status.", show_default=False),
    ] = None
    mode: Annotated[
        Literal["D1N", "D1V", "D3N", "D3V"] | None,
        typer.Option(help="Only games of this mode.", show_default=False),
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Only games started at or after DATE, local.", show_default=False
        ),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only games started before DATE, local; a day counts whole.",
            show_default=False,
        ),
    ] = None
    deal: Annotated[
        str | None,
        typer.Option(
            metavar="DEAL",
            help="Only games of the same 104 cards as DEAL, a code or a game.",
            show_default=False,
        ),
    ] = None
    tz: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            help="The time zone of dates, such as Europe/Berlin. [default: the system's]",
            show_default=False,
        ),
    ] = None
    everyone: EveryoneOption = False

    @cached_property
    def zone(self) -> tzinfo | None:
        """The time zone of dates, `None` for the system's; raises `typer.BadParameter`."""
        if self.tz is None:
            return None
        from ds_events.periods import parse_zone

        try:
            return parse_zone(self.tz)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    @property
    def is_narrowed(self) -> bool:
        """Whether some games of the player, or of everybody, may be left out."""
        return any((self.status, self.mode, self.since, self.until, self.deal))

    def player_id(self, session: Session) -> int | None:
        """Return whose games these are, `None` for everybody's."""
        return None if self.everyone else session.player_id

    def player(self, session: Session) -> str | None:
        """Return the name of whose games these are, `None` for everybody."""
        return None if self.everyone else session.player

    def filters(self, session: Session, limit: int | None = None) -> "Filters":
        """Return the same for the record.

        Raises `typer.BadParameter` for what is no date or time zone, `BadCode` or
        `GameNotFound` for what is no deal.
        """
        from ds_events.filters import Filters

        zone = self.zone
        return Filters(
            status=self.status,
            mode=None if self.mode is None else parse_mode(self.mode),
            since=None if self.since is None else output.parse_local_time(self.since, zone),
            until=None
            if self.until is None
            else output.parse_local_time(self.until, zone, end_of_day=True),
            limit=limit,
            deal=None if self.deal is None else self._same_deal(session, self.deal),
        )

    def none(self, session: Session, kind: str = "") -> str:
        """Return what a person is told where there is no game to report on."""
        whose = self.player(session) or "anybody"
        if self.is_narrowed:
            return f"ds: no {kind}game of {whose} that has been played is of this kind"
        return f"ds: no {kind}game of {whose} has been played yet"

    def deal_words(self, session: Session) -> str | None:
        """Return what the deal is called at any time: its code, or the id of a game of it."""
        if self.deal is None:
            return None
        code = self._deal(session, self.deal).code
        return format_id(session.find(self.deal)) if code is None else str(code)

    def _same_deal(self, session: Session, text: str) -> "SameDeal":
        from ds_events.filters import same_deal

        deal = self._deal(session, text)
        with session.database.read() as connection:
            return same_deal(connection, deal, self.player_id(session))

    def _deal(self, session: Session, text: str) -> Deal:
        # A code has hyphens, and no game is named so.
        if "-" in text:
            return deal_code(parse_code(text))
        return session.store.header(session.find(text)).deal
