"""Shared parts of pictures of several benchmarks: choosing, naming and arranging panels, axes and legends.

A panel is a benchmark of a metric in a group, with all its variants. Untrusted names pass through ``name``; they appear
only in data and in titles, which Vega-Lite treats as plain text.
"""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.errors import Stop
from statera.plots import curves
from statera.plots.magnitudes import scientific
from statera.plots.ranking import heaviest
from statera.plots.theme import SIZE, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.plots.raw_values import Samples, Series, Source
    from statera.results.comparison import Comparison

GLYPH = 6.6  # a generous width of a character at 11 pixels
LONGEST = 48  # the most characters of a name; longer ones are cut in the middle, and tooltips show them in full
NUMBER = ",~r"  # ticks are plain numbers: the axis title carries the unit
DIGITS = 7  # significant digits of a number of a picture: no pixel needs more
_PLAIN = (1e-5, 1e7)  # range of numbers of a logarithmic axis without an exponent
EXPONENTS = (  # labels of an axis: long numbers get an exponent
    f"datum.value < {_PLAIN[0]} || datum.value > {_PLAIN[1]:.0f} "
    f"? {scientific('datum.value', '.7')} : format(datum.value, ',~r')"
)
_LOG_STEPS = (
    ((1, 2, 3, 5), 1),
    ((1, 2, 5), 1),
    ((1, 3), 1),
    *(((1,), every) for every in (1, 2, 3, 5, 10, 20, 50, 100, 200)),
)
_PLACES = 64  # variants that a scale lists; colours repeat beyond it anyway
SIDE = 48  # pixels for numbers at the left of a panel
AT_SIDE: dict[str, Any] = {
    "minExtent": SIDE - 6,
    "maxExtent": SIDE - 6,
    "labelBound": True,
}  # aligns panels
_KNOWN = ("variant", "values", "median")
FACTS = [{"field": key, "title": key} for key in _KNOWN]
NARROW = 700  # pixels from which two panels are placed side by side


class Options(NamedTuple):
    """The options of a picture.

    Attributes:
        width: the width of the whole picture in pixels.
        metric: the number of the metric; None for the first that has values.
        benchmarks: the numbers of the benchmarks, in order; empty for those that matter most.
        groups: the numbers of the groups; empty for all.
        most: the most panels to draw.
        log: whether the axis of values is logarithmic; None to decide by the data.

    """

    width: int = 720
    metric: int | None = None
    benchmarks: Sequence[int] = ()
    groups: Sequence[int] = ()
    most: int = 12
    log: bool | None = None


class Panel(NamedTuple):
    """A benchmark of a metric in a group, with one series per variant that has values."""

    group: int
    metric: int
    benchmark: int
    series: tuple[Series, ...]


def panels(source: Source, samples: Samples, options: Options) -> tuple[list[Panel], list[str]]:
    """Choose the panels, those that matter most first, and describe what is left out.

    Raises:
        Stop: when nothing is left to draw.

    """
    metric = first_metric(samples, options)
    found: dict[tuple[int, int], list[Series]] = {}
    for series in samples.series:
        wanted = series.metric == metric and (not options.groups or series.group in options.groups)
        if wanted and (not options.benchmarks or series.benchmark in options.benchmarks):
            found.setdefault((series.benchmark, series.group), []).append(series)
    if not found:
        raise Stop("nothing-to-draw", "no values match the request")
    held = list(dict.fromkeys(benchmark for benchmark, _ in found))
    order = [b for b in (options.benchmarks or heaviest(source, samples, metric, options.most)) if b in set(held)]
    rank = {benchmark: place for place, benchmark in enumerate(order)}
    keys = sorted(found, key=lambda key: (rank.get(key[0], len(rank)), key[0], key[1]))
    shown = [
        Panel(group, metric, benchmark, tuple(found[benchmark, group])) for benchmark, group in keys[: options.most]
    ]
    return shown, _left_out(held, shown, len(keys), chosen=bool(options.benchmarks))


def by_benchmark(shown: Iterable[Panel]) -> dict[int, list[Panel]]:
    """Group the panels by benchmark; the panels of a benchmark share an axis."""
    found: dict[int, list[Panel]] = {}
    for panel in shown:
        found.setdefault(panel.benchmark, []).append(panel)
    return found


def first_metric(samples: Samples, options: Options) -> int:
    """Return the number of the metric to draw."""
    if options.metric is not None:
        return options.metric
    metrics = samples.drawn_metrics()
    if not metrics:
        raise Stop("nothing-to-draw", "there are no values to draw")
    return metrics[0]


