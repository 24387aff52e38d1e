"""`ds replay --svg`, `--png` and `--html`: what is drawn, what stays hidden, and the files."""

import json
import re
import struct
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ds_cli.pages.board_svg import board_svg
from ds_cli.pages.layout import column_steps, table_height
from ds_core import MODES, ColumnView, fold, view
from ds_core.deal import COLUMNS
from tests import naive
from tests.cli.games import as_line, dealt, deck, id_text, played, utc, vector, vectors
from tests.cli.running import Ds
from tests.records import Position, positions

ONE = id_text(1)
MARKUP = "</script><img src=x onerror=alert(1)>"
SVG = "{http://www.w3.org/2000/svg}"
LARGEST_PAGE = 500_000

TRIED = vectors()[5] | {"id": ONE}
"""A game of 150 events with undos."""


def cards_in(svg: str) -> Counter[str]:
    """Return the cards that are drawn face up in a board, each as often as it is drawn."""
    drawn: Counter[str] = Counter()
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if group.get("class") != "card":
            continue
        texts = [text.text for text in group.iter(f"{SVG}text")]
        card = group.get("data-card")
        if card is None:
            assert texts == []
            continue
        # What is written on it is what it is called.
        assert texts == ["10" if card[0] == "T" else card[0]]
        drawn[card] += 1
    return drawn


def to_be_seen(position: Position) -> Counter[str]:
    """Return the cards that lie open: columns, the tops of foundations, the fan of the waste."""
    seen = Counter(card for _, up in position.columns for card in up)
    seen.update(
        naive.RANKS[height - 1] + suit
        for suit, height in zip(naive.ROWS, position.foundations, strict=True)
        if height
    )
    seen.update(position.waste[-position.deal.mode.draw :])
    return seen


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
def test_a_board_has_every_card_that_lies_open_once_and_no_other(position: Position) -> None:
    game = fold(position.deal, position.moves)
    svg = board_svg(view(game), ["id", "deal", "mika"])
    assert cards_in(svg) == to_be_seen(position)
    backs = sum(down for down, _ in position.columns) + bool(position.stock)
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    assert sum(g.get("class") == "card" and g.get("data-card") is None for g in groups) == backs
    revealed = board_svg(view(game, reveal=True), ["id", "deal", "mika"])
    hidden = cards_in(revealed) - cards_in(svg)
    in_the_game = Counter(deck_of(position))
    buried = Counter(position.waste[: -position.deal.mode.draw])
    buried.update(
        rank + suit
        for suit, height in zip(naive.ROWS, position.foundations, strict=True)
        for rank in naive.RANKS[: max(height - 1, 0)]
    )
    assert hidden == in_the_game - to_be_seen(position) - buried


def deck_of(position: Position) -> list[str]:
    """Return the 104 cards of a position."""
    return [rank + suit for suit in "SHDC" for rank in naive.RANKS] * 2


def test_suits_differ_by_more_than_their_colour(ds: Ds) -> None:
    """Each has a shape of its own, the same wherever it is drawn."""
    ds.ok("import", "-", stdin=as_line(vector(label="APP-D3N") | {"id": ONE}))
    shapes: dict[str, set[str]] = {}
    for at in (20, 60, 100):
        svg = ds.ok("replay", "--game", ONE, "--at", str(at), "--svg", "-").out
        for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
            card = group.get("data-card")
            if card is not None and card[0] not in "JQK":
                paths = {str(path.get("d")) for path in group.iter(f"{SVG}path")}
                shapes.setdefault(card[1], set()).update(paths)
    assert set(shapes) == set("SHDC")
    assert all(len(paths) == 1 for paths in shapes.values())
    assert len(set.union(*shapes.values())) == 4


@pytest.mark.parametrize("mode", MODES.values(), ids=str)
def test_no_column_leaves_the_table_whatever_it_holds(mode: Any) -> None:
    """A column has at most eight face-down cards (R3) and a run of thirteen (R6)."""
    for down in range(COLUMNS):
        for up in range(1, 14):
            column = ColumnView(down, tuple(range(up)))
            for revealed in (False, True):
                down_step, up_step = column_steps(mode, column, revealed=revealed)
                end = 14 + down * down_step + (up - 1) * up_step + 140
                assert end <= table_height(mode) - 14
                # Enough of each card is left to see that it is there, and to read it.
                assert down_step >= 8
                assert up_step >= 45


