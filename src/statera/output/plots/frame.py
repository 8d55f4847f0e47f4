"""Parts that all pictures share: panels, names, axes, legends, layout, and the words about them.

A panel shows a benchmark of a metric in a group, with all its variants. Untrusted names pass through ``name``. They
occur only in data and titles, which Vega-Lite treats as plain text.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.comparison.codes import VERDICTS
from statera.comparison.results.comparison import Comparison
from statera.output.plots import curves
from statera.output.plots.picture import NARROW_BELOW as PHONE
from statera.output.plots.theme import COLOURS, SHADES_OF_HUES, SIZE
from statera.output.views.names import TWO_LINES, apart, broken, pieces, shortened
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.raw_values import Samples, Series, Source

GLYPH = 6.6  # width of a letter of 11 pixels, rounded up
_BOLD = 8.0  # width of a bold letter of 12 pixels, rounded up
_OF_SIZE = 0.54  # width of a letter in a sentence, as a share of its size
AXIS = 28  # columns of a metric's name in the title of an axis
LONGEST = 48  # columns of a name; a longer one is cut in the middle, and the tooltip shows it whole
NARROW = 700  # from this width in pixels, panels have two columns
SIDE = 48  # pixels of numbers at the left of a panel
AT_SIDE: dict[str, Any] = {"minExtent": SIDE - 6, "maxExtent": SIDE - 6, "labelBound": True}  # aligns the panels
_KNOWN = ("variant", "values", "median")
FACTS = [{"field": key, "title": key} for key in _KNOWN]
_PLACES = 64  # variants that get a colour by their place; colours repeat after far fewer
# A diamond from -1.1 to 1.1; its inner outline runs the other way round, which leaves a hole.
HOLLOW = "M0,-1.1L1.1,0L0,1.1L-1.1,0ZM0,-0.6L-0.6,0L0,0.6L0.6,0Z"
"""The shape of what an axis cannot hold, such as a change from 0 to 12 on an axis of ratios."""
_BESIDE = 28  # the most characters of a name beside numbers
NUMBER = ",~r"  # ticks are plain numbers: the axis title carries the unit
DIGITS = 7  # significant digits of a value; no pixel needs more
_PLAIN = (1e-5, 1e7)  # range of a logarithmic axis without exponents


def scientific(value: str, digits: str) -> str:
    """Return the Vega expression that writes a number as ``1.5e7``; ``digits`` is a format such as ``.3``."""
    return f"replace(format({value}, '{digits}~e'), 'e+', 'e')"


EXPONENTS = (  # labels of an axis; long numbers get an exponent
    f"datum.value < {_PLAIN[0]} || datum.value > {_PLAIN[1]:.0f} "
    f"? {scientific('datum.value', '.7')} : format(datum.value, ',~r')"
)
_LOG_STEPS = (
    ((1, 2, 3, 5), 1),
    ((1, 2, 5), 1),
    ((1, 3), 1),
    *(((1,), every) for every in (1, 2, 3, 5, 10, 20, 50, 100, 200)),
)


class Options(NamedTuple):
    """Options of a picture."""

    width: int = 720  # the width of the whole picture in pixels
    metric: int | None = None  # the number of the metric; None for the first that has values
    benchmarks: Sequence[int] = ()  # the numbers of the benchmarks, in order; those that matter most if empty
    groups: Sequence[int] = ()  # the numbers of the groups; all if empty
    variants: Sequence[int] = ()  # the numbers of the variants of panels; all if empty
    most: int = 12  # the largest number of panels
    log: bool | None = None  # whether the axis of values is logarithmic; None to let the data decide
    facet: str = ""  # the key whose levels are the panels, where a picture has a choice; empty for the usual one
    explained: bool = True  # whether a picture of values says how it is read; otherwise the text around it does


class Panel(NamedTuple):
    """A benchmark of a metric in a group, with a series for each variant that has values."""

    group: int
    metric: int
    benchmark: int
    series: tuple[Series, ...]


def panels(source: Source, samples: Samples, options: Options) -> tuple[list[Panel], list[str]]:
    """Return the panels, those that matter most first, and sentences about what is left out.

    Raises ``Stop`` if nothing that was selected has values.
    """
    metric = first_metric(samples, options)
    found: dict[tuple[int, int], list[Series]] = {}
    for series in samples.series:
        wanted = series.metric == metric and (not options.groups or series.group in options.groups)
        wanted = wanted and (not options.variants or series.variant in options.variants)
        if wanted and (not options.benchmarks or series.benchmark in options.benchmarks):
            found.setdefault((series.benchmark, series.group), []).append(series)
    if not found:
        raise Stop("nothing-to-draw", "nothing that was selected has values")
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


def panel_name(samples: Samples, panel: Panel, shown: Sequence[Panel]) -> str:
    """Name a panel by what distinguishes it from the others: benchmark, group, or both."""
    benchmarks = len({each.benchmark for each in shown}) > 1
    groups = len({each.group for each in shown}) > 1
    parts = [samples.benchmarks[panel.benchmark]] if benchmarks else []
    if groups and samples.groups[panel.group]:
        parts.append(samples.groups[panel.group])
    return " · ".join(whole(part) for part in parts)


def inner_width(options: Options, columns: int, beside: int) -> int:
    """Return the width of a panel's data, beside ``beside`` pixels of labels at its left."""
    padding, spacing = 24, 18
    whole_width = options.width - padding - spacing * (columns - 1)
    return max(int(whole_width / columns) - beside - 8, 80)


