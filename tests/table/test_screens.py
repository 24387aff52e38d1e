"""What can be opened over the table, and what the lines around it say."""

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.widgets import Input, Static

from ds_cli.table import drawing, sayings
from ds_cli.table.app import TableApp
from ds_cli.table.choices import KeyBar
from ds_cli.table.drawing import ASCII, UNICODE
from ds_cli.table.screens import play as play_screen
from ds_cli.table.screens import sheets
from ds_cli.table.sitting import Sitting
from ds_core import deal_cards, parse_mode, parse_moves
from ds_events.errors import Locked, OutcomeUnknown
from ds_events.ids import player_id
from ds_events.report import list_games
from ds_events.store import EventStore
from tests.core.building import coded, deal
from tests.records import games
from tests.table.playing import Table, app_of, at_table, board, said, visited


def _sheet(pilot: Table) -> str:
    """Return all that stands on the sheet that lies over the table."""
    return "\n".join(str(part.render()) for part in pilot.app.screen.query(Static))


def test_the_lines_tell_how_the_game_goes(store: EventStore) -> None:
    played = deal("D1N", {1: "AS"})

    async def look(pilot: Table) -> None:
        await pilot.press("1", "f", "space", "u")
        headline = said(pilot, "headline")
        for part in ("score 10", "moves 2", "can undo 1", "0:0"):
            assert part in headline
        assert "space draw" in said(pilot, "keys")
        await pilot.press("2")
        assert "Esc" in said(pilot, "keys")

    at_table(store, played, look)


def test_money_is_shown_as_money(store: EventStore) -> None:
    """R22: a card home brings five dollars."""

    async def look(pilot: Table) -> None:
        assert "-$104" in said(pilot, "headline")
        await pilot.press("1", "f")
        assert "-$99" in said(pilot, "headline")
        assert "+$5" in said(pilot)

    at_table(store, deal("D1V", {1: "AS"}), look)


def test_a_hint_is_given_only_when_asked_for(store: EventStore) -> None:
    async def look(pilot: Table) -> None:
        assert said(pilot).strip() == ""
        await pilot.press("h")
        assert "T1F: it sends A♠ home" in said(pilot)

    app = at_table(store, deal("D1N", {1: "AS"}), look)
    assert app.sitting.stored.version == 0


@pytest.mark.parametrize(("key", "mode"), [("1", "D1N"), ("2", "D3N"), ("3", "D1V"), ("4", "D3V")])
def test_a_new_game_of_each_mode(store: EventStore, key: str, mode: str) -> None:
    async def start(pilot: Table) -> None:
        await pilot.press("space", "n")
        assert "stays open" in _sheet(pilot)
        await pilot.press(key)

    app = at_table(store, coded("D1N", 1), start)
    assert str(app.sitting.stored.header.deal.mode) == mode
    with store.database.read() as connection:
        found = list_games(connection, player_id("mika"))
    assert [(row.status, row.version) for row in found] == [("open", 0), ("open", 1)]


def test_a_new_game_from_a_code(store: EventStore) -> None:
    async def start(pilot: Table) -> None:
        await pilot.press("n", "c", *"ds1-d9n-aaaaaab", "enter")
        assert "ds1-d9n-aaaaaab" in _sheet(pilot).lower()
        pilot.app.screen.query_one(Input).value = ""
        await pilot.press(*"ds1-d3v-aaaaaab", "enter")

    app = at_table(store, coded("D1N", 1), start)
    assert str(app.sitting.stored.header.deal.code) == "DS1-D3V-AAAAAAB"


def test_what_names_a_key_can_be_clicked(store: EventStore) -> None:
    """So that a game can be played from start to finish with the mouse alone."""

    async def point(pilot: Table) -> None:
        await _click_bar(pilot, "space draw")
        await _click_bar(pilot, "u undo")
        await _click_bar(pilot, "h hint")
        assert said(pilot)
        await _click_bar(pilot, "? keys")
        await _click_line(pilot, "abandon the game")
        await _click_line(pilot, "yes")
        await _click_bar(pilot, "n new game")
        await _click_line(pilot, "draw 3, Vegas")
        await _click_bar(pilot, "? keys")
        await _click_line(pilot, "replay the game")
        await _click_bar(pilot, "Esc game")
        await _click_bar(pilot, "q quit")

    app = at_table(store, coded("D1N", 1), point)
    assert str(app.sitting.stored.header.deal.mode) == "D3V"
    with store.database.read() as connection:
        newest, oldest = list_games(connection, player_id("mika"))
    assert (newest.status, newest.version) == ("open", 0)
    assert (oldest.status, oldest.version) == ("abandoned", 3)


async def _click_bar(pilot: Table, words: str) -> None:
    bar = pilot.app.screen.query_one(KeyBar)
    await pilot.click(KeyBar, offset=(1 + bar.render_line(0).text.index(words), 0))
    await pilot.pause()


async def _click_line(pilot: Table, words: str) -> None:
    line = next(part for part in pilot.app.screen.query(Static) if words in str(part.render()))
    await pilot.click(line)
    await pilot.pause()


