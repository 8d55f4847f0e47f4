"""The input of a report of a cluster: the comparison with its runs, and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statera.cluster.compare import ClusterComparison, Variant
    from statera.cluster.samples import Analysed


class Material(NamedTuple):
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
