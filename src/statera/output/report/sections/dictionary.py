"""Data dictionary: every metric and configuration key that was read, and what it means as far as its formats say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.report.model import Cell, Column, Fold, Prose, Section, Table
from statera.output.views import formats as view
from statera.reading import formats

if TYPE_CHECKING:
    from statera.output.report.material import Material
    from statera.reading.observations import Metric

_UNITS: Final = {"1": "count", "s": "s", "B": "B", "1/s": "1/s"}
_BY_QUANTITY: Final = {
    "time": "a time",
    "bytes": "an amount of memory",
    "count": "a count",
    "throughput": "a rate",
}
_MOST: Final = 300


def section(material: Material) -> Section | None:
    """Say what every metric is, and every configuration key."""
    observations = material.observations
    names = list(dict.fromkeys(each.format for each in observations.sources if each.values))
    known = formats.by_name()
    lead = "Values are kept in base units (s, B, 1/s, counts); tables write them with the prefix that suits their size."
    if not observations.metrics:
        return None
    lead += "".join(f" In {name} a value is {view.value(known[name])}." for name in names if name in known)
    keys = _keys(material)
    tables = (_metrics(material, names),) if keys is None else (_metrics(material, names), keys)
    return Section("dictionary", "Data dictionary", (Prose((lead,)), Fold("Metrics and keys", tables)))


def _metrics(material: Material, names: list[str]) -> Table:
    metrics = material.observations.metrics
    source = material.comparison or material.inspection
    rules = source.arrangement.assignment.metrics if source is not None else [None] * len(metrics)
    rows = []
    for metric, rule in list(zip(metrics, rules, strict=True))[:_MOST]:
        better = metric.better if rule is None else rule.better
        rows.append(
            (
                Cell(_native.printable(metric.name)),
                Cell(_native.printable(_UNITS.get(metric.unit, metric.unit))),
                Cell({"lower": "lower", "higher": "higher"}.get(better or "", "not known")),
                Cell(_meaning(names, metric)),
                Cell("read only" if rule is None else "compared" if material.questions else "inspected"),
                Cell(_native.printable(", ".join(names))),
            )
        )
    heads = tuple(Column(name) for name in ("metric", "unit", "better", "meaning", "used", "format"))
    return Table("Metrics", heads, tuple(rows), total=len(metrics))


def _meaning(names: list[str], metric: Metric) -> str:
    """Say what a metric means; else what kind of quantity it is, empty where unknown."""
    return formats.meaning(names, metric.name) or _BY_QUANTITY.get(metric.quantity, "")


def _keys(material: Material) -> Table | None:
    """Say what the configuration keys mean that some format knows."""
    known = formats.keys()
    read = dict.fromkeys(key for context in material.observations.contexts if context.values for key in context.keys)
    rows = [(Cell(key), Cell(known[key].role), Cell(known[key].meaning)) for key in read if key in known]
    heads = (Column("key"), Column("says"), Column("meaning"))
    return Table("Configuration keys", heads, tuple(rows)) if rows else None
