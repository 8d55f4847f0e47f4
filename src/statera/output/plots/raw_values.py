"""The raw values of a comparison or an inspection as columns of numbers, and the medians and averages of runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from statera import _native, stats

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from statera.comparison.pairing import Arrangement
    from statera.reading.observations import Metric, Observations
    from statera.support.settings import Policy

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

_TYPES = {"value": "<f8", "block": "<i8", "run": "<i8"}
MEDIANS, AVERAGES, VALUES = "medians of the runs", "averages of the runs", "values"
MEDIAN, AVERAGE = "median", "average"  # metrics of a run, as bench_bitcoin writes them
SHAPIRO_WILK, ANDERSON_DARLING = "W", "A²"
_LEAST = 3  # least number of values for a test of normality


class Source(Protocol):
    """The parts of a ``Comparison`` or an ``Inspection`` that pictures of raw values need."""

    @property
    def labels(self) -> list[str]:
        """The labels of the variants."""

    observations: Observations
    arrangement: Arrangement
    policy: Policy


class Series(NamedTuple):
    """The values of one variant of a benchmark and metric in a group: rows ``start`` to ``stop`` of the columns."""

    group: int
    metric: int
    benchmark: int
    variant: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Samples:
    """All values of the source, in columns of equal length.

    Values are in the metric's base unit (s, B, 1/s, 1) and in the order of measurement within their series. The
    numbers of benchmark, metric, group and variant are indices into ``benchmarks``, ``metrics``, ``groups``,
    ``labels``; ``by`` names the factors whose levels make the variants, if any. ``block`` is -1 without a block;
    ``run`` (the process, or the file if files are runs) is -1 if unknown.
    """

    benchmarks: list[str]
    metrics: list[Metric]
    groups: list[str]
    labels: list[str]
    by: tuple[str, ...]
    native: _native.Observations
    columns: dict[str, Any] = field(repr=False)
    series: list[Series] = field(repr=False)

    def values(self, series: Series) -> Floats:
        """Return the values of a series in the order of measurement, in the base unit."""
        found: Floats = self.columns["value"][series.start : series.stop]
        return found

    def column(self, name: str, series: Series) -> Integers:
        """Return another column of a series: ``order``, ``block`` or ``run``."""
        found: Integers = self.columns[name][series.start : series.stop]
        return found

    def drawn_metrics(self) -> list[int]:
        """Return the metrics that have values: times and rates first, then sizes, then counts."""
        rank = {"time": 0, "throughput": 0, "bytes": 1, "count": 2}
        held = {series.metric for series in self.series}
        return sorted(held, key=lambda metric: (rank.get(self.metrics[metric].quantity, 3), metric))


_kept: WeakKeyDictionary[Any, Samples] = WeakKeyDictionary()


def samples(source: Source) -> Samples:
    """Return the values of a comparison or an inspection; they are cached."""
    if source not in _kept:
        _kept[source] = _collect(source)
    return _kept[source]


def block_names(source: Source) -> dict[int, str]:
    """Return the name of every block by its number in ``Samples``; pooled levels have separate blocks."""
    arrangement = source.arrangement
    strata, keyed = arrangement.assignment.strata, arrangement.assignment.block_of_context is not None
    names = enumerate(arrangement.block_names if keyed else _native.block_names(source.observations.native))
    return {block * strata + level: name for block, name in names for level in range(strata)}


def _collect(source: Source) -> Samples:
    observations = source.observations
    found = _native.raw_values(observations.native, source.arrangement.assignment)
    columns = {name: np.frombuffer(found[name], dtype=_TYPES.get(name, "<u4")) for name in found}
    group, metric, benchmark, variant = (columns[name] for name in ("group", "metric", "benchmark", "variant"))
    changes = np.zeros(len(columns["value"]), dtype=bool)
    for key in (group, metric, benchmark, variant):
        changes[1:] |= key[1:] != key[:-1]
    starts = [0, *np.flatnonzero(changes).tolist()] if len(changes) else []
    stops = [*starts[1:], len(changes)]
    series = [
        Series(int(group[start]), int(metric[start]), int(benchmark[start]), int(variant[start]), start, stop)
        for start, stop in zip(starts, stops, strict=False)
    ]
    return Samples(
        benchmarks=observations.benchmarks,
        metrics=observations.metrics,
        groups=source.arrangement.groups,
        labels=source.labels,
        by=tuple(source.arrangement.by),
        native=observations.native,
        columns=columns,
        series=series,
    )


class Shape(NamedTuple):
    """A sample with its test of normality."""

    series: Series  # the series of the values
    of: str  # ``MEDIANS``, ``AVERAGES`` or ``VALUES``
    values: Floats  # one value per run, or all values, in the metric's base unit and in the order of measurement
    letter: str  # the symbol of the statistic, ``W`` (Shapiro-Wilk) or ``A²`` (Anderson-Darling, above 5,000 values)
    # statistic, p: the result of the test; None if there are too few values or all are equal
    statistic: float | None
    p: float | None


class Share(NamedTuple):
    """Counts of samples of one kind: tested, accepted as normal, and ``large`` (above 5,000 values)."""

    of: str
    tested: int
    normal: int
    large: int


def shapes(source: Source, metric: int | None = None) -> list[Shape]:
    """Return the samples of every series, or of one metric's.

    If runs are known and any has several values, a series yields two samples: the medians and the averages of its
    runs; otherwise one, its values. Where the harness wrote the median and the average of each run as two metrics, the
    series of the medians yields both, and that of the averages none.
    """
    held = samples(source)
    averages = averages_beside(held)
    beside = set(averages.values())
    wanted = [each for each in held.series if (metric is None or each.metric == metric) and each not in beside]
    nested = [each for each in wanted if _has_runs(held, each)]
    centres = {of: _of_runs(held, nested, name) for of, name in ((MEDIANS, "median"), (AVERAGES, "mean"))}
    found: list[tuple[Series, str, Floats]] = []
    for series in wanted:
        if series in centres[MEDIANS]:
            found += [(series, of, centres[of][series]) for of in (MEDIANS, AVERAGES)]
        elif series in averages:
            found += [(series, of, held.values(own)) for own, of in ((series, MEDIANS), (averages[series], AVERAGES))]
        else:
            found.append((series, VALUES, held.values(series)))
    return _tested(found)


def averages_beside(held: Samples) -> dict[Series, Series]:
    """Return for each series of medians that the harness computed that of the averages of the same runs."""
    of: dict[str, dict[tuple[int, int, int], Series]] = {}
    for each in held.series:
        of.setdefault(held.metrics[each.metric].name, {})[each.benchmark, each.group, each.variant] = each
    medians, averages = of.get(MEDIAN, {}), of.get(AVERAGE, {})
    pairs = [(medians[key], averages[key]) for key in medians.keys() & averages.keys()]
    return {one: other for one, other in pairs if one.stop - one.start == other.stop - other.start}


def shares(shapes: Iterable[Shape], alpha: float) -> list[Share]:
    """Count the samples of each kind that are accepted as normal at ``alpha``."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for each in shapes:
        if each.p is not None:
            found.setdefault(each.of, []).append((each.p >= alpha, each.letter != SHAPIRO_WILK))
    return [
        Share(of, len(each), sum(p for p, _ in each), sum(large for _, large in each)) for of, each in found.items()
    ]


