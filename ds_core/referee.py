"""The referee: what a record claims, held against the rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from ds_core.card import PACK
from ds_core.deal import Deal
from ds_core.errors import IllegalMove, NotationError
from ds_core.game import Game
from ds_core.move import ABANDON, MOVES, UNDO, Move, parse_move
from ds_core.value import Value

SEQ: Final = "seq"
UNREADABLE_MOVE: Final = "unreadable_move"
ILLEGAL_MOVE: Final = "illegal_move"
SCORE: Final = "score"
END_STATUS: Final = "end_status"
END_SCORE: Final = "end_score"
END_MOVES: Final = "end_moves"

FAULT_KINDS: Final = {
    SEQ: "the event is not numbered as the next one; judging stops there",
    UNREADABLE_MOVE: "the move is none (R37); judging stops there",
    ILLEGAL_MOVE: "the rules refuse the move; judging stops there",
    SCORE: "the score changed otherwise than the rules say",
    END_STATUS: "the game's status is not what is claimed",
    END_SCORE: "the final score is not what is claimed",
    END_MOVES: "the move counter is not what is claimed",
}
"""Every kind of fault that a record can have, with what it means."""

TIMES: Final = "times"
TAKE_BACK_LOOP: Final = "take_back_loop"

WARNING_KINDS: Final = {
    TIMES: "the event is timed before the one ahead of it",
    TAKE_BACK_LOOP: "a card that was taken back from a foundation scored again (R14)",
}
"""Every kind of warning: odd, but allowed by the rules, and so no fault."""


class Claim(NamedTuple):
    """What a record says of one event.

    Its number from 1 and its move; where it says so, the score after it and its time, any
    whole number that grows with time. A plain tuple of the same four is as good.
    """

    seq: int
    move: str
    score: int | None = None
    at: int | None = None


Said: TypeAlias = tuple[int, str, int | None, int | None]
"""What a `Claim` holds."""


@dataclass(frozen=True, slots=True)
class EndClaims(Value):
    """What a record says of its end; `None` where it says nothing."""

    status: str | None = None
    score: int | None = None
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class Finding(Value):
    """One fault or warning, about event `seq`, or about the end where that is `None`.

    For a `score` fault `claimed` and `expected` are changes of score and `drift` is how far
    the claimed score has run from the right one; for other kinds they are what they name.
    """

    kind: str
    seq: int | None
    move: str | None
    claimed: int | str | None
    expected: int | str | None
    drift: int | None
    message: str


@dataclass(slots=True)
class Verdict:
    """What the referee found: the game as far as it could be judged, and every finding.

    `moves` and `scores` hold each judged event's move and the right score after it;
    `events` counts all events, `unjudged` those after the one where judging had to stop.
    A record is sound if `faults` is empty.
    """

    game: Game
    moves: list[Move] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    events: int = 0
    unjudged: int = 0
    faults: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)


def judge(
    deal: Deal,
    claims: Iterable[Said],
    end: EndClaims | None = None,
    started_at: int | None = None,
) -> Verdict:
    """Play a record by the rules and report where it claims something else.

    Faults come in the order of the events, those about the end last. A constant drift of
    the score is one fault, not one an event. Judging stops at the first break in `seq` and
    at the first move that is unreadable or illegal; the claims about the end are then not
    judged either. Raises nothing for what a record says.

    >>> deal = deal_code(parse_code("DS1-D1N-AAAAAAB"))
    >>> verdict = judge(deal, [Claim(1, "D", 0), Claim(2, "T2T3", 15), Claim(3, "D", 15)])
    >>> [(fault.seq, fault.claimed, fault.expected, fault.drift) for fault in verdict.faults]
    [(2, 15, 5, 10)]
    """
    said = list(claims)
    verdict = _confirmed(deal, said, started_at) or _look_closely(deal, said, started_at)
    if verdict.events == len(verdict.moves):
        verdict.faults += _end_faults(verdict.game, end or EndClaims())
    if verdict.game.take_backs:
        verdict.warnings += _take_back_loops(deal, verdict.moves)
    return verdict


def confirm(deal: Deal, claims: Iterable[Said], started_at: int | None = None) -> Game | None:
    """Return the game of a record that says everything, and all of it right; else `None`.

    That is most records, and it takes half the time of finding out what is wrong with the
    others. Everything: the score and the time of each event; right: by the rules, and with
    times that never run backwards.
    """
    verdict = _confirmed(deal, list(claims), started_at)
    return None if verdict is None else verdict.game


def _confirmed(deal: Deal, claims: list[Said], started_at: int | None) -> Verdict | None:
    """Return the verdict on a record that says everything, and all of it right; else `None`."""
    if not claims:
        return Verdict(Game(deal))
    seqs, texts, scores, times = zip(*claims, strict=True)
    began = times[0] if started_at is None else started_at
    game = Game(deal)
    try:
        # Where a time is missing it compares with no other.
        if seqs != tuple(range(1, len(seqs) + 1)) or [began, *times] != sorted([began, *times]):
            return None
        moves = [MOVES[text] for text in texts]
        for move, score in zip(moves, scores, strict=True):
            game.play(move)
            if score != game.score:
                return None
    except (IllegalMove, KeyError, TypeError):
        return None
    return Verdict(game, moves, list(scores), len(claims))


def _look_closely(deal: Deal, claims: list[Said], started_at: int | None) -> Verdict:
    """Judge event by event, and say of each what is wrong with it."""
    game = Game(deal)
    verdict = Verdict(game)
    moves, scores = verdict.moves, verdict.scores
    # How far the claimed score has run from the right one, and both when last compared.
    drift, last_claimed, last_score, last_seq = 0, game.score, game.score, 0
    last_at = started_at
    rest = iter(claims)
    for seq, text, claimed, at in rest:
        stop = _play(game, len(moves) + 1, seq, text)
        if stop is not None:
            verdict.faults.append(stop)
            verdict.unjudged = sum(1 for _ in rest)
            break
        score = game.score
        moves.append(MOVES[text])
        scores.append(score)
        if claimed is not None:
            if claimed - score != drift:
                drift = claimed - score
                changed = text if last_seq == seq - 1 else f"all that came after seq {last_seq}"
                verdict.faults.append(
                    _score_fault(
                        seq, text, changed, claimed - last_claimed, score - last_score, drift
                    )
                )
            last_claimed, last_score, last_seq = claimed, score, seq
        if at is not None:
            if last_at is not None and at < last_at:
                message = "the event is timed before what comes ahead of it in the record"
                verdict.warnings.append(Finding(TIMES, seq, text, None, None, None, message))
            last_at = at
    verdict.events = len(claims)
    return verdict


def standing(moves: Iterable[Move]) -> list[tuple[int, Move]]:
    """Return the operations that stand at the end of a legal game, with their seq from 1.

    Undone operations, undos and abandoning are left out: playing what is returned leads to
    the same board and score (R26).

    >>> standing(parse_moves("D D U T2T3"))
    [(1, parse_move('D')), (4, parse_move('T2T3'))]
    """
    stands: list[tuple[int, Move]] = []
    for seq, move in enumerate(moves, 1):
        if move.kind == UNDO:
            stands.pop()
        elif move.kind != ABANDON:
            stands.append((seq, move))
    return stands


def _play(game: Game, due: int, seq: int, text: str) -> Finding | None:
    """Play one event, or say why judging has to stop at it."""
    if seq != due:
        message = f"the event is numbered {seq} where {due} was due"
        return Finding(SEQ, seq, text, seq, due, None, message)
    try:
        game.play(parse_move(text))
    except NotationError as unreadable:
        return Finding(UNREADABLE_MOVE, seq, text, text, None, None, str(unreadable))
    except IllegalMove as refusal:
        return Finding(ILLEGAL_MOVE, seq, text, text, refusal.rule, None, str(refusal))
    return None


def _score_fault(
    seq: int, text: str, changed: str, claimed: int, expected: int, drift: int
) -> Finding:
    now = f"off by {drift:+d}" if drift else "right again"
    message = (
        f"{changed} changes the score by {expected:+d}, the record claims {claimed:+d}; "
        f"its score is now {now}"
    )
    return Finding(SCORE, seq, text, claimed, expected, drift, message)


def _end_faults(game: Game, end: EndClaims) -> list[Finding]:
    """Hold the claims about the end against the rules alone, whatever the events claimed."""
    compared: tuple[tuple[str, str, int | str | None, int | str], ...] = (
        (END_STATUS, "status", end.status, game.status),
        (END_SCORE, "score", end.score, game.score),
        (END_MOVES, "move counter", end.moves, game.moves),
    )
    return [
        Finding(
            kind,
            None,
            None,
            claimed,
            expected,
            None,
            f"the {name} at the end is {expected}, the record claims {claimed}",
        )
        for kind, name, claimed, expected in compared
        if claimed is not None and claimed != expected
    ]


def _take_back_loops(deal: Deal, moves: list[Move]) -> list[Finding]:
    """Warn once where cards taken back from a foundation scored again and still stand."""
    game = Game(deal)
    # How many copies of each card have been home at once. The copies are interchangeable, so
    # a card that comes home without making them more has scored before.
    most = [0] * len(PACK)
    again: list[tuple[int, Move]] = []
    heights = game.foundations[:]
    for seq, move in standing(moves):
        game.play(move)
        if game.foundations == heights:
            continue
        for foundation, height in enumerate(game.foundations):
            if height > heights[foundation]:
                suit, rank = foundation // 2, height - 1
                copies = sum(other > rank for other in game.foundations[suit * 2 : suit * 2 + 2])
                card = suit * 13 + rank
                if copies > most[card]:
                    most[card] = copies
                else:
                    again.append((seq, move))
        heights = game.foundations[:]
    if not again:
        return []
    seq, move = again[0]
    points = len(again) * deal.mode.scoring.home
    times = "once" if len(again) == 1 else f"{len(again)} times"
    message = (
        f"from here on, cards taken back from a foundation were sent home again {times} "
        f"and scored {deal.mode.scoring.format(points)} more by it, as R14 allows"
    )
    return [Finding(TAKE_BACK_LOOP, seq, move.text, None, None, None, message)]
