"""Pictures in words: titles of series, and alternative texts for readers who cannot see the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.output.plots import curves, frame
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.plots.frame import Panel
    from statera.output.plots.raw_values import Samples, Series

_SHORT = 28  # the most characters of a name beside numbers
_TOLD = 3  # the most panels whose numbers are listed


def one(samples: Samples, series: Series, *more: str) -> list[str]:
    """Return the parts of the title of a series: variant, number of values, median, and ``more``."""
    known = frame.facts(samples, series)
    count = counted(known["values"], "value")
    return [frame.label(samples, series.variant, _SHORT), count, f"median {known['median']}", *more]


def mean(samples: Samples, series: Series) -> str:
    """Write the mean of a series in the number format of the tables."""
    return frame.amount(samples, series.metric, curves.mean(samples.values(series)))


def medians(samples: Samples, shown: Sequence[Panel], title: str) -> str:
    """Write a sentence with the medians of the first panels."""
    said = []
    for panel in shown[:_TOLD]:
        each = [(samples.labels[series.variant], frame.facts(samples, series)["median"]) for series in panel.series]
        medians = ", ".join(f"{frame.name(label)} {median}" for label, median in each)
        words = frame.panel_name(samples, panel, shown)
        said.append(f"{frame.name(words, 100)}: medians {medians}" if words else f"medians {medians}")
    return f"{title}. {listed(said, between='; ', last='; and ', total=len(shown))}."
