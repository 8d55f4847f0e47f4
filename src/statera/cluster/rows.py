"""The rows of a comparison as the tables of a cluster show them: a metric, and its change in each pair of variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from statera.cluster.compare import Variant
    from statera.cluster.metrics import Metric
    from statera.results.comparison_row import Row

_UNITS: Final = {"nested": "runs", "paired": "hosts"}
ONE_RUN: Final = "one run"
# Reasons of rows in the words of a cluster.
_REASONS: Final = {
    # The interval holds zero: a table of a cluster says no more of it.
    "noise": "",
    "one-process": ONE_RUN,
    "too-few-pairs": "fewer than two {unit} in common",
    "too-few-values": "fewer than 20 {unit} a side",
    "too-dependent": "too few {unit} for how much they depend on one another",
}


class Side(NamedTuple):
    """A metric of a variant.

    Attributes:
        mean: over its samples; of several runs the mean of their means. None where there is no sample.
        n: samples, of all runs.

    """

    mean: float | None
    n: int


class Cell(NamedTuple):
    """A metric of a contender against a baseline.

    Attributes:
        metric: which.
        base, other: the two variants.
        row: what is concluded; None where neither side has a value.
        place: the row's number in the comparison.

    """

    metric: Metric
    base: Variant
    other: Variant
    row: Row | None
    place: int | None

    @property
    def before(self) -> Side:
        """The baseline."""
        return side(self.metric, self.base)

    @property
    def side(self) -> Side:
        """The contender."""
        return side(self.metric, self.other)

    @property
    def delta(self) -> float | None:
        """The contender's mean less that of the baseline, unrounded."""
        return self.row.change if self.row else None

    @property
    def delta_percent(self) -> float | None:
        """That, in per cent of the size of the baseline's mean."""
        mean = self.before.mean
        return 100 * self.delta / abs(mean) if self.delta is not None and mean else None

    @property
    def low(self) -> float | None:
        """The lower end of the interval of the change; None where there is none."""
        return self.row.change_low if self.row else None

    @property
    def high(self) -> float | None:
        """The upper end."""
        return self.row.change_high if self.row else None

    @property
    def verdict(self) -> str:
        """What is concluded; empty where neither side has a value."""
        return self.row.verdict if self.row else ""

    @property
    def unit(self) -> str:
        """What is weighed: runs, hosts, blocks, keys or stretches of time; empty where nothing is."""
        if self.row is None or self.row.design == "one-sided":
            return ""
        series = "stretches of time" if self.metric.paired else self.metric.samples
        return _UNITS.get(self.row.design, series)

    @property
    def reason(self) -> str:
        """Why it is inconclusive, in words; empty where it is not."""
        code = self.row.reason if self.row else None
        return "" if code is None else _REASONS.get(code, code.replace("-", " ")).format(unit=self.unit)

    @property
    def of_one_run(self) -> bool:
        """Whether a side has a single run."""
        return self.row is not None and "one-process" in self.row.warnings

    @property
    def rider(self) -> str:
        """What holds of a verdict: that a side has a single run."""
        if not self.of_one_run or self.row is None or self.row.p is None or self.row.reason == "one-process":
            return ""
        single = [each.label for each in (self.base, self.other) if len(means(self.metric, each)) == 1]
        return "(one run each)" if len(single) > 1 else f"(one run of {single[0]})"

    @property
    def words(self) -> str:
        """The verdict as it is shown."""
        if self.row is None:
            return "no value on either side"
        return f"{self.verdict}{f': {self.reason}' if self.reason else ''} {self.rider}".rstrip()


class MetricRow(NamedTuple):
    """A metric of the baseline, and what became of it in every pair of variants."""

    metric: Metric
    base: Side
    cells: tuple[Cell, ...]


def side(metric: Metric, variant: Variant) -> Side:
    """Give a metric of a variant."""
    found = means(metric, variant)
    count = sum(run.summary["metrics"][metric.key]["n"] for run in variant.runs)
    return Side(sum(found) / len(found) if found else None, count)


def means(metric: Metric, variant: Variant) -> list[float]:
    """Give the means of the runs that have values."""
    stated = [run.summary["metrics"][metric.key]["mean"] for run in variant.runs]
    return [mean for mean in stated if mean is not None]
