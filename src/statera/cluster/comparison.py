"""Comparison of runs: they become observations, and the pipeline compares these as it compares any others.

The rows are those of the tables of a cluster: a metric and its change in each pair of variants. The answer in one line
and the sentences on rows name metrics by their titles, and state changes relative to the baseline's mean.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from statera import _native
from statera.cluster.logs.directories import refuse_repeated
from statera.cluster.metrics import METRICS, Metric, name
from statera.cluster.numbers import RowUnit, percent, suited
from statera.cluster.observations import BENCHMARK, MEAN, PERCENTILES, Variant, observed, quantity, stated
from statera.cluster.summary import warnings_of
from statera.comparison import pipeline
from statera.comparison.codes import CHANGES, word
from statera.comparison.pairing import Request
from statera.comparison.verdicts.answer import Answer, answer
from statera.comparison.verdicts.findings import deciding, forecast
from statera.support.errors import Stop
from statera.support.patterns import matcher
from statera.support.settings.file import Settings
from statera.support.wording import conjoined, counted, form, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from statera.cluster.samples import Analysed
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.rows import Row


_UNITS: Final = {"nested": "runs", "paired": "hosts"}
ONE_RUN: Final = "one run"
PREDICTED: Final = (
    "A single run of one build is judged by a prediction interval: the runs of the other build show how much runs of "
    "one build differ, and how often one of them is predicted wrongly from the others."
)
OF_RUN: Final = (
    "one value per run: consecutive values of a running mean share most of their blocks, so a run is a single value. "
    "Several runs per build give an interval."
)
# Reasons why a row is inconclusive, in the words of a cluster.
_REASONS: Final = {
    # The interval contains zero; tables of a cluster add no reason.
    "noise": "",
    "one-process": ONE_RUN,
    "too-few-pairs": "fewer than two {unit} in common",
    "too-few-values": "fewer than 20 {unit} per build",
    "too-dependent": "too few {unit} for their autocorrelation",
}
_VERDICTS: Final = {"one-value": "one value per run"}


class Side(NamedTuple):
    """A metric of a variant."""

    # the mean or a percentile of its samples; for several runs the mean of theirs. None without samples.
    mean: float | None
    n: int  # the number of samples of all runs


class Change(NamedTuple):
    """A metric of a contender against a baseline."""

    metric: Metric  # the metric
    # the baseline and the contender.
    base: Variant
    other: Variant
    row: Row | None  # the result; None if neither side has a value
    place: int | None  # the number of the row in the comparison of means; None if neither side has a value
    percentile: str = MEAN  # what of the samples of each run is compared

    @property
    def before(self) -> Side:
        """The metric of the baseline."""
        return side(self.metric, self.base, self.percentile)

    @property
    def side(self) -> Side:
        """The metric of the contender."""
        return side(self.metric, self.other, self.percentile)

    @property
    def name(self) -> str:
        """The name of the row outside of its table."""
        return name(self.metric, self.percentile)

    @property
    def delta(self) -> float | None:
        """The mean of the contender minus that of the baseline, unrounded."""
        return self.row.change if self.row else None

    @property
    def delta_percent(self) -> float | None:
        """The change in per cent of the absolute mean of the baseline."""
        mean = self.before.mean
        if self.delta is None or not mean:
            return None
        # To zero is by the whole, whatever rounding left of the difference.
        return 100 * self.delta / abs(mean) if self.side.mean else math.copysign(100.0, -mean)

    @property
    def low(self) -> float | None:
        """The lower end of the confidence interval of the change; None if there is none."""
        return self.row.change_low if self.row else None

    @property
    def high(self) -> float | None:
        """The upper end of the confidence interval of the change; None if there is none."""
        return self.row.change_high if self.row else None

    @property
    def written(self) -> RowUnit:
        """The unit in which the numbers of the row are written."""
        return suited(self.metric.unit, (self.before.mean, self.side.mean))

    @property
    def ends_percent(self) -> tuple[float, float] | None:
        """The interval of the change in per cent of the absolute mean of the baseline; None if there is none."""
        mean = self.before.mean
        if self.low is None or self.high is None or not mean:
            return None
        return 100 * self.low / abs(mean), 100 * self.high / abs(mean)

    @property
    def interval_percent(self) -> str | None:
        """The interval of the change in per cent, as all other outputs write it; None if there is none."""
        ends = self.ends_percent
        return None if ends is None else "[{}, {}]".format(*_native.percent_ends(*(end / 100 for end in ends)))

    @property
    def changed(self) -> bool:
        """Whether the row is better, worse or changed, or differs between single runs."""
        return self.verdict in CHANGES

    @property
    def verdict(self) -> str:
        """The verdict; empty if neither side has a value."""
        return self.row.verdict if self.row else ""

    @property
    def unit(self) -> str:
        """The unit of the test: runs, hosts, blocks, keys or stretches of time; empty without a test."""
        if self.row is None or self.row.design in {"one-sided", "suite"}:
            return ""
        series = "stretches of time" if self.metric.paired else self.metric.samples
        return _UNITS.get(self.row.design, series)

    @property
    def reason(self) -> str:
        """Why the row is inconclusive, in words; empty if it is not."""
        code = self.row.reason if self.row else None
        return "" if code is None else _REASONS.get(code, code.replace("-", " ")).format(unit=self.unit)

    @property
    def of_one_run(self) -> bool:
        """Whether a side has a single run."""
        return self.row is not None and "one-process" in self.row.warnings

    @property
    def predicted(self) -> bool:
        """Whether a side has a single run, which is judged by the spread between the runs of the other side."""
        return self.row is not None and self.row.method == "prediction"

    @property
    def rider(self) -> str:
        """The qualification of a verdict of single runs; empty for any other."""
        if not self.of_one_run or self.row is None or self.row.p is None or self.row.reason == "one-process":
            return ""
        single = [each.label for each in (self.base, self.other) if len(means(self.metric, each)) == 1]
        return "(one run per build)" if len(single) > 1 else f"(one run of {single[0]})"

    @property
    def words(self) -> str:
        """The verdict with its reason and qualification, as tables show it."""
        if self.row is None:
            return "no value in either build" if self.before.mean is self.side.mean is None else "below the resolution"
        return f"{self.word}{f': {self.reason}' if self.reason else ''} {self.rider}".rstrip()

    @property
    def word(self) -> str:
        """The word for the verdict."""
        return _VERDICTS.get(self.verdict) or word(self.verdict, quantity(self.metric), self.delta)


class MetricRow(NamedTuple):
    """A metric of the baseline, and its change in every pair of variants."""

    metric: Metric
    base: Side
    cells: tuple[Change, ...]
    percentiles: tuple[tuple[Change, ...], ...]  # for every pair the changes of the percentiles that are compared

    @property
    def written(self) -> RowUnit:
        """The unit in which the means of all variants are written side by side."""
        return suited(self.metric.unit, (self.base.mean, *(cell.side.mean for cell in self.cells)))


def side(metric: Metric, variant: Variant, percentile: str = MEAN) -> Side:
    """Return the mean, or a percentile, and the number of samples of a metric of a variant."""
    found = means(metric, variant, percentile)
    count = sum(run.summary["metrics"][metric.key]["n"] for run in variant.runs)
    return Side(sum(found) / len(found) if found else None, count)


def means(metric: Metric, variant: Variant, percentile: str = MEAN) -> list[float]:
    """Return the mean, or a percentile, of each run that has values of the metric."""
    return [found for run in variant.runs if (found := stated(run, metric, percentile)) is not None]


_LEAST: Final = 2
_FEWEST_RUNS: Final = 5
_Places = dict[tuple[str, str, int, int], "tuple[int, Row]"]
"""The rows of a comparison by the key of a metric, its percentile, and the pair of variants."""


class ClusterComparison(NamedTuple):
    """A comparison of runs, metric by metric."""

    variants: tuple[Variant, ...]  # the baseline first
    metrics: tuple[Metric, ...]  # the selected metrics, in the order of their definition
    settings: Settings  # the thresholds used, and where they come from
    comparison: Comparison | None  # the comparison of the variants; None if there is only one variant
    # the metrics that the resolution of the logged times hides, which are not compared.
    withheld: tuple[Metric, ...] = ()
    # the comparison of percentiles, a family of their own: none costs the means power. None if none are compared.
    tails: Comparison | None = None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of the variants that are compared with each other, baseline and contender."""
        return self.comparison.arrangement.assignment.pairs if self.comparison is not None else []

    @property
    def clocks(self) -> str:
        """What the resolution of the logged times hides, in a sentence; empty if nothing."""
        if not self.withheld:
            return ""
        of = {_native.printable(variant.label): max(map(resolution, variant.runs)) for variant in self.variants}
        of = {label: one for label, one in of.items() if one}
        if len(set(of.values())) == 1:
            logged, what = _amount(max(of.values())), "below that"
        else:
            logged, what = conjoined([f"{_amount(one)} in {label}" for label, one in of.items()]), "that this can move"
        count = counted(len(self.withheld), "metric")
        named = several([_native.printable(name(metric)) for metric in self.withheld])
        verb = form(len(self.withheld), "is", "are")
        return f"Times are logged to {logged}. {count} {what} {verb} not compared: {named}."

    @property
    def summaries(self) -> list[list[dict[str, Any]]]:
        """The summaries of the runs of each variant."""
        return [[run.summary for run in variant.runs] for variant in self.variants]

    @property
    def answer(self) -> Answer:
        """The answer in one line, and the rows that it stands on; computed at each access."""
        compared = self.comparison
        if compared is None:
            raise LookupError("a single variant is not compared")
        cells = {cell.place: cell for row in self.rows for cell in row.cells if cell.place is not None}
        told = _Reworded(compared.weighing, cells, self)
        found = answer(cast("_native.Weighing", told), compared.observations.words)
        alone = [cell.name for pair in range(len(self.pairs)) for cell in tails_alone(self, pair)]
        if not alone:
            return found
        also = f"{counted(len(alone), 'percentile')} changed without a change of the mean: {several(alone)}"
        return found._replace(line=f"{found.line}. {_native.printable(also)}", parts=[*found.parts, ("", also)])

    @property
    def rows(self) -> tuple[MetricRow, ...]:
        """Every metric with its change in every pair; computed at each access."""
        of_means, of_tails = _places(self.comparison), _places(self.tails)
        return tuple(
            MetricRow(
                metric,
                side(metric, self.variants[0]),
                tuple(self._cell(metric, pair, of_means) for pair in self.pairs),
                tuple(tuple(self._percentiles(metric, pair, of_tails)) for pair in self.pairs),
            )
            for metric in self.metrics
        )

    def better(self, metric: Metric) -> str | None:
        """Return the better direction of a metric, ``lower`` or ``higher``; None if it has none."""
        if self.comparison is None:
            return None
        names = [each.name for each in self.comparison.observations.metrics]
        if metric.key not in names:  # a withheld one
            return None
        return self.comparison.arrangement.assignment.rule(names.index(metric.key)).better

    def _cell(self, metric: Metric, pair: tuple[int, int], found: _Places, percentile: str = MEAN) -> Change:
        index, row = found.get((metric.key, percentile, *pair), (None, None))
        place = index if percentile == MEAN else None
        return Change(metric, self.variants[pair[0]], self.variants[pair[1]], row, place, percentile)

    def _percentiles(self, metric: Metric, pair: tuple[int, int], found: _Places) -> Iterator[Change]:
        cells = (self._cell(metric, pair, found, percentile) for percentile in PERCENTILES)
        return (cell for cell in cells if cell.row is not None)


