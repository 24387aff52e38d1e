"""`ds report`: a page that is written whole or not at all, from the same numbers as `--json`."""

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ds_cli.pages import report_page
from ds_cli.pages.charts import Chart
from tests.cli.games import CODE, GAMES, as_line, dealt, game, id_text, utc, vectors
from tests.cli.running import Ds, process

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Outline(HTMLParser):
    """A page's elements with their attributes and texts; what is not closed is a fault."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.text += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(ds: Ds, *options: str) -> str:
    return ds.ok("report", "--html", "-", *options).out


@pytest.fixture
def filled(ds: Ds) -> Ds:
    ds.ok("import", str(GAMES))
    return ds


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no charts: most of the time of a page goes into them."""
    drawn = report_page._charts

    def undrawn(report: report_page.Report) -> dict[str, Chart | None]:
        empty = report_page.Report(
            statistics={"modes": {}, "total": {"win_rate": None}, "periods": []},
            scores={"rows": []},
            vegas={"rows": []},
            games={"rows": []},
            attempts=[],
        )
        return dict.fromkeys(drawn(empty), Chart("<svg></svg>", ""))

    monkeypatch.setattr(report_page, "_charts", undrawn)


def test_the_page_is_one_file_that_refers_to_nothing_else(filled: Ds) -> None:
    page = page_of(filled, "--player", "vector")
    outline = Outline(page)
    assert page.startswith("<!DOCTYPE html>")
    targets = [
        value or ""
        for _, attributes in outline.elements
        for name, value in attributes.items()
        if name in ("src", "href", "action", "data", "poster", "srcset")
    ]
    assert targets
    assert all(target.startswith(("#", "data:,")) for target in targets)
    assert "url(http" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    assert {attributes.get("lang") for attributes in outline.of("html")} == {"en"}


@pytest.mark.usefixtures("quick")
def test_every_game_is_listed_with_what_the_vectors_say(filled: Ds) -> None:
    outline = Outline(page_of(filled, "--player", "vector"))
    for number, *_ in filled.contents()["games"]:
        assert id_text(number) in outline.text
    assert outline.text.count("DS1-") >= sum("code" in said for said in vectors())
    scores = sorted(
        int(attributes["value"] or 0)
        for attributes in outline.of("data")
        if re.fullmatch(r"games\.rows\.\d+\.score", attributes["data-of"] or "")
    )
    assert sorted({said["score"] for said in vectors()}) == sorted(set(scores))


def test_the_same_record_is_the_same_page(filled: Ds) -> None:
    options = ["--player", "vector", "--tz", "UTC"]
    assert page_of(filled, *options) == page_of(filled, *options)


