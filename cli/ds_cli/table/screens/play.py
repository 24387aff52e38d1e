"""The table at which a game is played or watched."""

import secrets
from collections.abc import Callable
from time import monotonic
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from ds_cli.table import sayings
from ds_cli.table.board import Board
from ds_cli.table.choices import Choice, Chosen, KeyBar
from ds_cli.table.drawing import Characters
from ds_cli.table.hands import face_up, fitting, resized
from ds_cli.table.layout import Spot
from ds_cli.table.screens.replay import ReplayScreen
from ds_cli.table.screens.sheets import (
    AccountSheet,
    AskSheet,
    KeysSheet,
    NewGameSheet,
    StatisticsSheet,
)
from ds_cli.table.sitting import News, Sitting
from ds_core import (
    DEALS,
    MODES,
    STOCK,
    WASTE,
    Deal,
    GameCode,
    IllegalMove,
    Move,
    RulesError,
    deal_code,
    double_tap,
    drag,
    parse_code,
    parse_move,
    tap,
)
from ds_events.errors import OutcomeUnknown, StoreError, WrongExpectedVersion

LOOKS_EVERY: Final = 0.5
"""Seconds after which the table looks whether somebody else has played on the game."""

_AFTER_AN_ERROR: Final = 5.0
"""Seconds after which it looks again where that has failed."""

_ONE_AT_A_TIME: Final = "cards go home one at a time (R12)"