def _places(comparison: Comparison | None) -> _Places:
    if comparison is None:
        return {}
    names = [metric.name for metric in comparison.observations.metrics]
    found: _Places = {}
    for _, metric, base, other, rows in comparison.weighing.sections():
        for number in rows:
            row = comparison[number]
            percentile = row.benchmark.removeprefix(BENCHMARK).removeprefix("/")
            found[names[metric], percentile, base, other] = number, row
    return found


def compare(
    variants: Sequence[Variant],
    settings: Settings | None = None,
    request: Request | None = None,
    metrics: Sequence[Metric] = METRICS,
) -> ClusterComparison:
    """Compare variants with the first; ``request`` selects of ``metrics``, and its keys ``by`` regroup the runs.

    Raises ``Stop`` if there are fewer than two variants, or they have nothing to compare.
    """
    settings, request = settings or Settings(), request or Request()
    if not request.by and len(variants) < _LEAST:
        raise Stop(
            "nothing-to-compare", "name two runs or more, the baseline first. Runs with the same label are one build"
        )
    hidden = below_resolution([run for variant in variants for run in variant.runs], metrics)
    judged = tuple(metric for metric in metrics if metric not in hidden)
    fits = matcher(request.metrics)
    withheld = tuple(metric for metric in hidden if fits(metric.key))
    if withheld and not any(fits(metric.key) for metric in judged):
        only = ClusterComparison(tuple(variants), withheld, settings, None, withheld)
        raise Stop("nothing-to-compare", f"{only.clocks} Select other metrics, or log finer times")
    observations = observed(variants, judged, request.by, settings.limits)
    named: list[tuple[str | None, str]] = [(variant.label, variant.label) for variant in variants for _ in variant.runs]
    comparison = pipeline.compared(observations, named, request, settings)
    rules = zip(observations.metrics, comparison.arrangement.assignment.metrics, strict=True)
    chosen = {metric.name for metric, rule in rules if rule is not None}
    kept = tuple(metric for metric in metrics if metric.key in chosen or metric in withheld)
    levels = {(key, level) for key, level in percentiles(variants, judged) if fits(key)}
    of_tails = [metric for metric in judged if any(key == metric.key for key, _ in levels)]
    tails = None
    if levels:
        of_levels = observed(variants, of_tails, request.by, settings.limits, levels)
        tails = pipeline.compared(of_levels, named, request, settings)
    return ClusterComparison(_arranged(variants, comparison), kept, settings, comparison, withheld, tails)


