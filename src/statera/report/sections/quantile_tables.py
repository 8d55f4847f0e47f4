"""The tables of quantiles, speed-ups and shift functions, no wider than a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from statera import _native
from statera.report.model import Cell, Column, Table
from statera.views.quantiles import percent_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.results.comparison import Comparison
    from statera.results.distribution import Distribution, Quantiles, ShiftPoint, SpeedUp

_T = TypeVar("_T")
# The most columns besides the levels; further columns form another table.
_WIDE: Final = 6
_WIDE_BANDS: Final = 4


def quantile_tables(comparison: Comparison, found: Distribution) -> list[Table]:
    """Write the quantiles of each variant, one table per group, metric and benchmark."""
    of: dict[tuple[int, int, str], list[Quantiles]] = {}
    for each in found.quantiles:
        of.setdefault((each.group, each.metric, each.benchmark), []).append(each)
    tables = []
    for (group, metric, benchmark), every in of.items():
        title = f"Quantiles of {_title(comparison, benchmark, metric, group)}"
        for variants in _chunks(every, _WIDE):
            heads = [_native.printable(comparison.labels[each.variant]) for each in variants]
            rows = [
                [Cell("n"), *(Cell(f"{each.n:,}", each.n) for each in variants)],
                [Cell("median"), *_amounts(comparison, metric, [each.median for each in variants])],
                [Cell("IQR"), *_amounts(comparison, metric, [each.iqr for each in variants])],
            ]
            for place, level in enumerate(found.levels):
                values = [each.at[place] for each in variants]
                rows.append([Cell(percent_level(level)), *_amounts(comparison, metric, values)])
            tables.append(_table(title, heads, rows))
    return tables


def speed_up_tables(comparison: Comparison, found: Distribution) -> list[Table]:
    """Write how much less one variant takes than another at each level."""
    of: dict[tuple[int, int, str, int], list[SpeedUp]] = {}
    for each in found.speed_ups:
        of.setdefault(
            (each.baseline.group, each.baseline.metric, each.baseline.benchmark, each.baseline.variant), []
        ).append(each)
    tables = []
    for (group, metric, benchmark, base), every in of.items():
        word = "Gain" if comparison.observations.metrics[metric].better == "higher" else "Speed-up"
        against = _native.printable(comparison.labels[base])
        title = f"{word} over {against} at each quantile of {_title(comparison, benchmark, metric, group)}"
        for ups in _chunks(every, _WIDE):
            heads = [_native.printable(comparison.labels[each.contender.variant]) for each in ups]
            rows = [
                [Cell(percent_level(level)), *(_percent(each.at[place]) for each in ups)]
                for place, level in enumerate(found.levels)
            ]
            tables.append(_table(title, heads, rows))
    return tables


def shift_tables(comparison: Comparison, found: Distribution) -> list[Table]:
    """Write the change at each level with its band, one table per group, metric, benchmark and baseline."""
    of: dict[tuple[str, ...], list[tuple[dict[str, Any], list[ShiftPoint]]]] = {}
    for row, points in found.shifts.items():
        fields = comparison.weighing.row_dict(row)
        key = tuple(fields[name] for name in ("group", "metric", "benchmark", "baseline"))
        of.setdefault(key, []).append((fields, points))
    tables = []
    for (group, metric, benchmark, baseline), every in of.items():
        words = ", ".join(_native.printable(word) for word in (benchmark, metric, group) if word)
        title = f"Change from {_native.printable(baseline)} at each quantile of {words}"
        number = next(m for m, each in enumerate(comparison.observations.metrics) if each.name == metric)
        for shifts in _chunks(every, _WIDE_BANDS):
            heads = [_native.printable(fields["contender"]) for fields, _ in shifts]
            levels = [point.level for point in shifts[0][1]]
            rows = [
                [
                    Cell(percent_level(level)),
                    *(_change(comparison, number, fields, points[place]) for fields, points in shifts),
                ]
                for place, level in enumerate(levels)
            ]
            nested = any(fields["design"] == "nested" for fields, _ in shifts)
            notes = ["One value per process."] if nested else []
            tables.append(_table(title, heads, rows, notes))
    return tables


def _table(title: str, heads: list[str], rows: list[list[Cell]], notes: Sequence[str] = ()) -> Table:
    columns = (Column("quantile"), *(Column(head, numeric=True) for head in heads))
    return Table(title, columns, tuple(tuple(row) for row in rows), tuple(notes))


def _title(comparison: Comparison, benchmark: str, metric: int, group: int) -> str:
    words = (benchmark, comparison.observations.metrics[metric].name, comparison.arrangement.groups[group])
    return ", ".join(_native.printable(word) for word in words if word)


def _amounts(comparison: Comparison, metric: int, values: list[float]) -> list[Cell]:
    size = min((abs(value) for value in values if value), default=0.0)
    return [Cell(_native.amount(comparison.observations.native, metric, value, size), value) for value in values]


def _percent(change: float | None) -> Cell:
    return Cell("-") if change is None else Cell(_native.percent(change), change)


def _change(comparison: Comparison, metric: int, fields: dict[str, Any], point: ShiftPoint) -> Cell:
    """Write a change with its band; a change that the band shows to differ is highlighted."""
    size = min(abs(point.baseline), abs(point.contender)) or abs(point.baseline)

    def written(value: float) -> str:
        if fields["scale"] == "ratio":
            return _native.percent(value)
        return _native.amount(comparison.observations.native, metric, value, size)

    if not point.supported or point.low is None or point.high is None:
        return Cell(f"{written(point.change)} (too few values)", point.change)
    real = point.low > 0 or point.high < 0
    text = f"{written(point.change)} [{written(point.low)}, {written(point.high)}]"
    return Cell(text, point.change, "changed" if real else "")


def _chunks(items: Sequence[_T], most: int) -> list[Sequence[_T]]:
    """Split into the fewest parts, of about equal length, with ``most`` items each at most."""
    parts = -(-len(items) // most)
    size = -(-len(items) // parts) if parts else 1
    return [items[start : start + size] for start in range(0, len(items), size)]
