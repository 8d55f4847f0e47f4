"""The normality atlas: histogram, density and normal Q-Q plot of every benchmark, with its test, page by page.

If runs have several values, it shows the medians of the runs beside the averages of the runs; else the values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from statera.output.plots import atlas_panels, curves, frame, runs, units
from statera.output.plots.frame import Options
from statera.output.plots.picture import NARROW_BELOW, Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.output.views.inspection_detail import p_value
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection

    from statera.output.plots.raw_values import Samples, Series, Source
    from statera.output.plots.runs import Shape

_WIDE = 560  # pixels from which two samples are drawn side by side
_PAGE = 10  # samples per page of paper
_TOLD = 4
_THINNED = (
    f"Q-Q plots of more than {atlas_panels.POINTS} values have {atlas_panels.POINTS} points, and all near the ends"
)
_LETTER = 10  # pixels per character in a line of numbers, which is narrower than words
_SHOWN = (
    "Bars count, curves are densities. In the Q-Q plots normal samples lie along the line, and 95% of them stay wholly "
    "inside the band"
)


def draw(source: Source, options: Options) -> Picture:
    """Draw the samples of the benchmarks that matter most, or of the named ones, in one picture."""
    shown, said = frame.panels(source, samples_of(source), options)
    order = {series: place for place, series in enumerate(each for panel in shown for each in panel.series)}
    found = [each for each in runs.shapes(source, shown[0].metric) if each.series in order]
    found.sort(key=lambda each: order[each.series])
    if options.log:
        said = [*said, "the axes stay linear: what is tested are the values themselves"]
    return _page(source, found, options.width, said)


def pages(source: Source, metric: int, benchmarks: Collection[int], width: int = 720) -> list[Picture]:
    """Draw the samples of benchmarks in the order of the files, one picture per page.

    Samples without a test, because they are too small or constant, are left out: they have no shape to judge.
    """
    found = [each for each in runs.shapes(source, metric) if each.series.benchmark in benchmarks and each.p is not None]
    found.sort(key=lambda each: (each.series.benchmark, each.series.group, each.series.variant))
    count = -(-len(found) // _PAGE)
    # Fill pages evenly, and keep the two samples of a benchmark together.
    size = -(-len(found) // (2 * count)) * 2 if count else _PAGE
    parts = [found[start : start + size] for start in range(0, len(found), size)]
    return [_redrawable(source, part, width, _ends(source, part) if count > 1 else "") for part in parts]


def _redrawable(source: Source, shapes: list[Shape], width: int, of: str) -> Picture:
    def at_width(pixels: int) -> Picture:
        return _page(source, shapes, pixels, [], of)

    return replace(at_width(width), redrawn=at_width if width >= NARROW_BELOW else None)


def told(shape: Shape, alpha: float) -> str:
    """Describe a sample and the result of its test: ``medians of 31 runs: W 0.9825, p 0.878``."""
    count = f"{len(shape.values):,}"
    what = f"{count} {shape.of}" if shape.of == runs.VALUES else shape.of.replace("the runs", f"{count} runs")
    if shape.statistic is None or shape.p is None:
        return f"{what}: no test"
    fails = ", not normal" if shape.p < alpha else ""
    return f"{what}: {shape.letter} {shape.statistic:.5g}, p {p_value(shape.p)}{fails}"


def _ends(source: Source, shapes: list[Shape]) -> str:
    """Write the first and the last name of a page, as dictionaries do."""
    names = source.observations.benchmarks
    ends = dict.fromkeys(frame.name(names[shapes[place].series.benchmark]) for place in (0, -1))
    return f": {' to '.join(ends)}"


def _page(source: Source, shapes: list[Shape], width: int, said: list[str], of: str = "") -> Picture:
    samples = samples_of(source)
    columns = 2 if width >= _WIDE and len(shapes) > 1 else 1
    alpha = source.policy.alpha
    title = f"Normality atlas of {frame.name(samples.metrics[shapes[0].series.metric].name)}{of}"
    thinned = any(len(each.values) > atlas_panels.POINTS for each in shapes)
    inner = frame.inner_width(Options(width), columns, 0)
    names, cut = frame.for_panels((_name(samples, each) for each in shapes), inner)
    said = [*([_THINNED] if thinned else []), *cut, *said]
    named = dict(zip((each.series for each in shapes), names, strict=True))
    specs = _specs(source, samples, shapes, named, inner)
    return Picture(
        kind="atlas",
        title=title,
        alt=_alt(samples, shapes, title, alpha),
        spec={"title": frame.title(title, [_SHOWN, *said], width), **frame.concat(specs, columns)},
        marks={"samples": len(shapes), "values": sum(len(each.values) for each in shapes)},
        remarks=tuple(said),
    )


def _specs(
    source: Source, samples: Samples, shapes: list[Shape], names: dict[Series, str], width: int
) -> list[dict[str, Any]]:
    """Draw each sample; medians and averages of the same runs share their axes."""
    found: dict[Series, list[Shape]] = {}
    for shape in shapes:
        found.setdefault(shape.series, []).append(shape)
    return [spec for series, each in found.items() for spec in _beside(source, samples, each, names[series], width)]


def _beside(source: Source, samples: Samples, shapes: list[Shape], name: str, width: int) -> list[dict[str, Any]]:
    import numpy as np  # noqa: PLC0415 - optional

    metric = shapes[0].series.metric
    unit = units.linear(samples, metric, np.concatenate([each.values for each in shapes]))
    seed = source.policy.seed
    drawn = [atlas_panels.drawn(unit.own(each.values), unit, _colour(samples, each), seed) for each in shapes]
    axes = atlas_panels.scales(drawn, unit.title(frame.name(samples.metrics[metric].name)))
    specs = []
    for shape, one in zip(shapes, drawn, strict=True):
        narrow = ", density narrower than a pixel" if curves.narrower(one.curve, shape.values) else ""
        below = frame.wrapped(f"{told(shape, source.policy.alpha)}{narrow}", width, _LETTER)
        title = {**frame.panel_title(name, width), "subtitle": below, "offset": 4}
        specs.append({"title": title, **atlas_panels.spec(one, axes, frame.variant_colour(samples), width)})
    return specs


def _colour(samples: Samples, shape: Shape) -> int:
    """Return the colour: that of the variant; with a single variant, one for medians and one for averages."""
    if len(samples.labels) > 1:
        return shape.series.variant
    return 2 if shape.of == runs.AVERAGES else 1


def _name(samples: Samples, shape: Shape) -> str:
    series = shape.series
    parts = [samples.benchmarks[series.benchmark], samples.groups[series.group]]
    if len(samples.labels) > 1:
        parts.append(samples.labels[series.variant])
    return " · ".join(frame.whole(part) for part in parts if part)


def _alt(samples: Samples, shapes: list[Shape], title: str, alpha: float) -> str:
    said = [f"{frame.name(_name(samples, each), 100)}, {told(each, alpha)}" for each in shapes[:_TOLD]]
    return f"{title}. {listed(said, _TOLD, between='; ', last='; and ', total=len(shapes))}."
