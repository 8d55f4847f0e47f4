"""Rows of a comparison as the tables of a cluster show them: a metric and its change in each pair of variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.units import RowUnit, suited
from statera.comparison.codes import CHANGES

if TYPE_CHECKING:
    from statera.cluster.compare import Variant
    from statera.cluster.metrics import Metric
    from statera.comparison.results.comparison_row import Row

_UNITS: Final = {"nested": "runs", "paired": "hosts"}
ONE_RUN: Final = "one run"
PREDICTED: Final = (
    "A single run of one side is judged by a prediction interval: the runs of the other side show how much runs of one "
    "build differ, which is assumed to be normal and the same on both sides."
)
OF_RUN: Final = (
    "one value a run: neighbouring values of a running mean share most of their blocks, so a run is a single value; "
    "several runs a side give an interval."
)
# Reasons why a row is inconclusive, in the words of a cluster.
_REASONS: Final = {
    # The interval contains zero; tables of a cluster add no reason.
    "noise": "",
    "one-process": ONE_RUN,
    "too-few-pairs": "fewer than two {unit} in common",
    "too-few-values": "fewer than 20 {unit} a side",
    "too-dependent": "too few {unit} for their autocorrelation",
}
_VERDICTS: Final = {"one-value": "one value a run"}


class Side(NamedTuple):
    """A metric of a variant.

    Attributes:
        mean: the mean of its samples; for several runs the mean of their means. None without samples.
        n: the number of samples of all runs.

    """

    mean: float | None
    n: int


class Cell(NamedTuple):
    """A metric of a contender against a baseline.

    Attributes:
        metric: the metric.
        base, other: the baseline and the contender.
        row: the result; None if neither side has a value.
        place: the number of the row in the comparison.

    """

    metric: Metric
    base: Variant
    other: Variant
    row: Row | None
    place: int | None

    @property
    def before(self) -> Side:
        """The metric of the baseline."""
        return side(self.metric, self.base)

    @property
    def side(self) -> Side:
        """The metric of the contender."""
        return side(self.metric, self.other)

    @property
    def delta(self) -> float | None:
        """The mean of the contender minus that of the baseline, unrounded."""
        return self.row.change if self.row else None

    @property
    def delta_percent(self) -> float | None:
        """The change in per cent of the absolute mean of the baseline."""
        mean = self.before.mean
        return 100 * self.delta / abs(mean) if self.delta is not None and mean else None

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
        return "(one run each)" if len(single) > 1 else f"(one run of {single[0]})"

    @property
    def words(self) -> str:
        """The verdict with its reason and qualification, as tables show it."""
        if self.row is None:
            return "no value on either side"
        verdict = _VERDICTS.get(self.verdict, self.verdict)
        return f"{verdict}{f': {self.reason}' if self.reason else ''} {self.rider}".rstrip()


class MetricRow(NamedTuple):
    """A metric of the baseline, and its change in every pair of variants."""

    metric: Metric
    base: Side
    cells: tuple[Cell, ...]

    @property
    def written(self) -> RowUnit:
        """The unit in which the means of all variants are written side by side."""
        return suited(self.metric.unit, (self.base.mean, *(cell.side.mean for cell in self.cells)))


def side(metric: Metric, variant: Variant) -> Side:
    """Return the mean and number of samples of a metric of a variant."""
    found = means(metric, variant)
    count = sum(run.summary["metrics"][metric.key]["n"] for run in variant.runs)
    return Side(sum(found) / len(found) if found else None, count)


def means(metric: Metric, variant: Variant) -> list[float]:
    """Return the mean of each run that has values of the metric."""
    stated = [run.summary["metrics"][metric.key]["mean"] for run in variant.runs]
    return [mean for mean in stated if mean is not None]