# Warnings of logs that are not there, or not to their end.
_LOST: Final = frozenset({"host-without-logs", "host-without-events", "truncated-log", "changed-log"})
# Hosts of a run stop together: logs that end farther apart, as a share of its time, have no end.
_APART: Final = 0.1


def lost_logs(compared: ClusterComparison) -> str:
    """Say which build lost more logs than its baseline; empty if none did."""
    for before, after in (map(compared.variants.__getitem__, pair) for pair in compared.pairs):
        old, new = ([_faults(run.summary) for run in variant.runs] for variant in (before, after))
        base, label = (_native.printable(variant.label) for variant in (before, after))
        if sum(map(len, new)) * len(old) > sum(map(len, old)) * len(new):
            first = next(f"{after.run_name(run)}: {faults[0]}" for run, faults in enumerate(new) if faults)
            return f"{label} lost more logs than {base}, the first: {_native.printable(first)}"
        few, many = (min(_live(run.summary) for run in variant.runs) for variant in (after, before))
        if few < many:
            return f"{label} has a run with events of {counted(few, 'host')}, and each of {base} has {many:,}"
    return ""


def _faults(summary: dict[str, Any]) -> list[str]:
    """Return what a run says of logs that are not there, or not to their end."""
    found = [what for code, what in warnings_of(summary) if code in _LOST]
    apart, time = (summary["manifest"].get(fact) or 0 for fact in ("nodeStopSpread", "runTime"))
    return found + ([f"the logs of its hosts end {apart:,.3g} s apart"] if apart > _APART * time else [])


