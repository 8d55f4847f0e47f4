"""Normal Q-Q plots: the values of each variant against a normal distribution, with a simultaneous band.

All of a normal sample lies within the band with a probability of 95 %. Aldor-Noiman, Brown, Buja, Rolke & Stine (2013),
The power to see: a new graphical test of normality, The American Statistician 67, 249-260: at each order statistic the
interval of one local level, chosen by simulation so that 95 % of samples lie entirely inside. Each sample is
standardised by its own mean and standard deviation, as in the picture.
"""

from __future__ import annotations

from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera import stats
from statera.output.plots import axes, curves, frame
from statera.output.plots.frame import Options, Panel, tidy
from statera.output.plots.sheet import Sheet
from statera.output.views.inspection import p_value
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.plots.axes import Unit, ValueAxis
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Floats, Samples, Series, Source

_HEIGHT = 170
_CELL = 210  # least width of a panel in pixels
_POINTS = 400
_ENDS = 25  # points at either end that are always drawn: the tails matter most
_LEAST = 3
_THINNED = f"of more than {_POINTS} values {_POINTS} are drawn, and all near the ends"
_SHOWN = "Normal values lie on the line (mean and standard deviation of the sample)"
MOST_VALUES = 2_000  # the simulation of more values would take seconds
_OUTSIDE = 0.05  # of normal samples lie partly outside
INSIDE = f"{1 - _OUTSIDE:.0%}"
_BAND = f"{INSIDE} of normal samples lie wholly inside the band (Aldor-Noiman et al. 2013)"
_SIMULATED = 4_000
_CELLS = 2_000_000  # the most values to simulate


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark, group and variant, each with its own axis."""
    # By default the question is whether the values, not their logarithms, are normal.
    options = options._replace(log=bool(options.log))
    sheet = Sheet(source, options, _columns)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = {each: _axis(samples, each, options) for panel in shown for each in panel.series}
    seed = source.policy.seed
    specs, points = [], 0
    for panel in shown:
        for series in panel.series:
            spec, count = _unit(samples, series, scales[series], width, seed)
            specs.append(sheet.titled(spec, panel))
            points += count
    unbanded = (
        [f"no band above {MOST_VALUES:,} values"]
        if any(_size(s) > MOST_VALUES for p in shown for s in p.series)
        else []
    )
    thinned = [_THINNED] if any(_size(s) > _POINTS for p in shown for s in p.series) else []
    remarks = [*unbanded, *thinned, *axes.lost_of(samples, [*scales.items()])]
    words, told = "Log-normal Q-Q" if options.log else "Normal Q-Q", _told(samples, shown, scales)
    marks = {"panels": len(specs), "points": points}
    return sheet.picture("qq", words, specs, marks, read=[_SHOWN, _BAND], remarks=remarks, told=told)


def _axis(samples: Samples, series: Series, options: Options) -> ValueAxis:
    return axes.ValueAxis.of(samples, series.metric, samples.values(series), log=options.log)


def _columns(options: Options, shown: Sequence[Panel]) -> int:
    """Return how many panels to place side by side: all variants of one or more benchmarks, if they fit."""
    fit = max(options.width // _CELL, 1)
    variants = max(len(panel.series) for panel in shown)
    return fit - fit % variants if fit > variants else fit


def _size(series: Series) -> int:
    return series.stop - series.start


def scores(count: int) -> list[float]:
    """Return where the values of a normal sample of this size are expected, in standard deviations."""
    return [NormalDist().inv_cdf((at + 0.5) / count) for at in range(count)]


class Quantiles(NamedTuple):
    """A sample against a normal distribution: the data rows of its points, the line and the band."""

    points: list[dict[str, Any]]
    line: list[dict[str, Any]]
    band: list[dict[str, Any]]

    @classmethod
    def of(
        cls, values: Floats, unit: Unit, place: int, seed: int, *, most: int, ends: int, log: bool = False
    ) -> Quantiles:
        """Place sorted values, given in the unit of their axis; ``place`` is the index of their colour."""
        count = len(values)
        z = scores(count)
        rows = [
            {"place": place, "z": tidy(z[at], 5), "value": unit.short(float(values[at]))}
            for at in curves.thinned(count, most, ends)
        ]
        return cls(rows, *_expected(values, z, seed, unit, log=log))

    def layers(
        self, reach: float, y: dict[str, Any], size: int, *known: list[Any], **more: Any
    ) -> list[dict[str, Any]]:
        """Draw it up to ``reach`` standard deviations; ``known`` and ``more`` are those of the points."""
        x = {
            "field": "z",
            "type": "quantitative",
            "scale": {"domain": [-tidy(reach), tidy(reach)], "nice": False},
            "axis": {"title": "standard deviations", "format": frame.NUMBER, "values": [-3, -2, -1, 0, 1, 2, 3]},
        }
        dot = {"type": "point", "filled": True, "size": size, "opacity": 0.85}
        return frame.filled(
            [
                frame.layer(self.band, {"type": "area", "style": "band", "clip": True}, x=x, y=y, y2={"field": "top"}),
                frame.layer(self.line, {"type": "line", "style": "dashed", "clip": True}, x=x, y=y),
                frame.layer(self.points, dot, *known, x=x, y=y, **more),
            ]
        )


def _unit(samples: Samples, series: Series, axis: ValueAxis, width: int, seed: int) -> tuple[dict[str, Any], int]:
    values = np.sort(axis.held(samples, series))
    found = Quantiles.of(values, axis.unit, series.variant, seed, most=_POINTS, ends=_ENDS, log=axis.log)
    ends = [*curves.span(values, log=axis.log), *(row["value"] for row in found.line)]
    y = axis._replace(low=min(ends), high=max(ends)).encoding(**frame.AT_SIDE, titlePadding=4)
    reach = max([2.2, *(abs(each) * 1.06 for each in scores(len(values))[:1])])
    tooltip = [*frame.FACTS, {"field": "value", "title": "value on the axis", "format": frame.NUMBER}]
    colour = frame.variant_colour(samples)
    shown = found.layers(reach, y, 18, [frame.facts(samples, series)], color=colour, tooltip=tooltip)
    label = frame.label(samples, series.variant, max(int(width / frame.GLYPH), 8))
    lines = [[label, counted(len(values), "value")], [_test(values, log=axis.log)]]
    spec = {"title": frame.small_title(lines, width), "width": width, "height": _HEIGHT, "layer": shown}
    return spec, len(found.points)


def _expected(
    values: Floats, z: list[float], seed: int, unit: Unit, *, log: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the line and the band on the axis's scale for values in its unit; empty without spread."""
    taken = np.log10(values) if log else values
    if len(taken) < _LEAST or taken.min() == taken.max():
        return [], []
    centre, spread = float(taken.mean()), float(taken.std(ddof=1))

    def at(deviations: float) -> float:
        found = centre + spread * deviations
        return unit.short(float(curves.power(found)) if log else found)

    line = [{"z": tidy(each), "value": at(each)} for each in (z[0], z[-1])]
    band = normal_band(len(values), seed)
    if band is None:
        return line, []
    kept = curves.thinned(len(z), 120, _ENDS)
    return line, [{"z": tidy(z[i]), "value": at(float(band[0][i])), "top": at(float(band[1][i]))} for i in kept]


