"""The rules of Double Solitaire: cards, codes, deals, moves, scoring, games, the referee.

Standard library only; no clock, no randomness of its own, no input or output. Rules are
cited by number (`R12`). The examples in the docstrings assume `from ds_core import *`.

>>> game = fold(deal_code(parse_code("DS1-D1N-AAAAAAB")), parse_moves("D T2T3"))
>>> game.seq, game.score
(2, 5)
"""

from ds_core.account import Account, account
from ds_core.bot import BOTS, Advice, Bot, GreedyBot, RandomBot, advise, play_out
from ds_core.build import is_compiled
from ds_core.card import (
    PACK,
    RANKS,
    SUITS,
    Card,
    check_deck,
    format_card,
    format_deck,
    parse_card,
    parse_deck,
)
from ds_core.code import DEALS, MODES, GameCode, Mode, parse_code, parse_mode
from ds_core.deal import Deal, deal_cards, deal_code, shuffle
from ds_core.errors import (
    BadCode,
    BadDeck,
    GameClosed,
    IllegalMove,
    NotationError,
    RulesError,
)
from ds_core.game import UNDO_LIMIT, Game, Status, fold
from ds_core.gesture import PILES, STOCK, WASTE, double_tap, drag, tap
from ds_core.move import MOVES, Move, parse_move, parse_moves
from ds_core.referee import (
    FAULT_KINDS,
    WARNING_KINDS,
    Claim,
    EndClaims,
    Finding,
    Said,
    Verdict,
    confirm,
    judge,
    standing,
)
from ds_core.scoring import SCORINGS, STANDARD, VEGAS, Scoring
from ds_core.view import ColumnView, Hidden, View, view

__all__ = [
    "BOTS",
    "DEALS",
    "FAULT_KINDS",
    "MODES",
    "MOVES",
    "PACK",
    "PILES",
    "RANKS",
    "SCORINGS",
    "STANDARD",
    "STOCK",
    "SUITS",
    "UNDO_LIMIT",
    "VEGAS",
    "WARNING_KINDS",
    "WASTE",
    "Account",
    "Advice",
    "BadCode",
    "BadDeck",
    "Bot",
    "Card",
    "Claim",
    "ColumnView",
    "Deal",
    "EndClaims",
    "Finding",
    "Game",
    "GameClosed",
    "GameCode",
    "GreedyBot",
    "Hidden",
    "IllegalMove",
    "Mode",
    "Move",
    "NotationError",
    "RandomBot",
    "RulesError",
    "Said",
    "Scoring",
    "Status",
    "Verdict",
    "View",
    "account",
    "advise",
    "check_deck",
    "confirm",
    "deal_cards",
    "deal_code",
    "double_tap",
    "drag",
    "fold",
    "format_card",
    "format_deck",
    "is_compiled",
    "judge",
    "parse_card",
    "parse_code",
    "parse_deck",
    "parse_mode",
    "parse_move",
    "parse_moves",
    "play_out",
    "shuffle",
    "standing",
    "tap",
    "view",
]
