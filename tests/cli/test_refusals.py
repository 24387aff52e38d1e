"""Refused moves: the message names move, rule and cards, and nothing is logged."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests.cli.games import id_text, standing, vectors, write
from tests.cli.running import Ds

_CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b")


# White space separates moves on a command line; what stands between words is no move there.
REFUSALS = [
    (number, said)
    for number, said in enumerate(vectors("refusals"), 1)
    if said["refused"].split() == [said["refused"]]
]


@pytest.fixture(scope="module")
def refusal_record(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record in which game N stands where the Nth checked refusal is tried."""
    folder = tmp_path_factory.mktemp("refusals")
    path = shutil.copy(empty_record, folder / "games.db")
    lines = write(folder / "games.jsonl", [standing(said, n) for n, said in REFUSALS])
    assert main(["import", lines, "--db", str(path)]) == 0
    return Path(path)


@pytest.mark.parametrize(
    ("number", "said"), REFUSALS, ids=[f"{n}-{said['rule']}" for n, said in REFUSALS]
)
def test_a_refused_move_names_itself_its_rule_and_its_cards(
    ds: Ds, refusal_record: Path, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(refusal_record, ds.database)
    refused, rule = said["refused"], said["rule"]
    # An unreadable move is wrong usage; what the rules refuse is a no.
    status = 2 if rule == "R37" else 1
    message = ds.fails(status, "move", refused, "--game", id_text(number))
    assert f"({rule})" in message
    assert refused in message
    assert set(_CARD.findall(said["why"])) <= set(_CARD.findall(message))


def test_the_rule_is_said_in_words_too(ds: Ds) -> None:
    """Words that a player knows, beside the number."""
    words = {
        "R7": "face-up",
        "R9": "waste is empty",
        "R14": "foundation 1 is empty",
        "R18": "stock is empty",
        "R26": "taken back",
        "R12": "ace",
        "R6": "fit",
    }
    tried = {
        "R7": "T1T2x2",
        "R9": "WF",
        "R14": "F1T1",
        "R18": "R",
        "R26": "U",
        "R12": "T1F",
        "R6": "T1T2",
    }
    ds.ok("new", "DS1-D1N-AAAAAAB")
    for rule, move in tried.items():
        message = ds.fails(1, "move", move)
        assert message.startswith(f"ds: {move} is refused ({rule}): ")
        assert words[rule] in message


def test_what_a_column_takes_is_said(ds: Ds) -> None:
    """T1 holds QS, and T2 ends in 5C, which takes a red four."""
    ds.ok("new", "DS1-D1N-AAAAAAB")
    message = ds.fails(1, "move", "T1T2")
    assert {"QS", "5C", "4H", "4D"} <= set(_CARD.findall(message))
