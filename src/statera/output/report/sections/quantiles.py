"""The section on distributions: quantiles, speed-ups and shift functions in tables, pictures and sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.codes import CHANGES, OF
from statera.output.report import figures
from statera.output.report.material import by_metric
from statera.output.report.model import Cell, Column, Fold, Prose, Section, Table
from statera.output.report.sections.rows import index_of, indexes
from statera.output.views.tables import percent_level
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.distribution import Quantiles, ShiftPoint
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.rows import Index

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
    "each quantile (a shift function, by Harrell-Davis) with a band for all of them at once: if the band "
    "excludes zero at a quantile, the change there is real."
)


def is_shown(comparison: Comparison) -> bool:
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
        if not is_shown(question.comparison):
            continue
        made = _question(index, first=not blocks)
        title = _native.printable(question.words)
        # Further questions are about the same values.
        blocks += made if not blocks else [Fold(title, tuple(made))]
    return Section("distribution", "Distribution effects", (Prose((_LEAD,)), *blocks)) if blocks else None


def _question(index: Index, *, first: bool) -> list[Block]:
    """Show the main metric, and the others folded; of further questions the changes of the main metric."""
    comparison = index.comparison
    main, *others = by_metric(comparison)
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
    held = (row for row, points in shifts.items() if any(point.supported for point in points))
    tables = tuple(band_table(index, number[index.fields(row)["metric"]], row) for row in held)
    return [Fold("Bands of the changes in numbers", tables)] if tables else []


def where_it_differs(comparison: Comparison) -> list[str]:
    """Write for each pair at which quantiles the band of its shift function excludes no change."""
    if not is_shown(comparison):
        return []
    index = index_of(comparison)
    several = comparison.weighing.distinct_benchmarks(list(range(len(comparison)))) > 1
    several = several or len(by_metric(comparison)) > 1
    lines, calm = [], 0
    for row, points in comparison.distribution().shifts.items():
        fields = index.fields(row)
        pair = f"{_native.printable(fields['contender'])} against {_native.printable(fields['baseline'])}"
        at = f" at {_native.printable(fields['group'])}" if fields["group"] else ""
        what = f"{_native.printable(fields['benchmark'])} {_native.printable(fields['metric'])}, " if several else ""
        parts = [
            f"{word} at {_level_words(points, chosen)}"
            for word, chosen in (("higher", _beyond(points, 1)), ("lower", _beyond(points, -1)))
            if chosen
        ]
        if not parts and fields["verdict"] not in _CHANGED:
            calm += 1
        lines.append(f"{what}{pair}{at}: {'; '.join(parts) or _nowhere(fields['verdict'])}.")
    # A single one is named.
    if calm <= 1:
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


def _level_words(points: list[ShiftPoint], chosen: list[ShiftPoint]) -> str:
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


# The strongest colour is that of this share of the sizes; smaller changes than the least stay pale.
_USUAL: Final = 0.8
_LEAST: Final = math.log(1.02)
_STAR: Final = "*"
# The part of its colour that a change has whose band includes no change.
_PALE: Final = 0.5


def quantile_table(index: Index, metric: int) -> Table:
    """Write the quantiles of every variant, coloured by how far each lies from the baseline's."""
    comparison = index.comparison
    found = comparison.distribution()
    every = [each for each in found.quantiles if each.metric == metric]
    base = _base(index, every)
    # A benchmark has the same unit in all variants.
    sizes = {
        name: min((abs(value) for each in every if each.benchmark == name for value in each.at if value), default=0.0)
        for name in {each.benchmark for each in every}
    }
    turn = -1 if _rate(index, metric) else 1
    places = [
        [_apart(value, ref, turn) for value, ref in zip(each.at, _base_of(base, each).at, strict=True)]
        for each in every
    ]
    limit = _limit([place for row in places for place in row])

    def amount(value: float) -> str:
        return _native.amount(comparison.observations.native, metric, value, sizes[each.benchmark])

    heads, names = _names(index, every)
    body = []
    for each, told, row in zip(every, names, places, strict=True):
        numbers = [
            Cell(f"{each.n:,}", each.n),
            Cell(amount(each.median), each.median),
            Cell(amount(each.iqr), each.iqr),
        ]
        cells = [
            Cell(amount(value), value, heat=_heat(place, limit)) for value, place in zip(each.at, row, strict=True)
        ]
        body.append((*map(Cell, told), *numbers, *cells))
    columns = (*map(Column, heads), Column("n", numeric=True), Column("median", numeric=True))
    columns = (*columns, Column("IQR", numeric=True, minor=True), *_level_columns(found.levels))
    return Table(f"Quantiles of {_name(index, metric)}", columns, tuple(body), (_coloured(index, base, limit),))


