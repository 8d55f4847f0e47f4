"""Scaling: values over a number in a key, in the variants or in the names of benchmarks; one line per variant."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera import _native
from statera.output.plots import curves, frame
from statera.output.plots import effects as rows_of
from statera.output.plots.axes import ValueAxis, cut, cut_words, linear_after_all
from statera.output.plots.frame import Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import NOTHING, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 8  # default number of panels
_HEIGHT = 190
_WIDE = 8.0  # from this quotient of the largest and the smallest number, the axis of numbers is logarithmic
_ROOM, _ROOM_AT = 0.06, 0.05  # free room at the ends of the axes of values and of numbers
_LONG = 1e4  # numbers from here on have a prefix
_LARGE = 1e15  # larger numbers are written with an exponent
_TICKS = 8  # up to so many numbers are all ticks; otherwise Vega chooses ticks
_TOOLTIP = [{"field": key, "title": key} for key in ("benchmark", "variant", "at", "centre", "interval")]
_ENOUGH = 3  # numbers that make a series of names; two if no names have more
_TIMES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
# A number is delimited by characters other than letters and digits, or has letters only before or after it; hashes,
# which mix both, do not match.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9])(?P<before>[A-Za-z]*)(?P<digits>\d+(?:_\d{3})+|\d+(?:\.\d+)?)"
    r"(?P<times>[KMG]i(?![A-Za-ac-z])|[kKMG](?![A-Za-ac-z]))?[A-Za-z]*(?![A-Za-z0-9])"
)


class Spot(NamedTuple):
    """The position of a benchmark of a group: its panel, and its number there."""

    panel: str
    parameter: str
    at: float


class _Point(NamedTuple):
    """The values of a variant at a spot, in the base unit."""

    spot: Spot
    benchmark: str
    variant: int
    centre: float
    low: float | None
    high: float | None


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per family of benchmarks that differ in one number."""
    comparison, samples = frame.compared(source), samples_of(source)
    found = rows_of.effects(comparison, samples, options)
    points, single = _points(comparison, samples, found)
    if not points:
        raise Stop(
            "nothing-to-draw",
            "nothing differs by a number: neither a key (--within KEY), nor the variants, nor the names of benchmarks",
        )
    of: dict[str, list[_Point]] = {}
    for point in points:
        of.setdefault(point.spot.panel, []).append(point)
    order = sorted(of, key=lambda panel: -len({point.spot.at for point in of[panel]}))
    shown = order[: options.most]
    metric = found[0].metric
    columns = 1 if options.width < frame.NARROW or len(shown) == 1 else 2
    width = frame.inner_width(options, columns, 74)
    names, common = frame.for_panels(shown, width)
    colour = frame.variant_colour(samples)
    specs, told, axes, lost, spans, below = [], [], [], 0, 0, 0
    for panel, short in zip(shown, names, strict=True):
        seen = _seen(samples, metric, of[panel], single=single)
        told.append(f"{panel}: {seen}" if panel else seen)
        axes.append(_values_axis(samples, metric, of[panel], options))
        rows = _rows(samples, metric, of[panel], axes[-1], single=single)
        title_of = rows_of.panel_title(short, seen, width)
        specs.append({"title": title_of, **_panel(rows, of[panel][0].spot, axes[-1], width, colour)})
        lost += sum(row["unheld"] for row in rows)
        spans += sum("low" in row for row in rows)
        below += cut(
            axes[-1], (point.low for point in of[panel] if point.low is not None and axes[-1].holds(point.centre))
        )
    drawn = sum(len(of[panel]) for panel in shown)
    parameters = list(dict.fromkeys(of[panel][0].spot.parameter for panel in shown))
    over = frame.name(parameters[0]) if len(parameters) == 1 else "numbers in the names"
    title = f"{frame.name(samples.metrics[metric].name)} over {over}"
    numbered = {point.benchmark for point in points}
    without = len({effect.fields["benchmark"] for effect in found} - numbered)
    said = [*cut_words(below), *linear_after_all(axes), *common]
    said += [f"{counted(without, 'benchmark')} without a number left out"] if without else []
    said += [f"{len(shown)} of {len(of)} panels"] if len(shown) < len(of) else []
    shows = ["Lines at points are intervals"] if spans else []
    variants = sorted({point.variant for panel in shown for point in of[panel]})
    body = rows_of.side_by_side(specs, columns)
    lines = [(variant, samples.labels[variant]) for variant in variants] if not single and len(variants) > 1 else []
    if lines or lost:
        hollow = "0 or below: the axis is logarithmic" if lost else ""
        legend = frame.legend_of(lines, options.width - 24, samples=samples, elsewhere=hollow, left=60)
        body = {"vconcat": [legend, body], "spacing": 8}
    return Picture(
        kind="scaling",
        title=title,
        alt=f"{title}. {'; '.join(frame.name(each, 200) for each in told[:6])}.",
        spec={"title": rows_of.title(title, [*shows, *said], options.width), **body},
        marks={"panels": len(shown), "points": drawn - lost, "zeros": lost, "intervals": spans},
        remarks=tuple(said),
    )


