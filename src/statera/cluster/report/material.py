"""The input of a report of a cluster: the comparison with its runs, the command, and the charts with their places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.charts import draw
from statera.cluster.charts.groups import ChartRun
from statera.cluster.comparison import tails_alone
from statera.cluster.metrics import BY_KEY
from statera.cluster.observations import Fact, facts
from statera.cluster.report import journey
from statera.cluster.report.cells import Axis, axis
from statera.output.plots import ahead
from statera.output.report.model import Beside, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statera.cluster.charts.groups import Chart
    from statera.cluster.comparison import Change, ClusterComparison, MetricRow
    from statera.cluster.metrics import Metric
    from statera.cluster.observations import Variant
    from statera.cluster.samples import Analysed
    from statera.comparison.verdicts.answer import Answer


# A page shows two charts side by side, and a card on paper a chart beside a table, with text that can be read.
_WIDTH: Final = 420
_MOST_CARDS: Final = 12
_CENTILES: Final = "2.5"
# So many shares of the cluster that changed together have one card.
_TOGETHER: Final = 3


class Group(NamedTuple):
    """The charts of a group, without those on cards."""

    title: str  # the heading of the group
    metrics: int  # the number of metrics
    pairs: list[Beside]  # the charts, one or two side by side


class Pictures:
    """The charts of all metrics, each drawn once."""

    def __init__(self, material: Material) -> None:
        variants = material.comparison.variants
        charts = draw([ChartRun(each.label, tuple(run.path for run in each.runs)) for each in variants], width=_WIDTH)
        self.kinds = {chart.kind for chart in charts}
        figures = {id(chart): _figure(chart) for chart in charts}
        # journeys, journey: the legs of blocks, and their picture; None without whole blocks
        self.journeys = journey.journeys(variants)
        self.journey = (
            Figure(ahead.begin(journey.picture(self.journeys)), f"{journey.TITLE}.", "") if self.journeys else None
        )
        of: dict[str, list[Figure]] = {}
        for chart in charts:
            of.setdefault(chart.key, []).append(figures[id(chart)])
        # the metrics that have a card, the worst first
        self.carded = [metric for metric in _carded(material) if metric.key in of][:_MOST_CARDS]
        # A card leads to the row itself.
        self._cards = {metric.key: tuple(replace(each, link="") for each in of[metric.key]) for metric in self.carded}
        of |= {key: list(each) for key, each in self._cards.items()}
        rest = [chart for chart in charts if chart.key not in self._cards]
        # the charts of all other metrics
        self.groups = [
            _group(title, list(members), figures) for title, members in groupby(rest, key=lambda chart: chart.group)
        ]
        placed = [figure for each in self._cards.values() for figure in each]
        placed += [self.journey] if self.journey is not None else []
        placed += [figure for group in self.groups for pair in group.pairs for figure in pair.figures]
        numbers = {id(figure): number for number, figure in enumerate(placed, 1)}
        self._first = {key: min(numbers[id(figure)] for figure in each) for key, each in of.items()}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._first)

    def of_card(self, metric: Metric) -> tuple[Figure, ...]:
        """Return the charts of a metric that has a card."""
        return self._cards[metric.key]

    def link(self, metric: Metric) -> str:
        """Return where the charts of a metric stand: its card, or its first figure; empty if it has none."""
        if metric.key in self._cards:
            return anchor("suspect", metric)
        return f"figure-{self._first[metric.key]}" if metric.key in self._first else ""


def anchor(kind: str, metric: Metric) -> str:
    """Return the address of a metric's ``row`` or of its card, ``suspect``."""
    return f"{kind}-{metric.key.replace('.', '-')}"


def _carded(material: Material) -> Iterator[Metric]:
    """Yield the metrics that changed, the worst first; of many shares of the cluster only the one that changed most."""
    found = {cell.metric.key: cell.metric for cell in material.changed} if material.compares else {}
    several = sum(metric.section == _CENTILES for metric in found.values()) >= _TOGETHER
    seen = False
    for metric in found.values():
        centile = metric.section == _CENTILES
        if not (centile and several and seen):
            yield metric
        seen = seen or centile


def _group(title: str, charts: list[Chart], figures: dict[int, Figure]) -> Group:
    """Put the two charts of a metric side by side, and single charts of different metrics."""
    pairs, alone = [], []
    for _, members in groupby(charts, key=lambda chart: chart.key):
        several = [figures[id(chart)] for chart in members]
        if len(several) == 1:
            alone += several
        else:
            pairs.append(Beside(tuple(several)))
    pairs += [Beside(tuple(alone[place : place + 2])) for place in range(0, len(alone), 2)]
    return Group(title, len({chart.key for chart in charts}), pairs)


def _figure(chart: Chart) -> Figure:
    # The picture itself shows the meaning of the metric.
    caption = f"{chart.title} ({chart.key}){' over slots' if chart.kind == 'timeline' else ''}."
    return Figure(ahead.begin(chart.picture), caption, anchor("row", BY_KEY[chart.key]))


@dataclass(frozen=True)
class Material:
    """The input of a report."""

    comparison: ClusterComparison  # the variants, the baseline first; a single variant is not compared
    command: str = ""  # the command line; empty if there was none
    today: str = ""  # the date of ``SOURCE_DATE_EPOCH``, for runs that do not state when they were analysed

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
    def leads(self) -> list[Change]:
        """All rows in the order of the answer: what changed for the worse, what improved, the rest."""
        of = {cell.place: cell for row in self.rows for cell in row.cells}
        return [of[place] for place in self.answer.leads]

    @cached_property
    def changed(self) -> list[Change]:
        """The rows that changed, the worst first."""
        pairs = range(len(self.comparison.pairs))
        tails = [cell for pair in pairs for cell in tails_alone(self.comparison, pair)]
        return [*(cell for cell in self.leads if cell.changed), *tails]

    @cached_property
    def manifest(self) -> list[Fact]:
        """What was run: the rows of the manifest."""
        return facts(self.comparison.summaries, self.today)

    @property
    def differing(self) -> list[str]:
        """The chosen properties that differ between variants, by title."""
        return [fact.title for fact in self.manifest if any(fact.differs)]

    @cached_property
    def axes(self) -> list[Axis]:
        """For each pair of variants the axis on which its changes are drawn."""
        pairs = range(len(self.comparison.pairs))
        return [axis(self.comparison, [row.cells[pair] for row in self.rows]) for pair in pairs]

    @cached_property
    def pictures(self) -> Pictures:
        """The charts, and where they stand in the report."""
        return Pictures(self)


class ReportedRun(NamedTuple):
    """A run of a report."""

    name: str  # the label of its variant, with its own name if the variant has several runs
    variant: Variant  # the variant of the run
    run: Analysed  # the analysed run
    path: Path  # the path of the run

    @property
    def summary(self) -> dict[str, Any]:
        """The summary.json of the run."""
        return self.run.summary


def runs(material: Material) -> Iterator[ReportedRun]:
    """Yield every run, variant by variant."""
    for variant in material.comparison.variants:
        for run, path in zip(variant.runs, variant.paths, strict=True):
            name = variant.label if len(variant.runs) == 1 else f"{variant.label}: {path.name}"
            yield ReportedRun(name, variant, run, path)
