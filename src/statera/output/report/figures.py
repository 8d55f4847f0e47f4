"""The choice of pictures of a report: their kinds, subjects and numbers; a kind reports that it has nothing to draw."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from statera.comparison.codes import GAINS, OF_TAILS
from statera.output import plots
from statera.output.plots import ahead
from statera.output.plots import atlas as drawing
from statera.output.report.material import by_metric
from statera.output.report.model import Figure
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection

# Nobody reads a report with more pictures; the tables show the rest.
MOST_METRICS: Final = 6
_FEW_BENCHMARKS: Final = 6
_MANY_BENCHMARKS: Final = 8
_LEAST_VALUES: Final = 8
# Panels per picture, and the most benchmarks of the atlas.
_PANELS: Final = 6
MOST_ATLAS: Final = 120
# Cards: their pictures' width, the fewest values of a side to draw, and how many cards have all pictures.
_CARD: Final = 420
_FEWEST: Final = 2
_DETAILED: Final = 2
_NOTHING: Final = ("nothing-to-draw",)


def of_metric(comparison: Comparison, metric: int, *, first: bool) -> list[Figure]:
    """Draw a metric of a comparison; ``first`` is false for further questions about the same values."""
    place = list(by_metric(comparison)).index(metric)
    if place >= (MOST_METRICS if first else 1):
        return []
    kinds = _kinds(comparison, metric, first=first, main=place == 0)
    return [figure for kind in kinds for figure in _drawn(kind, comparison, metric=metric)]


def of_row(comparison: Comparison, fields: dict[str, Any], place: int) -> list[Figure]:
    """Draw the values of both sides of a row for its card; the first cards have more pictures."""
    metric = next(m for m, each in enumerate(comparison.observations.metrics) if each.name == fields["metric"])
    sides = [comparison.labels.index(fields[side]) for side in ("baseline", "contender")]
    only: dict[str, Any] = {
        "metric": metric,
        "benchmarks": [comparison.observations.benchmarks.index(fields["benchmark"])],
        "groups": [comparison.arrangement.groups.index(fields["group"])],
        "variants": sides,
        "width": _CARD,
    }
    few = min(fields["baseline_values"], fields["contender_values"])
    if fields["design"] == "exact" or few < _FEWEST:
        return []
    tail = fields["verdict"] in OF_TAILS and fields["verdict"] not in GAINS
    kinds = ["strip"]
    if few >= _LEAST_VALUES:
        kinds += ["ecdf"] if tail else []
        kinds += ["ridgeline", "trace"] if place < _DETAILED else []
    # Every card has a strip, and the section says once how it is read.
    return [figure for kind in kinds for figure in _drawn(kind, comparison, **only, explained=kind != "strip")]


def speed_ups(comparison: Comparison, metric: int) -> list[Figure]:
    """Draw the speed-ups of a metric at each percentile."""
    return _drawn("speedup", comparison, metric=metric)


def suites(comparison: Comparison) -> list[Figure]:
    """Draw the bars of suites with one value a side, in absolute values and relative to the baseline."""
    single = [
        metric
        for metric, sections in by_metric(comparison).items()
        if any(each.summary["quantiles"] is not None for each in sections)
    ]
    return [f for metric in single[:MOST_METRICS] for f in _drawn("suite", comparison, metric=metric)]


def shifts(comparison: Comparison, metric: int) -> list[Figure]:
    """Draw the shift functions of a metric."""
    return _drawn("shift", comparison, metric=metric)


def assumptions(inspection: Inspection, *, alone: bool) -> list[Figure]:
    """Draw Q-Q plots of the samples with the most serious defects; none if ``alone``, as the atlas shows all."""
    if alone:
        return []
    most = max(_PANELS // len(inspection.labels), 1)
    return [f for metric in list(by_metric(inspection))[:1] for f in _drawn("qq", inspection, metric=metric, most=most)]


def quality(inspection: Inspection, *, alone: bool) -> list[Figure]:
    """Draw the samples with the most serious defects in the order of measurement."""
    varying = (metric for metric in by_metric(inspection) if benchmarks(inspection, metric, _LEAST_VALUES))
    chosen = itertools.islice(varying, MOST_METRICS if alone else 1)
    # A panel has a trace for each variant.
    most = _PANELS if alone else max(_PANELS // len(inspection.labels), 1)
    return [figure for metric in chosen for figure in _drawn("trace", inspection, metric=metric, most=most)]


def atlas(inspection: Inspection) -> list[Figure]:
    """Draw histogram, density and normal Q-Q plot of each benchmark, page by page."""
    found = []
    for metric, (shown, _) in atlas_benchmarks(inspection).items():
        found += [
            Figure(ahead.begin(picture), f"{picture.title}.") for picture in drawing.pages(inspection, metric, shown)
        ]
    return found


def atlas_benchmarks(inspection: Inspection) -> dict[int, tuple[list[int], int]]:
    """Return for each metric the benchmarks that fit into the atlas, and the number of all its benchmarks."""
    found = {}
    room = MOST_ATLAS
    for metric in by_metric(inspection):
        held = benchmarks(inspection, metric)
        found[metric] = (held[:room], len(held))
        room -= min(len(held), room)
    return found


def benchmarks(inspection: Inspection, metric: int, least: int = 2) -> list[int]:
    """Return the benchmarks with ``least`` or more values of a metric that vary, in the order of the files."""
    number = {benchmark: place for place, benchmark in enumerate(inspection.observations.benchmarks)}
    rows = (row for section in by_metric(inspection)[metric] for row in section.rows)
    fields = (inspection.native.row_dict(row) for row in rows)
    varying = (each for each in fields if not each["exact"] and each["values"] >= least)
    return sorted({number[each["benchmark"]] for each in varying})


def _kinds(comparison: Comparison, metric: int, *, first: bool, main: bool) -> Iterable[str]:
    """Choose the pictures of a metric. Tables draw the change of every row, so that pictures show what they do not."""
    rows = [row for section in by_metric(comparison)[metric] for row in section.rows]
    benchmarks = comparison.weighing.distinct_benchmarks(rows)
    fields = [comparison.weighing.row_dict(row) for row in rows[: _FEW_BENCHMARKS * 8]]
    both = [min(each["baseline_values"], each["contender_values"]) for each in fields if each["design"] != "one-sided"]
    values = min(both, default=0)
    designs = {each["design"] for each in fields}
    several = bool(comparison.labels[2:])
    if first and main and benchmarks <= _FEW_BENCHMARKS and values >= _LEAST_VALUES:
        yield "ridgeline"
    if first and main and designs - {"exact", "suite", "one-sided"} and (several or benchmarks > 1):
        yield "forest"
    if first and main and benchmarks >= _MANY_BENCHMARKS:
        yield "scatter"
    if several and benchmarks >= _FEW_BENCHMARKS:
        yield "heatmap"


def _drawn(kind: str, source: Comparison | Inspection, **options: object) -> list[Figure]:
    """Draw a picture; return none if it has nothing to show."""
    if kind not in plots.KINDS:
        return []
    try:
        picture = plots.draw(kind, source, **options)
    except Stop as stop:
        if stop.code in _NOTHING:
            return []
        raise
    # The picture itself states what is not drawn, and how to read it.
    return [Figure(ahead.begin(picture), f"{picture.title}.")]