def test_no_new_game_after_all(store: EventStore) -> None:
    async def start(pilot: Table) -> None:
        await pilot.press("n", "escape", "space")

    app = at_table(store, coded("D1N", 1), start)
    assert app.sitting.stored.version == 1


def test_a_game_is_abandoned_only_by_a_yes(store: EventStore) -> None:
    async def leave(pilot: Table) -> None:
        for no in ("n", "escape"):
            await pilot.press("x", no)
        assert app_of(pilot).sitting.seen.status == "open"
        await pilot.press("x", "y")
        assert app_of(pilot).sitting.seen.status == "abandoned"
        assert "abandoned" in said(pilot, "headline")
        assert "n new game" in said(pilot, "keys")

    at_table(store, coded("D1N", 1), leave)


def test_a_won_game_shows_how_its_score_came_about(store: EventStore) -> None:
    """R21: 104 × 10 + 36 × 5, five for each card from the waste to a column, less the cost."""
    played = next(g for g in games() if g.end.status == "won" and str(g.deal.mode) == "D3N")
    *moves, last = played.moves
    stored = store.record("mika", played.deal, moves)
    from_waste = 5 * (sum(1 for m in _stands(played.moves) if m.startswith("WT")))

    async def win(pilot: Table) -> None:
        source = last.text[1] if last.text[0] == "T" else "w"
        await pilot.press(source, "f")
        sheet = _sheet(pilot)
        assert "You have won" in sheet
        assert "+1040" in sheet
        assert "36 cards turned up" in sheet
        assert from_waste == 0 or f"+{from_waste}" in sheet
        assert f"{played.end.score}" in sheet.splitlines()[-1]
        await pilot.press("escape", "u")
        assert "(R24)" in said(pilot)

    visited(TableApp(Sitting(store, "mika", stored), UNICODE), win)


def _stands(moves: object) -> list[str]:
    stands: list[str] = []
    for move in moves:  # type: ignore[attr-defined]
        if move.text == "U":
            stands.pop()
        else:
            stands.append(move.text)
    return stands


def test_sheets_are_put_away_by_any_key_and_change_nothing(store: EventStore) -> None:
    async def look(pilot: Table) -> None:
        for key, part in (("?", "double tap"), ("t", "D3V"), ("a", "score")):
            await pilot.press(key)
            assert part in _sheet(pilot)
            await pilot.press("escape")
        await pilot.press("space")

    app = at_table(store, coded("D1N", 1), look)
    assert app.sitting.stored.version == 1


def test_the_game_so_far_is_replayed(store: EventStore) -> None:
    stored = store.record("mika", coded("D1N", 1), parse_moves("D D U D"))

    async def look(pilot: Table) -> None:
        await pilot.press("r")
        stocks = [board(pilot).seen.stock]
        for key in ("right", "right", "right", "right", "right", "left", "home", "end", "pageup"):
            await pilot.press(key)
            stocks.append(board(pilot).seen.stock)
        assert stocks == [59, 58, 57, 58, 57, 57, 58, 59, 57, 59]
        await pilot.press("escape", "space")

    app = visited(TableApp(Sitting(store, "mika", stored), UNICODE), look)
    assert app.sitting.stored.version == 5


def test_a_replay_at_the_table_plays_and_jumps(store: EventStore) -> None:
    """The ace goes home with event 2 and turns no card up; the 7 of event 4 turns one up."""
    played = deal("D1N", {1: "AS", 3: "7H", 7: "8C"})
    stored = store.record("mika", played, parse_moves("D T1F D T3T7 D"))

    async def look(pilot: Table) -> None:
        await pilot.press("r", "f")
        assert "event 2 of 5" in _below(pilot)
        await pilot.press("t")
        assert "event 4 of 5" in _below(pilot)
        await pilot.press("home", *"+++++", "space")
        await pilot.pause(0.5)
        assert "event 5 of 5" in _below(pilot)

    visited(TableApp(Sitting(store, "mika", stored), UNICODE), look)


def _below(pilot: Table) -> str:
    return str(pilot.app.screen.query_one("#said", Static).render())


def test_a_table_that_is_too_small_says_what_it_needs(store: EventStore) -> None:
    async def shrink(pilot: Table) -> None:
        await pilot.resize_terminal(60, 20)
        await pilot.pause(0.1)
        assert "80×24" in board(pilot).render_line(0).text
        await pilot.resize_terminal(120, 50)
        await pilot.pause(0.1)
        assert board(pilot).layout_now().card_width == 9
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.1)
        assert board(pilot).layout_now().card_width == 6
        await pilot.press("space")

    app = at_table(store, coded("D1N", 1), shrink)
    assert app.sitting.stored.version == 1


def test_letters_where_suits_cannot_be_shown(store: EventStore) -> None:
    async def look(pilot: Table) -> None:
        lines = [board(pilot).render_line(y).text for y in range(21)]
        assert "".join(lines).isascii()
        assert any("AS" in line for line in lines)

    at_table(store, deal("D1N", {1: "AS"}), look, characters=ASCII)


