"""Rates of false alarms of a self-test (one build compared with itself), as typed objects."""

from __future__ import annotations

from dataclasses import dataclass

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@dataclass(frozen=True, slots=True)
class Rate:
    """A count out of ``trials``, of which about ``independent`` are independent of each other.

    low and high are the Clopper-Pearson interval of that many trials; None without trials.
    """

    count: int
    trials: int
    independent: float
    low: float | None
    high: float | None

    @property
    def share(self) -> float | None:
        """The share of the trials; None without any."""
        return self.count / self.trials if self.trials else None


@dataclass(frozen=True, slots=True)
class RowRate:
    """A benchmark and metric over all splits.

    Attributes:
        called: splits in which it was called better, worse or changed; significant: splits with p at most alpha.
        floor: the 95 % quantile of the size of the typical change between the two sides; largest: the largest.
            Relative where ``scale`` is ``ratio``, else in the metric's unit.

    """

    group: str
    benchmark: str
    metric: str
    metric_number: int
    scale: str
    called: Rate
    significant: int
    floor: float | None
    largest: float | None


@dataclass(frozen=True, slots=True)
class MetricRate:
    """All benchmarks of a metric over all splits.

    Attributes:
        rows: the number of benchmarks that could be called changed.
        called: rows of splits called changed; significant: those with p at most alpha; any: splits with any such row.
        margin, gate: the ``--margin``, and the margin of ``--fail-on worse:``, that limit ``called`` to 5 %;
            margin_any, gate_any: the same for ``any``. None if the rate is not above 5 %, or if ``SelfTest.advises``
            is false.
        floor: the 95 % quantile of the size of the typical changes of all rows, relative: the noise floor of the
            metric. None if ``SelfTest.advises`` is false, and if no row has ratios.
        mean_floor: the 95 % quantile of the size of the change of the geometric mean.

    """

    group: str
    metric: str
    metric_number: int
    rows: int
    called: Rate
    significant: Rate
    any: Rate
    margin: float | None
    gate: float | None
    margin_any: float | None
    gate_any: float | None
    floor: float | None
    mean_floor: float | None


@dataclass(frozen=True, slots=True)
class Called:
    """A row that was called changed although nothing had changed: a false alarm."""

    group: str
    benchmark: str
    metric: str
    metric_number: int
    scale: str
    verdict: str
    change: float | None


@dataclass(frozen=True, slots=True)
class AsMeasured:
    """Two results of the build, compared as measured: rows tested, rows with p at most alpha, rows called changed."""

    baseline: str
    contender: str
    rows: int
    significant: int
    called: tuple[Called, ...]


@dataclass(frozen=True, slots=True)
class Sessions:
    """How much sessions of one build differ, as the setting ``session`` allows for it.

    Attributes:
        sessions, benchmarks: how many sessions, and how many benchmarks have times in several of them.
        deviation: the standard deviation of a session, relative; 0 if the runs alone explain all differences.
        certain: whether the sessions differ by more than their runs explain, at the level of 5 %.
        upper: the upper bound of ``deviation``, with 95 % confidence.
        degrees: the degrees of freedom of this bound.
        together: whether the benchmarks of a session move together, so that a session counts once; of two sessions
            always true, since they cannot show it.

    """

    sessions: int
    benchmarks: int
    deviation: float
    certain: bool
    upper: float
    degrees: int
    together: bool


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One build compared with itself.

    Attributes:
        dealt: ``runs`` or ``values``, dealt to the two sides in ``stretches`` of ``length`` neighbours.
        processes: the processes or runs of all results; a result that does not state them counts as one. advises:
            whether these are enough (four) to advise a margin.
        splits: the number of splits, 0 if there is too little to split; all_splits: whether these are all splits.
        suite: splits in which any row was called changed.
        rows, metrics: the rates of each row and of each metric, with their noise floors.
        as_measured: the comparison of each pair of results as they were measured.
        sessions: how much the results differ as sessions; None unless two have one file each, with the same times.

    """

    dealt: str
    stretches: int
    length: float
    processes: int
    advises: bool
    splits: int
    all_splits: bool
    suite: Rate
    rows: tuple[RowRate, ...]
    metrics: tuple[MetricRate, ...]
    as_measured: tuple[AsMeasured, ...]
    sessions: Sessions | None = None


def self_test_of(found: Mapping[str, Any]) -> SelfTest:
    """Build the typed object from the dictionary that the compiled part returns."""
    rates = ("called", "significant", "any")

    def with_rates(fields: Mapping[str, Any]) -> dict[str, Any]:
        return {k: Rate(**v) if k in rates and isinstance(v, dict) else v for k, v in fields.items()}

    return SelfTest(
        **{
            **found,
            "suite": Rate(**found["suite"]),
            "rows": tuple(RowRate(**with_rates(row)) for row in found["rows"]),
            "metrics": tuple(MetricRate(**with_rates(metric)) for metric in found["metrics"]),
            "as_measured": tuple(
                AsMeasured(**{**pair, "called": tuple(Called(**row) for row in pair["called"])})
                for pair in found["as_measured"]
            ),
        }
    )