def _points(comparison: Comparison, samples: Samples, found: list[Effect]) -> tuple[list[_Point], bool]:
    """Return the points, and whether the variants themselves are the numbers and so form one line."""
    labels = [number_of(label) for label in samples.labels]
    if len(labels) >= _ENOUGH and all(value is not None for value in labels):
        parameter = ", ".join(comparison.arrangement.by) or "variant"

        def by_variant(effect: Effect, variant: int) -> Spot:
            words = [effect.fields["benchmark"], samples.groups[effect.group]]
            return Spot(frame.whole(" · ".join(word for word in words if word)), parameter, labels[variant] or 0.0)

        return _collected(found, by_variant), True
    by_group = _group_spots(comparison, found)
    if by_group:
        return _collected(found, lambda effect, _: by_group.get((effect.fields["benchmark"], effect.group))), False
    go = {source.format for source in comparison.observations.sources} == {"go"}
    names = spots_of_names(dict.fromkeys(effect.fields["benchmark"] for effect in found), go=go)
    several = len({effect.group for effect in found}) > 1

    def by_name(effect: Effect, _: int) -> Spot | None:
        spot = names.get(effect.fields["benchmark"])
        group = samples.groups[effect.group]
        return spot._replace(panel=frame.whole(f"{spot.panel} · {group}")) if spot and several and group else spot

    return _collected(found, by_name), False


def _collected(found: list[Effect], spot_of: Callable[[Effect, int], Spot | None]) -> list[_Point]:
    """Return each variant of each row once, at its spot."""
    points: dict[tuple[str, int, int], _Point] = {}
    for effect in found:
        fields = effect.fields
        for variant, side in ((effect.base, "baseline"), (effect.contender, "contender")):
            spot, centre = spot_of(effect, variant), fields[f"{side}_centre"]
            if spot is not None and centre is not None:
                point = _Point(
                    spot, fields["benchmark"], variant, centre, fields[f"{side}_low"], fields[f"{side}_high"]
                )
                points.setdefault((fields["benchmark"], effect.group, variant), point)
    return sorted(points.values(), key=lambda point: (point.variant, point.spot.at))


def _group_spots(comparison: Comparison, found: list[Effect]) -> dict[tuple[str, int], Spot]:
    """Place benchmarks by the first key of their groups (``threads: 4``) with only numbers as values."""
    groups = sorted({effect.group for effect in found})
    keys = {group: comparison.arrangement.levels[group] for group in groups}
    for key in keys[groups[0]] if len(groups) > 1 else {}:
        values = {group: number_of(keys[group].get(key, "")) for group in groups}
        if len(set(values.values())) == 1 or any(value is None for value in values.values()):
            continue
        spots = {}
        several = len({effect.benchmark for effect in found}) > 1
        for effect in found:
            rest = [f"{name}: {word}" for name, word in keys[effect.group].items() if name != key]
            words = [*([effect.fields["benchmark"]] if several else []), *rest]
            spot = Spot(frame.whole(" · ".join(words)), key, values[effect.group] or 0.0)
            spots[effect.fields["benchmark"], effect.group] = spot
        return spots
    return {}


def _seen(samples: Samples, metric: int, points: list[_Point], *, single: bool) -> str:
    """Write the first and the last value of each line."""
    said = []
    variants = [None] if single else list(dict.fromkeys(point.variant for point in points))
    for variant in variants[:3]:
        line = sorted((p for p in points if variant in {None, p.variant}), key=lambda point: point.spot.at)
        ends = [line[0].centre, line[-1].centre]
        # In one unit.
        first, last = (_native.amount(samples.native, metric, end, max(ends, key=abs)) for end in ends)
        whose = "" if variant is None else f"{frame.name(samples.labels[variant], 24)} "
        said.append(f"{whose}{first} to {last}")
    return "; ".join(said)


def _values_axis(samples: Samples, metric: int, points: list[_Point], options: Options) -> ValueAxis:
    centres = np.array([point.centre for point in points])
    ends = [end for point in points for end in (point.low, point.high) if end is not None]
    log = True if options.log is None and _both_log(points) else options.log
    return ValueAxis.of(samples, metric, centres, log=log, also=ends, room=_ROOM)


