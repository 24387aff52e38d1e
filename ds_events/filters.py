"""Which games a list or a report is about."""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, exists, select

from ds_core import MODES, BadCode, Deal, GameCode, Mode, format_deck, parse_code, shuffle
from ds_events.schema import games, summaries
from ds_events.times import Micros


class SameDeal(NamedTuple):
    """The games of one deal (R36): dealt by one of the codes, or from the deck of one's own."""

    codes: tuple[str, ...]
    deck: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Which games are meant: those to which all applies that is not `None`.

    Times bound `started_at`, `since` included, `until` not. `limit` is for lists alone.
    """

    status: str | None = None
    mode: Mode | None = None
    since: Micros | None = None
    until: Micros | None = None
    limit: int | None = None
    deal: SameDeal | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return what has to hold of the summary of a game."""
        kept = summaries.c
        found: list[ColumnElement[bool]] = []
        if self.status is not None:
            found.append(kept.status == self.status)
        if self.mode is not None:
            found.append(kept.mode == str(self.mode))
        if self.since is not None:
            found.append(kept.started_at >= self.since)
        if self.until is not None:
            found.append(kept.started_at < self.until)
        if self.deal is not None:
            dealt = games.alias("dealt")
            is_same = dealt.c.code.in_(self.deal.codes) | (dealt.c.deck == self.deal.deck)
            found.append(exists().where(dealt.c.id == kept.game_id, is_same))
        return found


def same_deal(connection: Connection, deal: Deal, player: int | None) -> SameDeal:
    """Return which games have the 104 cards of a deal, in any mode.

    For a deck of one's own the codes of a player's games, or of everybody's, have to be
    dealt to know which of them gives these cards.
    """
    number = _number_of(connection, deal, player) if deal.code is None else deal.code.deal
    codes = () if number is None else (str(GameCode(mode, number)) for mode in MODES.values())
    return SameDeal(tuple(codes), format_deck(deal.cards))


def _number_of(connection: Connection, deal: Deal, player: int | None) -> int | None:
    found = select(games.c.code).where(games.c.code.is_not(None))
    if player is not None:
        found = found.join(summaries, summaries.c.game_id == games.c.id)
        found = found.where(summaries.c.player_id == player)
    tried = set()
    for text in connection.scalars(found):
        # A code that cannot be read is for the audit to tell.
        with suppress(BadCode):
            code = parse_code(text)
            if code.deal not in tried and shuffle(code) == deal.cards:
                return code.deal
            tried.add(code.deal)
    return None
