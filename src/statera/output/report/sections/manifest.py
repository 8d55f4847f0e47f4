"""What was measured: variants, files, environments and their differences; what every metric and key means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.pairing.keys import MACHINE_KEYS
from statera.output.report.model import Cell, Column, Fold, Prose, Section, Table
from statera.output.views import formats as view
from statera.reading import formats
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.reading.observations import Metric

_MOST_FILES: Final = 200
# So many files are listed openly.
_OPEN: Final = 4


def section(material: Material) -> Section | None:
    """Describe what was measured."""
    source = material.comparison or material.inspection
    if source is None:
        return Section("manifest", "What was measured", (Prose((_read(material),)), _folded(_plain_files(material))))
    arrangement = source.arrangement
    blocks: list[Block] = [
        Prose((_read(material),)),
        _variants(source, compared=material.comparison is not None),
        _folded(_files(source)),
    ]
    if arrangement.differs:
        heads = (Column("key"), *(Column(_native.printable(label)) for label in source.labels), Column("remark"))
        rows = [
            (
                Cell(_native.printable(key)),
                *(Cell(_native.printable(value) or "(none)") for value in values),
                Cell("the machine differs, and its speed may differ as well" if key in MACHINE_KEYS else ""),
            )
            for key, values in arrangement.differs.items()
        ]
        blocks.append(Table("What differs between the variants", heads, tuple(rows)).without_empty())
    if arrangement.common:
        cells = [
            (Cell(_native.printable(key)), Cell(_native.printable(value)))
            for key, value in arrangement.common.items()
            if value
        ]
        blocks.append(Table("What all of them share", (Column("key"), Column("value")), tuple(cells)))
    return Section("manifest", "What was measured", tuple(blocks))


def _read(material: Material) -> str:
    observations = material.observations
    left = observations.left_out
    end = (
        "nothing was left out"
        if not left
        else f"{counted(left, 'line, record or file was', 'lines, records or files were')} left out"
    )
    values = counted(len(observations), "value was", "values were")
    return f"{values} read from {counted(len(observations.sources), 'file')}; {end}."


def _levels(source: Comparison | Inspection) -> list[str]:
    return [_native.printable(group) for group in source.arrangement.groups if group]


def _variants(source: Comparison | Inspection, *, compared: bool) -> Table:
    """List the variants with the number of their values and the levels at which they were compared."""
    arrangement = source.arrangement
    values = [0] * len(source.labels)
    files: list[set[int]] = [set() for _ in source.labels]
    for context, variant in zip(source.observations.contexts, arrangement.assignment.variant_of_context, strict=True):
        if variant is not None and context.values:
            values[variant] += context.values
            files[variant].add(context.source)
    rows = []
    for place, label in enumerate(source.labels):
        role = ("baseline" if place == 0 else "contender") if compared else "inspected"
        rows.append(
            (
                Cell(_native.printable(label)),
                Cell(role),
                Cell(f"{len(files[place]):,}", len(files[place])),
                Cell(f"{values[place]:,}", values[place]),
            )
        )
    notes = []
    if arrangement.by:
        notes.append(f"The variants are the levels of {_native.printable(' and '.join(arrangement.by))}.")
    if _levels(source):
        notes.append(f"Compared at each of: {'; '.join(_levels(source))}.")
    notes += [
        f"Nothing was measured of {_native.printable(label)} at {_native.printable(group)}."
        for group, label in arrangement.empty
    ]
    notes += [
        f"Pooled over {_native.printable(key)} ({count:,} values of it)." for key, count in arrangement.pooled.items()
    ]
    heads = (Column("variant"), Column("role"), Column("files", numeric=True), Column("values", numeric=True))
    return Table("Variants", heads, tuple(rows), tuple(notes))


def _folded(table: Table) -> Table | Fold:
    """Fold a long list of files."""
    return Fold(f"Files: {table.total:,}", (table,)) if table.total > _OPEN else table


def _files(source: Comparison | Inspection) -> Table:
    """List every file with the variant, the group and the format of its values."""
    assignment, groups = source.arrangement.assignment, source.arrangement.groups
    of: dict[int, tuple[dict[str, None], dict[str, None]]] = {}
    keyed = zip(source.observations.contexts, assignment.variant_of_context, assignment.group_of_context, strict=True)
    for context, variant, group in keyed:
        if variant is None or not context.values:
            continue
        variants, levels = of.setdefault(context.source, ({}, {}))
        variants[source.labels[variant]] = None
        if groups[group]:
            levels[groups[group]] = None
    rows = []
    for number, each in enumerate(source.observations.sources[:_MOST_FILES]):
        variants, levels = of.get(number, ({}, {}))
        rows.append(
            (
                Cell(_native.printable(each.name.rpartition("/")[2])),
                Cell(_some(list(variants)) or "(not used)"),
                Cell(_some(list(levels))),
                Cell(_native.printable(each.format)),
                Cell(f"{each.values:,}", each.values),
            )
        )
    heads = (Column("file"), Column("variant"), Column("level"), Column("format"), Column("values", numeric=True))
    return Table("Files", heads, tuple(rows), total=len(source.observations.sources)).without_empty()


def _plain_files(material: Material) -> Table:
    rows = [
        (Cell(_native.printable(each.name)), Cell(each.format), Cell(f"{each.values:,}", each.values))
        for each in material.observations.sources[:_MOST_FILES]
    ]
    heads = (Column("file"), Column("format"), Column("values", numeric=True))
    return Table("Files", heads, tuple(rows), total=len(material.observations.sources))


def _some(names: list[str]) -> str:
    return listed((_native.printable(name) for name in names), 3)


_UNITS: Final = {"1": "count", "s": "s", "B": "B", "1/s": "1/s"}
_BY_QUANTITY: Final = {
    "time": "a time",
    "bytes": "an amount of memory",
    "count": "a count",
    "throughput": "a rate",
}
_MOST: Final = 300


def dictionary(material: Material) -> Section | None:
    """Say what every metric is, and every configuration key."""
    observations = material.observations
    names = list(dict.fromkeys(each.format for each in observations.sources if each.values))
    known = formats.by_name()
    lead = "Values are kept in base units (s, B, 1/s, counts). Tables write them with the prefix that suits their size."
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