def _panel(
    every: list[dict[str, Any]], spot: Spot, axis: ValueAxis, width: int, colour: dict[str, Any]
) -> dict[str, Any]:
    rows, zeros = ([row for row in every if row["unheld"] == unheld] for unheld in (False, True))
    spans = [row for row in rows if "low" in row]
    y = axis.encoding()
    x = _number_axis([row["at"] for row in every], frame.name(spot.parameter), width)
    both = {"x": x, "y": y, "color": colour}
    ends = {**both, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    dot = {"type": "point", "filled": True, "size": 50, "opacity": 1}
    layers = [
        frame.layer(rows, {"type": "line", "strokeWidth": 1.5}, **both),
        frame.layer(spans, {"type": "rule", "strokeWidth": 2}, **ends),
        frame.layer(rows, dot, **both, tooltip=_TOOLTIP),
        frame.layer(zeros, frame.hollow(), **both, tooltip=_TOOLTIP),
    ]
    return {"width": width, "height": _HEIGHT, "layer": frame.filled(layers)}


def _both_log(points: list[_Point]) -> bool:
    """Return whether both axes should be logarithmic: with wide ranges, a power law is then a straight line."""
    at, values = zip(*((point.spot.at, point.centre) for point in points), strict=True)
    return bool(min(*at, *values) > 0 and min(max(at) / min(at), max(values) / min(values)) >= _WIDE)


def _rows(
    samples: Samples, metric: int, points: list[_Point], axis: ValueAxis, *, single: bool
) -> list[dict[str, Any]]:
    """Return the data rows of the points; those of zero or below stand at the end of a logarithmic axis."""
    return [_row(samples, metric, point, axis, single=single) for point in points]


def _row(samples: Samples, metric: int, point: _Point, axis: ValueAxis, *, single: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "place": 0 if single else point.variant,
        "benchmark": frame.whole(point.benchmark),
        "variant": frame.whole(samples.labels[point.variant]),
        "at": tidy(point.spot.at),
        "value": axis.place(point.centre) if axis.holds(point.centre) else axis.inside(point.centre),
        "unheld": not axis.holds(point.centre),
        "centre": frame.amount(samples, metric, point.centre),
        "interval": NOTHING,
    }
    if point.low is not None and point.high is not None and not row["unheld"]:
        row |= {"low": axis.inside(point.low), "high": axis.inside(point.high)}
        row["interval"] = f"[{', '.join(frame.amount(samples, metric, end) for end in (point.low, point.high))}]"
    return row


def _number_axis(values: list[float], title: str, width: int) -> dict[str, Any]:
    low, high = min(values), max(values)
    log = low > 0 and high / _WIDE >= low
    shown = frame.values_axis("at", title, *curves.span(np.array([low, high]), log=log, room=_ROOM_AT), log=log)
    ticks = sorted(set(values))
    axis: dict[str, Any] = {"title": title, "format": "~s" if high >= _LONG else frame.NUMBER, "grid": False}
    axis |= {"labelExpr": frame.EXPONENTS} if high >= _LARGE else {}
    if len(ticks) <= min(_TICKS, width // 36):
        axis |= {"values": ticks, "tickCount": 100}
    return {**shown, "axis": axis}


def number_of(text: str) -> float | None:
    """Return the number of a text that is one, or contains exactly one: ``4``, ``n=1_000``, ``64Ki``; else None."""
    held = list(_NUMBER.finditer(text))
    value = _value(held[0]) if len(held) == 1 else math.inf
    return value if math.isfinite(value) else None


def _value(match: re.Match[str]) -> float:
    return float(match["digits"].replace("_", "")) * _TIMES.get(match["times"] or "", 1.0)


def spots_of_names(names: Iterable[str], *, go: bool) -> dict[str, Spot]:
    """Place benchmarks by the number in which their names differ; the family with the most numbers decides."""
    families: dict[tuple[str, str], dict[float, str]] = {}
    of: dict[str, list[tuple[tuple[str, str], float, str]]] = {}
    for name in names:
        for match in _NUMBER.finditer(name):
            start, end = match.start("digits"), match.end("times") if match["times"] else match.end("digits")
            family, value = (name[:start], name[end:]), _value(match)
            if math.isfinite(value):
                families.setdefault(family, {})[value] = name
                of.setdefault(name, []).append((family, value, match["before"]))
    least = min(max((len(values) for values in families.values()), default=0), _ENOUGH)
    spots = {}
    for name, places in of.items():
        family, value, before = max(places, key=lambda place: len(families[place[0]]))
        if len(families[family]) >= max(least, 2):
            panel = frame.whole(f"{family[0]}*{family[1]}")
            spots[name] = Spot(panel, _parameter(family, before, go=go), value)
    return spots


def _parameter(family: tuple[str, str], before: str, *, go: bool) -> str:
    """Return the name of the number: the text before it (``n=``, ``size:``), Go's suffix, or its place."""
    if go and family[0].endswith("-") and not family[1]:
        return "GOMAXPROCS"
    named = re.search(r"([A-Za-z_]+)[=:]$", family[0])
    return named[1] if named else before or "the number in the name"