def _base(index: Index, every: Sequence[Quantiles]) -> dict[tuple[int, str], Quantiles]:
    """Return what each benchmark is compared with: the baseline in its group; of factors that in the first group."""
    found = {(each.group, each.benchmark): each for each in reversed(every) if each.variant == _first(every, each)}
    if index.comparison.arrangement.factors:
        least = {each.benchmark: min(g for g, b in found if b == each.benchmark) for each in every}
        found = {(group, benchmark): found[least[benchmark], benchmark] for group, benchmark in found}
    return found


def _first(every: Sequence[Quantiles], of: Quantiles) -> int:
    return min(each.variant for each in every if (each.group, each.benchmark) == (of.group, of.benchmark))


def _base_of(base: dict[tuple[int, str], Quantiles], each: Quantiles) -> Quantiles:
    return base[each.group, each.benchmark]


def _names(index: Index, every: Sequence[Quantiles]) -> tuple[list[str], list[list[str]]]:
    """Return the headings of the columns that name a row, and the names of each row."""
    groups, labels = index.comparison.arrangement.groups, index.comparison.labels
    rows = [(each.benchmark, groups[each.group], labels[each.variant]) for each in every]
    keep = [place for place in (0, 1) if len({row[place] for row in rows}) > 1] + [2]
    heads = ("benchmark", "level", "variant")
    return [heads[place] for place in keep], [[_native.printable(row[place]) for place in keep] for row in rows]


def _coloured(index: Index, base: dict[tuple[int, str], Quantiles], limit: float) -> str:
    comparison = index.comparison
    of = {_native.printable(comparison.labels[each.variant]) for each in base.values()}
    words = of.pop() if len(of) == 1 else "the baseline"
    one = next(iter(base.values()))
    if comparison.arrangement.factors and comparison.arrangement.groups[one.group]:
        words += f" at {_native.printable(comparison.arrangement.groups[one.group])}"
    return (
        f"Colours compare each quantile with that of {words}, strongest from {_strongest(limit)} on. "
        "Quantiles are of type 7."
    )


def _strongest(limit: float) -> str:
    return f"{_native.percent(math.expm1(-limit))} and {_native.percent(math.expm1(limit))}"


def change_table(index: Index, metric: int) -> Table | None:
    """Write the change at each quantile, coloured by its size; None if no row has a shift function."""
    comparison, turn = index.comparison, -1 if _rate(index, metric) else 1
    name = comparison.observations.metrics[metric].name
    shifts = {
        row: each for row, each in comparison.distribution().shifts.items() if index.fields(row)["metric"] == name
    }
    if not shifts:
        return None
    sizes = {row: [_along(index, row, point) * turn for point in points] for row, points in shifts.items()}
    limit = _limit([size for row in sizes.values() for size in row])
    names = [each for each in ("benchmark", "group") if len({index.fields(row)[each] for row in shifts}) > 1]
    body = []
    for row, points in shifts.items():
        fields = index.fields(row)
        told = [_native.printable(fields[each]) for each in names]
        told.append(_native.printable(f"{fields['contender']} against {fields['baseline']}"))
        cells = [
            Cell(_marked(index, metric, row, point), point.change, heat=_heat(size * _weight(point), limit))
            for point, size in zip(points, sizes[row], strict=True)
        ]
        body.append((Cell(told[0], link=index.link(row)), *map(Cell, told[1:]), *cells))
    heads = [{"benchmark": "benchmark", "group": "level"}[each] for each in names]
    levels = [point.level for point in next(iter(shifts.values()))]
    columns = (*map(Column, (*heads, "pair")), *_level_columns(levels))
    moved = comparison.observations.metrics[metric]
    worse, better = (_native.moved(moved.quantity, moved.better, rises) for rises in (turn > 0, turn < 0))
    colours = (
        f"Colours show {worse} and {better} changes, strongest from {_strongest(limit)} on; where the band includes no "
        "change, half as strong."
    )
    notes = (
        f"{_STAR} The band for all quantiles of the pair excludes no change. In parentheses: too few values.",
        colours,
    )
    return Table(f"Change of {_name(index, metric)} at each quantile", columns, tuple(body), notes)