@pytest.mark.parametrize("error", [Locked("locked by another"), OutcomeUnknown("was lost")])
def test_an_operation_that_is_not_recorded_is_not_shown(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def play(pilot: Table) -> None:
        before = board(pilot).seen
        with monkeypatch.context() as patch:

            def fail(*_: object, **__: object) -> None:
                raise error

            patch.setattr(store, "append", fail)
            await pilot.press("space")
        assert board(pilot).seen == before
        assert str(error) in said(pilot)
        await pilot.press("space")

    app = at_table(store, coded("D1N", 1), play)
    assert app.sitting.stored.version == 1


def test_an_error_that_should_not_happen_leaves_the_screen_first(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(pilot: Table) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError("no such thing")

        monkeypatch.setattr("ds_cli.table.sitting.Sitting.play", fail)
        await pilot.press("space")

    with pytest.raises(ZeroDivisionError):
        at_table(store, coded("D1N", 1), play)


def test_all_that_names_keys_fits_the_narrowest_table() -> None:
    bars = (
        sayings.KEYS,
        sayings.KEYS_PICKED,
        sayings.KEYS_CLOSED,
        sayings.KEYS_WATCHING,
        sayings.KEYS_REPLAYING,
    )
    for bar in bars:
        assert len("  ".join(f"{choice.shown} {choice.label}" for choice in bar)) <= 78
    assert len(sayings.ALL_KEYS) <= 24 - 4


@pytest.mark.parametrize("key", ["a", "t", "r"])
def test_a_record_that_cannot_be_read_closes_no_table(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    async def look(pilot: Table) -> None:
        with monkeypatch.context() as patch:

            def fail(*_: object, **__: object) -> None:
                raise Locked("locked by another")

            patch.setattr(store, "read", fail)
            patch.setattr(store.database, "read", fail)
            await pilot.press(key)
        assert "locked by another" in said(pilot)
        await pilot.press("space")

    app = at_table(store, coded("D1N", 1), look)
    assert app.sitting.stored.version == 1


def test_what_was_recorded_after_all_is_shown_as_ones_own(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost in the commit, and for a while after it."""
    monkeypatch.setattr(play_screen, "LOOKS_EVERY", 0.02)
    monkeypatch.setattr(play_screen, "_AFTER_AN_ERROR", 0.02)
    append = store.append

    async def play(pilot: Table) -> None:
        await pilot.press("space")
        with monkeypatch.context() as patch:

            def lost(*arguments: object, **named: object) -> None:
                append(*arguments, **named)  # type: ignore[arg-type]
                raise OutcomeUnknown("it may be stored or not")

            def unreachable(*_: object) -> None:
                raise Locked("no answer")

            patch.setattr(store, "append", lost)
            patch.setattr(store, "version", unreachable)
            await pilot.press("space")
            assert "was not recorded" not in said(pilot)
        for _ in range(100):
            await pilot.pause(0.02)
            if "this has been recorded" in said(pilot):
                break
        assert "this has been recorded" in said(pilot)
        assert board(pilot).seen.stock == 57

    at_table(store, coded("D1N", 1), play)


def test_the_second_click_of_a_double_click_closes_no_sheet(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(sheets, "monotonic", lambda: now[0])

    async def look(pilot: Table) -> None:
        await pilot.press("a")
        await pilot.click(offset=(2, 2))
        assert "score" in _sheet(pilot)
        now[0] = 1.0
        await pilot.click(offset=(2, 2))
        await pilot.press("space")

    app = at_table(store, coded("D1N", 1), look)
    assert app.sitting.stored.version == 1


def test_nothing_is_played_where_the_table_cannot_be_seen(store: EventStore) -> None:
    async def play(pilot: Table) -> None:
        await pilot.resize_terminal(80, 18)
        await pilot.pause(0.1)
        await pilot.press("space", "1", "f")

    assert at_table(store, coded("D1N", 1), play).sitting.stored.version == 0


def test_a_long_label_leaves_the_counters_in_sight(store: EventStore) -> None:
    dealt = deal_cards(parse_mode("D1N"), list(coded("D1N", 1).cards), "l" * 64)

    async def look(pilot: Table) -> None:
        headline = said(pilot, "headline")
        assert len(headline) <= 78
        assert "can undo 0" in headline

    at_table(store, dealt, look)


@pytest.mark.parametrize("colours", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT])
def test_everything_stands_out_in_few_colours(colours: ColorSystem) -> None:
    styles = {name: it for name, it in vars(drawing).items() if isinstance(it, Style)}
    styles |= {f"ink {n}": ink for n, ink in enumerate(drawing._INK)}
    assert len(styles) >= 8
    for name, style in styles.items():
        if style.color is not None and style.bgcolor is not None:
            ink, paper = style.color.downgrade(colours), style.bgcolor.downgrade(colours)
            assert ink.number != paper.number, name


def test_marks_are_seen_without_colours() -> None:
    assert drawing._PICKED.underline
    assert drawing._TOUCHED.underline
