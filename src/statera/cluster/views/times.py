"""The times of a run, or a comparison of times, as text, Markdown, CSV or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.drill_down import Listing
from statera.cluster.lines import hosts_said
from statera.cluster.numbers import quantity
from statera.cluster.views.comparison import against, findings, judged, remarks, table, written
from statera.cluster.views.drill_down import text as drilled
from statera.support.files import csv_json
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.cluster.comparison import ClusterComparison
    from statera.cluster.times import Timed
    from statera.cluster.views.comparison import Look
    from statera.cluster.views.tables import Block


_LINES = ("hosts", "lines", "events", "not in the mapping", "left out")
_SECONDS = "seconds"
_SLOWEST = ("time", "key", _SECONDS, "from", "first line", "to", "last line")
_LEVELS = {"90%": "0.9", "99%": "0.99"}


def one_run(timed: Timed, kind: str, *, raw: bool = False) -> str:
    """Write the times of one run."""
    summary = timed.analysed.summary
    if kind == "json":
        slowest = [row._asdict() for row in timed.slowest]
        return csv_json.document(summary | {"slowest": slowest})
    rows = [
        (
            f"{one['title']}, {one['unit']}",
            *(one[key] for key in ("n", "mean", "stddev", "median")),
            *((one["quantiles"] or {}).get(level) for level in _LEVELS.values()),
            one["max"],
        )
        for one in summary["metrics"].values()
    ]
    units = tuple(str(one["unit"]) for one in summary["metrics"].values())
    counts = [(name, *of.values()) for name, of in summary["counts"].items()]
    lines = (summary["machines"], *summary["lines"].values())
    unusual = [
        *((f"{counted(one['lines'], 'line')} left out: {one['why']}", one["place"]) for one in summary["leftOut"]),
        *((one["what"], one["source"]) for one in summary["warnings"]),
    ]
    found = [
        Listing("Times", ("time", "n", "mean", "sd", "median", *_LEVELS, "max"), rows, units=units),
        Listing("Keys", ("time", "begun", "never ended", "never begun", "negative times"), counts),
        Listing("The slowest", *_slowest(timed, in_seconds=kind == "csv")),
        Listing("Logs", ("run", *_LINES), [(summary["run"], *lines)]),
        Listing("Left out or unusual", ("what", "where"), unusual),
    ]
    return drilled([one for one in found if one.rows], kind, raw=raw)


def _slowest(timed: Timed, *, in_seconds: bool) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return the columns and rows of the longest times: as numbers for programs, or in the unit that suits each."""
    if in_seconds:
        return _SLOWEST, [tuple(row) for row in timed.slowest]
    columns = tuple("took" if column == _SECONDS else column for column in _SLOWEST)
    return columns, [(row.name, row.key, quantity("s", row.seconds), *row[3:]) for row in timed.slowest]


def compared(
    comparison: ClusterComparison,
    kind: str,
    look: Look,
    *,
    width: int | None = None,
    colour: bool = False,
    raw: bool = False,
) -> str:
    """Write a comparison of the times of runs; text has the times of each pair, worst first by default."""

    def content() -> Iterator[Block]:
        for number in range(len(comparison.pairs)):
            name = "Times" if len(comparison.pairs) == 1 else f"Times: {against(comparison, number)}"
            order = look._replace(sort="worst") if look.whole else look
            times = table(comparison, name, [row.cells[number] for row in comparison.rows], order)
            if times.rows:
                yield times
            yield findings(comparison, number)
        yield _notes(comparison)

    return written(comparison, kind, look, content(), width=width, colour=colour, raw=raw)


def _notes(comparison: ClusterComparison) -> list[str]:
    hosts = [
        f"{each.label} {hosts_said([run.summary['machines'] for run in each.runs])}" for each in comparison.variants
    ]
    return [
        f"Hosts: {', '.join(hosts)}.",
        judged(comparison),
        (
            "With several runs per build, the unit of a test is the run. With one, it is a batch of keys in the "
            "order of their start."
        ),
        *remarks(comparison),
    ]
