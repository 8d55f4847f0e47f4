"""The data dictionary: name, unit, direction, meaning and source of every metric that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.report.meanings import meaning
from statera.report.model import Cell, Column, Prose, Section, Table

if TYPE_CHECKING:
    from statera.report.material import Material

_UNITS: Final = {"1": "count", "s": "s", "B": "B", "1/s": "1/s"}
_MOST: Final = 300


def section(material: Material) -> Section | None:
    """Describe every metric."""
    observations = material.observations
    source = material.comparison or material.inspection
    rules = source.arrangement.layout["metrics"] if source is not None else [None] * len(observations.metrics)
    formats = list(dict.fromkeys(each.format for each in observations.sources if each.values))
    rows = []
    for metric, rule in list(zip(observations.metrics, rules, strict=True))[:_MOST]:
        better = metric.better if rule is None else rule[0]
        rows.append(
            (
                Cell(_native.printable(metric.name)),
                Cell(_native.printable(_UNITS.get(metric.unit, metric.unit))),
                Cell({"lower": "lower", "higher": "higher"}.get(better or "", "not known")),
                Cell(meaning(formats, metric)),
                Cell("read only" if rule is None else "compared" if material.questions else "inspected"),
                Cell(_native.printable(", ".join(formats))),
            )
        )
    heads = tuple(Column(name) for name in ("metric", "unit", "better", "meaning", "used", "format"))
    lead = "Values are kept in base units (s, B, 1/s, counts); tables write them with the prefix that suits their size."
    table = Table("Metrics", heads, tuple(rows), total=len(observations.metrics))
    return Section("dictionary", "Data dictionary", (Prose((lead,)), table)) if rows else None