def compared(source: Source) -> Comparison:
    """Return the source if it is a comparison. Raises ``Stop`` if the source is an inspection."""
    if not isinstance(source, Comparison):
        raise Stop("bad-option", "this picture compares variants, and there is one. Name several results or use --by")
    return source


def heaviest(source: Source, samples: Samples, metric: int, most: int) -> list[int]:
    """Return the first benchmarks in the order of the tables: the worst, or in an inspection the most defective."""
    weighed = getattr(source, "weighing", None)
    native = getattr(source, "native", None)
    if weighed is not None:
        rows = [row for _, of, _, _, rows in weighed.sections() if of == metric for row in rows]
        order = weighed.order(rows, "worst", changed=False)
        kept = weighed
    elif native is not None:
        rows = [row for _, of, rows in native.sections() if of == metric for row in rows]
        order = native.order(rows, "defects")
        kept = native
    else:
        return []
    number = {benchmark: place for place, benchmark in enumerate(samples.benchmarks)}
    found: dict[int, None] = {}
    for row in order:
        found[number[kept.row_dict(row)["benchmark"]]] = None
        if len(found) == most:
            break
    return list(found)


def amount(samples: Samples, metric: int, value: float) -> str:
    """Write a value in the form of the tables, with its unit."""
    return _native.amount(samples.native, metric, value, value)


def name(text: str, most: int = LONGEST) -> str:
    """Return a name for a picture: printable, so that it cannot move or hide text, and cut in the middle if long."""
    return _native.apart([_native.printable(text)], most)[0]


def whole(text: str) -> str:
    """Return a whole name, made printable, for a tooltip."""
    return _native.printable(text)


class Fitted(NamedTuple):
    """Names in forms that fit beside rows, the pixels that they take, and a sentence on what they leave out."""

    names: list[str]
    pixels: int
    said: list[str]


def label(samples: Samples, variant: int, most: int) -> str:
    """Return the name of a variant in a form that stays apart from those of the others."""
    return apart(samples.labels, most).names[variant]


def benchmark(samples: Samples, number: int) -> str:
    """Return the name of a benchmark in a form that stays apart from those of the others, also of other pictures."""
    said = whole(samples.benchmarks[number])
    if _native.columns(said) <= LONGEST:
        return said
    return shortened(map(whole, samples.benchmarks), LONGEST)[said]


def fitting(names: Iterable[str], pixels: float) -> Fitted:
    """Shorten names to a width in pixels; names that differ stay different."""
    short, said, _ = apart(names, max(int(pixels / GLYPH), 6))
    return Fitted(short, int(max((_native.columns(each) for each in short), default=0) * GLYPH) + 8, said)


def above(names: Iterable[str], options: Options, share: float) -> bool:
    """Return whether names stand above their rows: the picture is narrow, and beside the rows they would be cut."""
    return options.width < PHONE and apart(names, max(int(options.width * share / GLYPH), 6)).cut


def for_panels(names: Iterable[str], width: int) -> tuple[list[str], list[str]]:
    """Shorten the names of panels to two lines; return them, and a sentence on what they leave out."""
    found = apart(names, int(_line(width) * TWO_LINES))
    return found.names, found.said


