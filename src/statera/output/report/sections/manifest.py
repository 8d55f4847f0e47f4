"""The manifest: variants, their levels of factors, files, environments and revisions, and their differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.pairing.keys import MACHINE_KEYS
from statera.output.report.model import Cell, Column, Fold, Prose, Section, Table
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.output.report.material import Material
    from statera.output.report.model import Block

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


def _some(names: list[str], most: int = 3) -> str:
    return listed((_native.printable(name) for name in names), most)
