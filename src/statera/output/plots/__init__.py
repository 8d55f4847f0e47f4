"""Pictures of comparisons and inspections, one module per kind.

    picture = plots.draw("ridgeline", comparison, width=900)
    picture.save("out.svg", theme="dark")

Each of the ``KINDS`` is a module that is imported when it is drawn: ``ridgeline.py``, ``histogram.py``, ``qq.py``,
``ecdf.py``, ``strip.py``, ``atlas.py`` and ``trace.py`` draw values, ``forest.py``, ``speedup.py``, ``shift.py``,
``suite.py``, ``scatter.py``, ``pairs.py``, ``scaling.py``, ``heatmap.py`` and ``matrix.py`` draw changes. What they
share:

- ``raw_values.py``: the values as NumPy columns, and the medians and averages of runs; ``effects.py``: the rows of a
  comparison, chosen, counted and named.
- ``sheet.py``: the panels of pictures of values; ``frame.py``: names, legends, layout and words; ``axes.py``: axes of
  values with their units; ``changes.py``: axes of changes, and the marks of verdicts; ``curves.py``: densities,
  quantiles and what fits an axis.
- ``theme.py``: colours, fonts and sizes; ``picture.py``: the finished picture, and how it is written to files.
- ``ahead.py``, ``drawing_process.py``: drawings for reports, by another process, because the converter holds the
  interpreter's lock while it draws; ``inline.py``: a drawing inside a page.

How to write a kind:

- Entry point: ``draw(source, options) -> Picture`` in ``plots/KIND.py``. ``source`` is a ``Comparison`` or an
  ``Inspection``; a kind that compares calls ``frame.compared(source)``, which returns a ``Comparison`` or raises Stop.
  ``options`` is ``frame.Options``. A picture shows one metric (``frame.first_metric``).
- Panels: a ``sheet.Sheet`` chooses the panels that matter most, describes what it leaves out, in the subtitle and in
  ``Picture.remarks``, arranges and names them, and makes the picture, with a legend if wanted; ``axes.value_axes``
  returns the shared axis of values of each benchmark.
- Widths: draw for ``options.width``, from 240 pixels on; below ``NARROW_BELOW`` long names stand above their rows
  (``frame.above``). Legends are panels of their own at the top (``frame.keyed``), which go to further lines.
- Names: only through ``frame.name`` (cut in the middle), ``frame.whole`` (tooltips) or ``frame.wrapped`` (titles), and
  only as data values or title strings. Several names that stand for themselves (panels, rows, legends) go through
  ``frame.for_panels``, ``frame.fitting`` or ``apart``, so that they remain different. Field names are fixed words of
  statera; no expression contains data.
- Units: one per axis, by ``ValueAxis.of`` (or ``linear_unit``, ``logarithmic_unit``); the data is in that unit
  (``place``, ``inside``), the axis title names it, and ticks are plain numbers (``frame.NUMBER``). Data is not divided
  or rounded in any other way: these functions handle any finite number. Remarks count what an axis cannot hold
  (``axes.dropped``, ``axes.linear_after_all``). As text: ``frame.amount``, ``_native.percent``, ``_native.p_value``.
- Looks: a specification contains no colour, font or size. Variants: ``frame.variant_colour`` (range ``category`` by
  position, baseline neutral). Verdicts: ``changes.marks`` (range ``ordinal``), with ``changes.legend``. Any other mark
  has a ``style`` of ``theme.vega_config``: name, remark, guide, dashed, zero, band, neutral, halo, hole, frame.
- Sides: right or up is more, and the axis of changes says which end is worse (``changes.directed``). What an axis
  cannot hold, as a change from 0 to 12, has a hollow mark at its end (``frame.hollow``), named in the legend.
- Text: ``alt`` states the picture's numbers in a sentence or two; ``marks`` counts what is drawn, so that tests can
  compare it with the data.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from statera.support.errors import Stop

if TYPE_CHECKING:
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Source

# What each kind shows; the module of a kind has its name.
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
    "scatter": "changes over the values of the baseline: whether benchmarks of small or of large values changed",
    "pairs": "old against new, block by block, of paired results",
    "scaling": "values over a number in keys or names, by variant",
    "heatmap": "changes of benchmarks and variants as a table of colours",
    "matrix": "each of several variants against each other: changes and p-values as a table of colours",
}
# The kinds that need a comparison; the others accept an inspection as well.
COMPARES = frozenset({"forest", "speedup", "shift", "suite", "scatter", "pairs", "scaling", "heatmap", "matrix"})


def draw(kind: str, source: Source, **options: Any) -> Picture:
    """Draw a picture; ``options`` are the fields of ``frame.Options``.

    Raises ``Stop`` if there is no such kind, nothing to draw, or a package is missing.
    """
    if kind not in KINDS:
        raise Stop("bad-option", f"there is no picture {kind!r}; the kinds are {', '.join(KINDS)}")
    # The kinds are listed without the modules that draw them.
    picture, frame, module = map(_module, ("picture", "frame", kind))
    # Kinds that draw rows show more of them than kinds that draw panels.
    most = getattr(module, "MOST", frame.Options().most)
    chosen = frame.Options(**{"most": most, **options})

    def at_width(width: int) -> Picture:
        drawn: Picture = module.draw(source, chosen._replace(width=width))
        return drawn

    found = at_width(chosen.width)
    return replace(found, redrawn=at_width if chosen.width > picture.NARROW else None)


def _module(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(f"statera.output.plots.{name}")
    except ImportError as error:
        raise import_module("statera.output.plots.picture").missing(error.name) from None
