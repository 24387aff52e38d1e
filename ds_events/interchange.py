"""ds-game/1: one game as a line of JSON, read strictly and written always the same."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NotRequired, TypeVar

import jiter
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from ds_core import (
    Deal,
    EndClaims,
    GameCode,
    Mode,
    Said,
    Status,
    Verdict,
    deal_cards,
    deal_code,
    format_deck,
    judge,
    parse_code,
    parse_deck,
    parse_mode,
)
from ds_events.errors import BadRecord, LimitExceeded
from ds_events.ids import content_id, format_id, parse_id
from ds_events.limits import MAX_LINE, check_events, check_label, check_name
from ds_events.log import chain_of, times_of
from ds_events.record import Event, Header, StoredGame, player_of
from ds_events.schema import LogRow
from ds_events.times import Micros, format_time, parse_time

FORMAT: Final = "ds-game/1"

T = TypeVar("T")


def _read_format(text: str) -> str:
    if text != FORMAT:
        raise ValueError(f"{text!r} is not known here, only {FORMAT}: a newer program is needed")
    return text


def _read_id(text: str) -> int:
    number = parse_id(text)
    if number is None:
        raise ValueError(f"{text!r} is no id: one is 13 characters of Crockford base 32")
    return number


def _read_code(text: str) -> GameCode:
    code = parse_code(text)
    if str(code) != text:
        raise ValueError(f"{text!r} is not in upper case, as records hold codes: write {code}")
    return code


def reads(parse: Callable[[str], object]) -> BeforeValidator:
    """Read a text with `parse`; anything but a text is refused before it comes there."""

    def read(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("a text is wanted here")
        return parse(value)

    return BeforeValidator(read)


_STRICT: Final = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True)

_Time = Annotated[int, reads(parse_time)]
_Number = Annotated[int, Field(ge=-(2**63), lt=2**63)]


@with_config(_STRICT)
class EventLine(TypedDict):
    """One event of a line; `score` is a claim of what the score was after it.

    `at` is a time, which `record_of` reads.
    """

    seq: _Number
    move: str
    score: NotRequired[_Number]
    at: NotRequired[str]


@with_config(_STRICT)
class GameLine(TypedDict):
    """One line of ds-game/1. An optional key is absent or right: null is no value."""

    format: Annotated[str, reads(_read_format)]
    id: NotRequired[Annotated[int, reads(_read_id)]]
    code: NotRequired[Annotated[GameCode, reads(_read_code)]]
    mode: NotRequired[Annotated[Mode, reads(parse_mode)]]
    deck: NotRequired[Annotated[tuple[int, ...], reads(parse_deck)]]
    label: NotRequired[Annotated[str, reads(check_label)]]
    player: NotRequired[Annotated[str, reads(check_name)]]
    started_at: NotRequired[_Time]
    events: list[EventLine]
    status: NotRequired[Status]
    score: NotRequired[_Number]
    moves: NotRequired[_Number]


_GAME_LINE: Final = TypeAdapter(GameLine)


@dataclass(frozen=True, slots=True)
class Record:
    """What a line says of a game; `None` is what it does not say.

    `id` is the line's, or one made from its content, so that the same line is always the
    same game.
    """

    id: int
    deal: Deal
    player: str | None
    started_at: Micros | None
    claims: Sequence[Said]
    end: EndClaims

    def judge(self) -> Verdict:
        """Hold what the record claims against the rules."""
        return judge(self.deal, self.claims, self.end, self.started_at)


def parse_record(line: bytes) -> Record:
    """Return what one line of ds-game/1 says.

    Raises `BadRecord` for what is no JSON, has a doubled or unknown key, a wrong type or an
    unreadable value, or is larger than `ds_events.limits` allows; the message says where.
    """
    return record_of(parse_json(line, _GAME_LINE))


def parse_json(text: bytes, shape: TypeAdapter[T]) -> T:
    """Return a JSON document of some shape, read strictly and in bounded memory.

    Raises `BadRecord`, which says where what is wrong.
    """
    if len(text) > MAX_LINE:
        raise BadRecord(f"the line is longer than {MAX_LINE} bytes")
    try:
        document = jiter.from_json(text, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        # The parser counts lines from the record's own beginning, so it is always line 1.
        reason = str(error).replace("at line 1 column", "at column")
        raise BadRecord(f"not readable as JSON: {reason}") from None
    try:
        return shape.validate_python(document)
    except ValidationError as error:
        raise _explain(error) from None


def record_of(said: GameLine) -> Record:
    """Return what a line of ds-game/1 says; raises `BadRecord` where it contradicts itself."""
    try:
        check_events(len(said["events"]))
    except LimitExceeded as error:
        raise BadRecord(str(error)) from None
    deal = _deal_of(said)
    claims = _claims(said["events"])
    player, started_at = said.get("player"), said.get("started_at")
    number = said.get("id")
    return Record(
        id=_made_id(deal, player, started_at, claims) if number is None else number,
        deal=deal,
        player=player,
        started_at=started_at,
        claims=claims,
        end=EndClaims(said.get("status"), said.get("score"), said.get("moves")),
    )


def to_store(
    record: Record, verdict: Verdict, player: str, clock: Micros
) -> tuple[StoredGame, list[LogRow]]:
    """Return a record without faults as the game and the log to store.

    `player` and `clock` stand in for what the record does not say: a game without any time
    started now, an event without a time came with the one before it.
    """
    at = record.started_at
    if at is None:
        at = next((said_at for *_, said_at in record.claims if said_at is not None), clock)
    started_at = at
    log: list[LogRow] = []
    for (seq, move, _, claimed_at), score in zip(record.claims, verdict.scores, strict=True):
        at = at if claimed_at is None else claimed_at
        log.append((seq, move, score, at))
    header = Header(record.id, player_of(record.player or player), record.deal, started_at)
    return StoredGame(header, verdict.game, *times_of(log), chain_of(header, log)), log


def says_the_same(record: Record, header: Header, log: Sequence[Event]) -> bool:
    """Return whether a stored game is what a record says, as far as it says it.

    What it claims of scores and of the end follows from the rest, and is the referee's.
    """
    return (
        record.deal == header.deal
        and (record.player is None or player_of(record.player).id == header.player.id)
        and (record.started_at is None or record.started_at == header.started_at)
        and len(record.claims) == len(log)
        and all(
            seq == event.seq and move == event.move and (at is None or at == event.at)
            for (seq, move, _, at), event in zip(record.claims, log, strict=True)
        )
    )


def format_record(stored: StoredGame, log: Iterable[LogRow]) -> str:
    """Return a stored game as a line of ds-game/1, without the line's end.

    Everything that applies, always in the same order and form: two exports of the same game
    are the same bytes.
    """
    header, game = stored.header, stored.game
    deal = header.deal
    said: dict[str, object] = {"format": FORMAT, "id": format_id(header.id)}
    if deal.code is not None:
        said["code"] = str(deal.code)
    else:
        said |= {"mode": str(deal.mode), "deck": format_deck(deal.cards)}
        if deal.label is not None:
            said["label"] = deal.label
    said["player"] = str(header.player)
    said["started_at"] = format_time(header.started_at)
    said["events"] = [
        {"seq": seq, "move": move, "score": score, "at": format_time(at)}
        for seq, move, score, at in log
    ]
    said |= {"status": game.status, "score": game.score, "moves": game.moves}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _deal_of(said: GameLine) -> Deal:
    """Return what the game starts from: a code, or in its place a mode and a deck."""
    code, mode, deck = said.get("code"), said.get("mode"), said.get("deck")
    if code is not None:
        if deck is not None:
            raise BadRecord("there is a code as well: a game has one of the two", ("deck",))
        if "label" in said:
            raise BadRecord("it belongs to a game with its own deck, not to a code", ("label",))
        if mode is not None and mode != code.mode:
            raise BadRecord(f"{mode} stands beside the code {code}, of {code.mode}", ("mode",))
        return deal_code(code)
    if mode is None or deck is None:
        raise BadRecord("no deal: a game has a code, or a mode and a deck")
    return deal_cards(mode, deck, said.get("label"))


def _claims(events: list[EventLine]) -> list[Said]:
    claims: list[Said] = []
    for event in events:
        at = event.get("at")
        try:
            time = None if at is None else parse_time(at)
        except ValueError as error:
            raise BadRecord(str(error), ("events", len(claims), "at")) from None
        claims.append((event["seq"], event["move"], event.get("score"), time))
    return claims


def _made_id(
    deal: Deal, player: str | None, started_at: Micros | None, claims: Iterable[Said]
) -> int:
    """Make an id from what tells games apart: not from claims, which the rules decide."""
    content = [
        FORMAT,
        str(deal.code or deal.mode),
        "" if deal.code else format_deck(deal.cards),
        deal.label,
        player,
        started_at,
        [[seq, move, at] for seq, move, _, at in claims],
    ]
    return content_id(json.dumps(content).encode())


def _explain(error: ValidationError) -> BadRecord:
    """Say where and what the first fault is, and how many more there are."""
    faults = error.errors(include_url=False)
    first = faults[0]
    what = first["msg"].removeprefix("Value error, ")
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return BadRecord(f"{what}{more}", first["loc"] or ("the line",))
