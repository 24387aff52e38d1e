"""The rules against OpenSpiel's game `solitaire`: C++, played from Python as it documents.

Two races, both from boards that are dealt already, so that only play is timed:

- replay: recorded games are played again, one after the other, ours those of the checked
  vectors, all modes and undos included, OpenSpiel's its own finished games with `apply_action`;
- random play: the legal moves are asked for, one of them is chosen, and it is played.

OpenSpiel plays with one pack and seven columns, so the moves are not the same, but what one of
them asks of an engine is: find the piles, hold the move against the rules, score it, keep what
is needed to take it back.

Of our recorded games one is in memory at a time, as where a record is read, and letting it go
is part of the time; OpenSpiel's are kept, because freeing them would only cost it time.

The unit is one decision of the player. In OpenSpiel a card that is turned up is a chance node of
its own, which also passes through `apply_action`; with us it belongs to the move (R10). So the
time of these nodes is part of the time of OpenSpiel's moves. As `EACH_NODE` the same time is
told with every node counted as a unit, which is kinder to OpenSpiel.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Any, Final, TypeAlias

from ds_core import MODES, Game, GameCode, deal_code, is_compiled
from tests.bench.measure import Outcome, Work, race
from tests.records import games

OURS: Final = "ours, compiled" if is_compiled() else "ours, in plain Python"
PEER: Final = "OpenSpiel"
EACH_NODE: Final = "OpenSpiel, each node"

REPLAY_TARGET: Final = 2.0 if is_compiled() else 0.7
RANDOM_TARGET: Final = 1.0 if is_compiled() else 0.3

SEED: Final = 2026
"""What all games of chance start from, so that every run plays the same ones."""

DECISIONS: Final = 110
"""How many moves of a game are played at random: OpenSpiel ends its games after about as many."""

State: TypeAlias = Any
"""A state of OpenSpiel, whose module has no types."""


@dataclass(frozen=True, slots=True)
class PeerGame:
    """A finished game of OpenSpiel: the actions up to the dealt board, and those of the play.

    `decisions` says how many of the latter were the player's.
    """

    dealing: list[int]
    play: list[int]
    decisions: int


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield the outcome of both races."""
    solitaire = _load_peer()
    rounds, count = (15, 60) if quick else (41, 120)
    finished = [_finish(solitaire.new_initial_state(), Random(SEED + i)) for i in range(count)]
    decisions = sum(game.decisions for game in finished)
    nodes = sum(len(game.play) for game in finished)

    def dealt() -> list[State]:
        states = []
        for game in finished:
            state = solitaire.new_initial_state()
            for action in game.dealing:
                state.apply_action(action)
            states.append(state)
        return states

    def replay_peer() -> Work:
        tables = list(zip(dealt(), [game.play for game in finished], strict=True))

        def work() -> int:
            for state, actions in tables:
                apply = state.apply_action
                for action in actions:
                    apply(action)
            return decisions

        return work

    def random_peer() -> Work:
        states, chance = dealt(), Random(SEED).random

        def work() -> int:
            return sum(_play_peer_at_random(state, chance) for state in states)

        return work

    contests = (
        ("replay", _replay_ours, replay_peer, REPLAY_TARGET),
        ("random play", lambda: _random_ours(count), random_peer, RANDOM_TARGET),
    )
    for bench, ours, peer, target in contests:
        outcome = race(bench, {OURS: ours, PEER: peer}, rounds)
        outcome.costs[EACH_NODE] = outcome.costs[PEER] * decisions / nodes
        yield outcome.faster(OURS, PEER, target).faster(OURS, EACH_NODE)


def _load_peer() -> Any:
    """Return OpenSpiel's game; ends the run where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        raise SystemExit(
            "the race of the rules needs OpenSpiel: pip install -e '.[bench]' brings it"
        ) from None
    return pyspiel.load_game("solitaire")


def _replay_ours() -> Work:
    recorded = [(Game(game.deal), game.moves) for game in games()]

    def work() -> int:
        played = 0
        while recorded:
            game, moves = recorded.pop()
            play = game.play
            for move in moves:
                play(move)
            played += len(moves)
        return played

    return work


def _random_ours(count: int) -> Work:
    dealt = [
        Game(deal_code(GameCode(mode, deal)))
        for deal, mode in enumerate(islice(cycle(MODES.values()), count))
    ]
    chance = Random(SEED).random

    def work() -> int:
        return sum(_play_at_random(game, chance) for game in dealt)

    return work


def _play_at_random(game: Game, chance: Callable[[], float]) -> int:
    """Play moves at random and return how many."""
    for played in range(DECISIONS):
        legal = game.legal_moves()
        if not legal:
            return played
        game.play(legal[int(chance() * len(legal))])
    return DECISIONS


def _play_peer_at_random(state: State, chance: Callable[[], float]) -> int:
    """Play a game of OpenSpiel at random to its end and return how many decisions it took."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            # Every card that is still hidden is as likely.
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(chance() * len(outcomes))][0])
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(chance() * len(legal))])
            decisions += 1
    return decisions


def _finish(state: State, random: Random) -> PeerGame:
    """Deal and play a game of OpenSpiel at random, and return its record."""
    while state.is_chance_node():
        state.apply_action(random.choice(state.chance_outcomes())[0])
    dealing = state.history()
    decisions = _play_peer_at_random(state, random.random)
    return PeerGame(dealing, state.history()[len(dealing) :], decisions)
