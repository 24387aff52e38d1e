"""Sheets that are laid over the table: questions, keys, statistics, how a score came about."""

from time import monotonic
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ds_cli import output
from ds_cli.table import sayings
from ds_cli.table.board import DOUBLE_CLICK
from ds_cli.table.choices import Choice, ChoiceList, Chosen
from ds_cli.table.drawing import Characters
from ds_core import MODES, Account, BadCode, View, parse_code
from ds_events.statistics import Statistics

_MODES: Final = {"1": "D1N", "2": "D3N", "3": "D1V", "4": "D3V"}
_SCORINGS: Final = {"standard": "standard scoring", "vegas": "Vegas"}


class Sheet(ModalScreen[None]):
    """A sheet to read; any key puts it away, and any click but the second of a double click."""

    def on_mount(self) -> None:
        """Note when it was laid down."""
        self._laid = monotonic()

    def on_key(self, event: events.Key) -> None:
        """Put it away."""
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Put it away, unless the click belongs to the one that laid it down."""
        if monotonic() - self._laid > DOUBLE_CLICK:
            self.dismiss()


class Garland(Static):
    """A row of suits that goes round, for a game that is won."""

    def __init__(self, characters: Characters) -> None:
        super().__init__(markup=False)
        self._suits = " ".join(characters.suits * 5) + " "

    def on_mount(self) -> None:
        """Hang it up, and let it go round."""
        self.update(self._suits)
        self.set_interval(0.15, self._turn)

    def _turn(self) -> None:
        self._suits = self._suits[2:] + self._suits[:2]
        self.update(self._suits)


class KeysSheet(ModalScreen[str]):
    """All keys; one that is pressed or clicked is given back, "" for none."""

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        super().__init__()
        self._choices = choices

    def compose(self) -> ComposeResult:
        """Lay out the keys with what they do."""
        with Vertical(classes="sheet"):
            yield ChoiceList(self._choices)

    def on_chosen(self, message: Chosen) -> None:
        """Give back what was clicked."""
        self.dismiss(message.key)

    def on_key(self, event: events.Key) -> None:
        """Give back what was pressed."""
        event.stop()
        self.dismiss("" if event.key == "escape" else event.key)

    def on_click(self) -> None:
        """Put the sheet away."""
        self.dismiss("")


class AccountSheet(Sheet):
    """How the score of a game came about; for a won game, that it is won."""

    def __init__(self, seen: View, account: Account, characters: Characters) -> None:
        super().__init__()
        self._seen = seen
        self._account = account
        self._characters = characters

    def compose(self) -> ComposeResult:
        """Lay out the parts of the score and their sum."""
        *parts, total = sayings.account_lines(self._account, self._seen.mode.scoring)
        lines = sayings.aligned([*parts, total]).splitlines()
        rule = self._characters.top[1] * max(map(len, lines))
        with Vertical(classes="sheet"):
            if self._seen.status == "won":
                yield Garland(self._characters)
                yield Static("You have won: all 104 cards are home.\n", markup=False)
            yield Static("\n".join([*lines[:-1], rule, lines[-1]]), markup=False)


class StatisticsSheet(Sheet):
    """A player's statistics by mode."""

    def __init__(self, player: str, found: Statistics) -> None:
        super().__init__()
        self._player = player
        self._found = found

    def compose(self) -> ComposeResult:
        """Lay out a row for each mode."""
        rows: list[tuple[str, ...]] = [
            ("mode", "games", "won", "given up", "open", "rate", "best", "streak")
        ]
        for mode, of in self._found.modes.items():
            tally = of.tally
            rate, best = tally.win_rate, of.scores.best
            rows.append(
                (
                    mode,
                    *(str(n) for n in (tally.games, tally.won, tally.abandoned, tally.open)),
                    "" if rate is None else f"{rate:.1%}",
                    "" if best is None else MODES[mode].scoring.format(best),
                    f"{of.current_streak.length}/{of.longest_streak.length}" if tally.games else "",
                )
            )
        with Vertical(classes="sheet"):
            yield Static(f"{output.safe(self._player)}\n", markup=False)
            yield Static(sayings.aligned(rows), markup=False)


class AskSheet(ModalScreen[bool]):
    """A question that is answered by y or n."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Lay out the question and its answers."""
        with Vertical(classes="sheet"):
            yield Static(self._question + "\n", markup=False)
            yield ChoiceList((Choice("y", "yes", "y"), Choice("n", "no", "n")))

    def on_chosen(self, message: Chosen) -> None:
        """Take the answer that was clicked."""
        self.dismiss(message.key == "y")

    def on_key(self, event: events.Key) -> None:
        """Take the answer; Escape is no."""
        event.stop()
        if event.key in ("y", "n", "escape"):
            self.dismiss(event.key == "y")


class NewGameSheet(ModalScreen[str | None]):
    """A choice of a mode, or a code; gives either as text, and `None` for neither."""

    AUTO_FOCUS = ""

    def __init__(self, leaves_open: bool) -> None:
        super().__init__()
        self._leaves_open = leaves_open

    def compose(self) -> ComposeResult:
        """Lay out the modes and a line to type a code in."""
        modes = tuple(
            Choice(key, f"draw {MODES[mode].draw}, {_SCORINGS[MODES[mode].scoring.name]}", key)
            for key, mode in _MODES.items()
        )
        more = (Choice("c", "a code such as DS1-D1N-AAAAAAB", "c"), Choice("Esc", "none", "escape"))
        left = "\nThe one on the table stays open." if self._leaves_open else ""
        with Vertical(classes="sheet"):
            yield Static(f"A new game{left}\n", id="heading", markup=False)
            yield ChoiceList((*modes, *more))
            yield Input(placeholder="code, and Enter", id="code", max_length=40)

    def on_chosen(self, message: Chosen) -> None:
        """Take what was clicked."""
        self._choose(message.key)

    def on_key(self, event: events.Key) -> None:
        """Take what was pressed, unless a code is being typed."""
        if event.key == "escape" or not self.query_one(Input).has_focus:
            event.stop()
            event.prevent_default()
            self._choose(event.key)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Take a code that can be read; say what is wrong with any other."""
        try:
            self.dismiss(str(parse_code(message.value.strip())))
        except BadCode as error:
            self.query_one("#heading", Static).update(f"{error}\n")

    def _choose(self, key: str) -> None:
        if key == "c":
            self.query_one(Input).focus()
        elif key == "escape":
            self.dismiss(None)
        elif key in _MODES:
            self.dismiss(_MODES[key])
