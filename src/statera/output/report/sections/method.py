"""The sections on method and on reproduction.

Design, test, correction and margin have their reasons, and assumptions are checked. The command, the versions, the
seeds, the inputs by their SHA-256 and the policy make the report again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.verdicts.inspection import passing_as_normal
from statera.comparison.verdicts.notes import paired_by
from statera.output.report import figures
from statera.output.report.material import inputs, versions
from statera.output.report.model import Cell, Code, Column, Fold, Heading, Item, Items, Prose, Section, Table
from statera.output.views.inspection import p_value
from statera.output.views.texts import note_lines
from statera.support.settings import Policy
from statera.support.settings.file import settings_lines, written

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.weighing.metric_rules import Margin
    from statera.output.report.material import Material
    from statera.output.report.model import Block

_WHY: Final = {
    "paired": "Every value has a partner in the other build (the same {block}). What differs from {block} to {block} "
    "is the work, not the noise, so that pairs are compared, not whole samples: the Wilcoxon signed-rank test on the "
    "differences of each pair, with the Hodges-Lehmann estimate as the typical change and the interval that inverts "
    "the test.",
    "independent": "The values of the two builds are taken as independent runs. Benchmarks are seldom normally "
    "distributed, so that ranks are compared: the Mann-Whitney test, with the Hodges-Lehmann estimate as the typical "
    "change and the interval that inverts the test.",
    "nested": "Values of one process resemble each other and count once: the median stands for the process, and the "
    "processes are compared by the Mann-Whitney test.",
    "series": "Values that follow one another resemble each other, so they are averaged over long batches, whose means "
    "are nearly independent. The means of the batches are compared by Welch's t.",
    "summary": "A file has the mean of its samples, their standard deviation and their number, but not the samples. "
    "The means are compared by Welch's t. On the ratio scale the error of a mean's logarithm is the mean's, divided by "
    "it.",
    "exact": "If all values of a build are equal, as deterministic counts are, any difference is real.",
    "suite": "If a benchmark has one value per build, there is nothing to test: the changes are shown and not judged. "
    "Their spread over the suite shows how much such values vary.",
    "one-sided": "Benchmarks that exist in one build only are listed and not compared.",
}
# Where ranks of so few units cannot decide.
_WHY_FEW: Final = {
    ("paired", "t"): "Of very few pairs ranks cannot decide: the mean of the differences is compared with zero by a "
    "t-test, which assumes a normal distribution.",
    ("independent", "t"): "Of very few runs ranks cannot decide: the means are compared by a t-test, which assumes a "
    "normal distribution. The spread of each benchmark is moderated by that of the others.",
    ("nested", "t"): "Of two or three processes ranks cannot decide: the medians of the processes are compared by a "
    "t-test, which assumes a normal distribution.",
    ("nested", "prediction"): "A single process is compared with the interval in which the spread of the other build's "
    "processes lets one expect it.",
}
_MOST_TESTED: Final = 40
# The fields that name a sample, and their headings.
_NAMES: Final = {"benchmark": "benchmark", "metric": "metric", "group": "level", "variant": "variant"}
# More lines are counted.
_FEW_LINES: Final = 3


def section(material: Material) -> Section | None:
    """Describe how rows were judged, and whether the assumptions of the tests hold."""
    blocks: list[Block] = []
    if material.comparison is not None:
        blocks += _design(material.comparison)
    if material.inspection is not None:
        few = material.comparison is not None and _has_few(material.comparison)
        blocks += _assumptions(material.inspection, alone=not material.questions, few=few)
    return Section("method", "Method", tuple(blocks)) if blocks else None


def _design(comparison: Comparison) -> list[Block]:
    kinds = [(design, how) for design, how, _, _ in comparison.weighing.kinds()]
    policy = comparison.policy
    # The name of a pair: the pairing key, else the harness's own word.
    block = paired_by(comparison.observations, comparison.arrangement.pair)
    why = dict.fromkeys(_WHY_FEW.get((design, how or ""), _WHY[design]).format(block=block) for design, how in kinds)
    correction = (
        f"{comparison.weighing.family:,} p-values make one family, however many are shown: without a correction, one "
        f"in {1 / policy.alpha:.0f} of them would be called a change by chance alone."
    )
    said = [f"In short: {comparison.method}.", *settings_lines(comparison.settings)]
    if comparison.weighing.family > 1:
        said.append(correction)
    said.append(
        "A benchmark is faster or slower where its corrected p is at most alpha, its interval leaves out zero and "
        "reaches beyond the margin. It differs where a build ran in one process, which does not show how processes of "
        "one build differ, or has so few runs that only a t-test decides. It is unchanged where its whole interval "
        "lies within the margin. Otherwise there is no clear change, with the reason and the number of runs that "
        "would settle it."
    )
    blocks: list[Block] = [Prose((*why, *said))]
    blocks.append(_margins(comparison))
    notes = note_lines(comparison.notes)
    if notes:
        blocks += [Heading("Notes"), Items(tuple(Item(line) for line in notes))]
    return blocks


def _margins(comparison: Comparison) -> Table:
    rows = []
    for metric, rule in zip(comparison.observations.metrics, comparison.arrangement.assignment.metrics, strict=True):
        if rule is None:
            continue
        rows.append(
            (
                Cell(_native.printable(metric.name)),
                Cell({"lower": "lower", "higher": "higher", None: "not known"}[rule.better]),
                _margin(rule.margin, metric.unit),
                _margin(rule.margin_exact, metric.unit),
            )
        )
    heads = (
        Column("metric"),
        Column("better"),
        Column("margin", numeric=True),
        Column("margin of exact values", numeric=True),
    )
    note = (
        "A change within the margin is too small to matter. The margin is set before the values are seen. As a ratio "
        "it is as wide downwards as upwards: 2% reaches from −1.96% to +2%."
    )
    return Table("Margins", heads, tuple(rows), (note,))


def _margin(margin: Margin, unit: str) -> Cell:
    amount = margin.amount
    return Cell(f"{amount:.3g} {unit}" if margin.is_absolute else _native.percent(amount).lstrip("+"), amount)


def _has_few(comparison: Comparison) -> bool:
    """Return whether some rows rest on a test of few units, which assumes a normal distribution."""
    return any((design, how) in _WHY_FEW for design, how, _, _ in comparison.weighing.kinds())


def _assumptions(inspection: Inspection, *, alone: bool, few: bool) -> list[Block]:
    """Show the tests of normality, and their consequences."""
    lines = []
    for each in inspection.sections():
        words = passing_as_normal(each.summary, inspection.policy)
        if words:
            name = _native.printable(inspection.observations.metrics[each.metric].name)
            group = _native.printable(inspection.arrangement.groups[each.group])
            lines.append(Item(f"{name}{', ' + group if group else ''}: {words}"))
    table = _normality(inspection)
    if table is None and not lines:
        return []
    rest = "The tests of this report rest on ranks and pairs and assume no normal distribution"
    if few:
        rest = "Tests of very few runs assume a normal distribution; the others rest on ranks and pairs and do not"
    follows = (
        f"{rest}; the tests of normality "
        "below say why that matters here, and whether means and standard deviations would have described the values."
    )
    blocks: list[Block] = [Heading("Assumptions checked"), Prose((follows,))]
    if len(lines) > _FEW_LINES:
        lines = [*lines[:_FEW_LINES], Item(f"And {len(lines) - _FEW_LINES} more; inspection.csv has every test.")]
    blocks.append(Items(tuple(lines)))
    detail: list[Block] = [table] if table is not None else []
    detail += figures.assumptions(inspection, alone=alone)
    return [*blocks, Fold("Tests of normality and normal Q-Q plots", tuple(detail))] if detail else blocks


def _normality(inspection: Inspection) -> Table | None:
    """List Shapiro-Wilk's test of each sample if there are few samples; for many, counts are clearer."""
    if len(inspection) > _MOST_TESTED:
        return None
    rows = []
    for index in range(len(inspection)):
        fields = inspection.native.row_dict(index)
        if fields["normality"] is None:
            continue
        letter = "W" if fields["normality_test"] == "shapiro-wilk" else "A²"
        cells = [Cell(_native.printable(fields[name])) for name in _NAMES]
        for name in ("normality", "log_normality"):
            value = fields[name]
            cells.append(Cell("-" if value is None else f"{letter} {value:.5g}", value))
            cells.append(Cell(p_value(fields[f"{name}_p"]), fields[f"{name}_p"]))
        skew = fields["skewness"]
        rows.append((*cells, Cell("-" if skew is None else f"{skew:+.2f}".replace("-", "−"), skew)))
    if not rows:
        return None
    heads = [Column(name) for name in _NAMES.values()]
    heads += [
        Column(name, numeric=True)
        for name in ("normality", "p", "of the logarithms", "p of the logarithms", "skewness")
    ]
    # Something must name the row.
    telling = [place for place in range(len(_NAMES)) if len({row[place].text for row in rows}) > 1] or [0]
    table = Table("Shapiro-Wilk's test of normality", tuple(heads), tuple(rows))
    return table.with_columns([*telling, *range(len(_NAMES), len(heads))])


