"""What a report of a cluster is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statera.cluster.compare import ClusterComparison, Variant
    from statera.cluster.samples import Analysed


class Material(NamedTuple):
    """What a report is made from.

    Attributes:
        comparison: its variants, the baseline first; of a single one there is nothing compared.
        command: as it was typed; empty where there was none.
        today: the date that ``SOURCE_DATE_EPOCH`` states, for runs that do not state when they were analysed.

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
        name: its variant's label, and its own name where the variant has several runs.
        variant: what it is a run of.
        run: analysed.
        path: where it was found.

    """

    name: str
    variant: Variant
    run: Analysed
    path: Path

    @property
    def summary(self) -> dict[str, Any]:
        """Its summary.json."""
        return self.run.summary


def runs(material: Material) -> Iterator[One]:
    """Give every run, variant after variant."""
    for variant in material.comparison.variants:
        for run, path in zip(variant.runs, variant.paths, strict=True):
            name = variant.label if len(variant.runs) == 1 else f"{variant.label}: {path.name}"
            yield One(name, variant, run, path)
