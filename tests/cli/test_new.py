"""`ds new`: from a code, by chance, from 104 cards (R15, R33, R34, R36)."""

import re
from pathlib import Path

import pytest

from tests.cli.games import (
    CODE,
    GAME_KEYS,
    MODES,
    board_json,
    dealt,
    deck,
    game,
    played,
    shown_json,
)
from tests.cli.running import Ds


@pytest.mark.parametrize("mode", MODES)
def test_a_code_gives_its_layout_in_its_mode(ds: Ds, mode: str) -> None:
    code = f"DS1-{mode}-AAAAAAB"
    shown = ds.json("new", code)
    assert list(shown) == [*GAME_KEYS, "played"]
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{13}", shown["id"])
    assert shown == {**shown_json(game(code=code), shown["id"]), "played": []}
    assert shown["score"] == (-104 if mode.endswith("V") else 0)


def test_a_code_may_be_typed_in_lower_case_and_is_recorded_in_upper_case(ds: Ds) -> None:
    assert ds.json("new", CODE.lower())["code"] == CODE
    assert [row[2] for row in ds.contents()["games"]] == [CODE]


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ([], "D1N"),
        (["--draw", "1"], "D1N"),
        (["--draw", "3"], "D3N"),
        (["--scoring", "standard"], "D1N"),
        (["--scoring", "vegas"], "D1V"),
        (["--draw", "3", "--scoring", "vegas"], "D3V"),
    ],
)
def test_a_deal_by_chance_is_draw_1_and_standard_unless_said(
    ds: Ds, options: list[str], mode: str
) -> None:
    first, second = ds.json("new", *options), ds.json("new", *options)
    assert first["mode"] == second["mode"] == mode
    assert re.fullmatch(f"DS1-{mode}-[A-Z2-7]{{7}}", first["code"])
    # One deal in 2^35 twice is no accident that a test will ever see.
    assert first["code"] != second["code"]
    assert first["id"] != second["id"]


def test_options_that_agree_with_the_code_are_fine(ds: Ds) -> None:
    shown = ds.json("new", "DS1-D3V-AAAAAAB", "--draw", "3", "--scoring", "vegas")
    assert shown["code"] == "DS1-D3V-AAAAAAB"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--draw", "3"], ["--draw 3", "1"]),
        (["--scoring", "vegas"], ["--scoring vegas", "standard"]),
    ],
)
def test_options_that_contradict_the_code_are_wrong_usage(
    ds: Ds, options: list[str], said: list[str]
) -> None:
    message = ds.fails(2, "new", CODE, *options)
    for part in [*said, CODE]:
        assert part in message


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("nonsense", "DS1-D1N-AAAAAAB"),
        ("", "DS1-D1N-AAAAAAB"),
        ("DS1-D1N", "DS1-D1N-AAAAAAB"),
        ("DS2-D1N-AAAAAAB", "DS1"),
        ("DS1-D2N-AAAAAAB", "D1N, D1V, D3N, D3V"),
        ("DS1-D1N-AAAAAA", "7"),
        ("DS1-D1N-AAAAAAAA", "7"),
        ("DS1-D1N-AAAAAA1", "A-Z and 2-7"),
        ("DS1-D1N-AAAAAA\u00df", "DS1-D1N-AAAAAAB"),
        ("ＤS1-D1N-AAAAAAB", "DS1-D1N-AAAAAAB"),
    ],
)
def test_what_is_no_code_is_wrong_usage_and_the_message_shows_one(
    ds: Ds, code: str, hint: str
) -> None:
    message = ds.fails(2, "new", code)
    assert hint in message
    assert code in message


@pytest.mark.parametrize("options", [["--draw", "2"], ["--draw", "one"], ["--scoring", "money"]])
def test_other_draws_and_scorings_are_wrong_usage(ds: Ds, options: list[str]) -> None:
    message = ds.fails(2, "new", *options)
    assert options[0] in message
    assert options[1] in message