def _live(summary: dict[str, Any]) -> int:
    """Count the hosts of a run that have events."""
    return sum(host["analysed"] > 0 for host in summary["hosts"].values())


_NS: Final = 1e-9


def resolution(run: Analysed) -> float:
    """Return the resolution of the times of a run, in s: that of its coarsest host; 0 if it is not known."""
    return float(max(run.summary.get("resolution", {}).values(), default=0)) * _NS


def below_resolution(runs: Sequence[Analysed], metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return the metrics that the resolution of the logged times hides.

    A time between two lines is off by less than the resolution, and lines that follow a clock are off alike: their mean
    is, too. So a mean below the resolution says nothing, and where runs differ in resolution, neither does a difference
    of means that is not larger.
    """
    every = [each for each in map(resolution, runs) if each]
    if not every:
        return ()
    coarsest = max(every)
    found = []
    for metric in metrics:
        means = [run.summary["metrics"][metric.key]["mean"] for run in runs]
        known = [mean for mean in means if mean is not None]
        is_hidden = known and (min(map(abs, known)) < coarsest or (min(every) < coarsest and _range(known) <= coarsest))
        if metric.is_between_lines and is_hidden:
            found.append(metric)
    return tuple(found)


def percentiles(variants: Sequence[Variant], metrics: Sequence[Metric]) -> Iterator[tuple[str, str]]:
    """Yield the percentiles that are compared, each as the key of its metric and its name.

    A run has one value of a percentile: without several runs of each build nothing tells how far it moves by chance.
    One that the resolution of the logged times hides is left out, as its mean would be.
    """
    if any(len(variant.runs) < _LEAST for variant in variants):
        return
    runs = [run for variant in variants for run in variant.runs]
    coarsest = max(map(resolution, runs))
    for metric in metrics:
        for percentile in PERCENTILES if metric.has_percentiles else ():
            found = [value for run in runs if (value := stated(run, metric, percentile)) is not None]
            hidden = metric.is_between_lines and found and min(*map(abs, found), _range(found)) <= coarsest
            if found and not hidden:
                yield metric.key, percentile


def _range(values: Sequence[float]) -> float:
    return max(values) - min(values)


def alone(variant: Variant, settings: Settings | None = None, patterns: Sequence[str] = ()) -> ClusterComparison:
    """Return a single variant without a comparison; ``patterns`` select its metrics, all metrics by default.

    Raises ``Stop`` if no metric matches.
    """
    fits = matcher(patterns)
    metrics = tuple(metric for metric in METRICS if fits(metric.key))
    if not metrics:
        raise Stop(
            "nothing-to-compare", f"no metric matches; the metrics are {', '.join(metric.key for metric in METRICS)}"
        )
    return ClusterComparison((variant,), metrics, settings or Settings(), None)


def _arranged(variants: Sequence[Variant], comparison: Comparison) -> tuple[Variant, ...]:
    """Return the variants of the comparison with their runs."""
    runs: list[tuple[Analysed, Path | None]] = []
    for variant in variants:
        runs += zip(variant.runs, variant.paths or [None] * len(variant.runs), strict=True)
    sources = [context.source for context in comparison.observations.contexts]
    of = dict(zip(sources, comparison.arrangement.assignment.variant_of_context, strict=True))
    found = []
    for number, label in enumerate(comparison.labels):
        own = [run for source, run in enumerate(runs) if of.get(source) == number]
        paths = tuple(path for _, path in own if path is not None)
        refuse_repeated(paths)
        found.append(Variant(label, tuple(run for run, _ in own), paths))
    return tuple(found)


def document(comparison: ClusterComparison) -> dict[str, Any]:
    """Return what the document of a cluster has beside the rows: manifests, and each metric in every variant."""
    base, *others = comparison.variants
    return {
        "spec": 1,
        "baseline": base.label,
        "runs": [variant.label for variant in others],
        "numberOfRuns": {variant.label: len(variant.runs) for variant in comparison.variants},
        "runNames": {variant.label: [run.summary["run"] for run in variant.runs] for variant in comparison.variants},
        "manifests": {
            variant.label: [run.summary["manifest"] for run in variant.runs] for variant in comparison.variants
        },
        "resolution": {variant.label: max(map(resolution, variant.runs)) or None for variant in comparison.variants},
        "belowResolution": [metric.key for metric in comparison.withheld],
        "metrics": {
            row.metric.key: {
                "title": row.metric.title,
                "unit": row.metric.unit,
                "better": comparison.better(row.metric) or "none",
                "table": row.metric.section,
                "base": row.base.mean,
                "n": row.base.n,
                "runs": [
                    {"mean": cell.side.mean, "n": cell.side.n, "delta": cell.delta, "deltaPercent": cell.delta_percent}
                    for cell in row.cells[: len(others)]
                ],
                "values": {
                    variant.label: [run.summary["metrics"][row.metric.key]["mean"] for run in variant.runs]
                    for variant in comparison.variants
                },
            }
            for row in comparison.rows
        },
    }


# Sizes that differ more between metrics say nothing about any of them, and neither do larger ends of intervals.
_WIDEST: Final = 20
_TELLING: Final = 0.5


class _Reworded:
    """The rows of a comparison in the words of a cluster; everything else is that of the compiled code.

    The compiled code states changes of means in the unit of each metric; the sizes of several metrics compare only
    relative to the means of the baseline.
    """

    def __init__(self, weighing: _native.Weighing, cells: Mapping[int, Change], comparison: ClusterComparison) -> None:
        self._weighing = weighing
        self._cells = cells
        self._comparison = comparison

    def __getattr__(self, attribute: str) -> object:
        return getattr(self._weighing, attribute)

    def row_dict(self, row: int) -> dict[str, Any]:
        """Return the fields of a row, with the name of its metric for readers."""
        return {**self._weighing.row_dict(row), "metric": self._cells[row].name}

    def cell(self, row: int, column: str) -> str | None:
        """Write a cell; a change and its interval are relative."""
        of = self._cells[row]
        if column == "change":
            return change(of)
        if column == "interval" and of.interval_percent is not None:
            return of.interval_percent
        return self._weighing.cell(row, column)

    def cells(self, row: int, columns: Sequence[str]) -> list[str | None]:
        """Write several cells of a row."""
        return [self.cell(row, column) for column in columns]

    def answer(self, *by_metric: bool) -> _native.Answer:
        """Return what the answer stands on, with relative sizes."""
        found = self._weighing.answer(*by_metric)
        undecided = set(self._weighing.with_verdict(["inconclusive"]))
        cells = {row: self._cells[row] for row in found["leads"]}
        sizes = [size for row, cell in cells.items() if row in undecided for size in _detectable(cell)]
        ends = [end for cell in cells.values() for end in _bad_end(cell, self._comparison) if end <= _TELLING]
        alike = bool(sizes) and max(sizes) <= _WIDEST * min(sizes)
        found["detectable"] = (min(sizes), max(sizes), len(sizes)) if alike else None
        found["excluded"] = (min(ends), max(ends), len(ends)) if ends else None
        return found


def change(cell: Change) -> str:
    """Write the change of a row: in per cent, or in its unit where the baseline's mean is zero."""
    if cell.delta_percent is not None:
        return percent(cell.delta_percent)
    return f"{cell.written.difference(cell.delta)}{cell.written.words}"


def _detectable(cell: Change) -> Iterator[float]:
    """Yield the relative change that a row could have shown, if it is known."""
    size, mean = cell.row.detectable if cell.row else None, cell.before.mean
    if size is not None and mean and math.isfinite(size):
        yield size / abs(mean)


def _bad_end(cell: Change, comparison: ClusterComparison) -> Iterator[float]:
    """Yield the end of a row's interval that is worst, as a relative change of cost; 0 if all of it is good."""
    better, ends = comparison.better(cell.metric), cell.ends_percent
    if better is None or ends is None:
        return
    low, high = (end / 100 for end in ends)
    if better == "higher" and low <= -1:
        return
    yield max(high if better == "lower" else 1 / (1 + low) - 1, 0.0)


def worst_first(comparison: ClusterComparison, pair: int) -> list[Change]:
    """Return the changed rows of a pair of variants: in the order of the answer, then percentiles of other metrics."""
    found = (row.cells[pair] for row in comparison.rows)
    of = {cell.place: cell for cell in found if cell.place is not None and cell.changed}
    return [*(of[place] for place in comparison.answer.leads if place in of), *tails_alone(comparison, pair)]


def tails_alone(comparison: ClusterComparison, pair: int) -> list[Change]:
    """Return the highest percentile that changed of each metric whose mean did not change alike."""
    found = []
    for row in comparison.rows:
        moved = [cell for cell in row.percentiles[pair] if cell.changed and cell.verdict != row.cells[pair].verdict]
        found += moved[-1:]
    return found


def changed(cell: Change, level: str) -> str:
    """Write the change of a row: in per cent, from which value to which, and with its interval."""
    unit = cell.written
    by = f"{percent(cell.delta_percent)} " if cell.delta_percent is not None else ""
    ends = f"[{unit.interval(cell.low, cell.high).strip('[]')}]"
    interval = f", {level} interval {ends}{unit.words}" if cell.low is not None else ""
    what = f"{cell.percentile} {cell.words}".lstrip()
    return (
        f"{what}: {by}from {unit.amount(cell.before.mean)} to {unit.amount(cell.side.mean)}{unit.words}, "
        f"a change of {unit.difference(cell.delta)}{unit.words}{interval}"
    )


def undecided(comparison: ClusterComparison, pair: int) -> Iterator[tuple[str, str]]:
    """Yield sentences on what a pair of variants leaves open, each with the verdict that it is about."""
    cells = [row.cells[pair] for row in comparison.rows]
    yield from ((sentence, "differs") for sentence in _few_runs(comparison, pair))
    if not worst_first(comparison, pair):
        yield "No metric changed.", "equivalent"
    absent = [cell for cell in cells if cell.before.mean is None or cell.side.mean is None]
    if absent:
        yield f"Not compared, because a build has no values: {_titles(absent)}.", "missing"
    if comparison.comparison is not None and any(cell.verdict == "differs" for cell in cells):
        yield deciding(comparison.comparison.observations.words), "differs"
    open_ones = [cell for cell in cells if cell.verdict == "inconclusive" and cell not in absent]
    if open_ones:
        by_size = sorted(open_ones, key=lambda cell: abs(cell.delta_percent or 0.0), reverse=True)
        yield _open_sentence(by_size), "inconclusive"
    equal = [cell for cell in cells if cell.verdict == "equivalent"]
    if equal:
        states = form(len(equal), "is", "are")
        yield (
            f"{counted(len(equal), 'metric')} {states} unchanged (within the margin): {_titles(equal)}.",
            "equivalent",
        )


def _few_runs(comparison: ClusterComparison, pair: int) -> Iterator[str]:
    """Name the runs of a build, fewer than half of it, that stand apart from all other runs of both builds."""
    found: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for row in comparison.rows:
        few = _apart(row.metric, comparison, pair) if row.metric.has_percentiles else None
        if few is not None:
            found.setdefault(few, []).append(_title(row.cells[pair]))
    for (number, runs), titles in sorted(found.items(), key=lambda each: -len(each[1])):
        variant = comparison.variants[number]
        named = several([_native.printable(variant.run_name(run)) for run in runs])
        verb = form(len(runs), "stands", "stand")
        yield (
            f"{len(runs)} of {len(variant.runs)} runs of {_native.printable(variant.label)} ({named}) {verb} "
            f"apart from all others in {several(titles)}. Look for what was different there."
        )


def _apart(metric: Metric, comparison: ClusterComparison, pair: int) -> tuple[int, tuple[int, ...]] | None:
    """Return the build and the runs whose means of a metric lie apart from the range of all others; None if none do.

    The fewer runs, the wider the gap must be: of equal runs fewer than one in 1,000 metrics has one (simulated).
    """
    every = sorted(
        (mean, number, run)
        for number in comparison.pairs[pair]
        for run, each in enumerate(comparison.variants[number].runs)
        if (mean := stated(each, metric)) is not None
    )
    least = 1 + 12 / (len(every) - 4) if len(every) > _FEWEST_RUNS else math.inf
    for count in range(1, len(every) // 2):
        for few, rest in ((every[:count], every[count:]), (every[-count:], every[:-count])):
            gap = max(few[0][0] - rest[-1][0], rest[0][0] - few[-1][0])
            [*of] = {number for _, number, _ in few}
            is_few = len(of) == 1 and 2 * count < len(comparison.variants[of[0]].runs)
            if is_few and gap > least * (rest[-1][0] - rest[0][0]) > 0:
                return of[0], tuple(sorted(run for _, _, run in few))
    return None


def _open_sentence(cells: Sequence[Change]) -> str:
    """Name what could not be decided, with the largest of its changes and what would decide half of it."""
    widest = cells[0]
    unit = widest.written
    ends = f", interval {unit.interval(widest.low, widest.high)}{unit.words}" if widest.low is not None else ""
    by = percent(widest.delta_percent) if widest.delta_percent is not None else unit.difference(widest.delta)
    said = f"{_title(widest)} {by}{ends}" if widest.delta else _title(widest)
    if len(cells) == 1:
        return f"1 metric could not be decided: {said}."
    largest = f" The largest change among them: {said}." if widest.delta else ""
    return f"{counted(len(cells), 'metric')} could not be decided: {_titles(cells)}.{largest}{_next_step(cells)}"


def _next_step(cells: Sequence[Change]) -> str:
    """State how many runs would settle half of some metrics without a clear change; empty if that is not known."""
    rows = [cell.row for cell in cells if cell.row is not None and cell.row.runs_needed]
    if not rows:
        return ""
    row = sorted(rows, key=lambda each: each.runs_needed or 0.0)[len(rows) // 2]
    runs = [row.runs_needed, row.runs_needed_low, row.runs_needed_high]
    if None in runs or (row.runs_needed or 0.0) <= max(row.baseline_n, row.contender_n):
        return ""
    number, low, high = (forecast(each or 0.0) for each in runs)
    return f" To settle half of them, plan about {number} runs per build ({low}–{high})."


def _title(cell: Change) -> str:
    return _native.printable(cell.name)


def _titles(cells: Sequence[Change]) -> str:
    return several([_title(cell) for cell in cells])


def _amount(seconds: float) -> str:
    """Write a resolution: a power of ten of a second."""
    unit, size = next(
        (unit, size) for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)) if seconds > size * 0.9
    )
    return f"{round(seconds / size)} {unit}"
