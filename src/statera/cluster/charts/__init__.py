"""The charts of runs: the distribution of every metric over runs and hosts, and its course over slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from statera.output.plots.picture import missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.output.plots.picture import Picture

Kind = Literal["cdf", "timeline"]


class ChartRun(NamedTuple):
    """A run of a chart, drawn in one colour.

    Attributes:
        label: its name.
        analyses: the directories of its analyses; several are repeats of one configuration.

    """

    label: str
    analyses: tuple[Path, ...]


class Chart(NamedTuple):
    """A chart of a metric.

    Attributes:
        key: the key of the metric.
        kind: its distribution, or its course over slots.
        title: the title of the metric.
        meaning: the meaning of the metric, a sentence.
        group: the heading above it.
        picture: the chart itself.

    """

    key: str
    kind: Kind
    title: str
    meaning: str
    group: str
    picture: Picture


def draw(runs: Sequence[ChartRun], *, width: int = 720) -> list[Chart]:
    """Draw all charts of runs, in the order of their groups; the first run is the baseline.

    A metric without values in all runs has no chart.

    Raises:
        Stop: an analysis is incomplete, or NumPy is not installed.

    """
    try:
        from statera.cluster.charts import atlas  # noqa: PLC0415 - NumPy is optional
    except ModuleNotFoundError as error:
        raise missing(error.name or "numpy") from None
    return atlas.draw(runs, width)