def _has_runs(samples: Samples, series: Series) -> bool:
    """Return whether a series has several runs, some with several values, and every value belongs to a run."""
    run = samples.column("run", series)
    starts = len(set(run.tolist()))
    return starts > 1 and bool((run >= 0).all()) and starts < len(run)


def _of_runs(samples: Samples, nested: list[Series], procedure: str) -> dict[Series, Floats]:
    """Run a procedure on each run of each series; return its estimates in the order of the runs."""
    if not nested:
        return {}
    table = {
        "value": np.concatenate([samples.values(each) for each in nested]),
        "series": np.repeat(np.arange(len(nested)), [each.stop - each.start for each in nested]),
        "run": np.concatenate([samples.column("run", each) for each in nested]),
    }
    found = stats.batch(procedure, table, "value", by=["series", "run"])
    numbers, estimates = np.asarray(found["series"]), np.asarray(found["estimate"])
    return {each: estimates[numbers == place] for place, each in enumerate(nested)}


def _tested(found: list[tuple[Series, str, Floats]]) -> list[Shape]:
    fit = [place for place, (_, _, values) in enumerate(found) if len(values) >= _LEAST]
    tests: dict[int, tuple[str, float, float]] = {}
    if fit:
        table = {
            "value": np.concatenate([found[place][2] for place in fit]),
            "sample": np.repeat(fit, [len(found[place][2]) for place in fit]),
        }
        made = stats.batch("normality", table, "value", by="sample")
        columns = (made[name] for name in ("sample", "method", "statistic", "p"))
        tests = {place: (method, w, p) for place, method, w, p in zip(*columns, strict=True)}
    shapes = []
    for place, (series, of, values) in enumerate(found):
        method, statistic, p = tests.get(place, ("", float("nan"), float("nan")))
        letter = ANDERSON_DARLING if method == "anderson-darling" else SHAPIRO_WILK
        shapes.append(Shape(series, of, values, letter, _number(statistic), _number(p)))
    return shapes


def _number(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124 - not a number
