"""The section on distributions: quantiles, speed-ups and shift functions in tables, pictures and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.report import figures
from statera.report.model import Heading, Item, Items, Prose, Section
from statera.report.sections.quantile_tables import quantile_tables, shift_tables, speed_up_tables
from statera.views.quantiles import percent_level
from statera.wording import conjoined

if TYPE_CHECKING:
    from statera.report.material import Material
    from statera.report.model import Block
    from statera.results.comparison import Comparison
    from statera.results.distribution import ShiftPoint

# Fewer values show little about quantiles; more rows would fill the report with tables.
LEAST_VALUES: Final = 20
MOST_ROWS: Final = 36
_LEAD: Final = (
    "A typical change says nothing about the tails. The tables give quantiles (type 7) of each variant with its "
    "median and interquartile range, and how much less one takes than another at each of them. A shift function is "
    "the change at each quantile (Harrell-Davis) with a band that holds at all of them at once: if the band excludes "
    "zero at a quantile, the change there is real."
)


def shown(comparison: Comparison) -> bool:
    """Return whether quantiles were requested, or there are enough values and few enough rows to show them anyway."""
    if comparison.levels:
        return True
    if len(comparison) > MOST_ROWS:
        return False
    fields = [comparison.weighing.row_dict(index) for index in range(len(comparison))]
    return all(min(each["baseline_values"], each["contender_values"]) >= LEAST_VALUES for each in fields)


def section(material: Material) -> Section | None:
    """Show where in the distribution the variants differ."""
    blocks: list[Block] = []
    for number, question in enumerate(material.questions):
        comparison = question.comparison
        if not shown(comparison):
            continue
        if question.words:
            blocks.append(Heading(_native.printable(question.words)))
        found = comparison.distribution()
        # Further questions are about the same values, whose quantiles are shown already.
        blocks += quantile_tables(comparison, found) if number == 0 else []
        blocks += figures.speed_ups(comparison)
        blocks += speed_up_tables(comparison, found)
        blocks += [Items(tuple(Item(line) for line in where_it_differs(comparison)))]
        blocks += figures.shifts(comparison)
        blocks += shift_tables(comparison, found)
    return Section("distribution", "Distribution effects", (Prose((_LEAD,)), *blocks)) if blocks else None


def where_it_differs(comparison: Comparison) -> list[str]:
    """Write for each pair at which quantiles the band of its shift function excludes no change."""
    if not shown(comparison):
        return []
    several = comparison.weighing.distinct_benchmarks(list(range(len(comparison)))) > 1
    several = several or len({section.metric for section in comparison.sections()}) > 1
    lines = []
    for row, points in comparison.distribution().shifts.items():
        fields = comparison.weighing.row_dict(row)
        pair = f"{_native.printable(fields['contender'])} against {_native.printable(fields['baseline'])}"
        at = f" at {_native.printable(fields['group'])}" if fields["group"] else ""
        what = f"{_native.printable(fields['benchmark'])} {_native.printable(fields['metric'])}, " if several else ""
        parts = [
            f"{word} at {_levels(chosen)}"
            for word, chosen in (("higher", _beyond(points, 1)), ("lower", _beyond(points, -1)))
            if chosen
        ]
        lines.append(f"{what}{pair}{at}: {'; '.join(parts) or 'shown to differ at no quantile'}.")
    return lines


def _beyond(points: list[ShiftPoint], sign: int) -> list[ShiftPoint]:
    ends = [(point, point.low if sign > 0 else point.high) for point in points if point.supported]
    return [point for point, end in ends if end is not None and sign * end > 0]


def _levels(points: list[ShiftPoint]) -> str:
    words = [percent_level(point.level) for point in points]
    return conjoined(words)
