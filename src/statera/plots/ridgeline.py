"""Ridgelines: the density of every variant, one above another, with the median and the values themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.plots import curves, frame
from statera.plots.frame import Options, Panel, tidy
from statera.plots.picture import Picture
from statera.plots.samples import samples as samples_of

if TYPE_CHECKING:
    from statera.plots.samples import Floats, Samples, Series, Source

_STEP = 40  # pixels between ridges
_RISE = 1.5  # the highest ridge, in steps
_RUG = 300  # values under a ridge, at most
_UNEVEN = 4.0  # highest peak over lowest from which on each ridge has a scale of its own


class _Ridge(NamedTuple):
    series: Series
    values: Floats  # in the unit of the axis, those that the axis can hold
    left_out: int
    curve: curves.Curve | None


def draw(source: Source, options: Options) -> Picture:
    """Draw a panel a benchmark and group; those of one benchmark share their axis."""
    samples = samples_of(source)
    shown, said = frame.panels(source, samples, options)
    columns = frame.columns_of(options, shown)
    labels, beside = frame.fitting((samples.labels[s.variant] for p in shown for s in p.series), options.width * 0.22)
    label = dict(zip((s.variant for p in shown for s in p.series), labels, strict=True))
    width = frame.inner_width(options, columns, beside)
    specs, ridges, remarks = [], [], []
    axes = {benchmark: _Axis.of(samples, of, options) for benchmark, of in frame.by_benchmark(shown).items()}
    for panel in shown:
        axis = axes[panel.benchmark]
        found = [axis.ridges[series] for series in panel.series]
        spec, uneven = _panel(samples, found, axis, label, width)
        words = frame.panel_name(samples, panel, shown)
        specs.append({"title": frame.panel_title(words, width), **spec} if words else spec)
        ridges += found
        remarks += ["each ridge has a height of its own"] if uneven else []
    lost = sum(ridge.left_out for ridge in ridges)
    if lost:
        remarks.append(f"{lost} value(s) of zero or below are left out: a logarithmic axis has no place for them")
    said = [*dict.fromkeys(remarks), *said]
    title = frame.heading(samples, shown, "Distribution")
    below = ["Densities (Gaussian kernel); lines are medians, ticks the values", *said]
    return Picture(
        kind="ridgeline",
        title=title,
        alt=_alt(samples, shown, title),
        spec={"title": frame.title(title, [". ".join(below) + "."], options.width), **frame.concat(specs, columns)},
        marks={"panels": len(shown), "ridges": len(ridges), "values": sum(len(ridge.values) for ridge in ridges)},
        remarks=tuple(said),
    )


class _Axis(NamedTuple):
    """The axis of values that the panels of a benchmark share, and their ridges on it."""

    log: bool
    low: float
    high: float
    title: str
    ridges: dict[Series, _Ridge]

    @classmethod
    def of(cls, samples: Samples, panels: list[Panel], options: Options) -> _Axis:
        import numpy as np  # noqa: PLC0415

        every = [series for panel in panels for series in panel.series]
        values = np.concatenate([samples.values(series) for series in every])
        metric = panels[0].metric
        unit = frame.unit(samples, metric, float(np.median(np.abs(values))))
        log = curves.wants_log(values, options.log)
        ridges = {series: _ridge(samples, series, unit.factor, log=log) for series in every}
        low, high = curves.span(values / unit.factor, [ridge.curve for ridge in ridges.values()], log=log)
        return cls(log, low, high, frame.axis_title(samples, metric, unit), ridges)

    def encoding(self) -> dict[str, Any]:
        return frame.values_axis("value", self.title, self.low, self.high, log=self.log)


def _ridge(samples: Samples, series: Series, factor: float, *, log: bool) -> _Ridge:
    values = samples.values(series) / factor
    held = values[values > 0] if log else values
    return _Ridge(series, held, len(values) - len(held), curves.density(held, log=log))


def _panel(
    samples: Samples, ridges: list[_Ridge], axis: _Axis, label: dict[int, str], width: int
) -> tuple[dict[str, Any], bool]:
    peaks = [max(ridge.curve.height) for ridge in ridges if ridge.curve]
    uneven = bool(peaks) and max(peaks) > _UNEVEN * min(peaks)
    area: list[dict[str, Any]] = []
    names, rugs, medians = [], [], []
    for row, ridge in enumerate(ridges):
        base = len(ridges) - 1 - row
        place = ridge.series.variant
        facts = {"place": place, "base": base, **_facts(samples, ridge)}
        names.append({**facts, "label": label[place]})
        if ridge.curve:
            scale = _RISE / (max(ridge.curve.height) if uneven else max(peaks))
            points = zip(ridge.curve.at, ridge.curve.height, strict=True)
            inside = [(at, height) for at, height in points if axis.low <= at <= axis.high]
            area += [{**facts, "value": tidy(at), "top": tidy(base + height * scale)} for at, height in inside]
        if len(ridge.values):
            medians.append(
                {**facts, "value": tidy(_median(ridge.values)), "top": base + (0.75 if ridge.curve else 0.5)}
            )
        step = -(-len(ridge.values) // _RUG)
        rugs += [{**facts, "value": tidy(value)} for value in sorted(ridge.values.tolist())[:: max(step, 1)]]
    rows = {"scale": {"domain": [-0.3, len(ridges) - 1 + _RISE + 0.1], "nice": False}, "axis": None}
    y = {"field": "base", "type": "quantitative", **rows}
    top = {"field": "top", "type": "quantitative", **rows}
    colour = frame.variant_colour(samples)
    tooltip = [{"field": key, "title": key} for key in ("variant", "values", "median")]
    x = axis.encoding()
    layers = [
        _layer(names, {"type": "rule", "style": "guide", "opacity": 0.5}, y=y),
        _layer(
            area,
            {"type": "area", "fillOpacity": 0.55, "line": {"strokeWidth": 1.5}},
            x=x,
            y={**top, "stack": None},
            y2={"field": "base"},
            color=colour,
            tooltip=tooltip,
        ),
        _layer(
            medians, {"type": "rule", "strokeWidth": 2}, x=x, y=y, y2={"field": "top"}, color=colour, tooltip=tooltip
        ),
        _layer(
            rugs,
            {"type": "tick", "orient": "vertical", "size": 7, "thickness": 1, "opacity": 0.6, "yOffset": 6},
            x=x,
            y=y,
            color=colour,
        ),
        _layer(
            names,
            {"type": "text", "style": "name", "align": "right", "baseline": "middle", "dy": -4},
            x={"value": -8},
            y=y,
            text={"field": "label"},
            tooltip=tooltip,
        ),
    ]
    height = int(_STEP * (len(ridges) - 1 + _RISE + 0.4))
    return {"width": width, "height": height, "layer": [layer for layer in layers if layer["data"]["values"]]}, uneven


def _layer(values: list[dict[str, Any]], mark: dict[str, Any], **encoding: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _facts(samples: Samples, ridge: _Ridge) -> dict[str, Any]:
    values = samples.values(ridge.series)
    return {
        "variant": frame.whole(samples.labels[ridge.series.variant]),
        "values": len(values),
        "median": frame.amount(samples, ridge.series.metric, _median(values)),
    }


def _median(values: Floats) -> float:
    import numpy as np  # noqa: PLC0415

    return float(np.median(values))


def _alt(samples: Samples, shown: list[Panel], title: str) -> str:
    said = []
    for panel in shown[:3]:
        medians = ", ".join(
            f"{frame.name(samples.labels[series.variant])} "
            f"{frame.amount(samples, panel.metric, _median(samples.values(series)))}"
            for series in panel.series
        )
        words = frame.panel_name(samples, panel, shown)
        said.append(f"{frame.name(words, 100)}: medians {medians}" if words else f"medians {medians}")
    more = f"; and {len(shown) - 3} more panels" if len(shown) > 3 else ""  # noqa: PLR2004 - as many as are told
    return f"{title}. {'; '.join(said)}{more}."