@cache
def normal_band(n: int, seed: int) -> tuple[Floats, Floats] | None:
    """Return the ends of the band at every order statistic, in standard deviations; None above ``MOST_VALUES``."""
    if not _LEAST <= n <= MOST_VALUES:
        return None
    samples = max(min(_SIMULATED, _CELLS // n), 1_000)
    drawn = np.random.Generator(np.random.PCG64([seed, n])).standard_normal((samples, n))
    drawn.sort(axis=1)
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, ddof=1, keepdims=True)
    # The rank of each sample at each order statistic, counted from the nearer end: its depth there.
    ranks = drawn.argsort(axis=0).argsort(axis=0)
    outness = np.minimum(ranks, samples - 1 - ranks).min(axis=1)
    # Samples that are nowhere further out than `depth` lie entirely inside.
    depth = int(curves.quantiles(outness.astype(float), _OUTSIDE)[0])
    ordered = np.sort(drawn, axis=0)
    return ordered[depth], ordered[samples - 1 - depth]


def _test(values: Floats, *, log: bool) -> str:
    """Write the result of the test of normality, on logarithms if the axis is logarithmic."""
    if len(values) < _LEAST:
        return "too few for a test"
    if values.min() == values.max():
        return "all equal"
    found = stats.normality(np.ascontiguousarray(np.log10(values) if log else values))
    if found.statistic is None or found.p is None:
        return "no test"
    letter = "W" if found.method == "shapiro-wilk" else "A²"
    return f"{letter} {found.statistic:.5g}, p {p_value(found.p)}"


def _told(samples: Samples, shown: list[Panel], scales: dict[Series, ValueAxis]) -> str:
    said = []
    for panel in shown[:3]:
        words = frame.name(frame.panel_name(samples, panel, shown), 100)
        each = []
        for series in panel.series:
            axis = scales[series]
            test = _test(axis.held(samples, series), log=axis.log)
            each.append(f"{frame.name(samples.labels[series.variant])} {test}")
        said.append(f"{words}: {'; '.join(each)}" if words else "; ".join(each))
    return f"Tests of normality: {listed(said, between='; ', last='; and ', total=len(shown))}"
