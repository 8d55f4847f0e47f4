"""The raw values of a comparison or an inspection, as columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from statera import _native
from statera.output.plots.picture import missing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from statera.comparison.pairing import Arrangement
    from statera.reading.observations import Metric, Observations
    from statera.support.settings import Policy

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

_TYPES = {"value": "<f8", "block": "<i8", "run": "<i8"}


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
    try:
        import numpy as np  # noqa: PLC0415 - optional
    except ImportError:
        raise missing("numpy") from None
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