class PlayScreen(Screen[None]):
    """A game on the table, with its state above it and the keys below."""

    def __init__(
        self, sitting: Sitting, characters: Characters, double_taps: bool, watches: bool
    ) -> None:
        super().__init__()
        self.sitting = sitting
        self._characters = characters
        self._double_taps = double_taps
        self._watches = watches
        self._asks_for_foundation = False
        self._tapped_in_vain = ""
        self._is_unsure = False
        """Whether it is not known if the last operation was recorded."""
        self._look_again = 0.0
        """When to look next what others do, if looking has failed."""

    def compose(self) -> ComposeResult:
        """Lay out the lines and the board."""
        yield Static(id="headline", classes="line headline", markup=False)
        yield Board(self.sitting.seen, self._characters, takes_gestures=not self._watches)
        yield Static(id="said", classes="line said", markup=False)
        yield KeyBar(sayings.KEYS)

    def on_mount(self) -> None:
        """Show the game, and begin to look for what others do."""
        self._show()
        self.set_interval(LOOKS_EVERY, self._look)

    @property
    def board(self) -> Board:
        """The board on the table."""
        return self.query_one(Board)

    # What a mouse does.

    def on_board_tapped(self, message: Board.Tapped) -> None:
        """Tap a pile: once, or twice where the first tap did nothing (R30, R31)."""
        message.stop()
        self._asks_for_foundation = False
        if message.is_second and self._tapped_in_vain != message.pile:
            # The first click has moved a card; the second was meant for that one.
            return
        self._tap(message.pile, doubled=message.is_second)

    def on_board_dropped(self, message: Board.Dropped) -> None:
        """Play what was dragged, if it is a move."""
        message.stop()
        self._asks_for_foundation = False
        if message.target is None:
            self._refuse("cards go onto a column, or home")
        else:
            self._drop(message.source, message.target)

    # What keys do, and clicks on what names them.

    def on_key(self, event: events.Key) -> None:
        """Do what a key stands for; what stands for nothing here is left to others."""
        name = event.character if event.character and event.is_printable else event.key
        if self._press("space" if name == " " else name):
            event.stop()

    def on_chosen(self, message: Chosen) -> None:
        """Do what was clicked."""
        message.stop()
        self._press(message.key)

    def _press(self, name: str) -> bool:
        if self.board.is_too_small and name != "q":
            return False
        name = name.lower() if len(name) == 1 else name
        actions = self._actions()
        asked, self._asks_for_foundation = self._asks_for_foundation, False
        if asked and name in (*"12345678", "escape"):
            self._say("")
            if name != "escape":
                self._pick(f"F{name}")
        elif not self._watches and self._hand(name):
            pass
        elif name in actions:
            self._hold(None)
            actions[name]()
        else:
            return False
        self._show_keys()
        return True

    def _actions(self) -> dict[str, Callable[[], object]]:
        looking: dict[str, Callable[[], object]] = {
            "?": self._show_all_keys,
            "t": self._show_statistics,
            "r": self._replay,
            "a": self._show_account,
            "q": lambda: self.app.exit(0),
        }
        if self._watches:
            return looking
        return looking | {
            "n": self._ask_for_game,
            "x": self._ask_to_abandon,
            "u": self._undo,
            "backspace": self._undo,
            "h": self._hint,
        }

    def _hand(self, name: str) -> bool:
        """Pick, put down or tap by a key; return whether the key is one for that."""
        if self.sitting.seen.status != "open":
            is_for_that = name in ("space", *"dswf123456789")
            if is_for_that:
                self._say_closed()
            return is_for_that
        picked = self.board.picked
        pile = WASTE if name == "w" else f"T{name}" if name in "123456789" else ""
        if name in ("space", "d", "s"):
            self._tap(STOCK)
        elif pile and picked is None:
            self._pick(pile)
        elif pile and picked is not None:
            self._put(picked, pile)
        elif name == "f" and picked is None:
            self._asks_for_foundation = True
            self._say("")
        elif name == "f" and picked is not None:
            self._drop(Spot(picked.pile, picked.count), "F1")
        elif picked is None:
            return False
        elif name == "enter" and picked.count > 1:
            self._refuse(_ONE_AT_A_TIME)
        elif name == "enter":
            self._tap(picked.pile)
        elif name in ("up", "down"):
            self._hold(resized(self.sitting.seen, picked, 1 if name == "up" else -1))
        elif name == "escape":
            self._hold(None)
            self._say("")
        else:
            return False
        return True

    def _pick(self, pile: str) -> None:
        if face_up(self.sitting.seen, pile):
            self._hold(Spot(pile, 1))
        else:
            self._say_empty(pile)

    def _hold(self, spot: Spot | None) -> None:
        """Set off what is picked and say what it is, or put it down."""
        self.board.pick(spot)
        if spot is not None:
            self._say(f"picked: {sayings.picked(self.sitting.seen, spot, self._characters)}")
        self._show_keys()

    def _put(self, picked: Spot, target: str) -> None:
        """Play what is picked onto a pile that a key names: the same one is a double tap."""
        if target == picked.pile:
            self._tap(target, doubled=True)
            return
        count = picked.count
        if count == 1 and picked.pile[0] == "T":
            count = fitting(self.sitting.seen, picked.pile, target)
        self._drop(Spot(picked.pile, count), target)

    # What becomes of it.

    def _tap(self, pile: str, *, doubled: bool = False) -> None:
        gesture = double_tap if doubled and self._double_taps else tap
        move = gesture(self.sitting.seen, pile)
        self._tapped_in_vain = "" if move else pile
        if move is not None:
            self._play(move)
            return
        self._hold(None)
        seen = self.sitting.seen
        if seen.status != "open":
            self._say_closed()
        elif pile == STOCK:
            # The operation itself is refused, with the reason.
            self._play(parse_move("R" if seen.waste else "D"))
        elif pile == WASTE and not seen.waste:
            self._say_empty(pile)
        elif pile[0] == "F":
            self._say("a card comes back from a foundation onto a column only (R14, R30)")
        elif face_up(seen, pile):
            where = "foundation and no other column" if gesture is double_tap else "foundation"
            self._say(f"no {where} takes it ({'R31' if gesture is double_tap else 'R30'})")

    def _drop(self, source: Spot, target: str) -> None:
        if source.pile == target and target[0] == "T":
            self._hold(None)
            return
        move = drag(source.pile, source.count, target)
        if move is not None:
            self._play(move)
        elif target[0] == "F" and source.count > 1:
            self._refuse(_ONE_AT_A_TIME)
        elif target[0] == source.pile[0] == "F":
            self._refuse("there is no move from foundation to foundation (R14)")
        else:
            self._refuse("there is no such move")

    def _play(self, move: Move) -> None:
        """Record a move, and only then show it."""
        try:
            frame = self.sitting.play(move)
        except RulesError as error:
            self._refuse(_reason(error))
        except WrongExpectedVersion:
            self._show()
            self._refuse(f"{move.text} was not recorded: somebody else has played on this game")
        except OutcomeUnknown as error:
            self._is_unsure = True
            self._show()
            self._refuse(f"{move.text}: {error}")
        except StoreError as error:
            self._refuse(f"{move.text} was not recorded: {error}")
        else:
            self._say(sayings.told(frame, self._characters))
            self._show(self.sitting.touched)
            if self.sitting.seen.status == "won":
                self._show_account()

    def _undo(self) -> None:
        self._play(parse_move("U"))

    def _hint(self) -> None:
        if self.sitting.seen.status != "open":
            self._say_closed()
            return
        advice = self.sitting.advice()
        if advice is None:
            self._say("no move is any use here: u takes back, n starts another game")
        else:
            self._say(sayings.in_symbols(f"{advice.move.text}: {advice.why}", self._characters))

    def _look(self) -> None:
        """Show what others have done; after an error, wait a little before the next look."""
        if monotonic() < self._look_again:
            return
        try:
            news = self.sitting.catch_up()
        except StoreError as error:
            self._look_again = monotonic() + _AFTER_AN_ERROR
            self._say(str(error))
            return
        if self._look_again:
            self._look_again = 0.0
            self._say("")
        if news is not None:
            self._show(self.sitting.touched)
            self._say(self._told(news))
        self._show_headline()

    def _told(self, news: News) -> str:
        frame = news.frame
        if frame is None:
            what = f"{news.operations} operations more"
        else:
            what = sayings.told(frame, self._characters)
        if self._is_unsure:
            self._is_unsure = False
            return f"this has been recorded: {what}"
        return what if self._watches else f"somebody else has played on this game: {what}"

    # What is opened over the table.

    def _ask_for_game(self) -> None:
        def start(wanted: str | None) -> None:
            if wanted:
                self._start(wanted)

        self.app.push_screen(NewGameSheet(self.sitting.seen.status == "open"), start)

    def _start(self, wanted: str) -> None:
        try:
            self.sitting.start(_deal(wanted))
        except (RulesError, StoreError) as error:
            self._refuse(str(error))
        else:
            self._say("a new game")
            self._show()

    def _ask_to_abandon(self) -> None:
        def abandon(is_sure: bool | None) -> None:
            if is_sure:
                self._play(parse_move("X"))

        if self.sitting.seen.status == "open":
            question = "Abandon this game? It is closed then, with the score that it has now."
            self.app.push_screen(AskSheet(question), abandon)
        else:
            self._say_closed()

    def _show_all_keys(self) -> None:
        def press(key: str | None) -> None:
            if key:
                self._press(key)

        keys = sayings.ALL_KEYS_WATCHING if self._watches else sayings.ALL_KEYS
        self.app.push_screen(KeysSheet(keys), press)

    def _show_account(self) -> None:
        sitting, characters = self.sitting, self._characters
        self._lay(lambda: AccountSheet(sitting.seen, sitting.account(), characters))

    def _show_statistics(self) -> None:
        sitting = self.sitting
        self._lay(lambda: StatisticsSheet(sitting.player, sitting.statistics()))

    def _replay(self) -> None:
        self._lay(lambda: ReplayScreen(self.sitting, self._characters))

    def _lay(self, make: Callable[[], Screen[None]]) -> None:
        """Lay something over the table; say so if the record does not give what it needs."""
        try:
            sheet = make()
        except StoreError as error:
            self._say(str(error))
        else:
            self.app.push_screen(sheet)

    # What is shown.

    def _show(self, touched: Spot | None = None) -> None:
        self._tapped_in_vain = ""
        self._asks_for_foundation = False
        self.board.show(self.sitting.seen, touched)
        self._show_headline()
        self._show_keys()

    def _show_headline(self) -> None:
        sitting = self.sitting
        line = sayings.headline(
            sitting.stored, sitting.seen, sitting.seconds(), watches=self._watches
        )
        self.query_one("#headline", Static).update(line)

    def _show_keys(self) -> None:
        keys: tuple[Choice, ...] = sayings.KEYS
        if self._watches:
            keys = sayings.KEYS_WATCHING
        elif self.sitting.seen.status != "open":
            keys = sayings.KEYS_CLOSED
        elif self._asks_for_foundation:
            keys = sayings.KEYS_FOUNDATIONS
        elif self.board.picked is not None:
            keys = sayings.KEYS_PICKED
        self.query_one(KeyBar).offer(keys)

    def _say_closed(self) -> None:
        self._say(f"the game is {self.sitting.seen.status}, and so closed (R24)")

    def _say_empty(self, pile: str) -> None:
        names = {"W": "the waste", "T": f"column {pile[1:]}", "F": f"foundation {pile[1:]}"}
        rules = {"W": "R9", "T": "R7", "F": "R14"}
        self._say(f"{names[pile[0]]} is empty ({rules[pile[0]]})")

    def _refuse(self, reason: str) -> None:
        self._hold(None)
        self._say(sayings.in_symbols(reason, self._characters))

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)


def _reason(error: RulesError) -> str:
    """Why a move is refused, without the name of the move that nobody typed."""
    if isinstance(error, IllegalMove):
        return f"{error.reason} ({error.rule})"
    return str(error)


def _deal(wanted: str) -> Deal:
    """The deal of a mode, by chance, or of a code."""
    if wanted in MODES:
        return deal_code(GameCode(MODES[wanted], secrets.randbelow(DEALS)))
    return deal_code(parse_code(wanted))
