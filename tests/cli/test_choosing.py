"""Which database, which player and which game a command works with."""

import getpass
from pathlib import Path

import pytest

from tests.cli.games import CODE, as_line, game, id_text, utc
from tests.cli.running import Ds, contents

# Where a command is typed, the shared options may stand on either side of it.
PLACES = pytest.mark.parametrize("before", [True, False], ids=["before", "after"])


def _placed(before: bool, command: list[str], *options: str) -> list[str]:
    return [*options, *command] if before else [*command, *options]


@PLACES
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_db_names_a_file_by_path_or_url(ds: Ds, tmp_path: Path, before: bool, form: str) -> None:
    other = tmp_path / "other games.db"
    ds.ok(*_placed(before, ["new", CODE], "--db", form.format(other)))
    assert len(contents(other)["games"]) == 1
    assert ds.contents()["games"] == []


@PLACES
def test_the_shared_options_reach_the_commands_of_the_group_db(
    ds: Ds, tmp_path: Path, before: bool
) -> None:
    other = tmp_path / "other.db"
    ran = ds.ok(*_placed(before, ["db", "info", "--json"], "--db", str(other)))
    assert ran.json["database"] == str(other)


def test_the_shared_options_stand_between_db_and_its_command_too(ds: Ds, tmp_path: Path) -> None:
    """`db` is a command like the others: `ds db --db FILE info` is after it."""
    other = tmp_path / "other.db"
    ran = ds.ok("db", "--db", str(other), "info", "--json")
    assert ran.json["database"] == str(other)


def test_of_two_the_option_after_the_command_counts(ds: Ds, tmp_path: Path) -> None:
    first, second = str(tmp_path / "first.db"), str(tmp_path / "second.db")
    shown = ds.json("--db", first, "--player", "a", "new", "--db", second, "--player", "b")
    assert shown["player"] == "b"
    assert not (tmp_path / "first.db").exists()


