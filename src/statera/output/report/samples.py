"""The values of the rows of a report, which travel with its page: of suspects first, then of the worst rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from statera import _native
from statera.output.plots import axes, raw_values
from statera.output.plots.frame import digits_beyond
from statera.output.report.model import Document, Sampled, Table
from statera.output.report.sections.rows import index_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.raw_values import Series
    from statera.output.report.material import Material
    from statera.output.report.model import Section

# All values of a report together take about four bytes each in its page.
MOST: Final = 80_000
# No place on a screen shows more digits.
_DIGITS: Final = 6


class _Sides(NamedTuple):
    """The values of one benchmark, metric and group, by the label of their variant."""

    metric: int
    series: dict[str, Series]


_KEPT: Final[WeakKeyDictionary[Comparison, dict[tuple[str, str, str], _Sides]]] = WeakKeyDictionary()


def of(material: Material, sections: tuple[Section, ...]) -> tuple[Sampled, ...]:
    """Return the values of those rows that have a place in the sections, as many as its page may hold."""
    comparison = material.comparison
    if comparison is None:
        return ()
    anchors = {anchor for table in Document("", "", "", sections).every(Table) for anchor in table.anchors}
    found, room = [], MOST
    for row, anchor in _rows(comparison, anchors):
        sampled = _sampled(comparison, row, anchor)
        room -= sum(len(values) for _, values in sampled.sides) if sampled else 0
        if room < 0:
            break
        if sampled:
            found.append(sampled)
    return tuple(found)


def _rows(comparison: Comparison, anchors: set[str]) -> Iterator[tuple[int, str]]:
    index = index_of(comparison)
    worst = index.weighing.order([*range(len(index.weighing))], "worst", changed=False)
    for row in dict.fromkeys((*index.answer.suspects, *worst)):
        if (anchor := index.row_anchor(row)) in anchors:
            yield row, anchor


def _sampled(comparison: Comparison, row: int, anchor: str) -> Sampled | None:
    fields = index_of(comparison).fields(row)
    sides = _by_name(comparison).get((fields["benchmark"], fields["metric"], fields["group"]))
    labels = (fields["baseline"], fields["contender"])
    if sides is None or not all(label in sides.series for label in labels):
        return None
    samples = raw_values.samples(comparison)
    values = [samples.values(sides.series[label]) for label in labels]
    low, high = (float(bound(bound(each) for each in values)) for bound in (min, max))
    # In a unit chosen by smaller values, the largest could exceed the range of numbers.
    unit = axes.unit_of_tables(samples, sides.metric, max(abs(low), abs(high)))
    unit = unit._replace(more=digits_beyond(low, high))
    held = (tuple(unit.short(each, _DIGITS) for each in unit.own(side).tolist()) for side in values)
    return Sampled(anchor, unit.text, tuple(zip(map(_native.printable, labels), held, strict=True)))


def _by_name(comparison: Comparison) -> dict[tuple[str, str, str], _Sides]:
    if comparison not in _KEPT:
        samples = raw_values.samples(comparison)
        found: dict[tuple[str, str, str], _Sides] = {}
        for each in samples.series:
            names = (samples.benchmarks[each.benchmark], samples.metrics[each.metric].name, samples.groups[each.group])
            sides = found.setdefault(names, _Sides(each.metric, {}))
            sides.series[samples.labels[each.variant]] = each
        _KEPT[comparison] = found
    return _KEPT[comparison]
