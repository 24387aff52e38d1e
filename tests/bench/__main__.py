"""`python -m tests.bench`: all races with their peers, as one table and a JSON file."""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.bench.measure import SECONDS, Outcome, PeerMissing, Ratio

Benches: TypeAlias = Callable[[bool], Iterator[Outcome]]
"""`benches(quick)` of a module: yields the outcome of each of its races as it is known."""

MODULES: Final = ("engine", "store", "audit", "growth", "startup", "table")


def main() -> int:
    """Run the races that are asked for; exit with 1 if a target is missed that is in reach."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Race against the peers; exit with 1 if a target in reach is missed.",
    )
    parser.add_argument("only", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under two minutes")
    add_report_only(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file")
    options = parser.parse_args()
    if unknown := set(options.only) - set(MODULES):
        parser.error(f"there is no {min(unknown)!r}: choose from {', '.join(MODULES)}")
    outcomes = []
    for name in MODULES:
        if not options.only or name in options.only:
            try:
                benches: Benches = import_module(f"tests.bench.{name}").benches
            except PeerMissing as error:
                parser.error(str(error))
            for outcome in benches(options.quick):
                sys.stderr.write(f"{outcome.bench}\n")
                outcomes.append(outcome)
    if options.json:
        options.json.write_text(json.dumps(_document(outcomes), indent=1) + "\n", encoding="utf-8")
    return show(outcomes, report_only=options.report_only)


def add_report_only(parser: argparse.ArgumentParser) -> None:
    """Add the option for machines whose times nothing can be made of."""
    parser.add_argument(
        "--report-only", action="store_true", help="exit with 0 also if a target is missed"
    )


def show(outcomes: list[Outcome], *, report_only: bool) -> int:
    """Print the table of outcomes, and return the exit status.

    It is 1 if a target is missed that those meet who do no more than has to be done, unless
    there is nothing to be done but to report.
    """
    Console(width=150).print(_table(outcomes))
    ratios = [ratio for outcome in outcomes for ratio in outcome.ratios]
    missed = any(ratio.is_met is False and not ratio.is_out_of_reach for ratio in ratios)
    return 1 if missed and not report_only else 0


def _table(outcomes: list[Outcome]) -> Table:
    table = Table("race", "who", "against", "ratio", "target", "", box=None)
    for outcome in outcomes:
        for ratio in outcome.ratios:
            table.add_row(
                escape(ratio.bench),
                f"{ratio.who} {_cost(outcome, ratio.who)}",
                f"{ratio.against} {_cost(outcome, ratio.against)}",
                f"{ratio.ratio:.2f}",
                _target(ratio),
                _judged(ratio),
            )
    return table


def _target(ratio: Ratio) -> str:
    if ratio.target is None:
        return ""
    return f"{'≤' if ratio.at_most else '≥'} {ratio.target:g}"


def _judged(ratio: Ratio) -> str:
    if ratio.is_met is False and ratio.is_out_of_reach:
        return f"limit {ratio.limit:.2f}"
    return {True: "met", False: "MISSED", None: ""}[ratio.is_met]


def _cost(outcome: Outcome, who: str) -> str:
    cost = outcome.costs[who]
    if outcome.unit != SECONDS:
        return f"({cost:,.1f} {outcome.unit})"
    if outcome.counted:
        return f"({1 / cost:,.0f} {outcome.counted}/s)"
    if cost < 1e-3:
        return f"({cost * 1e6:,.2f} µs)"
    return f"({cost * 1e3:,.2f} ms)"


def _document(outcomes: list[Outcome]) -> dict[str, object]:
    return {
        "machine": {
            "processor": _processor(),
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        "races": [
            {
                "race": outcome.bench,
                "unit": outcome.unit,
                "costs": outcome.costs,
                "per_second": _per_second(outcome),
                "ratios": [
                    {
                        "who": ratio.who,
                        "against": ratio.against,
                        "ratio": ratio.ratio,
                        "target": ratio.target,
                        "at_most": ratio.at_most,
                        "limit": ratio.limit,
                        "met": ratio.is_met,
                    }
                    for ratio in outcome.ratios
                ],
            }
            for outcome in outcomes
        ],
    }


def _per_second(outcome: Outcome) -> dict[str, float] | None:
    if not outcome.counted:
        return None
    return {who: 1 / cost for who, cost in outcome.costs.items()}


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    if about.exists():
        for line in about.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


if __name__ == "__main__":
    sys.exit(main())
