"""The results of an analysis: key facts, the five tables, warnings, the next commands; and those of a drill-down."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any, Final

from statera.cluster.analysis import CORRECTED
from statera.cluster.consistency import of_summary
from statera.cluster.logs.directories import directory_name
from statera.cluster.metrics import SECTIONS
from statera.cluster.numbers import amount, percent, suited
from statera.cluster.samples import is_analysed
from statera.cluster.summary import unused_lines, used_lines, warnings_of
from statera.cluster.views.comparison import title
from statera.cluster.views.tables import Table, in_markdown, plain
from statera.support.files import addresses, csv_json
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from statera.cluster.drill_down import Listing
    from statera.cluster.metrics import Metric

_MOST_WARNINGS: Final = 5
# A core reads 2 million lines a second, and Spark starts in 8 s (docs/performance.md): with twice as many cores it
# gains that back from so many lines a core on.
_LARGE: Final = 30_000_000


def text(
    runs: Mapping[str, dict[str, Any]],
    pooled: dict[str, Any] | None,
    out: Path,
    *,
    width: int | None = None,
    colour: bool = False,
    correct_clocks: bool = False,
) -> str:
    """Write the results of an analysis in the directory ``out``.

    ``pooled`` is the summary of all runs together; None for a single run. ``correct_clocks`` says whether times were to
    be corrected.
    """
    facts = [line for name, summary in runs.items() for line in _facts(name, summary)]
    shown = pooled or next(iter(runs.values()))
    parts = [plain(facts, width), *(plain(table, colour=colour) for table in _tables(shown, several=bool(pooled)))]
    warnings = list(_warnings(runs))
    if warnings:
        parts.append(plain(warnings, width))
    clocks = _clocks(runs, out, several=bool(pooled), asked=correct_clocks)
    parts.append(plain([*_engine(runs), *_next(out, several=bool(pooled)), *clocks]))
    return "\n".join(parts)


def _facts(name: str, summary: dict[str, Any]) -> Iterator[str]:
    manifest, chain = summary["manifest"], summary["chain"]
    failed = [f"{tag} {number:,}" for tag, number in chain["rejectedBy"].items() if number]
    why = f" ({', '.join(failed)})" if failed else ""
    yield (
        f"{name}: {counted(manifest['machines'], 'machine')}, {_short(manifest['slotsAnalysed'])} slots, run time "
        f"{_short(manifest['runTime'])} s; main chain of {counted(chain['length'], 'block')}, "
        f"{manifest['blocksAnalysed']:,} accepted, {manifest['blocksRejected']:,} rejected{why}; "
        f"{len(chain['abandoned']):,} abandoned"
    )
    lost = ", ".join(f"{number:,} {kind}" for kind, number in unused_lines(summary).items() if number)
    lines, analysed = used_lines(summary)
    yield f"{name}: {counted(lines, 'line')}, {analysed:,} analysed; not used: {lost or 'none'}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:,.5g}"


def _tables(summary: dict[str, Any], *, several: bool) -> Iterator[Table]:
    names = ["mean", "n", "between runs"] if several else ["mean", "n", "median", "95 %", "largest"]
    for section in SECTIONS:
        rows = [
            _row(metric, summary["metrics"][metric.key], several=several)
            for metric in (*section.metrics, *section.extra)
        ]
        yield Table(f"{section.number} {section.title}", [["", *names], *rows])


def _row(metric: Metric, found: dict[str, Any], *, several: bool) -> list[str]:
    unit = suited(metric.unit, (found["mean"],))
    row = [title(metric, unit), unit.amount(found["mean"]), f"{found['n']:,}"]
    if several:
        variation = found["runs"]["coefficientOfVariation"]
        return [*row, "-" if variation is None else f"±{percent(100 * variation).lstrip('+')}"]
    quantiles = found["quantiles"] or {}
    return [*row, *map(unit.amount, (found["median"], quantiles.get("0.95"), found["max"]))]


def _warnings(runs: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for name, summary in runs.items():
        found = list(warnings_of(summary))
        yield from (f"warning: {name}: {what} [{code}]" for code, what in found[:_MOST_WARNINGS])
        if len(found) > _MOST_WARNINGS:
            yield f"warning: {name}: {len(found) - _MOST_WARNINGS} more; statera cluster errors shows all"


def _next(out: Path, *, several: bool) -> Iterator[str]:
    place = shlex.quote(out.name if addresses.scheme(str(out)) else str(out))
    yield f"Results: {out / 'RUN' if several else out}/summary.json, blocks.csv, tables/" + (
        f"; all together in {out}/pooled" if several else ""
    )
    if addresses.scheme(str(out)):
        yield f"Copy:    {addresses.copying(str(out))}"
    yield f"Report:  statera cluster report {place} -o report.html"
    yield f"Compare: statera cluster compare {place} OTHER"
    if not several:
        yield f"Look up: statera cluster errors {place}; host {place} NAME; block {place} SLOT"


def _engine(runs: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Say from which size of logs several machines would read them faster, if they are so large."""
    lines = sum(host["lines"] for summary in runs.values() for host in summary["hosts"].values())
    if lines > _LARGE * (os.cpu_count() or 1):
        yield (
            f"Engine:  {lines:,} lines were read by one machine. From about {_LARGE // 10**6} million lines per core "
            "on, Spark on machines that all reach the logs is faster: --master spark://HOST:7077"
        )


