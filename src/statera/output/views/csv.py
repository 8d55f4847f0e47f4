"""Rows as CSV, with every number in full precision."""

from __future__ import annotations

from statera.output.views import PLAIN
from statera.support.files.csv_json import comma_separated
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.weighing.self_test import RowRate
    from statera.output.views import Layout

_SELF_TEST = (
    "group",
    "benchmark",
    "metric",
    "scale",
    "called",
    "trials",
    "called_low",
    "called_high",
    "significant",
    "floor",
    "largest",
)


def comparison_table(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write a header line and a line for each row."""
    weighing = comparison.weighing
    rows = layout.rows(weighing, [*range(len(comparison))], "file")
    return weighing.csv(rows, raw=layout.raw)


def inspection_table(inspection: Inspection, layout: Layout = PLAIN) -> str:
    """Write a header line and a line for each row of an inspection, or of its self-test."""
    native = inspection.native
    if inspection.self_test is None:
        return native.csv(native.order([*range(len(inspection))], layout.sort or "file"), raw=layout.raw)
    return comma_separated([_SELF_TEST, *map(_line, inspection.self_test.rows)], raw=layout.raw)


def _line(row: RowRate) -> list[object]:
    called = row.called
    rates = [called.count, called.trials, called.low, called.high, row.significant, row.floor, row.largest]
    return [row.group, row.benchmark, row.metric, row.scale, *rates]
