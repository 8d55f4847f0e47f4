"""The rows of an inspection, or of a self-test, as CSV, with every number in full precision."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.weighing.self_test import RowRate

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


def text(inspection: Inspection, sort: str = "file", *, raw: bool = False) -> str:
    """Write a header line and a line for each row."""
    if inspection.self_test is None:
        return inspection.native.csv(inspection.native.order(list(range(len(inspection))), sort), raw=raw)
    from statera.support.files.csv_json import comma_separated  # noqa: PLC0415 - only here

    return comma_separated([_SELF_TEST, *map(_line, inspection.self_test.rows)], raw=raw)


def _line(row: RowRate) -> list[object]:
    called = row.called
    rates = [called.count, called.trials, called.low, called.high, row.significant, row.floor, row.largest]
    return [row.group, row.benchmark, row.metric, row.scale, *rates]
