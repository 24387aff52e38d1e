"""Faults and warnings with the place where they stand: what audits and imports report."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ds_core import FAULT_KINDS, Finding, Verdict

FORMAT_FAULT: Final = "format"
CONFLICT: Final = "conflict"
CHAIN: Final = "chain"
SUMMARY: Final = "summary"
DEAL: Final = "deal"
PLAYER: Final = "player"
SEAL: Final = "seal"
ORPHAN: Final = "orphan"
TRIGGER: Final = "trigger"

KINDS: Final = FAULT_KINDS | {
    FORMAT_FAULT: "it cannot be read as ds-game/1, nor as ds-text/1",
    CONFLICT: "a game of the same id is stored with other content",
    CHAIN: "the hash chain over the game and its events gives another head than is stored",
    SUMMARY: "the stored summary is not what follows from the log",
    DEAL: "the stored deal cannot be read",
    PLAYER: "the player is missing or has another id than the name gives",
    SEAL: "a game, or the stored leaves, are not what was sealed",
    ORPHAN: "rows belong to a game that is not there",
    TRIGGER: "a trigger that keeps the log append-only is missing",
}
"""Every kind of fault that an audit or an import can report, with what it means."""


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and where it stands: the game's id as text, the line of a file from 1."""

    finding: Finding
    game: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """Say where it stands and what it is."""
        seq = self.finding.seq
        places = (
            f"line {self.line}" if self.line is not None else "",
            f"game {self.game}" if self.game is not None else "",
            f"seq {seq}" if seq is not None else "",
        )
        place = ", ".join(filter(None, places))
        return f"{place}: {self.finding.message}" if place else self.finding.message

    def as_row(self) -> dict[str, Any]:
        """Return the finding as the row that `ds audit --json` gives."""
        found = self.finding
        return {
            "game": self.game,
            "line": self.line,
            "seq": found.seq,
            "move": found.move,
            "kind": found.kind,
            "claimed": found.claimed,
            "expected": found.expected,
            "drift": found.drift,
            "message": found.message,
        }


LineOf: TypeAlias = Callable[[Finding], int | None]
"""Which line of a file a finding is about, if it is about one of a file."""


def _no_line(_: Finding) -> None:
    return None


@dataclass(slots=True)
class AuditReport:
    """What an audit has seen: how many games and events, and what it found.

    `unjudged` counts events behind one at which judging had to stop.
    """

    games: int = 0
    events: int = 0
    unjudged: int = 0
    faults: list[Located] = field(default_factory=list)
    warnings: list[Located] = field(default_factory=list)

    def add(self, part: "AuditReport") -> None:
        """Take in what another audit has seen, behind all that is there."""
        self.games += part.games
        self.events += part.events
        self.unjudged += part.unjudged
        self.faults += part.faults
        self.warnings += part.warnings

    def kinds(self) -> dict[str, int]:
        """Return how many faults there are of each kind that there is."""
        return dict(sorted(Counter(fault.finding.kind for fault in self.faults).items()))

    def count(self, verdict: Verdict, game: str, line_of: LineOf = _no_line) -> None:
        """Add what the referee found about one game."""
        self.games += 1
        self.events += verdict.events
        self.unjudged += verdict.unjudged
        self.faults += locate(verdict.faults, game, line_of)
        self.warnings += locate(verdict.warnings, game, line_of)


def locate(
    findings: Iterable[Finding], game: str | None = None, line_of: LineOf = _no_line
) -> list[Located]:
    """Return findings with the place where they stand."""
    return [Located(finding, game, line_of(finding)) for finding in findings]


def plain(kind: str, message: str, claimed: Any = None, expected: Any = None) -> Finding:
    """Return a finding that is about no single event."""
    return Finding(kind, None, None, claimed, expected, None, message)
