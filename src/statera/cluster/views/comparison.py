"""A comparison of runs as text, Markdown, CSV and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera import _native
from statera.cluster.comparison import OF_RUN, ONE_RUN, PREDICTED, document
from statera.cluster.manifest import facts
from statera.cluster.metrics import SECTIONS
from statera.cluster.numbers import percent
from statera.cluster.sentences import undecided, worst_first
from statera.cluster.summary import warnings_of_variant
from statera.cluster.views.tables import BOLD, Table, fitted, in_markdown, markdown_list, plain, prose, shortened
from statera.comparison.codes import LOSSES, OF
from statera.comparison.verdicts import correction
from statera.output.views import csv
from statera.output.views import json as document_of
from statera.output.views.terminal import folded
from statera.support.settings.provenance import settings_lines
from statera.support.wording import conjoined, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.cluster.comparison import Change, ClusterComparison
    from statera.cluster.metrics import Metric
    from statera.cluster.numbers import RowUnit
    from statera.cluster.observations import Variant


# Notes that the tables already show, or that have other words for a cluster.
_MOST_CHANGES = 12
WITHIN = f"* {ONE_RUN}: within the margin for these runs, which does not show that two builds are equal."
"""The note on rows that are inconclusive because a side has one run, and its mark."""
_SAID = frozenset({"one-process", "pairs-dropped", "paired", "configuration-differs"})


class Look(NamedTuple):
    """The selection and order of rows."""

    sort: str = "report"  # ``report`` (the order of the report), ``effect``, ``p`` or ``worst``
    changed: bool = False  # whether only rows that changed are shown

    def order(self, comparison: ClusterComparison) -> list[int]:
        """Return the numbers of the selected rows, in order."""
        compared = comparison.comparison
        return (
            [] if compared is None else compared.weighing.order(list(range(len(compared))), self.of_rows, self.changed)
        )

    @property
    def of_rows(self) -> str:
        """The order of the rows, as ``Weighing.order`` names it."""
        return "file" if self.sort == "report" else self.sort

    @property
    def whole(self) -> bool:
        """Whether all rows are shown in the order of the report."""
        return self == Look()


def manifest(comparison: ClusterComparison) -> Table:
    """Return the table of the manifest, one column a variant; values that no run states have no row."""
    rows = facts([[run.summary for run in variant.runs] for variant in comparison.variants])
    heading = ["", *(variant.label for variant in comparison.variants)]
    return Table("Manifest", [heading, *([fact.title, *fact.cells] for fact in rows if fact.known)])


def against(comparison: ClusterComparison, number: int) -> str:
    """Write which variants a pair compares."""
    base, other = comparison.pairs[number]
    return f"{comparison.variants[base].label} (baseline) against {comparison.variants[other].label}"


def tables(comparison: ClusterComparison, number: int, look: Look | None = None) -> list[Table]:
    """Return the five tables of the report for a pair of variants, and a last one with all other metrics."""
    of = {row.metric.key: row.cells[number] for row in comparison.rows}
    shown = set()
    found = []
    for section in SECTIONS:
        metrics = [*section.metrics, *section.extra]
        shown |= {metric.key for metric in metrics}
        cells = [of[metric.key] for metric in metrics if metric.key in of]
        extra = {metric.key for metric in section.extra}
        found.append(table(comparison, f"{section.number} {section.title}", cells, look, extra))
    rest = [cell for key, cell in of.items() if key not in shown]
    found.append(table(comparison, "Beyond the report's tables", rest, look))
    return [each for each in found if len(each.rows) > 1]


def table(
    comparison: ClusterComparison,
    title: str,
    cells: Sequence[Change],
    look: Look | None = None,
    extra: Iterable[str] = (),
) -> Table:
    """Return a table of the changes of one pair of variants; rows of the ``extra`` metrics are marked."""
    look = look or Look()
    if not look.whole:
        at = {place: number for number, place in enumerate(look.order(comparison))}
        cells = sorted((cell for cell in cells if cell.place in at), key=lambda cell: at[cell.place or 0])
    shared = shared_rider(cells)
    lines = [line(cell, "+" if cell.metric.key in extra else "", shared) for cell in cells]
    verdicts = tuple(cell.verdict for cell in cells)
    title = f"{title} {shared}".rstrip()
    return Table(title, [heading(cells[0].base, cells[0].other), *lines] if cells else [], verdicts)


def shared_rider(cells: Sequence[Change]) -> str:
    """Return the qualification that all verdicts of a table share, so that its title states it once; else nothing."""
    riders = {cell.rider for cell in cells if cell.rider}
    return riders.pop() if len(riders) == 1 else ""


def heading(base: Variant, other: Variant) -> list[str]:
    """Return the heading of a table of a contender against a baseline."""
    return ["", base.label, "n", other.label, "n", "Δ", "Δ%", "interval of Δ", "verdict"]


def line(cell: Change, mark: str = "", left_out: str = "") -> list[str]:
    """Return the cells of the row of a metric; the title of the table states the qualification that is left out."""
    unit = cell.written
    return [
        f"{mark}{title(cell.metric, unit)}",
        unit.amount(cell.before.mean),
        f"{cell.before.n:,}",
        unit.amount(cell.side.mean),
        f"{cell.side.n:,}",
        unit.difference(cell.delta),
        percent(cell.delta_percent),
        unit.interval(cell.low, cell.high),
        verdict(cell, left_out),
    ]


def verdict(cell: Change, left_out: str) -> str:
    """Return the verdict of a row without the qualification that stands elsewhere; a mark stands for a single run."""
    words = cell.words.removesuffix(left_out).rstrip()
    return f"{words.removesuffix(f': {ONE_RUN}')} {WITHIN[0]}" if cell.reason == ONE_RUN else words


def title(metric: Metric, unit: RowUnit) -> str:
    """Return the title of the row of a metric, with the unit of its numbers."""
    return f"{metric.title}, {unit.name}"


def changes(comparison: ClusterComparison, number: int) -> Table:
    """Return the table of what changed in a pair of variants, the worst first; it has no rows if nothing did."""
    found = worst_first(comparison, number)
    return table(comparison, f"Changed, the worst first{_more(len(found))}", found[:_MOST_CHANGES])


def _more(count: int) -> str:
    return f" ({_MOST_CHANGES} of {count}; --changed shows all)" if count > _MOST_CHANGES else ""


def findings(comparison: ClusterComparison, number: int) -> list[str]:
    """Return what the answer and the changes leave open, in sentences."""
    return [sentence for sentence, _ in undecided(comparison, number)]


def differing(comparison: ClusterComparison) -> list[str]:
    """Return a sentence on the chosen properties of the runs that differ; none if they are the same."""
    rows = facts([[run.summary for run in variant.runs] for variant in comparison.variants])
    found = [fact.title for fact in rows if any(fact.differs)]
    return [f"The runs also differ in: {conjoined(found)}."] if found else []


def notes(comparison: ClusterComparison) -> list[str]:
    """Return the notes below the tables: what the numbers are, and how rows were tested."""
    return [
        "Cells are means over all samples; n is the number of samples. + marks rows that older reports do not have.",
        judged(comparison),
        (
            "Where a side has several runs, the unit of a test is the run. With a single run a side, it is a batch of "
            "blocks for metrics of blocks, and otherwise the host, paired in both runs."
        ),
        *remarks(comparison),
    ]


def judged(comparison: ClusterComparison) -> str:
    """Describe the level of the intervals and the correction of p-values."""
    policy, compared = comparison.settings.policy, comparison.comparison
    how = "" if compared is None else f"; p-values of all rows are {correction(compared.weighing, policy)}"
    return f"Intervals of Δ at {policy.level} %{how}."


def remarks(comparison: ClusterComparison) -> list[str]:
    """Return the warnings on rows, the settings that differ from their defaults, and the warnings of the runs."""
    cells = [cell for row in comparison.rows for cell in row.cells]
    lines = []
    if any(cell.of_one_run for cell in cells):
        lines.append(
            "(one run each): a row that differs does so between these runs only, which may be no more than runs of one "
            "build differ; repeat the runs, or add earlier runs of the baseline's build with --baseline-runs."
        )
    if any(cell.reason == ONE_RUN for cell in cells):
        lines.append(WITHIN)
    if any(cell.predicted for cell in cells):
        lines.append(PREDICTED)
    if any(cell.verdict == "one-value" for cell in cells):
        lines.append(OF_RUN)
    if any(cell.row is not None and "pairs-dropped" in cell.row.warnings for cell in cells):
        lines.append("Hosts that only one side has enter the mean of that side, but not the differences of hosts.")
    compared = comparison.comparison
    noted = [] if compared is None else [note.text for note in compared.notes if note.code not in _SAID]
    return lines + noted + settings_lines(comparison.settings) + warnings(comparison)


def warnings(comparison: ClusterComparison) -> list[str]:
    """Return the warnings of each variant, in a line."""
    return [line for line in map(_warning, comparison.variants) if line]


def _warning(variant: Variant) -> str:
    found = warnings_of_variant([run.summary for run in variant.runs])
    return f"{variant.label}: {listed(found, 3, between='; ', last='; and ')}" if found else ""


def compared(
    comparison: ClusterComparison,
    kind: str,
    look: Look,
    *,
    width: int | None = None,
    colour: bool = False,
    raw: bool = False,
) -> str:
    """Write a comparison as ``kind``: terminal, markdown, csv or json."""
    if kind == "csv":
        return comma(comparison, look, raw=raw)
    if kind == "json":
        return json(comparison, look)
    if kind == "markdown":
        return markdown(comparison, look)
    return terminal(comparison, look, width=width, colour=colour)


def terminal(
    comparison: ClusterComparison, look: Look | None = None, *, width: int | None = None, colour: bool = False
) -> str:
    """Write a comparison as plain text for terminals: the answer, what changed, all tables, the manifest, notes."""
    look = look or Look()
    several = len(comparison.pairs) > 1
    parts = [headline(comparison, width=width, colour=colour)]
    for number, _ in enumerate(comparison.pairs):
        parts += _pair(comparison, number, look, several=several, width=width, colour=colour)
    parts.append(plain(shortened(manifest(comparison), width), colour=colour))
    parts.append(prose(notes(comparison), width))
    return "\n".join(part for part in parts if part)


def _pair(
    comparison: ClusterComparison, number: int, look: Look, *, several: bool, width: int | None, colour: bool
) -> list[str]:
    """Write a pair of variants: what changed, what is open, and the tables."""
    bold, end = BOLD if colour else ("", "")
    parts = [f"{bold}{folded(_native.printable(against(comparison, number)), width)}{end}\n"] if several else []
    first = changes(comparison, number) if look.whole else None
    if first is not None and first.rows:
        parts.append(plain(fitted(first, width), colour=colour))
    parts.append(prose(findings(comparison, number), width))
    return parts + [plain(fitted(table, width), colour=colour) for table in tables(comparison, number, look)]


def headline(comparison: ClusterComparison, *, width: int | None, colour: bool) -> str:
    """Write the answer, what is compared, and in what else the runs differ."""
    answer = comparison.answer
    bad = not answer.counts.keys().isdisjoint(LOSSES)
    bold, end = (OF["worse"].ansi if bad else BOLD[0], BOLD[1]) if colour else ("", "")
    pairs = [against(comparison, number) for number, _ in enumerate(comparison.pairs)]
    lines = [*(pairs if len(pairs) == 1 else []), *differing(comparison)]
    return f"{bold}{folded(_native.printable(answer.line), width)}{end}\n{prose(lines, width)}"


def markdown(comparison: ClusterComparison, look: Look | None = None) -> str:
    """Write a comparison as Markdown, in the order of the terminal."""
    look = look or Look()
    parts = [f"**{_native.markdown_text(comparison.answer.line)}**\n\n", markdown_list(differing(comparison))]
    for number, _ in enumerate(comparison.pairs):
        if len(comparison.pairs) > 1:
            parts.append(f"## {_native.markdown_text(against(comparison, number))}\n\n")
        first = changes(comparison, number)
        if look.whole and first.rows:
            parts.append(f"{in_markdown(first)}\n")
        parts.append(markdown_list(findings(comparison, number)))
        parts += [f"{in_markdown(table)}\n" for table in tables(comparison, number, look)]
    return "".join([*parts, f"{in_markdown(manifest(comparison))}\n", markdown_list(notes(comparison))])


def comma(comparison: ClusterComparison, look: Look | None = None, *, raw: bool = False) -> str:
    """Write the rows as CSV, with numbers in full precision."""
    look = look or Look()
    compared = comparison.comparison
    return "" if compared is None else csv.text(compared, look.of_rows, changed=look.changed, raw=raw)


def json(comparison: ClusterComparison, look: Look | None = None) -> str:
    """Write the common JSON document with the additional keys of a cluster, with numbers in full precision."""
    look = look or Look()
    compared = comparison.comparison
    if compared is None:
        return ""
    return document_of.text(compared, look.of_rows, changed=look.changed, more=document(comparison))
