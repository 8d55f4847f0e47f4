"""A comparison of runs as text, Markdown, CSV and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.cluster.comparison import OF_RUN, ONE_RUN, PREDICTED, document, undecided, worst_first
from statera.cluster.metrics import in_sections
from statera.cluster.numbers import percent
from statera.cluster.observations import MEAN, PERCENTILES, facts
from statera.cluster.summary import warnings_of_variant
from statera.cluster.views.tables import BOLD, Table, in_markdown, plain
from statera.comparison.codes import LOSSES, OF
from statera.comparison.verdicts import correction
from statera.output.views import Layout
from statera.output.views import json as document_of
from statera.output.views.texts import folded
from statera.support.settings.file import settings_lines
from statera.support.wording import conjoined, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.cluster.comparison import Change, ClusterComparison
    from statera.cluster.metrics import Metric
    from statera.cluster.numbers import RowUnit
    from statera.cluster.views.tables import Block


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


WHOLE: Final = Look()


def manifest(comparison: ClusterComparison) -> Table:
    """Return the table of the manifest, one column a variant; values that no run states have no row."""
    rows = facts(comparison.summaries)
    heading = ["", *(variant.label for variant in comparison.variants)]
    return Table("Manifest", [heading, *([fact.title, *fact.cells] for fact in rows if fact.known)])


def against(comparison: ClusterComparison, number: int) -> str:
    """Write which variants a pair compares."""
    base, other = comparison.pairs[number]
    return f"{comparison.variants[base].label} (baseline) against {comparison.variants[other].label}"


def tables(comparison: ClusterComparison, number: int, look: Look = WHOLE) -> list[Table]:
    """Return the five tables of the report for a pair of variants, and a last one with all other metrics."""
    found = []
    for section, cells in in_sections({row.metric.key: row.cells[number] for row in comparison.rows}):
        called = f"{section.number} {section.title}" if section else "Beyond the report's tables"
        extra = [cell.metric.key for cell, is_extra in cells if is_extra]
        found.append(table(comparison, called, [cell for cell, _ in cells], look, extra))
    return [each for each in found if len(each.rows) > 1]


def table(
    comparison: ClusterComparison, title: str, cells: Sequence[Change], look: Look = WHOLE, extra: Iterable[str] = ()
) -> Table:
    """Return a table of the changes of one pair of variants; rows of the ``extra`` metrics are marked."""
    if look != WHOLE:
        at = {place: number for number, place in enumerate(look.order(comparison))}
        cells = sorted((cell for cell in cells if cell.place in at), key=lambda cell: at[cell.place or 0])
    shared = shared_rider(cells)
    lines = [line(cell, "+" if cell.metric.key in extra else "", shared) for cell in cells]
    verdicts = tuple(cell.verdict for cell in cells)
    title = f"{title} {shared}".rstrip()
    if not cells:
        return Table(title, [])
    base, other = cells[0].base.label, cells[0].other.label
    return Table(title, [["", base, "n", other, "n", "Δ", "Δ%", "interval of Δ", "verdict"], *lines], verdicts)


def shared_rider(cells: Sequence[Change]) -> str:
    """Return the qualification that all verdicts of a table share, so that its title states it once; else nothing."""
    riders = {cell.rider for cell in cells if cell.rider}
    return riders.pop() if len(riders) == 1 else ""


def line(cell: Change, mark: str = "", left_out: str = "") -> list[str]:
    """Return the cells of the row of a metric; the title of the table states the qualification that is left out."""
    unit = cell.written
    return [
        f"{mark}{title(cell.metric, unit, cell.percentile)}", unit.amount(cell.before.mean), f"{cell.before.n:,}",
        unit.amount(cell.side.mean), f"{cell.side.n:,}", unit.difference(cell.delta), percent(cell.delta_percent),
        unit.interval(cell.low, cell.high), verdict(cell, left_out),
    ]  # fmt: skip


def verdict(cell: Change, left_out: str) -> str:
    """Return the verdict of a row without the qualification that stands elsewhere; a mark stands for a single run."""
    words = cell.words.removesuffix(left_out).rstrip()
    return f"{words.removesuffix(f': {ONE_RUN}')} {WITHIN[0]}" if cell.reason == ONE_RUN else words


def title(metric: Metric, unit: RowUnit, percentile: str = MEAN) -> str:
    """Return the title of the row of a metric, with the unit of its numbers."""
    return ", ".join(part for part in (metric.title, percentile, unit.name) if part)


def changes(comparison: ClusterComparison, number: int) -> Table:
    """Return the table of what changed in a pair of variants, the worst first; it has no rows if nothing did."""
    found = worst_first(comparison, number)
    more = f" ({_MOST_CHANGES} of {len(found)}; --changed shows all)" if len(found) > _MOST_CHANGES else ""
    return table(comparison, f"Changed, the worst first{more}", found[:_MOST_CHANGES])


def percentiles(comparison: ClusterComparison, number: int) -> Table:
    """Return the table of the percentiles of each metric that changed in a pair of variants; it has no rows if none."""
    lines = []
    for metric in dict.fromkeys(cell.metric for cell in worst_first(comparison, number)):
        [row] = (row for row in comparison.rows if row.metric is metric)
        of = {cell.percentile: moved(cell) for cell in (row.cells[number], *row.percentiles[number])}
        if len(of) > 1:
            lines.append([metric.title, *(of.get(each, "-") for each in (MEAN, *PERCENTILES))])
    return Table(
        "Percentiles of what changed, tested across runs", [["", "mean", *PERCENTILES], *lines] if lines else []
    )


def moved(cell: Change) -> str:
    """Write the relative change of a row, and its verdict if it changed."""
    return f"{percent(cell.delta_percent)} {cell.word if cell.changed else ''}".rstrip()


def differing(comparison: ClusterComparison) -> list[str]:
    """Return a sentence on the chosen properties of the runs that differ; none if they are the same."""
    found = [fact.title for fact in facts(comparison.summaries) if any(fact.differs)]
    return [f"The runs also differ in: {conjoined(found)}."] if found else []


def notes(comparison: ClusterComparison) -> list[str]:
    """Return the notes below the tables: what the numbers are, and how rows were tested."""
    policy, compared = comparison.settings.policy, comparison.comparison
    how = "" if compared is None else f"; p-values of all rows are {correction(compared.weighing, policy)}"
    return [
        "Cells are means over all samples; n is the number of samples. + marks rows that older reports do not have.",
        f"Intervals of Δ at {policy.level} %{how}.",
        (
            "Where a build has several runs, the unit of a test is the run. Otherwise it is a batch of "
            "blocks for metrics of blocks, or the host, paired in both runs."
        ),
        *remarks(comparison),
    ]


# What is said below the tables if it holds of any row.
_REMARKS: Final[tuple[tuple[Callable[[Change], bool], str], ...]] = (
    (
        lambda row: row.of_one_run,
        (
            "(one run per build): a row that differs does so between these runs only, which may be no more than runs "
            "of one build differ. Repeat the runs, or add earlier runs of the baseline's build with --baseline-runs."
        ),
    ),
    (lambda row: row.reason == ONE_RUN, WITHIN),
    (lambda row: row.predicted, PREDICTED),
    (lambda row: row.verdict == "one-value", OF_RUN),
    (
        lambda row: row.row is not None and "pairs-dropped" in row.row.warnings,
        "Hosts that only one build has enter the mean of that build, but not the differences of hosts.",
    ),
)


def remarks(comparison: ClusterComparison) -> list[str]:
    """Return the warnings on rows, the settings that differ from their defaults, and the warnings of the runs."""
    cells = [cell for row in comparison.rows for cell in row.cells]
    compared = comparison.comparison
    noted = [] if compared is None else [note.text for note in compared.notes if note.code not in _SAID]
    warned = (
        (variant.label, warnings_of_variant([run.summary for run in variant.runs])) for variant in comparison.variants
    )
    return [
        *(text for holds, text in _REMARKS if any(map(holds, cells))),
        *noted,
        *settings_lines(comparison.settings),
        *(f"{label}: {listed(found, 3, between='; ', last='; and ')}" for label, found in warned if found),
    ]


def compared(
    comparison: ClusterComparison,
    kind: str,
    look: Look = WHOLE,
    *,
    width: int | None = None,
    colour: bool = False,
    raw: bool = False,
) -> str:
    """Write a comparison as ``kind``: terminal, markdown, csv or json; CSV and JSON have numbers in full.

    Text has the answer, what changed, what is open, all tables, the manifest, and notes.
    """
    if kind == "csv":
        return comma(comparison, look, raw=raw)
    if kind == "json":
        return json(comparison, look)
    answer = comparison.answer
    # What is not compared comes before what was found in the rest.
    hidden = [comparison.clocks] if comparison.clocks else []
    if kind == "markdown":
        lines = [*map(_native.markdown_text, hidden), f"**{_native.markdown_text(answer.line)}**"]
        head = "".join(f"{line}\n\n" for line in lines) + in_markdown(differing(comparison))
        return head + "".join(map(in_markdown, _content(comparison, look)))
    bad = not answer.counts.keys().isdisjoint(LOSSES)
    bold, end = (OF["worse"].ansi if bad else BOLD[0], BOLD[1]) if colour else ("", "")
    pairs = [against(comparison, number) for number in range(len(comparison.pairs))]
    below = [*(pairs if len(pairs) == 1 else []), *differing(comparison)]
    line = f"{bold}{folded(_native.printable(answer.line), width)}{end}"
    first = f"{plain(hidden, width)}{line}\n{plain(below, width)}"
    parts = (first, *(plain(each, width, colour=colour) for each in _content(comparison, look)))
    return "\n".join(part for part in parts if part)


def _content(comparison: ClusterComparison, look: Look) -> Iterator[Block]:
    """Yield what stands below the answer."""
    for number in range(len(comparison.pairs)):
        if len(comparison.pairs) > 1:
            yield against(comparison, number)
        if look == WHOLE:
            yield from (each for each in (changes(comparison, number), percentiles(comparison, number)) if each.rows)
        yield [sentence for sentence, _ in undecided(comparison, number)]
        yield from tables(comparison, number, look)
    yield manifest(comparison)
    yield notes(comparison)


def comma(comparison: ClusterComparison, look: Look = WHOLE, *, raw: bool = False) -> str:
    """Write the rows as CSV, with numbers in full precision; those of percentiles follow those of means."""
    layout = Layout(sort=look.of_rows, changed=look.changed, raw=raw)
    families = [each for each in (comparison.comparison, comparison.tails) if each is not None]
    written = [document_of.comparison_table(each, layout) for each in families]
    return "".join([*written[:1], *(text.partition("\n")[2] for text in written[1:])])


def json(comparison: ClusterComparison, look: Look = WHOLE) -> str:
    """Write the common JSON document with the additional keys of a cluster, with numbers in full precision."""
    compared = comparison.comparison
    if compared is None:
        return ""
    layout = Layout(sort=look.of_rows, changed=look.changed)
    of_tails = [] if comparison.tails is None else document_of.comparison_rows(comparison.tails, layout)
    return document_of.comparison_document(compared, layout, more={**document(comparison), "percentiles": of_tails})
