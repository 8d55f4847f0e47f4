"""The section on distributions: quantiles, speed-ups and shift functions in tables, pictures and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.codes import CHANGES, OF
from statera.output.report import figures
from statera.output.report.model import Fold, Prose, Section
from statera.output.report.sections.index import index_of, indexes
from statera.output.report.sections.quantile_tables import band_table, change_table, quantile_table
from statera.output.views.quantiles import percent_level
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.distribution import ShiftPoint
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.index import Index

# Fewer values show little about quantiles; more rows would fill the report with tables.
LEAST_VALUES: Final = 20
MOST_ROWS: Final = 36
# So many sentences stand in the summary; so many pairs have their bands in numbers.
MOST_LINES: Final = 8
_MOST_BANDS: Final = 6
# The changes that a verdict may find in all values together, without a single quantile that shows them.
_CHANGED: Final = tuple(code for code in CHANGES if OF[code].part == "typical")
_NOWHERE: Final = "shown to differ at no quantile"
_LEAD: Final = (
    "A typical change says nothing about the tails. The tables show the quantiles of each variant, and the change at "
    "each quantile (a shift function, by Harrell-Davis) with a band that holds at all of them at once: if the band "
    "excludes zero at a quantile, the change there is real."
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
    for index, question in zip(indexes(material), material.questions, strict=True):
        if not shown(question.comparison):
            continue
        made = _of(index, first=not blocks)
        title = _native.printable(question.words)
        # Further questions are about the same values.
        blocks += made if not blocks else [Fold(title, tuple(made))]
    return Section("distribution", "Distribution effects", (Prose((_LEAD,)), *blocks)) if blocks else None


def _of(index: Index, *, first: bool) -> list[Block]:
    """Show the main metric, and the others folded; of further questions the changes of the main metric."""
    comparison = index.comparison
    main, *others = figures.metrics(comparison)
    if not first:
        return _changes(index, main)
    blocks: list[Block] = [quantile_table(index, main), *_changes(index, main)]
    blocks += figures.shifts(comparison, main)
    ups = figures.speed_ups(comparison, main)
    # The same changes without bands, with the variants in one panel.
    blocks += [Fold("Speed-ups by percentile", tuple(ups))] if ups else []
    blocks += _bands(index)
    if others:
        folded = [block for metric in others for block in (quantile_table(index, metric), *_changes(index, metric))]
        blocks.append(Fold("Quantiles of the other metrics", tuple(folded)))
    return blocks


def _changes(index: Index, metric: int) -> list[Block]:
    table = change_table(index, metric)
    return [table] if table else []


def _bands(index: Index) -> list[Block]:
    """Write the bands in numbers, if there are few pairs."""
    shifts = index.comparison.distribution().shifts
    if len(shifts) > _MOST_BANDS:
        return []
    number = {metric.name: place for place, metric in enumerate(index.comparison.observations.metrics)}
    tables = tuple(band_table(index, number[index.fields(row)["metric"]], row) for row in shifts)
    return [Fold("Bands of the changes in numbers", tables)] if tables else []


def where_it_differs(comparison: Comparison) -> list[str]:
    """Write for each pair at which quantiles the band of its shift function excludes no change."""
    if not shown(comparison):
        return []
    index = index_of(comparison)
    several = comparison.weighing.distinct_benchmarks(list(range(len(comparison)))) > 1
    several = several or len({section.metric for section in comparison.sections()}) > 1
    lines, calm = [], 0
    for row, points in comparison.distribution().shifts.items():
        fields = index.fields(row)
        pair = f"{_native.printable(fields['contender'])} against {_native.printable(fields['baseline'])}"
        at = f" at {_native.printable(fields['group'])}" if fields["group"] else ""
        what = f"{_native.printable(fields['benchmark'])} {_native.printable(fields['metric'])}, " if several else ""
        parts = [
            f"{word} at {_levels(points, chosen)}"
            for word, chosen in (("higher", _beyond(points, 1)), ("lower", _beyond(points, -1)))
            if chosen
        ]
        if not parts and fields["verdict"] not in _CHANGED:
            calm += 1
        lines.append(f"{what}{pair}{at}: {'; '.join(parts) or _nowhere(fields['verdict'])}.")
    if calm < 2:  # noqa: PLR2004 - a single one is named
        return lines
    others = [line for line in lines if not line.endswith(f": {_NOWHERE}.")]
    which = f"the other {calm}" if others else f"all {calm}"
    return [*others, f"{which[:1].upper()}{which[1:]} rows: {_NOWHERE}."]


def _nowhere(verdict: str) -> str:
    """Say that no quantile is shown to differ, beside a verdict that rests on all values together."""
    if verdict in _CHANGED:
        return "all values together differ, no single quantile is shown to"
    return _NOWHERE


def _beyond(points: list[ShiftPoint], sign: int) -> list[ShiftPoint]:
    ends = [(point, point.low if sign > 0 else point.high) for point in points if point.supported]
    return [point for point, end in ends if end is not None and sign * end > 0]


def _levels(points: list[ShiftPoint], chosen: list[ShiftPoint]) -> str:
    """Write levels, neighbouring ones as a range: ``5% to 60% and 90%``."""
    runs: list[list[ShiftPoint]] = []
    for before, point in zip([None, *points], points, strict=False):
        if point in chosen:
            if before in chosen:
                runs[-1].append(point)
            else:
                runs.append([point])
    ends = [(percent_level(run[0].level), percent_level(run[-1].level), len(run)) for run in runs]
    return conjoined([first if count == 1 else f"{first} to {last}" for first, last, count in ends])
