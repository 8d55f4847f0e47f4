"""The sheet of a picture of values: its panels, how they are arranged and named, and what the picture says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.output.plots import frame
from statera.output.plots.frame import NARROW, SIDE, name
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.output.plots.frame import Options, Panel
    from statera.output.plots.raw_values import Source

_STACKED = 4  # up to so many panels that share an axis are stacked
_TOLD = 3  # the most panels whose numbers are listed
_LABELS = 0.22  # the share of the width that names beside rows take at most


def _columns(options: Options, shown: Sequence[Panel]) -> int:
    """Return the number of columns; a few panels that share an axis are stacked."""
    few = len({panel.benchmark for panel in shown}) == 1 and len(shown) <= _STACKED
    return 1 if options.width < NARROW or few else 2


class Sheet:
    """The panels of a picture: a benchmark and group each, those that matter most first (``shown``)."""

    def __init__(
        self,
        source: Source,
        options: Options,
        columns: Callable[[Options, Sequence[Panel]], int] = _columns,
        *,
        named_rows: bool = False,
    ) -> None:
        """Choose the panels. Raises ``Stop`` if nothing that was selected has values."""
        self.samples, self._options = samples_of(source), options
        self.shown, self._left_out = frame.panels(source, self.samples, options)
        self._variants = sorted({series.variant for panel in self.shown for series in panel.series})
        self._columns, self._beside = columns(options, self.shown), SIDE
        # the name of each variant for the left of rows, if rows are named
        self.label: dict[int, str] = {}
        if named_rows:
            labels = [self.samples.labels[variant] for variant in self._variants]
            short, self._beside, _ = frame.fitting(labels, options.width * _LABELS)
            self.label = dict(zip(self._variants, short, strict=True))
        self.width = frame.inner_width(options, self._columns, self._beside)  # of a panel's data, in pixels
        every = (frame.panel_name(self.samples, panel, self.shown) for panel in self.shown)
        names, self._cut = frame.for_panels(every, self.width)
        self._names = dict(zip(self.shown, names, strict=True))

    def titled(self, spec: dict[str, Any], panel: Panel) -> dict[str, Any]:
        """Add the name of a panel to it, if it has one."""
        return frame.titled(spec, self._names[panel], self.width)

    def picture(
        self,
        kind: str,
        words: str,
        specs: list[dict[str, Any]],
        marks: dict[str, int],
        *,
        read: Sequence[str],
        remarks: Sequence[str],
        told: str = "",
        legend: bool = False,
    ) -> Picture:
        """Return a picture of panels.

        ``words`` are its content in words, with which its title begins, ``read`` says in sentences how it is read, and
        ``remarks`` what is drawn. ``marks`` has how many marks of each kind are drawn. ``told`` are its numbers in
        words; by default the medians of the first panels. With ``legend`` one of several variants stands above the
        panels.
        """
        title, said = self._title(words), [*remarks, *self._cut, *self._left_out]
        below = [*(read if self._options.explained else ()), *said]
        panels = frame.concat(specs, self._columns)
        if legend and len(self._variants) > 1:
            entries = [(variant, self.samples.labels[variant]) for variant in self._variants]
            above = frame.legend_of(entries, self._options.width - SIDE - 24, samples=self.samples)
            panels = {"vconcat": [above, panels], "spacing": 10}
        return Picture(
            kind=kind,
            title=title,
            alt=f"{title}. {told or self._medians()}.",
            spec={"title": frame.title(title, below, self._options.width - self._beside), **panels},
            marks=marks,
            remarks=tuple(said),
        )

    def _title(self, words: str) -> str:
        """Name content and metric, and the benchmark and group if there is only one."""
        one = self.shown[0]
        parts = [f"{words} of {name(self.samples.metrics[one.metric].name)}"]
        if len({panel.benchmark for panel in self.shown}) == 1 and len(self.samples.benchmarks) > 1:
            parts.append(frame.benchmark(self.samples, one.benchmark))
        if len({panel.group for panel in self.shown}) == 1 and self.samples.groups[one.group]:
            parts.append(name(self.samples.groups[one.group]))
        return ", ".join(parts)

    def _medians(self) -> str:
        """Write the medians of the first panels."""
        said = []
        for panel in self.shown[:_TOLD]:
            each = [(series.variant, frame.facts(self.samples, series)["median"]) for series in panel.series]
            medians = ", ".join(f"{name(self.samples.labels[variant])} {median}" for variant, median in each)
            words = frame.panel_name(self.samples, panel, self.shown)
            said.append(f"{name(words, 100)}: medians {medians}" if words else f"medians {medians}")
        return listed(said, between="; ", last="; and ", total=len(self.shown))
