"""What a picture shows in words: for the titles of series, and for those who cannot see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.plots import curves, frame
from statera.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.plots.frame import Panel
    from statera.plots.raw_values import Samples, Series

_SHORT = 28  # columns of a name beside numbers
_TOLD = 3  # panels whose numbers are told


def one(samples: Samples, series: Series, *more: str) -> str:
    """Name the variant of a series, its number of values and its median, and what else is told."""
    known = frame.facts(samples, series)
    count = counted(known["values"], "value")
    return " · ".join([frame.name(samples.labels[series.variant], _SHORT), count, f"median {known['median']}", *more])


def mean(samples: Samples, series: Series) -> str:
    """Write the mean of a series as the tables write amounts."""
    return frame.amount(samples, series.metric, curves.mean(samples.values(series)))


def medians(samples: Samples, shown: Sequence[Panel], title: str) -> str:
    """Tell the medians of the first panels in a sentence."""
    said = []
    for panel in shown[:_TOLD]:
        each = [(samples.labels[series.variant], frame.facts(samples, series)["median"]) for series in panel.series]
        medians = ", ".join(f"{frame.name(label)} {median}" for label, median in each)
        words = frame.panel_name(samples, panel, shown)
        said.append(f"{frame.name(words, 100)}: medians {medians}" if words else f"medians {medians}")
    return f"{title}. {listed(said, between='; ', last='; and ', total=len(shown))}."
