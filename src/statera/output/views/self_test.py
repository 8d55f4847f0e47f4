"""The self-test (one build compared with itself) as plain text, for terminals."""

from __future__ import annotations

from itertools import groupby

from statera import _native
from statera.comparison.verdicts.self_test import how, share
from statera.output.views.columns import aligned
from statera.output.views.terminal import folded
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.weighing.self_test import MetricRate, RowRate, SelfTest
    from statera.output.views.terminal import Look
    from statera.support.settings import Policy

_LEAST_NAME = 16
_LEAST_COLUMNS = 2


def text(inspection: Inspection, look: Look) -> str:
    """Write the splits and a table for each metric, the rows with most false alarms first."""
    tested = inspection.self_test
    if tested is None or not tested.splits:
        return ""
    parts = [f"\n{folded(how(tested), look.width)}\n"]
    for group, metrics in groupby(tested.metrics, key=lambda metric: metric.group):
        own = list(metrics)
        if group:
            parts.append(f"\n{_native.printable(group)}\n")
        parts += [_table(inspection, metric, look) for metric in own if metric.rows]
        without = [_native.printable(metric.metric) for metric in own if not metric.rows]
        if without:
            line = f"{', '.join(without)}: exact, or one value a side: no test and no false alarm"
            parts.append(f"\n{folded(line, look.width)}\n")
    return "".join(parts)


def _table(inspection: Inspection, metric: MetricRate, look: Look) -> str:
    table = rows(inspection, metric, look.sort)
    if look.width is not None:
        table = _fitting(table, look.width)
    bold = ("\x1b[1m", "\x1b[0m") if look.colour else ("", "")
    return "".join(["\n", aligned(table, bold=bold), folded(mean(metric), look.width)])


def rows(inspection: Inspection, metric: MetricRate, sort: str = "defects") -> list[list[str]]:
    """Return the rows of a metric as a table, the heading first."""
    tested = inspection.self_test
    key = (metric.group, metric.metric_number)
    own = [row for row in tested.rows if (row.group, row.metric_number) == key] if tested else []
    if sort == "defects":
        own.sort(key=lambda row: (-row.called.count, -row.significant, -(row.floor or 0.0)))
    elif sort == "name":
        own.sort(key=lambda row: row.benchmark)
    before = f"p ≤ {inspection.policy.alpha:g}"
    head = [_native.printable(metric.metric), "called changed", before, "noise floor", "largest"]
    return [head, *(_cells(inspection, row) for row in own)]


def _cells(inspection: Inspection, row: RowRate) -> list[str]:
    def size(change: float | None) -> str:
        if change is None:
            return NOTHING
        if row.scale == "ratio":
            return "±" + _native.percent(change).lstrip("+")
        return "±" + _native.amount(inspection.observations.native, row.metric_number, change, change)

    trials = row.called.trials
    before = f"{100 * row.significant / trials:.0f}%" if trials else NOTHING
    return [_native.printable(row.benchmark), share(row.called), before, size(row.floor), size(row.largest)]


def mean(metric: MetricRate) -> str:
    """Write how far the geometric mean moved; empty for a single row."""
    if metric.mean_floor is None or metric.rows <= 1:
        return ""
    return f"geometric mean: within ±{_native.percent(metric.mean_floor).lstrip('+')} in 95% of the splits\n"


def _fitting(table: list[list[str]], width: int) -> list[list[str]]:
    """Drop the last columns, then shorten names, until a line fits."""
    kept = len(table[0])
    while kept > _LEAST_COLUMNS and _LEAST_NAME + _width(table, kept) > width:
        kept -= 1
    room = max(width - _width(table, kept), _LEAST_NAME)
    return [[_native.shortened(row[0], room), *row[1:kept]] for row in table]


def _width(table: list[list[str]], kept: int) -> int:
    """Return the width of all columns except that of the names."""
    return sum(max(len(row[column]) for row in table) + 2 for column in range(1, kept))


def method(tested: SelfTest, policy: Policy) -> str:
    """Describe the method of the self-test."""
    if not tested.splits:
        return f"each pair of results is compared under the present policy, alpha {policy.alpha:g}"
    by_runs = ""
    if tested.dealt == "runs" and tested.length <= 1:
        by_runs = "; single runs that are dealt at random keep the rate by construction, so the noise floor tells more"
    return (
        f"each split is compared under the present policy, alpha {policy.alpha:g}; noise floor: 95% of the typical "
        "changes are smaller; intervals of rates by Clopper & Pearson, for the number of splits that are independent: "
        f"{counted(tested.stretches - 1, 'split')} of {counted(tested.stretches, 'stretch', 'stretches')}{by_runs}"
    )
