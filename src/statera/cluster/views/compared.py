"""A comparison of runs as tables of texts: the manifest, the five tables of the report, and all other metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.manifest import facts
from statera.cluster.metrics import SECTIONS
from statera.cluster.rows import OF_RUN, ONE_RUN, PREDICTED
from statera.cluster.run_warnings import told_of
from statera.cluster.views.numbers import amount, difference, interval, percent
from statera.settings.provenance import settings_lines
from statera.verdicts import correction
from statera.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.cluster.compare import ClusterComparison, Variant
    from statera.cluster.metrics import Metric
    from statera.cluster.rows import Cell

# Notes that the tables already show, or that have other words for a cluster.
_SAID = frozenset({"one-process", "pairs-dropped", "paired", "configuration-differs"})


class Table(NamedTuple):
    """A table of texts.

    Attributes:
        title: the title above the table.
        rows: the rows of cells, the heading first.

    """

    title: str
    rows: list[list[str]]


class Look(NamedTuple):
    """The selection and order of rows.

    Attributes:
        sort: ``report`` (the order of the report), ``effect``, ``p`` or ``worst``.
        changed: whether only rows that changed are shown.

    """

    sort: str = "report"
    changed: bool = False

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
    cells: Sequence[Cell],
    look: Look | None = None,
    extra: Iterable[str] = (),
) -> Table:
    """Return a table of the changes of one pair of variants; rows of the ``extra`` metrics are marked."""
    look = look or Look()
    if not look.whole:
        at = {place: number for number, place in enumerate(look.order(comparison))}
        cells = sorted((cell for cell in cells if cell.place in at), key=lambda cell: at[cell.place or 0])
    lines = [line(cell, mark="+" if cell.metric.key in extra else "") for cell in cells]
    return Table(title, [heading(cells[0].base, cells[0].other), *lines] if cells else [])


def heading(base: Variant, other: Variant) -> list[str]:
    """Return the heading of a table of a contender against a baseline."""
    return ["", base.label, "n", other.label, "n", "Δ", "Δ%", "interval of Δ", "verdict"]


def line(cell: Cell, mark: str = "") -> list[str]:
    """Return the cells of the row of a metric."""
    return [
        f"{mark}{title(cell.metric)}",
        amount(cell.before.mean),
        str(cell.before.n),
        amount(cell.side.mean),
        str(cell.side.n),
        difference(cell.delta),
        percent(cell.delta_percent),
        interval(cell.low, cell.high),
        cell.words,
    ]


def title(metric: Metric) -> str:
    """Return the title of the row of a metric."""
    return f"{metric.title}, {metric.unit}"


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
        lines.append(
            f"inconclusive: {ONE_RUN}: within the margin for these runs, which does not show that two builds are equal."
        )
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
    found = told_of([run.summary for run in variant.runs])
    return f"{variant.label}: {listed(found, 3, between='; ', last='; and ')}" if found else ""