def _line(width: int) -> int:
    """Return the columns of a line of a panel's title."""
    return max(int(width / _BOLD), 8)


def axis_title(words: str, pixels: int) -> list[str]:
    """Return the title of an axis of a length: lines, none of which is cut."""
    most = max(int((pixels + 24) / (SIZE * 0.55)), 16)
    # The direction or the unit at the end stays whole.
    start = words.rfind(" (")
    parts = [words] if start < 0 or _native.columns(words) <= most else [words[:start], words[start + 1 :]]
    return [line for part in parts for line in broken(part, most)]


def title(words: str, said: Iterable[str], width: int) -> dict[str, Any]:
    """Return the title of a picture, with the sentences of ``said`` as subtitle.

    Both are wrapped to the width, which excludes the labels at the left of the picture.
    """
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)
    width -= 24
    below = wrapped(text, width, SIZE, lines=9) if text else []
    # Bold letters of 15 pixels are as wide as others of 16.
    return {"text": wrapped(words, width, SIZE + 5), **({"subtitle": below} if below else {})}


def wrapped(text: str, width: int, size: int, lines: int = 3) -> list[str]:
    """Wrap a text, long words between their parts; an ellipsis ends the last line if the text needs more lines."""
    most = max(int(width / (size * _OF_SIZE)), 12)
    rows: list[list[str]] = [[]]
    for word in text.split():
        space = " " if rows[-1] else ""
        for part in (line for piece in pieces(word) for line in broken(piece, most)):
            if _native.columns("".join([*rows[-1], space, part])) <= most:
                rows[-1].append(space + part)
            else:
                rows.append([part])
            space = ""
    if len(rows) > lines:
        last = rows[lines - 1]
        while len(last) > 1 and _native.columns("".join(last)) + 2 > most:
            last.pop()
        rows[lines - 1 :] = [[*last, " …"]]
    return ["".join(row) for row in rows]


def panel_title(words: str, width: int) -> dict[str, Any]:
    """Return the title of one panel among several; ``for_panels`` made its words fit on two lines."""
    return {"text": broken(words, _line(width)), "style": "panel-title", "offset": 6}


def small_title(lines: Sequence[Sequence[str]], width: int) -> dict[str, Any]:
    """Return the title of one of several series of a panel: lines of parts, which go to the next line uncut."""
    most = max(int(width / GLYPH), 12)
    text: list[str] = []
    for parts in lines:
        line = ""
        for part in parts:
            longer = f"{line} · {part}" if line else part
            if line and _native.columns(longer) > most:
                text.append(line)
                longer = part
            line = longer
        text.append(line)
    return {"text": text, "style": "name", "fontWeight": "normal", "offset": 4}


def titled(spec: dict[str, Any], words: str, width: int) -> dict[str, Any]:
    """Add a title to a panel if ``words`` is not empty."""
    if not words:
        return spec
    title = panel_title(words, width)
    # The title of a single series becomes the subtitle of its panel.
    own = spec.get("title")
    below = {"subtitle": own["text"]} if own else {}
    return {**spec, "title": {**title, **below}}


def log_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Return the ticks of a logarithmic axis: the finest steps (1-2-5, 1-3, decades …) with at most ``most`` ticks."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps, every in _LOG_STEPS:
        decades = range(first - first % every, last + 1, every)
        ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) <= most:
            break
    return inside if len(inside) > 1 else even_ticks(low, high, most)


def even_ticks(low: float, high: float, most: int) -> list[float]:
    """Return ticks in steps of 1, 2 or 5 times a power of ten, for an axis within two powers of ten."""
    room = (Fraction(high) - Fraction(low)) / most
    decade = Fraction(10) ** math.floor(math.log10(room))
    step = next(step for step in (decade, 2 * decade, 5 * decade, 10 * decade) if step >= room)
    return [float(place * step) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def values_axis(field: str, title: str, low: float, high: float, *, log: bool, most: int = 9) -> dict[str, Any]:
    """Encode values on an axis from ``low`` to ``high``; a logarithmic axis has the ticks of ``log_ticks``."""
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
        # Vega-Lite labels at most ``tickCount`` of the ticks of a logarithmic axis.
        "axis": {**axis, "values": ticks, "tickCount": 100} if ticks else axis,
    }


