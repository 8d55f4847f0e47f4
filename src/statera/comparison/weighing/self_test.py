"""One build against itself: how often it differs, by how much its sessions do, and what that says of margins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from statera import _native
from statera._native import chi_squared_quantile, t_quantile
from statera.comparison.weighing.weigh import cannot_pair, weigh
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

    from statera.comparison.weighing.weigh import Assignment
    from statera.reading.observations import Observations
    from statera.support.settings import Policy

_TIMED: Final = ("time", "throughput")
# An allowance that changes no digit of an interval, and marks the rows to which the setting applies.
_MARK: Final = 1e-12
# More pairs of results hardly tell more, since each result is in many of them.
_MOST_PAIRS: Final = 100
# The means of sessions vary so many times as much as those of benchmarks that each move by themselves.
_TOGETHER: Final = 2.0
_LEVEL: Final = 0.95
_TWO: Final = 2
# The setting takes less than 100 %; bisection halves this until no digit changes.
_MOST_VARIANCE: Final = math.log(1.99) ** 2
_HALVINGS: Final = 60


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


class _Difference(NamedTuple):
    """Two sessions of a benchmark: the change of the logarithm, and the variance that their runs explain."""

    pair: tuple[str, str]
    change: float
    variance: float


def sessions_of(
    observations: Observations, assignment: Assignment, policy: Policy, *, labels: list[str], groups: list[str]
) -> Sessions | None:
    """Measure how much sessions of one build differ; None if no row has times in two sessions of one file each."""
    rows = [*_rows(observations, assignment, policy, labels, groups)]
    if not rows:
        return None
    of_benchmarks: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        of_benchmarks.setdefault((row["group"], row["metric"], row["benchmark"]), []).append(row)
    found = [each for own in of_benchmarks.values() for each in _differences(own)]
    return _measured(found, len({(row["group"], row["benchmark"]) for row in rows}))


def _rows(
    observations: Observations, assignment: Assignment, policy: Policy, labels: list[str], groups: list[str]
) -> Iterator[dict[str, Any]]:
    """Compare sessions in pairs, and return the rows to which the setting ``session`` applies."""
    count = assignment.variants
    if count < _TWO:
        return
    timed = [metric.quantity in _TIMED for metric in observations.metrics]
    compared = assignment._replace(
        metrics=[rule if is_time else None for rule, is_time in zip(assignment.metrics, timed, strict=True)],
        pairs=_pairs(count),
        factorial=False,
        # As in a comparison, one result of several runs makes a single file of another one run.
        files_are_runs=[any(assignment.files_are_runs)] * count,
    )
    asked = policy._replace(session=_MARK, correction="none", mean=False)
    weighing = weigh(observations, compared, labels, groups, asked)
    for row in range(len(weighing)):
        fields = weighing.row_dict(row)
        if fields["session"] and _has_interval(fields):
            yield fields


def _has_interval(row: dict[str, Any]) -> bool:
    """Whether the interval of a change is known; it is not where a build changed its level, or its runs depend."""
    return row["change_high"] is not None and row["change_low"] is not None and row["change_low"] > -1


def _pairs(count: int) -> list[tuple[int, int]]:
    """Return all pairs of sessions, or of many sessions some in which each occurs equally often, at distances apart."""
    farthest = count // 2
    step = math.ceil(count * farthest / _MOST_PAIRS)
    apart = [(one, (one + gap) % count) for gap in range(farthest, 0, -step) for one in range(count)]
    return sorted({(min(pair), max(pair)) for pair in apart})


def _differences(rows: list[dict[str, Any]]) -> list[_Difference]:
    """Return the differences between the sessions of a benchmark, whose runs have one variance in all of them."""
    counts = {row[side]: row[f"{side}_n"] for row in rows for side in ("baseline", "contender")}
    degrees = sum(count - 1 for count in counts.values())
    variance = sum(_error(row) ** 2 for row in rows) / len(rows)
    # A square over an estimated variance is larger than 1 in the mean (the F distribution).
    variance *= degrees / max(degrees - 2, 1)
    return [_Difference((row["baseline"], row["contender"]), math.log1p(row["change"]), variance) for row in rows]


def _error(row: dict[str, Any]) -> float:
    """Return the standard error of the logarithm of a change, from its interval."""
    degrees = max(row["baseline_n"] + row["contender_n"] - 2, 1)
    width = math.log1p(row["change_high"]) - math.log1p(row["change_low"])
    return width / (2 * t_quantile(0.5 + row["change_level"] / 2, degrees))


def _measured(found: list[_Difference], benchmarks: int) -> Sessions:
    count = len({label for each in found for label in each.pair})
    variance = _variance_where(lambda at: _scatter(found, at) <= 1)
    # Of one difference nobody can tell what its benchmarks have in common.
    together = count == _TWO or _together(found, variance)
    own = benchmarks * (count - 1)
    degrees = count - 1 if together else own
    least = chi_squared_quantile(1 - _LEVEL, degrees) / degrees
    # What benchmarks have in common is no noise of their runs.
    scatter = _scatter(found, 0.0)
    certain = scatter > chi_squared_quantile(_LEVEL, own) / own
    # Where sessions scatter less than their runs explain, the runs explain less: a bound of 0 would be too sure.
    explained = [each._replace(variance=min(scatter, 1.0) * each.variance) for each in found]
    upper = _variance_where(lambda at: _scatter(explained, at) <= least)
    return Sessions(
        count, benchmarks, math.expm1(math.sqrt(variance)), certain, math.expm1(math.sqrt(upper)), degrees, together
    )


def _scatter(found: list[_Difference], variance: float) -> float:
    """Return the mean square of the changes in units of what runs and sessions explain: 1 if these explain all."""
    return math.fsum(_standard(each, variance) ** 2 for each in found) / len(found)


def _standard(found: _Difference, variance: float) -> float:
    """Return a change in units of the error that runs and sessions explain."""
    error = math.sqrt(found.variance + 2 * variance)
    if error:
        return found.change / error
    return math.copysign(math.inf, found.change) if found.change else 0.0


def _variance_where(is_enough: Callable[[float], bool]) -> float:
    """Return the smallest variance of a session that is enough."""
    low, high = 0.0, _MOST_VARIANCE
    if is_enough(low):
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _together(found: list[_Difference], variance: float) -> bool:
    """Whether the benchmarks of a session move together: their sums vary by more than those of separate moves."""
    sums: dict[tuple[str, str], list[float]] = {}
    for each in found:
        sums.setdefault(each.pair, []).append(_standard(each, variance))
    return sum(sum(own) ** 2 / len(own) for own in sums.values()) / len(sums) > _TOGETHER


def self_test(
    observations: Observations,
    assignment: Assignment,
    policy: Policy,
    splits: int,
    *,
    labels: list[str],
    groups: list[str],
) -> SelfTest:
    """Compare one build with itself, in at most ``splits`` splits.

    Raises:
        Stop: the data does not allow the requested pairing.
    """
    try:
        tested = self_test_of(_native.self_test(observations.native, assignment, policy, labels, groups, splits))
    except _native.PairingFailure as failure:
        raise cannot_pair(failure) from None
    return replace(tested, sessions=sessions_of(observations, assignment, policy, labels=labels, groups=groups))
