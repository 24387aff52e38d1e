"""The report as one page that needs nothing else: figures, charts, tables, all games."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from ds_cli.output import safe
from ds_cli.pages import charts, tally_charts
from ds_cli.pages.charts import MODE_NAMES, WIDTH
from ds_cli.pages.numbers import Numbers
from ds_cli.pages.own import css_for, own_text
from ds_cli.pages.tally_charts import STATUSES
from ds_core import MODES, STANDARD, VEGAS
from ds_events.extras import needed_for

MOST_GAMES: Final = 1000
"""How many games are listed, the newest."""

MOST_DEALS: Final = 30
MOST_ATTEMPTS: Final = 12
"""How many deals that were tried again are shown, and how many attempts at each, the newest."""

_OPEN_DEALS: Final = 4
"""How many of them are to be seen at once; the others are folded up."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a page is made of: the documents that `--json` prints of each command.

    `statistics` is that of `ds stats --by month`. `attempts` has the ids of the games of each
    deal that was tried again, from the oldest to the newest. `only` says in words which games
    were asked for, `zone` is that of the times shown, and `replays` has the relative links to
    pages of games, by id.
    """

    statistics: Mapping[str, Any]
    scores: Mapping[str, Any]
    vegas: Mapping[str, Any]
    games: Mapping[str, Any]
    attempts: Sequence[Sequence[str]]
    only: Sequence[str] = ()
    zone: tzinfo | None = None
    replays: dict[str, str] = field(default_factory=dict)

    @property
    def tried_again(self) -> list[Sequence[str]]:
        """The attempts that the page shows, deal by deal."""
        return [tried[-MOST_ATTEMPTS:] for tried in self.attempts[:MOST_DEALS]]

    @property
    def shown(self) -> list[str]:
        """The ids of the games that the page lists or shows as attempts, each once."""
        listed = [row["game"] for row in self.games["rows"][:MOST_GAMES]]
        return list(dict.fromkeys([*listed, *chain.from_iterable(self.tried_again)]))


def report_page(report: Report) -> str:
    """Return the page as HTML.

    Every number on it is that of a document, written as `<data value="…">`. Names and labels
    are text, whatever they hold. Raises `MissingExtra` where jinja2 or matplotlib is not there.
    """
    with needed_for("--html", "report"):
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # The page may be printed to a terminal.
    environment.filters["shown"] = safe
    script = own_text("report.js")
    documents = {
        "stats": report.statistics,
        "scores": report.scores,
        "vegas": report.vegas,
        "games": report.games,
    }
    numbers = Numbers(documents, report.zone)
    places = {row["game"]: n for n, row in enumerate(report.games["rows"])}
    counted = [row for row in report.games["rows"] if row["moves"]]
    return environment.from_string(own_text("report.html.j2")).render(
        css=Markup(css_for("report")),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        report=report,
        n=numbers,
        charts={
            name: None if chart is None else Markup(chart.svg)
            for name, chart in _charts(report).items()
        },
        modes=list(MODE_NAMES),
        mode_names=MODE_NAMES,
        vegas_modes=[mode for mode in MODE_NAMES if MODES[mode].scoring.is_money],
        statuses=STATUSES,
        deal_name=deal_name,
        best=_best(report.statistics),
        span=[row["started_at"] for row in (*counted[-1:], *counted[:1])],
        places=places,
        listed=[(n, row) for n, row in enumerate(report.games["rows"][:MOST_GAMES])],
        ledger=list(enumerate(report.vegas["rows"]))[: -MOST_GAMES - 1 : -1],
        attempts=report.tried_again,
        open_deals=_OPEN_DEALS,
        newest_months=tally_charts.newest_months(report.statistics),
        most_marks=charts.MOST_MARKS,
        many=any(of["games"] > charts.MOST_MARKS for of in report.statistics["modes"].values()),
    )


def deal_name(attempts: Sequence[Mapping[str, Any]]) -> str:
    """Return what a deal is called, whatever its mode: by its code, else by a label."""
    for row in attempts:
        if row["code"] is not None:
            return "Deal " + str(row["code"]).rpartition("-")[2]
    return next((str(row["label"]) for row in attempts if row["label"]), "A deck of one’s own")


def _charts(report: Report) -> dict[str, charts.Chart | None]:
    statistics, scores, vegas = report.statistics, report.scores, report.vegas
    return {
        "win_rates": tally_charts.win_rates(statistics),
        "history_points": charts.score_history(scores, STANDARD),
        "history_dollars": charts.score_history(scores, VEGAS),
        "distribution_points": charts.distribution(scores, statistics, STANDARD),
        "distribution_dollars": charts.distribution(scores, statistics, VEGAS),
        "balance_wide": charts.vegas_balance(vegas),
        "balance_narrow": charts.vegas_balance(vegas, width=WIDTH),
        "streaks": tally_charts.streaks(report.games["rows"]),
        "durations": tally_charts.durations(scores),
        "lengths": tally_charts.lengths(scores),
        "activity_wide": tally_charts.activity(statistics),
        "activity_narrow": tally_charts.activity(statistics, width=WIDTH),
    }


def _best(statistics: Mapping[str, Any]) -> dict[str, str | None]:
    """Return in which mode the best standard score and the longest streak are, if in any."""
    modes = statistics["modes"]
    standard = [
        mode
        for mode in MODE_NAMES
        if not MODES[mode].scoring.is_money and modes[mode]["best_score"] is not None
    ]
    streaks = [mode for mode in MODE_NAMES if modes[mode]["longest_streak"]]
    return {
        "score": max(standard, key=lambda mode: modes[mode]["best_score"], default=None),
        "streak": max(streaks, key=lambda mode: modes[mode]["longest_streak"], default=None),
    }
