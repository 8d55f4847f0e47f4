"""Pictures of comparisons and inspections. One file a kind.

    picture = plots.draw("ridgeline", comparison, width=900)
    picture.save("out.svg", theme="dark")

How to write a kind (``KINDS`` names its module, which is imported when it is asked for):

- ``draw(source, options) -> Picture`` in ``plots/KIND.py``. ``source`` is a ``Comparison`` or an ``Inspection``; a kind
  that compares calls ``frame.compared(source)`` for a ``Comparison``, or a Stop that says so. ``options`` is
  ``frame.Options``: width in pixels of the whole picture, metric, benchmarks, groups (all by number), most, log.
- One picture is of one metric (``frame.first_metric``); a caller who wants all asks once a metric.
- Raw values: ``samples.samples(source)`` (kept, so that asking twice costs nothing): NumPy columns in series, each a
  variant of a benchmark and metric in a group. Statistics come from ``statera.stats`` or the source.
- Panels: ``frame.panels`` chooses those that matter most and says what it leaves out; what is left out stands in the
  subtitle and in ``Picture.remarks``. ``frame.columns_of``, ``inner_width``, ``titled``, ``concat`` place them;
  ``axes.value_axes`` gives those of a benchmark their axis of values; ``frame.under_legend`` sets a legend.
- Names: only through ``frame.name`` (cut in the middle), ``frame.whole`` (tooltips) or ``frame.wrapped`` (titles), and
  only as data values or title strings. Field names are our own fixed words; no expression holds data.
- Units: once an axis, by ``axes.ValueAxis.of`` (or ``units.linear``, ``units.logarithmic``); the data stands in that
  unit (``place``, ``inside``), the axis title names it, and ticks are plain numbers (``frame.NUMBER``). No value of the
  data is divided or rounded in another way: these hold any finite number. Remarks count what an axis cannot hold
  (``axes.dropped``, ``axes.linear_after_all``). In words: ``frame.amount``, ``_native.percent``, ``_native.p_value``.
- Looks: no colour, font or size stands in a specification. Variants: ``frame.variant_colour`` (range ``category`` by
  position, baseline neutral). Verdicts: ``frame.verdict_colour`` (range ``ordinal``). Anything else is a mark with a
  ``style`` of ``theme.vega_config``: name, remark, guide, dashed, zero, band, neutral, halo, hole, panel-title.
- ``alt`` tells the picture's numbers in a sentence or two; ``marks`` counts what is drawn, for tests against the data.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from statera.errors import Stop

if TYPE_CHECKING:
    from statera.plots.picture import Picture
    from statera.plots.raw_values import Source

# What each kind shows; its module has the kind's name.
KINDS = {
    "ridgeline": "densities of the variants, one above another",
    "histogram": "counts and densities, with medians and means",
    "qq": "values against a normal distribution, with a band",
    "ecdf": "the share of values up to each value",
    "strip": "the values themselves in the order of measurement, with boxes",
    "atlas": "histogram, density and normal Q-Q of every benchmark: medians beside averages of the runs",
    "trace": "values over the order of measurement, with runs, warm-up and changes of level",
    "forest": "changes of the benchmarks with their intervals, sorted",
    "speedup": "speed-up at each percentile, faceted by factor",
    "shift": "where in the distribution variants differ, with bands",
    "suite": "absolute and normalised values of a suite, beside one baseline",
    "pairs": "old against new, block by block or benchmark by benchmark",
    "scaling": "values over a number in keys or names, by variant",
    "heatmap": "changes of benchmarks and variants as a table of colours",
}
# The kinds that need a comparison; the others also take an inspection.
COMPARES = frozenset({"forest", "speedup", "shift", "suite", "pairs", "scaling", "heatmap"})


def draw(kind: str, source: Source, **options: Any) -> Picture:  # noqa: ANN401 - the fields of Options
    """Draw a picture; ``options`` are the fields of ``frame.Options``.

    Raises:
        Stop: when there is no such kind, nothing to draw, or a package is missing.

    """
    if kind not in KINDS:
        raise Stop("bad-option", f"no picture is named {kind!r}; there are {', '.join(KINDS)}")
    from statera.plots.frame import Options  # noqa: PLC0415 - the kinds are listed without it

    module = import_module(f"statera.plots.{kind}")
    # A kind of rows shows more of them than a kind of panels.
    most = getattr(module, "MOST", Options().most)
    found: Picture = module.draw(source, Options(**{"most": most, **options}))
    return found