def _marked(index: Index, metric: int, row: int, point: ShiftPoint) -> str:
    text = _written(index, metric, row, point.change, point)
    if not _bounded(point):
        return f"({text})"
    return f"{text}{_STAR}" if _excludes_none(point) else text


def _weight(point: ShiftPoint) -> float:
    """Return how strongly a change is coloured: one that may be none at all is pale, one without a band is bare."""
    return 1.0 if _excludes_none(point) else _PALE if _bounded(point) else 0.0


def _bounded(point: ShiftPoint) -> bool:
    return point.supported and point.low is not None and point.high is not None


def _excludes_none(point: ShiftPoint) -> bool:
    """Return whether the band of a quantile excludes no change."""
    return _bounded(point) and ((point.low or 0.0) > 0 or (point.high or 0.0) < 0)


def band_table(index: Index, metric: int, row: int) -> Table:
    """Write the shift function of a row with its band."""
    points = index.comparison.distribution().shifts[row]
    body = []
    for point in points:

        def written(value: float | None, point: ShiftPoint = point) -> str:
            return "-" if value is None else _written(index, metric, row, value, point)

        known = point.supported and point.low is not None and point.high is not None
        band = f"[{written(point.low)}, {written(point.high)}]" if known else "too few values"
        cells = (Cell(percent_level(point.level), point.level), Cell(written(point.change), point.change))
        body.append((*cells, Cell(band, point.low)))
    columns = tuple(Column(name, numeric=True) for name in ("quantile", "change", "band"))
    notes = ("One value per process.",) if index.fields(row)["design"] == "nested" else ()
    title = f"Shift function of {_name(index, metric)}: {index.name(row)}{index.place_words(row)}"
    return Table(title, columns, tuple(body), notes)


def _written(index: Index, metric: int, row: int, value: float, point: ShiftPoint) -> str:
    if index.fields(row)["scale"] == "ratio":
        return _native.percent(value)
    size = min(abs(point.baseline), abs(point.contender)) or abs(point.baseline)
    return _native.amount(index.comparison.observations.native, metric, value, size)


def _along(index: Index, row: int, point: ShiftPoint) -> float:
    """Return the size of a change as a logarithm of a ratio; of a difference relative to the baseline."""
    if index.fields(row)["scale"] != "ratio":
        return _apart(point.contender, point.baseline, 1) or 0.0
    return math.log1p(point.change) if -1 < point.change < math.inf else 0.0


def _apart(value: float, base: float, turn: int) -> float | None:
    return turn * math.log(value / base) if value > 0 and base > 0 and 0 < value / base < math.inf else None


def _limit(places: Sequence[float | None]) -> float:
    sizes = sorted(abs(place) for place in places if place)
    return max(sizes[min(int(_USUAL * len(sizes)), len(sizes) - 1)], _LEAST) if sizes else _LEAST


def _heat(place: float | None, limit: float) -> float | None:
    return None if place is None else round(max(-1.0, min(1.0, place / limit)), 3)


def _rate(index: Index, metric: int) -> bool:
    return index.comparison.arrangement.assignment.rule(metric).better == "higher"


def _level_columns(levels: Sequence[float]) -> tuple[Column, ...]:
    return tuple(Column(percent_level(level), numeric=True) for level in levels)


def _name(index: Index, metric: int) -> str:
    return _native.printable(index.comparison.observations.metrics[metric].name)
