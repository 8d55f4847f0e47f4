"""Each sample by itself: whether it can be compared, what was left out of reading, and the normality atlas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.verdicts.inspection import ADVICE, grades, passing_as_normal
from statera.output.plots import raw_values
from statera.output.report import figures
from statera.output.report.material import by_metric
from statera.output.report.model import (
    Attachment,
    Cell,
    Column,
    Fold,
    Heading,
    Item,
    Items,
    Prose,
    Section,
    Table,
    Tone,
)
from statera.output.views import json
from statera.output.views.inspection import p_value
from statera.support.wording import counted, form, shown

if TYPE_CHECKING:
    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.output.plots.raw_values import Shape
    from statera.output.report.material import Material
    from statera.output.report.model import Block

_MOST_ROWS: Final = 500
_FEW: Final = 12
_MOST_PROBLEMS: Final = 50
GRADE_TONES: Final[dict[str, Tone]] = {
    "fit": "equivalent",
    "noisy": "inconclusive",
    "doubtful": "doubtful",
    "unfit": "unfit",
}
_ON_PHONES: Final = ("benchmark", "variant", "median", "detects", "verdict")
_TEXTS: Final = ("benchmark", "variant", "verdict")
_SKIPPED: Final = "short verdict"
# What the columns of the samples mean, where their names do not say it.
_MEANINGS: Final = {
    "IQR": "IQR is the distance between the quartiles, relative to the median",
    "normal p": "normal p is that of a test of normality",
    "skew": "skew is the skewness",
    "modes": "modes are the peaks of the density",
    "ICC": "ICC is the share of the variance that lies between runs",
    "detects": "detects is the smallest change that so many runs per build would detect",
    "runs for 1 / 2 / 5%": "runs for 1 / 2 / 5% is how many per build would detect changes of that size",
}


def section(material: Material) -> Section | None:
    """Describe the quality of the values."""
    blocks: list[Block] = []
    inspection = material.inspection
    if inspection is not None:
        # Of results without a comparison the summary states them.
        if material.questions:
            blocks.append(Items(tuple(Item(_native.printable(line)) for line in inspection.findings)))
        blocks += _defects(inspection)
        # In a suite with one value a side every row would only say so; the count above states it once.
        tables = [
            _sample_table(inspection, each) for each in inspection.sections() if not _all_too_few(inspection, each)
        ]
        tables = [*map(_explained, tables[:1]), *tables[1:]]
        if material.questions:
            rows = sum(len(table.rows) for table in tables)
            title = f"Each sample alone: {counted(rows, 'row')}"
            pictures = figures.quality(inspection, alone=False)
            blocks += [Fold(title, tuple(tables))] if tables else []
            blocks += [Fold("The samples with the most serious defects", tuple(pictures))] if pictures else []
        else:
            blocks += [*tables, *figures.quality(inspection, alone=True)]
        name = "inspection.csv"
        blocks.append(
            Attachment(
                name, json.inspection_table(inspection).encode(), "text/csv", "every sample with all its numbers"
            )
        )
    blocks += _problems(material)
    return Section("quality", "Data quality", tuple(blocks)) if blocks else None


def _all_too_few(inspection: Inspection, rows: InspectedSection) -> bool:
    counts = dict(inspection.native.defect_counts(rows.rows))
    return len(rows.rows) > _FEW and counts.get("too-few") == len(rows.rows)


def _defects(inspection: Inspection) -> list[Block]:
    counts = inspection.native.defect_counts(list(range(len(inspection))))
    rows = tuple((Cell(code), Cell(f"{count:,}", count), Cell(ADVICE[code])) for code, count in counts if count)
    if not rows:
        return []
    heads = (Column("defect"), Column("samples", numeric=True), Column("advice"))
    return [Table("Defects", heads, rows)]


def _sample_table(inspection: Inspection, rows: InspectedSection) -> Table:
    native = inspection.native
    order = native.order(rows.rows, "defects")[:_MOST_ROWS]
    heads = native.headings()
    cells, marks = native.cells(order), native.grades(order)
    several = len({row[heads.index("benchmark")] for row in cells}) > 1 or len(inspection.labels) == 1
    keep = [
        place
        for place, name in enumerate(heads)
        if name != _SKIPPED
        and (name != "variant" or len(inspection.labels) > 1)
        and (name != "benchmark" or several)
        and (name in _TEXTS or any(row[place] is not None for row in cells))
    ]
    columns = (
        *(
            Column(heads[place], numeric=heads[place] not in _TEXTS, minor=heads[place] not in _ON_PHONES)
            for place in keep
        ),
        Column("remark", minor=True),
    )
    body = []
    for index, row, (grade, _) in zip(order, cells, marks, strict=True):
        keys = _keys(native.row_dict(index))
        made = []
        for place in keep:
            chip = heads[place] == "verdict"
            text = grade if chip else shown(row[place])
            made.append(Cell(text, keys.get(heads[place]), GRADE_TONES[grade] if chip else "", chip=chip))
        why = shown(row[heads.index("verdict")]).removeprefix(grade).lstrip(": ")
        body.append((*made, Cell(why)))
    name = _native.printable(inspection.observations.metrics[rows.metric].name)
    group = _native.printable(inspection.arrangement.groups[rows.group])
    note = f"Grades: {grades(rows.summary)}."
    title = f"{name}{', ' + group if group else ''}: each sample alone"
    return Table(title, columns, tuple(body), (note,), len(rows.rows), "inspection.csv").without_empty()


def _explained(table: Table) -> Table:
    """Say below a table what its columns mean; those of the tables below it mean the same."""
    said = [_MEANINGS[column.name] for column in table.columns if column.name in _MEANINGS]
    return replace(table, notes=(*table.notes, f"{', '.join(said)}.")) if said else table


def _keys(fields: dict[str, float | None]) -> dict[str, float | None]:
    """Return the sort keys of each column."""
    names = {
        "n": "n",
        "median": "centre",
        "IQR": "iqr",
        "normal p": "normality_p",
        "skew": "skewness",
        "modes": "modes",
        "ICC": "icc",
        "detects": "detectable",
        "runs for 1 / 2 / 5%": "runs_for_1",
    }
    return {column: fields[name] for column, name in names.items()}


def _problems(material: Material) -> list[Block]:
    """List what was left out of reading, with file and line."""
    observations = material.observations
    losing = [each for each in observations.problems if each.code in observations.left_out_by_code]
    if not losing:
        return []
    rows = tuple(
        (
            Cell(_native.printable(f"{each.source.rpartition('/')[2]}:{each.line}" if each.line else each.source)),
            Cell(each.code),
            Cell(_native.printable(each.what)),
            Cell(_native.printable(each.hint)),
        )
        for each in losing[:_MOST_PROBLEMS]
    )
    heads = tuple(Column(name) for name in ("place", "kind", "what is wrong", "how to mend it"))
    left = counted(observations.left_out, "line, record or file", "lines, records or files")
    were = form(observations.left_out, "was", "were")
    said = f"{left} that could have held results {were} left out."
    return [
        Heading("Left out of reading"),
        Prose((said,)),
        Table("Problems", heads, rows, total=observations.left_out),
    ]


_ATLAS_LEAD: Final = (
    "A test that rests on means and standard deviations assumes that the compared values are normally distributed. "
    "If a run has several values, it counts once, with their median or their average. This section shows the "
    "distribution of both over the runs. Statera's own tests do not need this assumption."
)
_NAMES: Final = ("benchmark", "level", "variant")


def atlas(material: Material) -> Section | None:
    """Show the shape of every sample, if nothing was compared or the atlas was requested."""
    inspection = material.shapes_of
    if inspection is None:
        return None
    found = {metric: raw_values.shapes(inspection, metric) for metric in by_metric(inspection)}
    blocks: list[Block] = [
        Prose((_ATLAS_LEAD,)),
        Items(tuple(Item(line) for line in _normality_lines(inspection, found))),
    ]
    blocks += [table for metric, shapes in found.items() if (table := _normality_table(inspection, metric, shapes))]
    pictures = figures.atlas(inspection)
    if not pictures:
        return None
    blocks += _left_out(inspection)
    blocks += [Fold("The pictures of every benchmark", tuple(pictures))] if material.questions else pictures
    return Section("atlas", "Normality atlas", tuple(blocks))


def normality_shares(material: Material) -> list[Block]:
    """Write for the summary which share of the benchmarks is normal, if there is an atlas."""
    inspection = material.shapes_of
    if inspection is None:
        return []
    found = {metric: raw_values.shapes(inspection, metric) for metric in by_metric(inspection)}
    lines = _normality_lines(inspection, found)
    return [Prose(("How many benchmarks are normally distributed:",)), Items(tuple(map(Item, lines)))] if lines else []


def _normality_lines(inspection: Inspection, found: dict[int, list[Shape]]) -> list[str]:
    """Write how many samples pass, metric by metric: medians of the runs, then averages, then values."""
    lines = []
    for metric, shapes in found.items():
        name = _native.printable(inspection.observations.metrics[metric].name)
        for share in raw_values.shares(shapes, inspection.policy.alpha):
            # The same words as in an inspection, which has them only for its own samples.
            counts = {"tested": share.tested, "normal": share.normal, "large": share.large, "log_tested": 0}
            words = passing_as_normal(counts, inspection.policy)
            if not words:
                passes = "passes" if share.normal else "does not pass"
                words = f"the only sample {passes} at {inspection.policy.alpha:g}"
            lines.append(f"{name}, {share.of}: {words}.")
    return lines


def _normality_table(inspection: Inspection, metric: int, shapes: list[Shape]) -> Table | None:
    """List statistic and p of every sample, with the samples of a series in one row."""
    rows: dict[tuple[int, int, int], dict[str, Shape]] = {}
    for each in shapes:
        if each.p is not None:
            series = each.series
            rows.setdefault((series.benchmark, series.group, series.variant), {})[each.of] = each
    kinds = [
        of
        for of in (raw_values.MEDIANS, raw_values.AVERAGES, raw_values.VALUES)
        if any(of in row for row in rows.values())
    ]
    if not rows:
        return None
    heads = [*(Column(name) for name in _NAMES)]
    for of in kinds:
        heads += [Column(of, numeric=True), Column(f"p ({of.partition(' ')[0]})", numeric=True)]
    names = inspection.observations.benchmarks, inspection.arrangement.groups, inspection.labels
    body = []
    for key, row in list(rows.items())[:_MOST_ROWS]:
        words = [Cell(_native.printable(of[place])) for of, place in zip(names, key, strict=True)]
        body.append((*words, *(cell for of in kinds for cell in _cells(row.get(of), inspection.policy.alpha))))
    # Variant and level are shown only if they distinguish rows.
    several = [place for place in range(1, len(_NAMES)) if len({row[place].text for row in body}) > 1]
    title = f"Tests of normality: {_native.printable(inspection.observations.metrics[metric].name)}"
    table = Table(title, tuple(heads), tuple(body), total=len(rows))
    return table.with_columns([0, *several, *range(len(_NAMES), len(heads))])


def _cells(shape: Shape | None, alpha: float) -> tuple[Cell, Cell]:
    if shape is None or shape.statistic is None or shape.p is None:
        return Cell("-"), Cell("-")
    tone: Tone = "doubtful" if shape.p < alpha else ""
    return Cell(f"{shape.letter} {shape.statistic:.5g}", shape.statistic), Cell(p_value(shape.p), shape.p, tone)


def _left_out(inspection: Inspection) -> list[Block]:
    """Write which benchmarks have no picture, if there are more than an atlas holds."""
    said = []
    for metric, (drawn, held) in figures.atlas_benchmarks(inspection).items():
        if len(drawn) < held:
            name = _native.printable(inspection.observations.metrics[metric].name)
            which = f"the first {len(drawn):,} of {held:,}" if drawn else f"none of {held:,}"
            said.append(f"{name}: the pictures show {which} benchmarks; --benchmark and --metric name others.")
    return [Prose(tuple(said))] if said else []
