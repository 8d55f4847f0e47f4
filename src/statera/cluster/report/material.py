"""The input of a report of a cluster: the comparison with its runs, and the command; charts and rows are made once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statera.cluster.compare import ClusterComparison, Variant
    from statera.cluster.report.intervals import Axis
    from statera.cluster.report.pictures import Pictures
    from statera.cluster.rows import Cell, MetricRow
    from statera.cluster.samples import Analysed
    from statera.comparison.verdicts.answer import Answer


@dataclass(frozen=True)
class Material:
    """The input of a report.

    Attributes:
        comparison: the variants, the baseline first; a single variant is not compared.
        command: the command line; empty if there was none.
        today: the date of ``SOURCE_DATE_EPOCH``, for runs that do not state when they were analysed.

    """

    comparison: ClusterComparison
    command: str = ""
    today: str = ""

    @property
    def compares(self) -> bool:
        """Whether there is more than one variant."""
        return self.comparison.comparison is not None

    @cached_property
    def rows(self) -> tuple[MetricRow, ...]:
        """Every metric with its change in every pair."""
        return self.comparison.rows

    @cached_property
    def answer(self) -> Answer:
        """The answer of the comparison."""
        return self.comparison.answer

    @cached_property
    def leads(self) -> list[Cell]:
        """All rows in the order of the answer: what changed for the worse, what improved, the rest."""
        of = {cell.place: cell for row in self.rows for cell in row.cells}
        return [of[place] for place in self.answer.leads]

    @cached_property
    def changed(self) -> list[Cell]:
        """The rows that changed, the worst first."""
        return [cell for cell in self.leads if cell.changed]

    def axis(self, pair: int) -> Axis:
        """Return the axis on which the changes of a pair of variants are drawn."""
        return self._axes[pair]

    @cached_property
    def _axes(self) -> list[Axis]:
        from statera.cluster.report.intervals import axis  # noqa: PLC0415 - only of comparisons

        pairs = range(len(self.comparison.pairs))
        return [axis(self.comparison, [row.cells[pair] for row in self.rows]) for pair in pairs]

    @cached_property
    def pictures(self) -> Pictures:
        """The charts, and where they stand in the report."""
        from statera.cluster.report.pictures import Pictures  # noqa: PLC0415 - it needs the material

        return Pictures(self)


class One(NamedTuple):
    """A run of a report.

    Attributes:
        name: the label of its variant, with its own name if the variant has several runs.
        variant: the variant of the run.
        run: the analysed run.
        path: the path of the run.

    """

    name: str
    variant: Variant
    run: Analysed
    path: Path

    @property
    def summary(self) -> dict[str, Any]:
        """The summary.json of the run."""
        return self.run.summary


def runs(material: Material) -> Iterator[One]:
    """Yield every run, variant by variant."""
    for variant in material.comparison.variants:
        for run, path in zip(variant.runs, variant.paths, strict=True):
            name = variant.label if len(variant.runs) == 1 else f"{variant.label}: {path.name}"
            yield One(name, variant, run, path)