def _left_out(held: list[int], shown: list[Panel], panels_held: int, *, chosen: bool) -> list[str]:
    said = []
    drawn = len({panel.benchmark for panel in shown})
    if drawn < len(held):
        which = "the first that were named" if chosen else "those that matter most"
        said.append(f"{drawn} of {len(held)} benchmarks, {which}")
    elif len(shown) < panels_held:
        said.append(f"{len(shown)} of {panels_held} panels")
    return said


def amount(samples: Samples, metric: int, value: float) -> str:
    """Write a value with its unit, as in the tables."""
    return _native.quantity(samples.native, metric, value, value)


def name(text: str, most: int = LONGEST) -> str:
    """Return a name for a picture: without characters that move or hide text, cut in the middle if it is too long."""
    return _native.shortened(_native.printable(text), most)


def whole(text: str) -> str:
    """Return a name in full length, for a tooltip."""
    return _native.printable(text)


def fitting(names: Iterable[str], pixels: float) -> tuple[list[str], int]:
    """Shorten names to a width in pixels; return them with the pixels that they take."""
    most = max(int(pixels / GLYPH), 6)
    short = [name(each, most) for each in names]
    return short, int(max((_native.columns(each) for each in short), default=0) * GLYPH) + 8


def title(words: str, said: Iterable[str], width: int) -> dict[str, Any]:
    """Return the title of a picture, with the sentences of ``said`` as its subtitle.

    Both are wrapped to the width of the picture without the labels at its left.
    """
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)
    width -= 24
    below = wrapped(text, width, SIZE, lines=9) if text else []
    return {"text": wrapped(words, width, SIZE + 4), **({"subtitle": below} if below else {})}


def wrapped(text: str, width: int, size: int, lines: int = 3) -> list[str]:
    """Break a text into ``lines`` lines at most that fit; an ellipsis marks a text that is too long."""
    most = max(int(width / (size * 0.6)), 12)
    return textwrap.wrap(text, most, max_lines=lines, placeholder=" …", break_on_hyphens=False) or [""]


def panel_name(samples: Samples, panel: Panel, shown: Sequence[Panel]) -> str:
    """Write what distinguishes a panel from the others: benchmark, group, or both."""
    benchmarks = len({each.benchmark for each in shown}) > 1
    groups = len({each.group for each in shown}) > 1
    parts = [samples.benchmarks[panel.benchmark]] if benchmarks else []
    if groups and samples.groups[panel.group]:
        parts.append(samples.groups[panel.group])
    return " · ".join(whole(part) for part in parts)


def heading(samples: Samples, shown: Sequence[Panel], words: str) -> str:
    """Return the title of a picture: what it shows, the metric, and the benchmark or group if there is only one."""
    one = shown[0]
    parts = [f"{words} of {name(samples.metrics[one.metric].name)}"]
    if len({panel.benchmark for panel in shown}) == 1 and len(samples.benchmarks) > 1:
        parts.append(name(samples.benchmarks[one.benchmark]))
    if len({panel.group for panel in shown}) == 1 and samples.groups[one.group]:
        parts.append(name(samples.groups[one.group]))
    return ", ".join(parts)


def columns_of(options: Options, shown: Sequence[Panel]) -> int:
    """Return how many panels to place side by side; a few panels that share an axis are stacked instead."""
    few = len({panel.benchmark for panel in shown}) == 1 and len(shown) <= 4  # noqa: PLR2004
    return 1 if options.width < NARROW or few else 2


def inner_width(options: Options, columns: int, beside: int) -> int:
    """Return the width of a panel's data area, without ``beside`` pixels of labels at its left."""
    padding, spacing = 24, 18
    whole_width = options.width - padding - spacing * (columns - 1)
    return max(int(whole_width / columns) - beside - 8, 80)


def panel_title(words: str, width: int) -> dict[str, Any]:
    """Return the title of one panel among several."""
    return {"text": wrapped(words, width, 12)[:2], "style": "panel-title", "offset": 6}


