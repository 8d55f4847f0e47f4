"""Comparison of runs: they become observations, and the pipeline compares these as it compares any others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.logs.directories import refuse_repeated
from statera.cluster.metrics import METRICS, Metric
from statera.cluster.observing import observed
from statera.cluster.rows import Cell, MetricRow, side
from statera.comparison import pipeline
from statera.comparison.pairing import Request
from statera.support.errors import Stop
from statera.support.patterns import matcher
from statera.support.settings.provenance import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.cluster.samples import Analysed
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts.answer import Answer

_LEAST: Final = 2


class Variant(NamedTuple):
    """One or several runs of one configuration.

    Attributes:
        label: the name.
        runs: the analysed runs.
        paths: the path of each run: its directory of logs or that of its analysis.

    """

    label: str
    runs: tuple[Analysed, ...]
    paths: tuple[Path, ...] = ()


class ClusterComparison(NamedTuple):
    """A comparison of runs, metric by metric.

    Attributes:
        variants: the baseline first.
        metrics: the selected metrics, in the order of their definition.
        settings: the thresholds used, and where they come from.
        comparison: the comparison of the variants; None if there is only one variant.

    """

    variants: tuple[Variant, ...]
    metrics: tuple[Metric, ...]
    settings: Settings
    comparison: Comparison | None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of the variants that are compared with each other, baseline and contender."""
        return self.comparison.arrangement.assignment.pairs if self.comparison is not None else []

    @property
    def answer(self) -> Answer:
        """The answer in one line, and the rows that it stands on; computed at each access."""
        from statera.cluster.answer import stated  # noqa: PLC0415 - CSV and JSON do without

        return stated(self)

    @property
    def rows(self) -> tuple[MetricRow, ...]:
        """Every metric with its change in every pair; computed at each access."""
        found = self._places()
        return tuple(
            MetricRow(
                metric, side(metric, self.variants[0]), tuple(self._cell(metric, pair, found) for pair in self.pairs)
            )
            for metric in self.metrics
        )

    def better(self, metric: Metric) -> str | None:
        """Return the better direction of a metric, ``lower`` or ``higher``; None if it has none."""
        if self.comparison is None:
            return None
        names = [each.name for each in self.comparison.observations.metrics]
        return self.comparison.arrangement.assignment.rule(names.index(metric.key)).better

    def _places(self) -> dict[tuple[str, int, int], int]:
        if self.comparison is None:
            return {}
        names = [metric.name for metric in self.comparison.observations.metrics]
        sections = self.comparison.weighing.sections()
        return {(names[metric], base, other): rows[0] for _, metric, base, other, rows in sections}

    def _cell(self, metric: Metric, pair: tuple[int, int], found: dict[tuple[str, int, int], int]) -> Cell:
        index = found.get((metric.key, *pair))
        row = self.comparison[index] if self.comparison is not None and index is not None else None
        return Cell(metric, self.variants[pair[0]], self.variants[pair[1]], row, index)


def compare(
    variants: Sequence[Variant],
    settings: Settings | None = None,
    request: Request | None = None,
    metrics: Sequence[Metric] = METRICS,
) -> ClusterComparison:
    """Compare variants with the first.

    Args:
        variants: the variants by label; with ``request.by`` their runs are regrouped by the values of those keys.
        settings: thresholds, methods and limits, and where they come from.
        request: what is compared with what.
        metrics: the metrics from which ``request`` selects.

    Raises:
        Stop: there are fewer than two variants, or they have nothing to compare.

    """
    settings, request = settings or Settings(), request or Request()
    if not request.by and len(variants) < _LEAST:
        raise Stop(
            "nothing-to-compare", "name two runs or more, the baseline first; runs with the same label are one side"
        )
    observations = observed(variants, metrics, request.by, settings.limits)
    named: list[tuple[str | None, str]] = [(variant.label, variant.label) for variant in variants for _ in variant.runs]
    comparison = pipeline.compared(observations, named, request, settings)
    rules = zip(observations.metrics, comparison.arrangement.assignment.metrics, strict=True)
    chosen = {metric.name for metric, rule in rules if rule is not None}
    kept = tuple(metric for metric in metrics if metric.key in chosen)
    return ClusterComparison(_arranged(variants, comparison), kept, settings, comparison)


def alone(variant: Variant, settings: Settings | None = None, patterns: Sequence[str] = ()) -> ClusterComparison:
    """Return a single variant without a comparison; ``patterns`` select its metrics, all metrics by default.

    Raises:
        Stop: no metric matches.

    """
    fits = matcher(patterns)
    metrics = tuple(metric for metric in METRICS if fits(metric.key))
    if not metrics:
        raise Stop(
            "nothing-to-compare", f"no metric matches; the metrics are {', '.join(metric.key for metric in METRICS)}"
        )
    return ClusterComparison((variant,), metrics, settings or Settings(), None)


def _arranged(variants: Sequence[Variant], comparison: Comparison) -> tuple[Variant, ...]:
    """Return the variants of the comparison with their runs."""
    runs = [found for variant in variants for found in _with_paths(variant)]
    sources = [context.source for context in comparison.observations.contexts]
    of = dict(zip(sources, comparison.arrangement.assignment.variant_of_context, strict=True))
    found = []
    for number, label in enumerate(comparison.labels):
        own = [run for source, run in enumerate(runs) if of.get(source) == number]
        paths = tuple(path for _, path in own if path is not None)
        refuse_repeated(paths)
        found.append(Variant(label, tuple(run for run, _ in own), paths))
    return tuple(found)


def _with_paths(variant: Variant) -> list[tuple[Analysed, Path | None]]:
    paths: Sequence[Path | None] = variant.paths or [None] * len(variant.runs)
    return list(zip(variant.runs, paths, strict=True))


def document(comparison: ClusterComparison) -> dict[str, Any]:
    """Return what the document of a cluster has beside the rows: manifests, and each metric in every variant."""
    base, *others = comparison.variants
    return {
        "spec": 1,
        "baseline": base.label,
        "runs": [variant.label for variant in others],
        "numberOfRuns": {variant.label: len(variant.runs) for variant in comparison.variants},
        "manifests": {
            variant.label: [run.summary["manifest"] for run in variant.runs] for variant in comparison.variants
        },
        "metrics": {
            row.metric.key: {
                "title": row.metric.title,
                "unit": row.metric.unit,
                "table": row.metric.section,
                "base": row.base.mean,
                "n": row.base.n,
                "runs": [
                    {
                        "mean": cell.side.mean,
                        "n": cell.side.n,
                        "delta": cell.delta,
                        "deltaPercent": cell.delta_percent,
                    }
                    for cell in row.cells[: len(others)]
                ],
            }
            for row in comparison.rows
        },
    }
