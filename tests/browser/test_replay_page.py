"""The page of a replay, as it is used: slider, buttons, keys, curve, list, address."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GAME, Opened, PageOf
from tests.browser.replays import (
    READ_ALL,
    board,
    board_of,
    come_to_rest,
    event,
    going_home,
    turning,
)
from tests.cli.games import MODES, dealt, vector, vectors
from tests.cli.running import Ds

pytestmark = pytest.mark.browser

SHORT = vector(label="APP-D3N")
"""A won game of 124 events with its own deck."""

RANKS = [
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
]

TRIED = vectors()[5]
"""A game of 150 events, of which 13 are undos."""


@pytest.mark.parametrize(
    "said",
    [TRIED, vectors()[11], vector(label="APP-D3N"), vectors()[25]],
    ids=["D1N with undos", "D1V", "D3N of its own deck", "D3V"],
)
def test_the_slider_shows_the_board_of_each_event(
    ds: Ds, opened: Opened, page_of: PageOf, said: dict[str, Any]
) -> None:
    page = opened(page_of(said))
    boards = page.evaluate(READ_ALL)
    assert len(boards) == len(said["events"]) + 1
    for seq, shown in enumerate(boards):
        expected = ds.json("show", "--game", GAME, "--at", str(seq))
        assert shown == board_of(expected), seq
    assert (
        page.locator("#score").inner_text()
        == ds.ok("show", "--game", GAME).out.split("score ")[1].split()[0]
    )


def test_the_modes_of_those_games_are_all_there_are() -> None:
    said = [TRIED, vectors()[11], SHORT, vectors()[25]]
    modes = [one.get("mode") or one["code"].split("-")[1] for one in said]
    assert sorted(modes) == sorted(MODES)
    assert any(one["move"] == "U" for one in TRIED["events"])


def test_buttons_go_where_they_say(opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(TRIED))
    went = []
    for name in (
        *("Forward", "Forward", "Back", "Forward 10", "Forward 10", "Back 10", "Last"),
        *("Forward", "Forward 10", "Back", "First", "Back", "Back 10"),
    ):
        # The first and the last have nothing to go to, and say so.
        page.get_by_role("button", name=name, exact=True).click(force=True)
        went.append(event(page))
    assert went == [1, 2, 1, 11, 21, 11, 150, 150, 150, 149, 0, 0, 0]
    for name in ("First", "Back", "Back 10"):
        button = page.get_by_role("button", name=name, exact=True)
        assert button.get_attribute("aria-disabled") == "true"


@pytest.mark.parametrize(("name", "found"), [("turned up", turning), ("home", going_home)])
def test_next_finds_every_such_event(
    opened: Opened,
    page_of: PageOf,
    name: str,
    found: Callable[[dict[str, Any]], list[int]],
) -> None:
    page = opened(page_of(TRIED))
    button = page.get_by_role("button", name=f"Next {name}")
    went = []
    while button.get_attribute("aria-disabled") == "false":
        # Pressed many times over: without the wait for it to stand still.
        button.dispatch_event("click")
        went.append(event(page))
    assert went == found(TRIED)
    assert went
    button.dispatch_event("click")
    assert event(page) == went[-1]


def test_keys_do_what_the_buttons_do(opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(TRIED))
    went = []
    for key in (
        *("ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "End", "Home"),
        *("t", "f", "T", "F"),
    ):
        page.keyboard.press(key)
        went.append(event(page))
    up, home = turning(TRIED), going_home(TRIED)
    assert went[:7] == [1, 2, 1, 11, 1, 150, 0]
    seq = 0
    for reached, among in zip(went[7:], (up, home, up, home), strict=True):
        seq = next(one for one in among if one > seq)
        assert reached == seq
    speed = page.get_by_label("Speed")
    chosen = []
    for key in ("+", "+", "+", "+", "-", "-", "-", "-", "-"):
        page.keyboard.press(key)
        chosen.append(speed.input_value())
    assert chosen == ["2", "4", "8", "8", "4", "2", "1", "0.5", "0.5"]
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    # What is typed into the dialog does not move the board behind it.
    page.keyboard.press("End")
    assert event(page) == went[-1]
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(SHORT), own_clock=True)
    play = page.locator("#play")
    expect(play).to_have_accessible_name("Play")
    play.click()
    expect(play).to_have_accessible_name("Pause")
    page.clock.run_for(3100)
    assert event(page) == 3
    page.get_by_label("Speed").select_option("4×")
    page.clock.run_for(1100)
    assert event(page) == 7
    play.click()
    page.clock.run_for(60_000)
    assert event(page) == 7
    page.get_by_label("Speed").select_option("0.5×")
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("Space")
    page.clock.run_for(2100)
    assert event(page) == 8
    # Whoever takes a control into the hand takes it over.
    page.keyboard.press("ArrowRight")
    page.clock.run_for(60_000)
    assert event(page) == 9
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Speed").select_option("8×")
    play.click()
    page.clock.run_for(1000)
    assert event(page) == 124
    expect(play).to_have_accessible_name("Play")
    # At the end it begins anew.
    play.click()
    page.clock.run_for(130)
    assert event(page) == 1


def test_an_address_names_an_event(opened: Opened, page_of: PageOf) -> None:
    path = page_of(TRIED)
    page = opened(path, at="12")
    assert event(page) == 12
    page.evaluate("location.hash = '#40'")
    expect(page.locator("#event")).to_have_text("40 of 150")
    page.get_by_role("link", name=re.compile("^41 ")).click()
    assert event(page) == 41
    page.keyboard.press("Home")
    page.wait_for_url("**#0")
    # An event that is not there is the last before it, and what is no number is nothing.
    for named, stands in ((150, 150), (3, 3), (99999, 150)):
        page.evaluate(f"location.hash = '#{named}'")
        page.wait_for_url(f"**#{stands}")
        assert event(page) == stands
    page.evaluate("location.hash = '#x12'")
    assert event(page) == 150
    assert event(opened(path, at="x12")) == 0


def test_the_list_has_every_event_and_marks_where_the_page_stands(
    ds: Ds, opened: Opened, page_of: PageOf
) -> None:
    page = opened(page_of(TRIED))
    rows = page.locator("#list a")
    log = ds.json("log", "--game", GAME)["rows"]
    cells = rows.evaluate_all(
        "rows => rows.map(row => ['.seq', '.move', '.after']"
        ".map(part => row.querySelector(part).textContent))"
    )
    assert cells == [
        ["0", "", "0"],
        *([str(row["seq"]), row["move"], str(row["score"])] for row in log),
    ]
    undone: list[int] = []
    stands: list[int] = []
    for each in TRIED["events"]:
        if each["move"] == "U":
            undone.append(stands.pop())
        else:
            stands.append(each["seq"])
    struck = page.locator("#list a.undone .seq").all_text_contents()
    assert sorted(map(int, struck)) == sorted(undone)
    page.keyboard.press("End")
    current = page.locator("#list a[aria-current]")
    assert current.locator(".seq").inner_text() == "150"
    expect(current).to_be_in_viewport()
    current.focus()
    page.keyboard.press("ArrowUp")
    assert event(page) == 149
    focused = page.evaluate("document.activeElement.querySelector('.seq').textContent")
    assert focused == "149"


def test_the_marker_of_the_curve_follows_and_can_be_dragged(
    opened: Opened, page_of: PageOf
) -> None:
    page = opened(page_of(TRIED))
    marker = page.get_by_role("slider", name="Event on the score curve")
    plane = page.locator("#plane svg").bounding_box()
    assert plane is not None

    def middle() -> float:
        box = marker.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2

    start = middle()
    page.keyboard.press("End")
    end = middle()
    assert plane["x"] < start < end < plane["x"] + plane["width"]
    y = plane["y"] + plane["height"] / 2
    page.mouse.move(end, y)
    page.mouse.down()
    for part in (0.9, 0.6, 0.5):
        page.mouse.move(start + part * (end - start), y)
    assert event(page) == 75
    page.mouse.move(start - 500, y)
    assert event(page) == 0
    page.mouse.up()
    page.mouse.move(end, y)
    assert event(page) == 0
    page.mouse.click(start + 0.2 * (end - start), y)
    assert event(page) == 30
    assert abs(middle() - (start + 0.2 * (end - start))) < 1
    # It is a slider for the keyboard as well, and has the focus once it was taken.
    for key, stands in (("ArrowUp", 31), ("ArrowLeft", 30), ("ArrowDown", 29), ("PageDown", 39)):
        page.keyboard.press(key)
        assert event(page) == stands
    assert marker.get_attribute("aria-valuenow") == "39"
    assert str(marker.get_attribute("aria-valuetext")).startswith("Event 39: ")


def test_the_curve_is_touched_on_a_phone(opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(TRIED), width=390)
    plane = page.locator("#plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert event(page) == 150


def test_a_step_moves_the_card_that_the_move_names(opened: Opened, page_of: PageOf) -> None:
    """Each card stays one element, which is moved and turned over, and lies above the others."""
    said = dealt("D", "T2T3", "T4T5", label="three moves")
    page = opened(page_of(said))
    pick = 'document.querySelector(\'.card[data-pile="T2"][data-card="5C"]\')'
    page.evaluate(f"window.five = {pick}")
    page.keyboard.press("ArrowRight")
    come_to_rest(page)
    page.keyboard.press("ArrowRight")
    moving = page.evaluate(
        "({ running: window.five.getAnimations().length,"
        " above: Number(getComputedStyle(window.five).zIndex),"
        " others: document.getAnimations().length,"
        " ...window.five.dataset })"
    )
    assert (moving["pile"], moving["place"], moving["card"]) == ("T3", "3", "5C")
    assert moving["running"] == 1
    assert moving["above"] >= 1000
    # One moves; of the one that is turned up the old face goes and the new one comes.
    assert moving["others"] == 3
    come_to_rest(page)
    assert page.evaluate("getComputedStyle(window.five).zIndex") == "3"
    assert page.locator(".turning").count() == 0
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("window.five.dataset.pile") == "T2"


def test_nothing_moves_where_no_motion_is_wanted_nor_on_the_way_far(
    opened: Opened, page_of: PageOf
) -> None:
    path = page_of(TRIED)
    page = opened(path, calm=True)
    for key in ("ArrowRight", "PageDown", "End"):
        page.keyboard.press(key)
        assert page.evaluate("document.getAnimations().length") == 0
    page = opened(path)
    page.keyboard.press("End")
    assert page.evaluate("document.getAnimations().length") == 0
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.getAnimations().length") > 0


def test_steps_in_quick_succession_leave_the_board_that_they_reach(
    ds: Ds, opened: Opened, page_of: PageOf
) -> None:
    page = opened(page_of(SHORT))
    for key in ["ArrowRight"] * 40 + ["ArrowLeft"] * 7:
        page.keyboard.press(key)
    expected = ds.json("show", "--game", GAME, "--at", "33")
    assert board(page) == board_of(expected)
    come_to_rest(page)
    faces = page.locator("#cards .card").evaluate_all(
        "cards => cards.filter(({ dataset: { face, card }, firstElementChild }) =>"
        " firstElementChild.firstElementChild.getAttribute('href')"
        " !== (face === 'up' ? `#card-${card}` : '#card-back')).length"
    )
    assert faces == 0


def test_a_listener_is_told_what_each_move_did_and_what_lies_where(
    opened: Opened, page_of: PageOf
) -> None:
    """The deal is golden: QS alone in column 1, 5C and 6H end columns 2 and 3 (R3)."""
    said = dealt("T2T3", "D", "U")
    page = opened(page_of(said))
    live = page.locator("[aria-live]")
    assert live.get_attribute("aria-live") == "polite"
    assert live.inner_text() == "Start of the game, score 0"
    lines = page.get_by_role("region", name="Replay").locator("#spoken li")
    assert lines.nth(0).inner_text() == "Stock: 59 cards"
    assert lines.all_inner_texts()[-9:-6] == [
        "Column 1: queen of spades",
        "Column 2: 1 face down, five of clubs",
        "Column 3: 2 face down, six of hearts",
    ]
    page.keyboard.press("ArrowRight")
    turned = board(page)["T2"][0]
    rank, suit = (
        RANKS["A23456789TJQK".index(turned[0])],
        {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[turned[1]],
    )
    assert live.inner_text() == (
        "Event 1: five of clubs from column 2 to column 3, "
        f"the {rank} of {suit} turned up, plus 5, score 5"
    )
    assert lines.all_inner_texts()[-7] == "Column 3: 2 face down, six of hearts, five of clubs"
    page.keyboard.press("ArrowRight")
    assert re.fullmatch(r"Event 2: drawn \w+ of \w+, score 5", live.inner_text())
    page.keyboard.press("ArrowRight")
    assert live.inner_text() == (
        "Event 3: event 2 is taken back, 1 card is face down in the stock again, score 5"
    )
    assert lines.nth(0).inner_text() == "Stock: 59 cards"
    slider = page.get_by_role("slider", name="Event", exact=True)
    assert slider.get_attribute("aria-valuetext") == live.inner_text()


def test_every_control_has_a_name_and_shows_its_focus(opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(SHORT))
    names = []
    for _ in range(20):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "(() => { const { activeElement: at } = document;"
            " const { outlineStyle, outlineWidth } = getComputedStyle(at);"
            " return at === document.body ? null : [at.id || at.tagName, outlineStyle,"
            " parseFloat(outlineWidth)]; })()"
        )
        if found is None or found[0] in names:
            break
        names.append(found[0])
        assert found[1] == "solid", found
        assert found[2] >= 2, found
    assert names == [
        *("slider", "first", "back-ten", "back", "play", "forward", "forward-ten", "last"),
        *("next-turned", "next-home", "speed", "keys", "marker", "A"),
    ]
    tree = page.locator("body").aria_snapshot()
    assert "button:" not in tree
    assert not re.search(r"^\s*- (button|slider|combobox|link)$", tree, re.MULTILINE)


def test_what_is_revealed_is_seen_in_the_page(ds: Ds, opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(TRIED, "--reveal"), at="20")
    shown = ds.json("show", "--game", GAME, "--at", "20", "--reveal")
    seen = board(page)
    assert seen["S"] == [f"({card})" for card in reversed(shown["hidden_stock"])]
    for n, column in enumerate(shown["columns"], 1):
        hidden = [f"({card})" for card in column["hidden"]]
        assert seen.get(f"T{n}", []) == hidden + column["up"]
    said = page.locator("#stock").inner_text().partition(": ")[2].replace("10", "T")
    assert said.translate(str.maketrans("♠♥♦♣", "SHDC")).split() == shown["hidden_stock"]


def test_a_part_of_a_game_is_a_page_of_its_own(ds: Ds, opened: Opened, page_of: PageOf) -> None:
    page = opened(page_of(TRIED, "--from", "30", "--to", "33"))
    assert event(page) == 30
    page.keyboard.press("End")
    assert event(page) == 33
    expected = ds.json("show", "--game", GAME, "--at", "33")
    assert board(page) == board_of(expected)
    assert page.locator("#list a").count() == 4


def test_a_game_without_events_is_a_page_of_one_board(
    ds: Ds, opened: Opened, page_of: PageOf
) -> None:
    page = opened(page_of(dealt()))
    assert board(page) == board_of(ds.json("show", "--game", GAME))
    for key in ("Space", "ArrowRight", "End", "t", "f"):
        page.keyboard.press(key)
        assert event(page) == 0
    expect(page.locator("#play")).to_have_accessible_name("Play")