def test_a_deck_is_dealt_column_by_column(ds: Ds, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    # The layout of the text means nothing: white space separates cards.
    cards.write_text("\r\n".join(deck("A4ROGUB")) + "\n\n", encoding="utf-8")
    shown = ds.json("new", "--deck", str(cards), "--draw", "3", "--label", "app 7731")
    expected = dealt(cards=deck("A4ROGUB"), mode="D3N", label="app 7731")
    assert shown == {**shown_json(expected, shown["id"]), "played": []}
    assert list(shown) == [*GAME_KEYS, "played"]


def test_a_database_is_no_deck(ds: Ds) -> None:
    ds.ok("new")
    assert "games.db is an SQLite database, and no text" in ds.fails(
        2, "new", "--deck", str(ds.database)
    )


def test_a_deck_needs_no_label(ds: Ds, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(deck()), encoding="utf-8")
    shown = ds.json("new", "--deck", str(cards), "--scoring", "vegas")
    assert (shown["code"], shown["label"], shown["mode"]) == (None, None, "D1V")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_deck_can_come_from_stdin_or_a_file_with_or_without_a_byte_order_mark(
    ds: Ds, tmp_path: Path, mark: str
) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(mark + " ".join(deck()), encoding="utf-8")
    from_file = ds.json("new", "--deck", str(cards))
    from_stdin = ds.json("new", "--deck", "-", stdin=mark + " ".join(deck()))
    assert from_stdin["columns"] == from_file["columns"]
    assert from_file["columns"][1] == {"down": 1, "up": ["5C"]}


def test_every_missing_surplus_and_unreadable_card_is_named(ds: Ds, tmp_path: Path) -> None:
    wrong = deck()
    # Deal 1 begins QS QD 5C JH; the only other JH is dealt later.
    wrong[0], wrong[1], wrong[2] = "KS", "1D", "5c"
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(wrong), encoding="utf-8")
    message = ds.fails(2, "new", "--deck", str(cards))
    for named in ("missing QS QD 5C", "surplus KS", "'1D' at 2", "'5c' at 3", "R1"):
        assert named.lower() in message.lower()


@pytest.mark.parametrize("count", [0, 1, 103, 105])
def test_no_other_number_of_cards_is_a_deck(ds: Ds, tmp_path: Path, count: int) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join([*deck(), "AS"][:count]), encoding="utf-8")
    message = ds.fails(2, "new", "--deck", str(cards))
    assert ("surplus AS" if count > 104 else "missing") in message


def test_a_deck_that_cannot_be_opened_or_decoded_is_wrong_usage(ds: Ds, tmp_path: Path) -> None:
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfeQ\0S\0")
    for path in (tmp_path / "missing.txt", tmp_path, binary):
        assert str(path) in ds.fails(2, "new", "--deck", str(path))


def test_a_label_goes_with_a_deck_alone(ds: Ds) -> None:
    for arguments in (["--label", "app"], [CODE, "--label", "app"]):
        message = ds.fails(2, "new", *arguments)
        assert "--label" in message
        assert "--deck" in message


def test_a_code_and_a_deck_are_one_too_many(ds: Ds, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(deck()), encoding="utf-8")
    assert "--deck" in ds.fails(2, "new", CODE, "--deck", str(cards))


def test_a_label_has_64_characters_at_most(ds: Ds, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(deck()), encoding="utf-8")
    label = "\u30e9" * 64
    assert ds.json("new", "--deck", str(cards), "--label", label)["label"] == label
    message = ds.fails(2, "new", "--deck", str(cards), "--label", label + "x")
    assert "64" in message
    assert "65" in message


def test_a_label_that_looks_like_a_code_is_a_label(ds: Ds, tmp_path: Path) -> None:
    """R36: games are the same deal when their cards are, never because of a label."""
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(deck("A4ROGUB")), encoding="utf-8")
    shown = ds.json("new", "--deck", str(cards), "--label", CODE)
    assert (shown["code"], shown["label"]) == (None, CODE)
    assert shown["columns"] == board_json(played(dealt(cards=deck("A4ROGUB"))))["columns"]


def test_the_id_the_code_and_the_board_are_printed(ds: Ds) -> None:
    ran = ds.ok("new", CODE)
    (row,) = ds.json("games")["rows"]
    assert row["game"] in ran.out
    assert CODE in ran.out
    for card in ("Q♠", "5♣", "6♥", "6♣", "7♥", "8♠", "9♣", "9♦", "5♠"):
        assert card in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_game_left_open_is_named(ds: Ds, form: list[str]) -> None:
    left = ds.json("new", CODE)["id"]
    ran = ds.ok("new", *form)
    assert re.match(rf"ds: .*{left}.* open", ran.err)
    assert left not in ran.out
    # R23: starting a game leaves the other one open.
    assert {row["status"] for row in ds.json("games")["rows"]} == {"open"}


def test_a_closed_game_or_another_players_is_not_left_open(ds: Ds) -> None:
    ds.ok("new", CODE)
    ds.ok("abandon")
    ds.ok("new", "--player", "kai")
    assert ds.ok("new").err == ""