def test_db_comes_before_the_environment(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DATABASE_URL", f"sqlite:///{tmp_path}/environment.db")
    ds.ok("new")
    assert len(contents(tmp_path / "environment.db")["games"]) == 1
    ds.ok("new", "--db", str(tmp_path / "option.db"))
    assert len(contents(tmp_path / "environment.db")["games"]) == 1
    assert len(contents(tmp_path / "option.db")["games"]) == 1


@pytest.mark.parametrize("setting", [None, ""])
def test_the_default_is_a_file_in_the_users_data_folder(
    ds: Ds, home: Path, monkeypatch: pytest.MonkeyPatch, setting: str | None
) -> None:
    if setting is None:
        monkeypatch.delenv("DS_DATABASE_URL")
    else:
        monkeypatch.setenv("DS_DATABASE_URL", setting)
    ds.ok("new", CODE)
    (made,) = (home / "data").rglob("*.db")
    assert len(contents(made)["games"]) == 1
    # And without XDG_DATA_HOME in the home folder, where the XDG standard has it.
    monkeypatch.delenv("XDG_DATA_HOME")
    ds.ok("new", CODE)
    assert list((home / ".local" / "share").rglob("*.db"))
    assert ds.contents()["games"] == []


def test_a_path_in_the_home_folder_may_begin_with_a_tilde(ds: Ds, home: Path) -> None:
    ds.ok("new", "--db", "~/mine.db")
    assert (home / "mine.db").exists()


@PLACES
def test_an_empty_database_name_is_wrong_usage(ds: Ds, before: bool) -> None:
    """`--db "$UNSET"` must not write to another database than was meant."""
    ds.ok("new", CODE)
    message = ds.fails(2, *_placed(before, ["abandon"], "--db", ""))
    assert "empty" in message or "names no file" in message


@PLACES
def test_an_empty_player_name_is_wrong_usage(ds: Ds, before: bool) -> None:
    ds.ok("new", CODE)
    message = ds.fails(2, *_placed(before, ["abandon"], "--player", ""))
    assert "empty" in message


@PLACES
def test_player_is_the_option_then_the_environment_then_the_user(
    ds: Ds, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    shown = ds.ok(*_placed(before, ["new", "--json"], "--player", "kai")).json
    assert shown["player"] == "kai"
    assert ds.json("new")["player"] == "mika"
    monkeypatch.delenv("DS_PLAYER")
    monkeypatch.setattr(getpass, "getuser", lambda: "jo")
    assert ds.json("new")["player"] == "jo"
    monkeypatch.setenv("DS_PLAYER", "")
    assert ds.json("new")["player"] == "jo"


def test_a_user_without_a_name_plays_under_a_number(
    ds: Ds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container whose user is in no list."""
    monkeypatch.delenv("DS_PLAYER")
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 4_000_000_000)
    assert ds.json("new")["player"] == "4000000000"


@pytest.mark.parametrize("name", ["x" * 65, "  ", "\t", "a\0b"])
def test_a_name_that_cannot_be_recorded_is_wrong_usage(ds: Ds, name: str) -> None:
    for command in (["new"], ["games"], ["stats"], ["simulate", "--games", "1", "--seed", "1"]):
        assert "name" in ds.fails(2, *command, "--player", name)


def test_a_name_in_another_normal_form_is_the_same_player(ds: Ds) -> None:
    ds.ok("new", "--player", "Jose\u0301")
    assert len(ds.json("games", "--player", "Jos\u00e9")["rows"]) == 1


@pytest.fixture
def several(ds: Ds) -> Ds:
    """A record of mika's games: open, open, abandoned (newest last), and one of kai."""
    said = [
        game("D", id="0123456789ABC", started_at=utc(seconds=1)),
        game("D", id="0123456789ABD", started_at=utc(seconds=2)),
        game("D", "X", id="7ZZZZZZZZZZZZ", started_at=utc(seconds=3)),
        game("D", "X", id="6000000000000", started_at=utc(seconds=4), player="kai"),
    ]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    return ds


READING = pytest.mark.parametrize("command", ["show", "legal", "log", "replay"])


@READING
@pytest.mark.parametrize("option", ["-g", "--game"])
def test_a_game_is_named_by_id_prefix_or_number(several: Ds, command: str, option: str) -> None:
    for reference, wanted in [
        ("7ZZZZZZZZZZZZ", "7ZZZZZZZZZZZZ"),
        ("7", "7ZZZZZZZZZZZZ"),
        ("7zz", "7ZZZZZZZZZZZZ"),
        ("0123456789ABD", "0123456789ABD"),
        # Crockford reads O as 0 and I and L as 1.
        ("ol23456789abd", "0123456789ABD"),
        ("@1", "7ZZZZZZZZZZZZ"),
        ("@2", "0123456789ABD"),
        ("@3", "0123456789ABC"),
        # Another player's game by its id: an id is of nobody.
        ("6", "6000000000000"),
    ]:
        document = several.json(command, option, reference)
        assert (document.get("id") or document["game"]) == wanted


@READING
@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("0123", ["0123456789ABC", "0123456789ABD"]),
        ("0", ["several"]),
        ("5", ["no game 5", "`ds games"]),
        ("0123456789ABE", ["no game", "`ds games"]),
        ("@0", ["@0", "`ds games`"]),
        ("@4", ["@4", "`ds games`"]),
        ("@-1", ["@-1"]),
        ("@x", ["@x"]),
        ("@", ["no game"]),
        ("@99999999999999999999", ["no game"]),
        ("@１", ["no game"]),
        ("", ["no game"]),
        ("u", ["'u'", "`ds games`"]),
        ("0123456789ABC0", ["no game", "`ds games`"]),
    ],
)
def test_a_reference_to_no_game_or_several_says_so(
    several: Ds, command: str, reference: str, said: list[str]
) -> None:
    message = several.fails(1, command, "--game", reference)
    for part in said:
        assert part in message


def test_who_reads_gets_the_newest_open_game_else_the_newest(several: Ds) -> None:
    for command in ("show", "legal", "hint", "log", "replay"):
        document = several.json(command)
        assert (document.get("id") or document["game"]) == "0123456789ABD"
    assert '"id":"0123456789ABD"' in several.ok("export").out
    several.ok("abandon")
    several.ok("abandon")
    assert several.json("show")["id"] == "7ZZZZZZZZZZZZ"


def test_who_writes_gets_the_newest_open_game(several: Ds) -> None:
    for command in (["move", "D"], ["draw"], ["undo"], ["tap", "S"], ["abandon"]):
        assert several.json(*command)["id"] == "0123456789ABD"
    assert several.json("draw")["id"] == "0123456789ABC"
    assert several.json("draw", "--game", "@3")["id"] == "0123456789ABC"


def test_a_player_without_games_is_told_what_to_type(several: Ds) -> None:
    for command in ("show", "legal", "hint", "log", "replay", "export"):
        message = several.fails(1, command, "--player", "nobody")
        assert "nobody" in message
        assert "`ds new`" in message


def test_numbers_count_the_players_own_games(several: Ds) -> None:
    assert several.json("show", "--game", "@1", "--player", "kai")["id"] == "6000000000000"
    several.fails(1, "show", "--game", "@2", "--player", "kai")
    assert several.json("show", "--game", "@1")["id"] == "7ZZZZZZZZZZZZ"


def test_a_new_database_is_made_without_a_word(ds: Ds, tmp_path: Path) -> None:
    ran = ds.ok("games", "--json", "--db", str(tmp_path / "new.db"))
    assert (ran.json["rows"], ran.err) == ([], "")
    assert contents(tmp_path / "new.db")["games"] == []


def test_ids_stand_for_times_and_grow(ds: Ds) -> None:
    ids = [ds.json("new", CODE)["id"] for _ in range(3)]
    assert ids == sorted(ids)
    assert [row["game"] for row in ds.json("games")["rows"]] == ids[::-1]
    assert ds.json("show", "--game", "@3")["id"] == ids[0]
    assert id_text(0) == "0" * 13