def concat(specs: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    """Place panels side by side; each keeps its own scales."""
    if len(specs) == 1:
        return specs[0]
    return {"concat": specs, "columns": columns, "resolve": {"scale": {"color": "shared"}}}


def variant_colour() -> dict[str, Any]:
    """Encode the variant, field ``place`` of the data, by colour; the baseline is neutral.

    Vega-Lite draws no legend: rows have names; pictures without names use ``legend``.
    """
    return {"field": "place", "type": "nominal", "scale": {"domain": list(range(_PLACES))}, "legend": None}


def variant_dash() -> dict[str, Any]:
    """Encode the variant by dashes, which differ where colours repeat."""
    dashes = [[1, 0], [5, 2], [2, 2], [8, 2, 2, 2], [1, 3], [10, 4], [6, 2, 1, 2], [3, 6], [12, 2]]
    turns = [dashes[max(place - 1, 0) // 7] for place in range(_PLACES)]
    scale = {"domain": list(range(_PLACES)), "range": turns}
    return {"field": "place", "type": "nominal", "scale": scale, "legend": None}


def layer(
    values: list[dict[str, Any]],
    mark: dict[str, Any],
    known: Iterable[dict[str, Any]] = (),
    /,
    **encoding: Any,  # noqa: ANN401 - what Vega-Lite takes
) -> dict[str, Any]:
    """Return a layer with its own data; ``known`` holds the ``facts`` of each variant, written once for all rows."""
    table = [{key: each[key] for key in ("place", *_KNOWN)} for each in known]
    found = {"data": {"values": table}, "key": "place", "fields": list(_KNOWN)}
    joined = {"transform": [{"lookup": "place", "from": found}]} if table else {}
    return {"data": {"values": values}, **joined, "mark": mark, "encoding": encoding}


def filled(layers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the layers that draw something; if none does, a note that says so: Vega requires a mark in each panel."""
    held = [each for each in layers if each["data"]["values"]]
    return held or [layer([{"label": "nothing to draw"}], {"type": "text", "style": "remark"}, text={"field": "label"})]


def facts(samples: Samples, series: Series) -> dict[str, Any]:
    """Return the tooltip of a series (``FACTS``), and the index of its variant."""
    values = samples.values(series)
    return {
        "place": series.variant,
        "variant": whole(samples.labels[series.variant]),
        "values": len(values),
        "median": amount(samples, series.metric, curves.quantiles(values, 0.5)[0]),
    }


def variant_labels(samples: Samples, shown: Sequence[Panel], options: Options) -> tuple[dict[int, str], int]:
    """Return the names of variants for the left of rows, and the pixels that they take."""
    held = sorted({series.variant for panel in shown for series in panel.series})
    short, beside = fitting((samples.labels[variant] for variant in held), options.width * 0.22)
    return dict(zip(held, short, strict=True)), beside


def small_title(lines: Sequence[str], width: int) -> dict[str, Any]:
    """Return the title of one of several series in a panel, line by line."""
    text = [_native.shortened(words, max(int(width / GLYPH), 12)) for words in lines]
    return {"text": text, "style": "name", "fontWeight": "normal", "offset": 4}


def stacked(specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Stack the series of a panel, closer than panels."""
    return specs[0] if len(specs) == 1 else {"vconcat": specs, "spacing": 8}


def legend(samples: Samples, shown: Sequence[Panel], width: int) -> dict[str, Any]:
    """Draw the colours and names of variants as a separate panel."""
    held = sorted({series.variant for panel in shown for series in panel.series})
    return legend_of([(variant, samples.labels[variant]) for variant in held], width)


def legend_of(entries: Iterable[tuple[int, str]], width: int, dashes: dict[str, Any] | None = None) -> dict[str, Any]:
    """Draw colours, or lines with ``dashes``, and their meanings as a separate panel."""
    rows: list[dict[str, Any]] = []
    x, y = 0.0, 0
    for place, label in entries:
        short = name(label, min(LONGEST, max(int(width / GLYPH) - 4, 6)))
        wide = _native.columns(short) * GLYPH + 30
        if rows and x + wide > width:
            x, y = 0.0, y + 1
        rows.append({"place": place, "label": short, "variant": whole(label), "x": x + 6, "row": y})
        x += wide
    height = 16 * (y + 1)
    at = {"scale": {"domain": [0, width], "nice": False}, "axis": None, "type": "quantitative"}
    row = {"field": "row", "type": "quantitative", "axis": None, "scale": {"domain": [y + 0.5, -0.5], "nice": False}}
    tooltip = [FACTS[0]]
    mark = {"type": "point", "filled": True, "shape": "square", "size": 90, "opacity": 1}
    dash = {}
    if dashes or max((row["place"] for row in rows), default=0) > 7:  # noqa: PLR2004 - colours beside the baseline's
        mark = {"type": "point", "filled": False, "shape": "stroke", "size": 160, "strokeWidth": 3, "opacity": 1}
        mark |= {"size": 360, "strokeWidth": 2} if dashes else {}
        dash = {"strokeDash": dashes or variant_dash()}
    words = {"type": "text", "style": "name", "align": "left", "baseline": "middle", "dx": 14 if dashes else 10}
    return {
        "width": width,
        "height": height,
        "layer": [
            layer(rows, mark, x={"field": "x", **at}, y=row, color=variant_colour(), tooltip=tooltip, **dash),
            layer(rows, words, x={"field": "x", **at}, y=row, text={"field": "label"}, tooltip=tooltip),
        ],
    }


def under_legend(samples: Samples, shown: Sequence[Panel], spec: dict[str, Any], options: Options) -> dict[str, Any]:
    """Place a legend of the variants above panels that show several."""
    if len({series.variant for panel in shown for series in panel.series}) == 1:
        return spec
    return {"vconcat": [legend(samples, shown, options.width - SIDE - 24), spec], "spacing": 10}


def titled(spec: dict[str, Any], words: str, width: int) -> dict[str, Any]:
    """Return a panel with its title, if it has one."""
    if not words:
        return spec
    title = panel_title(words, width)
    # A single series keeps its own title below that of the panel.
    own = spec.get("title")
    below = {"subtitle": own["text"]} if own else {}
    return {**spec, "title": {**title, **below}}


def verdict_colour(field: str = "verdict") -> dict[str, Any]:
    """Encode the verdict, a word of ``theme.VERDICTS`` in a field of the data, by colour."""
    return {"field": field, "type": "ordinal", "scale": {"domain": list(VERDICTS), "range": "ordinal"}, "legend": None}


def compared(source: Source) -> Comparison:
    """Return the source as a comparison.

    Raises:
        Stop: the source is not a comparison.

    """
    from statera.results.comparison import Comparison  # noqa: PLC0415

    if not isinstance(source, Comparison):
        raise Stop(
            "bad-option", "this picture compares variants, and there is only one; name several results or use --by"
        )
    return source


def log_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Choose the ticks of a logarithmic axis: the finest of 1-2-5, 1-3, decades, … with ``most`` ticks at most."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps, every in _LOG_STEPS:
        decades = range(first - first % every, last + 1, every)
        ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) <= most:
            break
    return inside if len(inside) > 1 else even_ticks(low, high, most)


def even_ticks(low: float, high: float, most: int) -> list[float]:
    """Choose ticks in steps of 1, 2 or 5 times a power of ten, for an axis that holds fewer than two powers of ten."""
    from fractions import Fraction  # noqa: PLC0415 - most axes do without

    room = (Fraction(high) - Fraction(low)) / most
    decade = Fraction(10) ** math.floor(math.log10(room))
    step = next(step for step in (decade, 2 * decade, 5 * decade, 10 * decade) if step >= room)
    return [float(place * step) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def values_axis(field: str, title: str, low: float, high: float, *, log: bool, most: int = 9) -> dict[str, Any]:
    """Encode values on an axis from ``low`` to ``high``; ``log_ticks`` chooses logarithmic ticks."""
    ticks = log_ticks(low, high, most) if log else []
    axis = {"title": title, "format": NUMBER, "tickCount": min(most, 6)}
    if log and (low < _PLAIN[0] or high > _PLAIN[1]):
        axis["labelExpr"] = EXPONENTS
    kind = {"type": "log"} if log else {"type": "linear", "zero": False}
    digits = DIGITS + digits_beyond(low, high)
    return {
        "field": field,
        "type": "quantitative",
        "scale": {**kind, "domain": [tidy(low, digits), tidy(high, digits)], "nice": False},
        # Vega labels only as many logarithmic ticks as this count requests.
        "axis": {**axis, "values": ticks, "tickCount": 100} if ticks else axis,
    }


def digits_beyond(low: float, high: float) -> int:
    """Return how many more digits numbers between two ends need than numbers of an axis that begins at zero."""
    largest = max(abs(low), abs(high))
    if not 0 < high - low < largest:
        return 0
    return max(math.ceil(math.log10(largest / (high - low))) - 2, 0)


def tidy(value: float, digits: int = DIGITS) -> float:
    """Round a number of a picture to significant digits: no pixel needs more."""
    return float(f"{value:.{digits}g}")
