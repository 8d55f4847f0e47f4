"""The times of a run, or a comparison of times, as text, Markdown, CSV or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.cluster.drill_down import Found
from statera.cluster.times.lines import hosts_said
from statera.cluster.views import text
from statera.cluster.views.compared import judged, remarks, table
from statera.cluster.views.drilled import text as drilled
from statera.cluster.views.fitting import fitted
from statera.files import csv_json
from statera.views.terminal import folded
from statera.wording import counted

if TYPE_CHECKING:
    from statera.cluster.compare import ClusterComparison
    from statera.cluster.times.analysis import Timed
    from statera.cluster.views.compared import Look

_LINES = ("hosts", "lines", "events", "not in the mapping", "left out")
_SLOWEST = ("time", "key", "seconds", "from", "first line", "to", "last line")
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
    counts = [(name, *of.values()) for name, of in summary["counts"].items()]
    lines = (summary["machines"], *summary["lines"].values())
    unusual = [
        *((f"{counted(one['lines'], 'line')} left out: {one['why']}", one["place"]) for one in summary["leftOut"]),
        *((one["what"], one["source"]) for one in summary["warnings"]),
    ]
    found = [
        Found("Times", ("time", "n", "mean", "sd", "median", *_LEVELS, "max"), rows),
        Found("Keys", ("time", "begun", "never ended", "never begun", "negative times"), counts),
        Found("The slowest", _SLOWEST, [tuple(row) for row in timed.slowest]),
        Found("Logs", ("run", *_LINES), [(summary["run"], *lines)]),
        Found("Left out or unusual", ("what", "where"), unusual),
    ]
    return drilled([one for one in found if one.rows], kind, raw=raw)


def compared(
    comparison: ClusterComparison,
    kind: str,
    look: Look,
    *,
    width: int | None = None,
    colour: bool = False,
    raw: bool = False,
) -> str:
    """Write a comparison of the times of runs."""
    if kind == "csv":
        return text.comma(comparison, look, raw=raw)
    if kind == "json":
        return text.json(comparison, look)
    rows = comparison.rows
    found = [
        table(comparison, "Times", [row.cells[number] for row in rows], look)
        for number, _ in enumerate(comparison.pairs)
    ]
    tables = [each for each in found if each.rows]
    said = _notes(comparison)
    if kind == "markdown":
        parts = [f"{text.in_markdown(each)}\n" for each in tables]
        return "".join([*parts, *(f"- {_native.markdown_text(note)}\n" for note in said)])
    parts = [text.plain(fitted(each, width), colour=colour) for each in tables]
    parts.append("".join(f"{folded(_native.printable(note), width)}\n" for note in said))
    return "\n".join(parts)


def _notes(comparison: ClusterComparison) -> list[str]:
    hosts = [
        f"{each.label} {hosts_said([run.summary['machines'] for run in each.runs])}" for each in comparison.variants
    ]
    return [
        f"Hosts: {', '.join(hosts)}.",
        judged(comparison),
        (
            "With several runs a side, the unit of a test is the run; with one, it is a batch of keys in the order of "
            "their start."
        ),
        *remarks(comparison),
    ]