def reproduction(material: Material) -> Section | None:
    """Describe how to reproduce this report."""
    blocks: list[Block] = []
    if material.command:
        blocks += [Prose(("This command made the report:",)), Code(_native.printable(material.command))]
    seed = material.policy.seed
    blocks.append(Prose((f"Everything random (bootstrap, relabelings) starts from the seed {seed}.",)))
    rows = [(Cell(name), Cell(_native.printable(value))) for name, value in versions()]
    blocks.append(Table("Versions", (Column("what"), Column("version")), tuple(rows)))
    blocks += [
        Fold("Inputs and their SHA-256", (_inputs(material),)),
        *(Prose((line,)) for line in settings_lines(material.settings)),
    ]
    blocks.append(Fold("Every setting", (_policy(material.policy),)))
    return Section("reproduction", "Reproduction", tuple(blocks))


def _inputs(material: Material) -> Table:
    rows = []
    for each in inputs(material.observations):
        size = "-" if each.size is None else f"{each.size:,}"
        rows.append(
            (Cell(_native.printable(each.name)), Cell(size, each.size), Cell(each.sha256 or "cannot be read again"))
        )
    heads = (Column("file"), Column("bytes", numeric=True), Column("SHA-256"))
    return Table("Inputs", heads, tuple(rows))


def _policy(policy: Policy) -> Table:
    """List every threshold; a column of defaults appears only if one was changed."""
    default = Policy()
    rows = []
    for name, value in policy._asdict().items():
        usual = getattr(default, name)
        rows.append(
            (Cell(name), Cell(written(value)), Cell("" if value == usual else f"not the default, {written(usual)}"))
        )
    heads = (Column("setting"), Column("value"), Column("remark"))
    note = "docs/settings.md gives the reason of each."
    return Table("Policy", heads, tuple(rows), (note,)).without_empty()