def digits_beyond(low: float, high: float) -> int:
    """Return how many more digits values between two ends need than values of an axis that begins at zero."""
    largest = max(abs(low), abs(high))
    if not 0 < high - low < largest:
        return 0
    return max(math.ceil(math.log10(largest / (high - low))) - 2, 0)


def tidy(value: float, digits: int = DIGITS) -> float:
    """Round a value of a picture to some significant digits."""
    return float(f"{value:.{digits}g}")


def concat(specs: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    """Arrange panels in columns; each keeps its own scales."""
    if len(specs) == 1:
        return specs[0]
    return {"concat": specs, "columns": columns, "resolve": {"scale": {"color": "shared"}}}


def layer(
    values: list[dict[str, Any]], mark: dict[str, Any], known: Iterable[dict[str, Any]] = (), /, **encoding: Any
) -> dict[str, Any]:
    """Return a layer with its own data; the ``facts`` of each variant (``known``) are stored once for all rows."""
    table = [{key: each[key] for key in ("place", *_KNOWN)} for each in known]
    found = {"data": {"values": table}, "key": "place", "fields": list(_KNOWN)}
    joined = {"transform": [{"lookup": "place", "from": found}]} if table else {}
    return {"data": {"values": values}, **joined, "mark": mark, "encoding": encoding}


def filled(layers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the layers that have data, or else a text that says so: Vega-Lite requires a mark in each panel."""
    held = [each for each in layers if each["data"]["values"]]
    return held or [layer([{"label": "nothing to draw"}], {"type": "text", "style": "remark"}, text={"field": "label"})]


def facts(samples: Samples, series: Series) -> dict[str, Any]:
    """Return the fields of the tooltip of a series (``FACTS``), and the place of its variant."""
    values = samples.values(series)
    return {
        "place": series.variant,
        "variant": whole(samples.labels[series.variant]),
        "values": len(values),
        "median": amount(samples, series.metric, curves.quantiles(values, 0.5)[0]),
    }


def stacked(specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Stack the series of a panel, closer together than panels."""
    return specs[0] if len(specs) == 1 else {"vconcat": specs, "spacing": 8}


def variant_colour(samples: Samples | None = None) -> dict[str, Any]:
    """Colour by the variant's place, the field ``place`` of the data; the baseline is neutral.

    Variants of two factors have a hue for each level of the first and a shade of it for each level of the others.
    Vega-Lite draws no legend: rows have names, and for other panels ``legend`` draws one.
    """
    places = list(range(_PLACES))
    if samples is not None:
        places = _in_order_of_colours(_factorial(samples.labels, samples.by))
    return {"field": "place", "type": "nominal", "scale": {"domain": places}, "legend": None}


def crossed(labels: Sequence[str], by: Sequence[str]) -> list[list[str]]:
    """Return the level of each variant on each factor if several factors make the variants; else nothing."""
    parts = [label.split("/") for label in labels]
    return parts if len(by) > 1 and all(len(each) == len(by) for each in parts) else []


def _factorial(labels: Sequence[str], by: Sequence[str]) -> list[int]:
    """Return the colour of each variant by its levels, the baseline's first; nothing if there are too many levels."""
    parts = [(levels[0], tuple(levels[1:])) for levels in crossed(labels, by)]
    hues, shades = (list(dict.fromkeys(each)) for each in zip(*parts, strict=True)) if parts else ([], [])
    if not parts or len(hues) > len(SHADES_OF_HUES) or len(shades) > len(SHADES_OF_HUES[0]):
        return []
    return [SHADES_OF_HUES[hues.index(hue)][shades.index(shade)] for hue, shade in parts]


def _in_order_of_colours(colours: Sequence[int]) -> list[int]:
    """Return places in the order of the palette, so that each variant has the colour given for it."""
    at = {colour: variant for variant, colour in enumerate(colours)}
    others = iter(range(len(colours), _PLACES))
    return [at[colour] if colour in at else next(others) for colour in range(_PLACES)]


def variant_dash() -> dict[str, Any]:
    """Draw lines with different dashes once colours repeat."""
    dashes = [[1, 0], [5, 2], [2, 2], [8, 2, 2, 2], [1, 3], [10, 4]]
    turns = [dashes[max(place - 1, 0) // (COLOURS - 1)] for place in range(_PLACES)]
    scale = {"domain": list(range(_PLACES)), "range": turns}
    return {"field": "place", "type": "nominal", "scale": scale, "legend": None}


def verdict_colour() -> dict[str, Any]:
    """Colour by the field ``verdict``, a code of ``VERDICTS``."""
    scale = {"domain": list(VERDICTS), "range": "ordinal"}
    return {"field": "verdict", "type": "nominal", "scale": scale, "legend": None}


def hollow(**more: Any) -> dict[str, Any]:
    """Return the mark of what an axis cannot hold, which stands at the end of the axis."""
    return {"type": "point", "filled": True, "shape": HOLLOW, "size": 60, "opacity": 1, **more}


def legend_of(
    entries: Iterable[tuple[int, str]],
    width: int,
    dashes: dict[str, Any] | None = None,
    *,
    samples: Samples | None = None,
    elsewhere: str = "",
    left: int = 0,
) -> dict[str, Any]:
    """Draw the colours of places, or lines of ``dashes``, with their labels as a separate panel.

    ``samples`` are those of the variants, if places are variants whose colours depend on factors; ``elsewhere`` says
    what a hollow mark is, if the picture has any. ``left`` is as in ``keyed``.
    """
    rows: list[dict[str, Any]] = [{"place": place, "label": label, "variant": whole(label)} for place, label in entries]
    mark = {"type": "point", "filled": True, "shape": "square", "size": 90, "opacity": 1}
    dash = {}
    if dashes or max((row["place"] for row in rows), default=0) >= COLOURS:
        mark = {"type": "point", "filled": False, "shape": "stroke", "size": 160, "strokeWidth": 3, "opacity": 1}
        mark |= {"size": 360, "strokeWidth": 2} if dashes else {}
        dash = {"strokeDash": dashes or variant_dash()}
    stray = [{"label": elsewhere, "variant": elsewhere}] if elsewhere else []
    symbols = [(rows, mark, {"color": variant_colour(samples), **dash}), (stray, hollow(style="remark"), {})]
    return keyed([*rows, *stray], symbols, width, left=left, beside=14 if dashes else 10, tooltip=[FACTS[0]])


def keyed(
    rows: list[dict[str, Any]],
    symbols: Iterable[tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]],
    width: int,
    *,
    left: int = 0,
    beside: int = 10,
    tooltip: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Draw a legend as a separate panel: symbols with the labels of rows, line by line.

    Each row is an entry with a ``label``; it is given its places (``x``, ``row``) and a short label. ``symbols`` say
    which rows have symbols of a mark, with its encoding. All lengths are in pixels: ``width`` is from the left end of
    the labels of the panels below, ``left`` is the width of these labels, above which the legend begins, and ``beside``
    is from a symbol to its label. ``tooltip`` has the fields of the tooltip.
    """
    short, *_ = apart((row["label"] for row in rows), min(LONGEST, max(int(width / GLYPH) - 4, 6)))
    x, y = 0.0, 0
    for row, label in zip(rows, short, strict=True):
        wide = _native.columns(label) * GLYPH + beside + 20
        if x and x + wide - 12 > width:
            x, y = 0.0, y + 1
        row |= {"label": label, "x": x + 6, "row": y}
        x += wide
    across = {"domain": [0, width], "range": [-left, width - left], "nice": False}
    at = {"scale": across, "axis": None, "type": "quantitative"}
    line = {"field": "row", "type": "quantitative", "axis": None, "scale": {"domain": [y + 0.5, -0.5], "nice": False}}
    words = {"type": "text", "style": "name", "align": "left", "baseline": "middle", "dx": beside}
    place: dict[str, Any] = {"x": {"field": "x", **at}, "y": line, **({"tooltip": tooltip} if tooltip else {})}
    drawn = [layer(held, mark, **place, **encoding) for held, mark, encoding in symbols if held]
    return {
        "width": width - left,
        "height": 16 * (y + 1),
        "layer": [*drawn, layer(rows, words, **place, text={"field": "label"})],
    }


def series_title(samples: Samples, series: Series, *more: str) -> list[str]:
    """Return the parts of the title of a series: variant, number of values, median, and ``more``."""
    known = facts(samples, series)
    count = counted(known["values"], "value")
    return [label(samples, series.variant, _BESIDE), count, f"median {known['median']}", *more]


def mean_amount(samples: Samples, series: Series) -> str:
    """Write the mean of a series in the number format of the tables."""
    return amount(samples, series.metric, curves.mean(samples.values(series)))