def test_names_are_texts_in_a_board(ds: Ds) -> None:
    said = dealt(id=ONE, player=MARKUP, label='"><script>' + "x" * 40)
    ds.ok("import", "-", stdin=as_line(said))
    root = ElementTree.fromstring(ds.ok("replay", "--game", ONE, "--svg", "-").out)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert f"{MARKUP} · {ONE}" in texts
    assert f"D1N · {said['label']}" in texts
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "g", "rect", "path", "text", "circle"),
    }


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\x01b", "\u202eevil", "\ufffe", "日本 太郎"])
def test_a_board_is_well_formed_whatever_the_name(ds: Ds, tmp_path: Path, name: str) -> None:
    ds.ok("import", "-", stdin=as_line(dealt("D", id=ONE, player=name)))
    out = ds.ok("replay", "--game", ONE, "--svg", "-").out
    root = ElementTree.fromstring(out)
    assert root.find(f"{SVG}title") is not None
    assert not set(out) & set("\x1b\x01\u202e\ufffe")
    path = tmp_path / "board.png"
    ds.ok("replay", "--game", ONE, "--png", str(path))
    assert size_of(path.read_bytes()) == (int(root.get("width", 0)), int(root.get("height", 0)))


def size_of(png: bytes) -> tuple[int, int]:
    """Return the width and height that a PNG says it has."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_board_is_the_one_of_an_event_or_the_last(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    for at in (None, 0, 77):
        options = [] if at is None else ["--at", str(at)]
        svg = ds.ok("replay", "--game", ONE, *options, "--svg", "-").out
        board = played(TRIED, at).board
        tops = [pile[-1] for pile in board.foundations if pile]
        assert cards_in(svg) == Counter([*sum(board.up, ()), *tops, *board.waste[-1:]])
        described = ElementTree.fromstring(svg).findtext(f"{SVG}desc") or ""
        assert f"score {board.score}," in described


def test_a_picture_is_the_same_on_every_run(ds: Ds, tmp_path: Path) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    pictures = []
    for name in ("one.png", "two.png"):
        ds.ok("replay", "--game", ONE, "--at", "40", "--png", str(tmp_path / name))
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1]
    ds.ok("replay", "--game", ONE, "--at", "41", "--png", str(tmp_path / "three.png"))
    assert (tmp_path / "three.png").read_bytes() != pictures[0]


def record_of(page: str) -> Any:
    """Return the data of a page."""
    data = page.partition('<script type="application/json" id="record">')[2]
    return json.loads(data.partition("</script>")[0])


@pytest.mark.parametrize("place", range(0, len(vectors()), 4))
def test_a_page_holds_the_cards_that_its_frames_show_and_no_others(ds: Ds, place: int) -> None:
    """Neither its data nor its drawings have a card that was never seen."""
    said = vectors()[place] | {"id": ONE}
    ds.ok("import", "-", stdin=as_line(said))
    for last in (0, 3, 40):
        page = ds.ok("replay", "--game", ONE, "--to", str(last), "--html", "-").out
        seen: set[str] = set()
        for count in range(last + 1):
            board = played(said, count).board
            seen |= {*sum(board.up, ()), *board.waste, *sum(board.foundations, ())}
        data = record_of(page)
        frames = data["frames"]
        assert len(frames) == last + 1
        shown = {
            card
            for frame in frames
            for pile in frame["piles"].values()
            for card in re.findall("..", pile["up"])
        }
        assert shown == seen
        assert set(re.findall(r'<symbol id="card-(..)"', page)) == seen
        assert "hidden" not in {key for f in frames for p in f["piles"].values() for key in p}
        # Nor is one named in words, in the list, or anywhere else.
        names = {
            f"{rank} of {suit}"
            for rank, suit in re.findall(r"\b(\w+) of (spades|hearts|diamonds|clubs)", page)
        }
        assert names <= {words(card) for card in seen} | {
            f"foundation of {suit}" for suit in ("spades", "hearts", "diamonds", "clubs")
        }


def words(card: str) -> str:
    """Return what a card is called."""
    ranks = [
        *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("jack", "queen", "king"),
    ]
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    return f"{ranks[naive.RANKS.index(card[0])]} of {suits[card[1]]}"


def test_pages_of_games_that_differ_in_unseen_cards_alone_are_the_same(ds: Ds) -> None:
    """The bottom of the stock and of column 9 in another order."""
    cards = deck()
    twin = [*cards[:36], *cards[36:44][::-1], cards[44], *cards[45:60], *cards[60:][::-1]]
    pages, revealed = [], []
    for number, these in enumerate((cards, twin), 1):
        said = dealt("D", "T2T3", "U", "D", id=ONE, cards=these, started_at=utc())
        path = str(ds.database.with_name(f"twin-{number}.db"))
        ds.ok("import", "-", "--db", path, stdin=as_line(said))
        drawn = ["replay", "--game", ONE, "--db", path]
        pages.append([ds.ok(*drawn, kind, "-").out for kind in ("--html", "--svg")])
        revealed.append([ds.ok(*drawn, kind, "-", "--reveal").out for kind in ("--html", "--svg")])
    assert pages[0] == pages[1]
    # So that there is something to tell apart at all.
    assert all(one != other for one, other in zip(*revealed, strict=True))


def test_a_page_is_small_and_asks_for_nothing(ds: Ds) -> None:
    said = vectors()[0] | {"id": ONE, "player": MARKUP}
    assert len(said["events"]) == 298
    ds.ok("import", "-", stdin=as_line(said))
    page = ds.ok("replay", "--game", ONE, "--html", "-").out
    assert len(page.encode()) < LARGEST_PAGE
    assert page == ds.ok("replay", "--game", ONE, "--html", "-").out
    assert MARKUP not in page
    assert not re.search(r'(src|href|action)="(?!#)|url\((?!#)|@import|fetch\(|XMLHttp', page)
    # Names of XML are no addresses: nobody asks for them.
    assert set(re.findall(r"\w+://[^\"'\s)]*", page)) <= {"http://www.w3.org/2000/svg"}


def test_a_page_of_the_final_line_has_the_events_that_stand(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    stands: list[int] = []
    for event in TRIED["events"]:
        if event["move"] == "U":
            stands.pop()
        else:
            stands.append(event["seq"])
    page = ds.ok("replay", "--game", ONE, "--line", "final", "--html", "-").out
    assert [frame["seq"] for frame in record_of(page)["frames"]] == [0, *stands]
    assert re.findall(r'<a href="#(\d+)"', page) == [str(seq) for seq in (0, *stands)]
    assert 'class="undo' not in page


def test_files_are_written_whole_or_not_at_all(ds: Ds, tmp_path: Path) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    for kind, begins in (("--html", b"<!DOCTYPE"), ("--svg", b"<svg "), ("--png", b"\x89PNG")):
        path = tmp_path / f"drawn{kind[2:]}"
        path.write_text("what was there")
        ran = ds.ok("replay", "--game", ONE, kind, str(path))
        assert (ran.out, ran.err) == ("", "")
        assert path.read_bytes().startswith(begins)
        missing = tmp_path / "nowhere" / "drawn"
        assert str(missing) in ds.fails(2, "replay", "--game", ONE, kind, str(missing))
    # Nothing is left of what could not be written.
    before = set(tmp_path.iterdir())
    assert "drawn" in ds.fails(
        2, "replay", "--game", ONE, "--svg", str(tmp_path / "home" / "x" / "drawn")
    )
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--html", "a", "--svg", "b"], ["--html", "--svg"]),
        (["--svg", "a", "--png", "b"], ["--svg", "--png"]),
        (["--html", "a", "--at", "3"], ["--at", "--html", "FILE#12"]),
        (["--html", "a", "--json"], ["--json", "--html"]),
        (["--svg", "a", "--json"], ["--json", "--svg"]),
        (["--svg", "a", "--from", "1"], ["--from", "--svg", "--at"]),
        (["--png", "a", "--to", "1"], ["--to", "--png", "--at"]),
        (["--svg", "a", "--at", "151"], ["150 events", "151"]),
        (["--html", "a", "--from", "151"], ["150 events", "151"]),
        (["--html", "a.html.gz"], ["--html", "a.html.gz"]),
        (["--svg", "a.gz"], ["--svg", "a.gz"]),
        (["--png", "a.gz"], ["--png", "a.gz"]),
        (["--png", ""], ["folder", "--png"]),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], named: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ds.ok("import", "-", stdin=as_line(TRIED))
    message = ds.fails(2, "replay", "--game", ONE, *options)
    for part in named:
        assert part in message
    assert list(tmp_path.glob("a*")) == []


def test_a_png_is_not_written_to_a_terminal(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    screen = ds.screen("replay", "--game", ONE, "--png", "-")
    assert screen.status == 2
    assert "\x89PNG" not in screen.raw
    assert "name a file" in screen.text
    piped = ds.screen("replay", "--game", ONE, "--png", "-", pipe_stdout=True)
    assert piped.status == 0
    assert size_of(piped.out)[0] == 1252


@pytest.mark.parametrize(
    ("kind", "package"),
    [
        ("--html", "jinja2"),
        ("--html", "matplotlib"),
        ("--png", "resvg_py"),
        ("--png", "matplotlib"),
    ],
)
def test_a_missing_extra_is_named(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, package: str
) -> None:
    ds.ok("import", "-", stdin=as_line(TRIED))
    monkeypatch.setitem(sys.modules, package, None)
    message = ds.fails(3, "replay", "--game", ONE, kind, str(tmp_path / "drawn"))
    for part in (package, kind, "[report]"):
        assert part in message
    assert not (tmp_path / "drawn").exists()
    # A board as SVG needs nothing but `ds`.
    assert ds.ok("replay", "--game", ONE, "--svg", "-").out.startswith("<svg ")