@pytest.mark.usefixtures("quick")
def test_a_file_gets_what_stdout_gets(filled: Ds, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    ran = filled.ok("report", "--html", str(path), "--player", "vector")
    assert (ran.out, ran.err) == ("", "")
    assert path.read_text(encoding="utf-8") == page_of(filled, "--player", "vector")


@pytest.mark.usefixtures("quick")
def test_it_is_about_the_games_that_are_asked_for_and_says_so(filled: Ds) -> None:
    page = Outline(page_of(filled, "--everyone", "--mode", "D1V", "--status", "won")).text
    assert "all players" in page
    assert re.search(r"Only games of mode D1V, that are won\.", page)
    wanted = filled.json("games", "--everyone", "--mode", "D1V", "--status", "won")["rows"]
    others = filled.json("games", "--everyone", "--mode", "D3N")["rows"]
    assert wanted
    assert all(row["game"] in page for row in wanted)
    assert not any(row["game"] in page for row in others)
    assert "Only games" not in Outline(page_of(filled, "--player", "vector")).text


@pytest.mark.usefixtures("quick")
def test_times_are_those_of_the_zone_that_is_asked_for(ds: Ds) -> None:
    said = game("D", "X", id=id_text(1), started_at=utc("2026-01-31T22:30:00"))
    for event in said["events"]:
        event["at"] = said["started_at"]
    ds.ok("import", "-", stdin=as_line(said))
    assert "2026-02-01 07:30" in page_of(ds)
    berlin = page_of(ds, "--tz", "Europe/Berlin")
    assert "2026-01-31 23:30" in berlin
    assert "Times are those of Europe/Berlin" in berlin
    assert ">2026-01<" in berlin
    assert ">2026-02<" in page_of(ds)


@pytest.mark.usefixtures("quick")
def test_a_game_that_was_never_played_is_listed_and_counts_nowhere(ds: Ds) -> None:
    ds.ok("new", CODE)
    outline = Outline(page_of(ds))
    assert "No game has been played yet" in outline.text
    assert CODE in outline.text
    assert outline.of("svg") == []


@pytest.mark.usefixtures("quick")
def test_names_and_labels_are_text(ds: Ds) -> None:
    name = "</title></h1><script>alert('x')</script>&amp;\u202e"
    ds.ok("new", CODE, "--player", name)
    ds.ok("move", "D", "--player", name)
    for options in (["--player", name], ["--everyone"]):
        outline = Outline(page_of(ds, *options))
        assert name.replace("\u202e", "\\u202e") in outline.text
        assert len(outline.of("script")) == 1


@pytest.mark.usefixtures("quick")
def test_no_text_can_steer_the_terminal_that_a_page_is_printed_to(ds: Ds) -> None:
    name, label = "mi\x1b[31mka\x07\u202e", "la\x1b[1mbel\x07\u202e"
    said = [dealt("D", player=name, label=label, id=id_text(number)) for number in (1, 2)]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    for options in (["--player", name], ["--everyone"], ["--everyone", "--since", "20200101"]):
        page = page_of(ds, *options)
        assert not re.search("[\x1b\x07\u202e]", page)
        text = Outline(page).text
        assert r"mi\x1b[31mka\x07\u202e" in text
        # In the list, and as the name of a deal that was tried twice.
        assert text.count(r"la\x1b[1mbel\x07\u202e") == 3


@pytest.mark.usefixtures("quick")
def test_a_deal_is_named_so_that_it_means_the_same_later(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(dealt("D", id=id_text(7))))
    assert f"Only games of the deal of {id_text(7)}." in Outline(page_of(ds, "--deal", "@1")).text
    ds.ok("new", CODE)
    ds.ok("move", "D")
    for deal in ("@1", CODE, CODE.lower()):
        text = Outline(page_of(ds, "--deal", deal)).text
        assert f"Only games of the deal of {CODE}." in text


@pytest.mark.usefixtures("quick")
def test_that_no_game_is_of_a_kind_is_not_that_none_was_played(filled: Ds) -> None:
    text = Outline(page_of(filled, "--player", "vector", "--since", "2100-01-01")).text
    assert "No game that has been played is of this kind." in text
    assert "Only games started from 2100-01-01 on." in text
    assert "has been played yet" not in text


@pytest.mark.usefixtures("quick")
def test_of_very_many_games_the_newest_are_listed(
    filled: Ds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_page, "MOST_GAMES", 5)
    page = page_of(filled, "--player", "vector")
    outline = Outline(page)
    assert "These are the newest 5 of 33" in " ".join(outline.text.split())
    rows = {
        (attributes["data-of"] or "").split(".")[2]
        for attributes in outline.of("data")
        if re.fullmatch(r"games\.rows\.\d+\.score", attributes["data-of"] or "")
    }
    listed = page.partition('id="all-games"')[2]
    assert len(re.findall(r"games\.rows\.\d+\.score", listed)) == 5
    assert {"0", "1", "2", "3", "4"} <= rows
    vegas = filled.json("vegas", "--player", "vector")["rows"]
    assert f"The latest 5 of {len(vegas)} games" in " ".join(outline.text.split())
    assert f"vegas.rows.{len(vegas) - 1}.balance" in page
    assert f"vegas.rows.{len(vegas) - 6}.balance" not in page


@pytest.mark.usefixtures("quick")
def test_replays_are_written_beside_the_page(filled: Ds, tmp_path: Path) -> None:
    path = tmp_path / "my games.html"
    ran = filled.ok(
        "report", "--html", str(path), "--player", "vector", "--mode", "D3V", "--with-replays"
    )
    folder = tmp_path / "my games-replays"
    rows = filled.json("games", "--player", "vector", "--mode", "D3V")["rows"]
    assert sorted(file.stem for file in folder.iterdir()) == sorted(row["game"] for row in rows)
    assert f"{len(rows)} replays" in ran.err
    links = {
        attributes["href"]
        for attributes in Outline(path.read_text(encoding="utf-8")).of("a")
        if "replays" in (attributes["href"] or "")
    }
    assert links == {f"my%20games-replays/{row['game']}.html" for row in rows}
    for row in rows:
        assert row["game"] in (folder / f"{row['game']}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("existing", [True, False])
def test_what_fails_leaves_nothing_behind(
    filled: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    if existing:
        (folder / "report.html").write_text("as it was")
        (folder / "report-replays").mkdir()
        (folder / "report-replays" / "other.html").write_text("another page")

    def files() -> dict[str, Any]:
        return {
            str(file.relative_to(folder)): file.read_text() if file.is_file() else None
            for file in folder.rglob("*")
        }

    before = files()

    def broken(*_: object) -> str:
        raise OSError(28, "No space left on device", "the disk")

    monkeypatch.setattr(report_page, "report_page", broken)
    for more in ([], ["--with-replays", "--mode", "D3V"]):
        ran = filled("report", "--html", str(folder / "report.html"), "--player", "vector", *more)
        assert ran.status == 3
        assert "No space left" in ran.err
        assert files() == before


def test_wrong_usage_is_said(ds: Ds, tmp_path: Path) -> None:
    assert "--html" in ds.fails(2, "report")
    assert "name one for --html" in ds.fails(2, "report", "--html", "-", "--with-replays")
    for more in ([], ["--with-replays"]):
        for path in (tmp_path / "nowhere" / "r.html", tmp_path):
            said = ds.fails(2, "report", "--html", str(path), *more)
            assert str(path.parent if path.suffix else path) in said
    for name in ("", ".", "/"):
        for more in ([], ["--with-replays"]):
            said = ds.fails(2, "report", "--html", name, *more)
            assert "is a folder: name a file for --html" in said
    link = tmp_path / "link"
    link.symlink_to(link)
    assert str(link) in ds.fails(2, "report", "--html", str(link))
    packed = tmp_path / "r.html.gz"
    assert str(packed) in ds.fails(2, "report", "--html", str(packed))
    assert not packed.exists()
    assert "no time zone" in ds.fails(2, "report", "--html", "-", "--tz", "Berlin/Europe")


@pytest.mark.usefixtures("quick")
def test_replays_are_written_beside_ordinary_files_alone(filled: Ds, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "report-replays").write_text("a file")
    for path, why in (
        (tmp_path / "report.html", "report-replays, which is a file"),
        (tmp_path / "nowhere" / "report.html", f"no folder {tmp_path / 'nowhere'}"),
        (tmp_path / "pipe", "beside a file"),
        (Path("/dev/stdout"), "beside a file"),
        (Path("/dev/null"), "beside a file"),
    ):
        said = filled.fails(
            2, "report", "--html", str(path), "--player", "vector", "--with-replays"
        )
        assert str(path) in said
        assert why in said
    assert sorted(file.name for file in tmp_path.glob("*p*")) == ["pipe", "report-replays"]


@pytest.mark.usefixtures("quick")
def test_without_games_there_is_no_folder_for_their_replays(ds: Ds, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    said = ds.ok("report", "--html", str(path), "--with-replays").err
    assert f"{path} lists no game" in said
    assert path.exists()
    assert not (tmp_path / "report-replays").exists()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_without_the_extra_it_is_named(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    path = tmp_path / "report.html"
    said = ds.fails(3, "report", "--html", str(path), "--with-replays")
    assert f"{package} is needed for --html" in said
    assert "double-solitaire-record[report]" in said
    assert not path.exists()
    assert list(tmp_path.glob("*-replays")) == []


def test_a_process_writes_it_without_a_word_on_stderr(filled: Ds, home: Path) -> None:
    """What libraries say about their caches and fonts is no message of ours."""
    ran = process("report", "--html", "-", "--player", "vector")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"<!DOCTYPE html>")
