"""The section on normality: pictures and tests of every benchmark, with medians beside averages of the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.verdicts.inspection import passing_as_normal
from statera.output.plots import runs
from statera.output.report import figures
from statera.output.report.model import Cell, Column, Fold, Item, Items, Prose, Section, Table
from statera.output.views.inspection_detail import p_value

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.output.plots.runs import Shape
    from statera.output.report.material import Material
    from statera.output.report.model import Block, Tone

_MOST_ROWS: Final = 500
_LEAD: Final = (
    "A test that rests on means and standard deviations assumes that the compared values are normally distributed. "
    "If a run has several values, it counts once, with their median or their average; this section shows the "
    "distribution of both over the runs. Statera's own tests do not need this assumption."
)
_TEXTS: Final = ("benchmark", "level", "variant")


def section(material: Material) -> Section | None:
    """Show the shape of every sample, if nothing was compared or the atlas was requested."""
    inspection = material.inspection
    if inspection is None or not (material.atlas or not material.questions):
        return None
    found = {metric: runs.shapes(inspection, metric) for metric in figures.metrics(inspection)}
    blocks: list[Block] = [Prose((_LEAD,)), Items(tuple(Item(line) for line in _lines(inspection, found)))]
    blocks += [table for metric, shapes in found.items() if (table := _table(inspection, metric, shapes))]
    pictures = figures.atlas(inspection)
    if not pictures:
        return None
    blocks += _left_out(inspection)
    blocks += [Fold("The pictures of every benchmark", tuple(pictures))] if material.questions else pictures
    return Section("atlas", "Normality atlas", tuple(blocks))


def shares(material: Material) -> list[Block]:
    """Write for the summary which share of the benchmarks is normal, if there is an atlas."""
    inspection = material.inspection
    if inspection is None or not (material.atlas or not material.questions):
        return []
    found = {metric: runs.shapes(inspection, metric) for metric in figures.metrics(inspection)}
    lines = _lines(inspection, found)
    return [Prose(("How many benchmarks are normally distributed:",)), Items(tuple(map(Item, lines)))] if lines else []


def _lines(inspection: Inspection, found: dict[int, list[Shape]]) -> list[str]:
    """Write how many samples pass, metric by metric: medians of the runs, then averages, then values."""
    lines = []
    for metric, shapes in found.items():
        name = _native.printable(inspection.observations.metrics[metric].name)
        for share in runs.shares(shapes, inspection.policy.alpha):
            # The same words as in an inspection, which has them only for its own samples.
            counts = {"tested": share.tested, "normal": share.normal, "large": share.large, "log_tested": 0}
            words = passing_as_normal(counts, inspection.policy)
            if not words:
                passes = "passes" if share.normal else "does not pass"
                words = f"the only sample {passes} at {inspection.policy.alpha:g}"
            lines.append(f"{name}, {share.of}: {words}.")
    return lines


def _table(inspection: Inspection, metric: int, shapes: list[Shape]) -> Table | None:
    """List statistic and p of every sample, with the samples of a series in one row."""
    rows: dict[tuple[int, int, int], dict[str, Shape]] = {}
    for each in shapes:
        if each.p is not None:
            series = each.series
            rows.setdefault((series.benchmark, series.group, series.variant), {})[each.of] = each
    kinds = [of for of in (runs.MEDIANS, runs.AVERAGES, runs.VALUES) if any(of in row for row in rows.values())]
    if not rows:
        return None
    heads = [*(Column(name) for name in _TEXTS)]
    for of in kinds:
        heads += [Column(of, numeric=True), Column(f"p ({of.partition(' ')[0]})", numeric=True)]
    names = inspection.observations.benchmarks, inspection.arrangement.groups, inspection.labels
    body = []
    for key, row in list(rows.items())[:_MOST_ROWS]:
        words = [Cell(_native.printable(of[place])) for of, place in zip(names, key, strict=True)]
        body.append((*words, *(cell for of in kinds for cell in _cells(row.get(of), inspection.policy.alpha))))
    # Variant and level are shown only if they distinguish rows.
    several = [place > 0 and len({row[place].text for row in body}) > 1 for place in range(len(_TEXTS))]
    keep = [place for place in range(len(heads)) if place == 0 or place >= len(_TEXTS) or several[place]]
    title = f"Tests of normality: {_native.printable(inspection.observations.metrics[metric].name)}"
    picked = tuple(tuple(row[place] for place in keep) for row in body)
    return Table(title, tuple(heads[place] for place in keep), picked, total=len(rows))


def _cells(shape: Shape | None, alpha: float) -> tuple[Cell, Cell]:
    if shape is None or shape.statistic is None or shape.p is None:
        return Cell("-"), Cell("-")
    tone: Tone = "doubtful" if shape.p < alpha else ""
    return Cell(f"{shape.letter} {shape.statistic:.5g}", shape.statistic), Cell(p_value(shape.p), shape.p, tone)


def _left_out(inspection: Inspection) -> list[Block]:
    """Write which benchmarks have no picture, if there are more than an atlas holds."""
    said = []
    for metric, (shown, held) in figures.atlas_benchmarks(inspection).items():
        if len(shown) < held:
            name = _native.printable(inspection.observations.metrics[metric].name)
            which = f"the first {len(shown):,} of {held:,}" if shown else f"none of {held:,}"
            said.append(f"{name}: the pictures show {which} benchmarks; --benchmark and --metric name others.")
    return [Prose(tuple(said))] if said else []