def _clocks(runs: Mapping[str, dict[str, Any]], out: Path, *, several: bool, asked: bool) -> Iterator[str]:
    """Name the analyses with corrected times, or say how to get them or why there are none."""
    off = [name for name, summary in runs.items() if any(one.is_off for one in of_summary(summary))]
    folders = [out / directory_name(name) if several else out for name in off]
    corrected = [folder for folder in folders if is_analysed(folder / CORRECTED)]
    for folder in corrected:
        places = (f"logged={folder}", f"corrected={folder / CORRECTED}")
        yield f"Clocks:  statera cluster compare {' '.join(map(shlex.quote, places))}"
    if off and not corrected:
        yield "Clocks:  add --correct-clocks for a second analysis with corrected times"
    if asked and not off:
        yield "Clocks:  none is off by more than delays explain, so nothing is corrected"


_CSV = ("table", "row", "column", "value")


def listings(found: Sequence[Listing], kind: str, *, raw: bool = False) -> str:
    """Write results as ``kind``; with ``raw`` CSV keeps texts that a spreadsheet would run as formulas."""
    if kind == "json":
        titled = {one.title: [dict(zip(one.columns, row, strict=True)) for row in one.rows] for one in found}
        return csv_json.document(titled)
    if kind == "csv":
        return csv_json.comma_separated([_CSV, *_lines(found)], raw=raw)
    tables = [_listing(one) for one in found]
    if kind == "markdown":
        return "".join(map(in_markdown, tables)).removesuffix("\n") or "nothing\n"
    return "\n".join(plain(table) for table in tables) or "nothing\n"


def _listing(one: Listing) -> Table:
    columns, rows = one.columns, one.rows
    if one.standing:
        columns, rows = ("", "value"), list(zip(columns, rows[0], strict=True))
    if one.units:
        return Table(one.title, [list(columns), *map(_in_unit, rows, one.units)])
    return Table(one.title, [list(columns), *([_cell(value) for value in row] for row in rows)])


def _in_unit(row: Sequence[object], unit: str) -> list[str]:
    """Write a row whose first cell ends with the unit of its numbers, in the unit in which they are easy to read."""
    found = suited(unit, (value for value in row if isinstance(value, float)))
    title = str(row[0]).removesuffix(unit) + found.name
    return [title, *(found.amount(value) if isinstance(value, float) else _cell(value) for value in row[1:])]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return amount(value)
    return "-" if value is None or value == "" else str(value)


def _lines(found: Sequence[Listing]) -> Iterator[tuple[object, ...]]:
    """Yield one line for each value, so that tables of different columns fit into one CSV file."""
    for one in found:
        for number, row in enumerate(one.rows, 1):
            for column, value in zip(one.columns, row, strict=True):
                yield one.title, number, column, value
