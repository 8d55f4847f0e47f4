"""Parts that all pictures of several benchmarks share: panels, names, axes, legends and layout.

A panel shows a benchmark of a metric in a group, with all its variants. Untrusted names pass through ``name``. They
occur only in data and titles, which Vega-Lite treats as plain text.
"""

from statera.plots.frame.layers import AT_SIDE, FACTS, SIDE, concat, facts, filled, layer, stacked
from statera.plots.frame.legends import legend, legend_of, under_legend, variant_colour, variant_dash, verdict_colour
from statera.plots.frame.names import (
    GLYPH,
    LONGEST,
    amount,
    fitting,
    name,
    panel_title,
    small_title,
    title,
    titled,
    whole,
    wrapped,
)
from statera.plots.frame.panels import (
    NARROW,
    Options,
    Panel,
    by_benchmark,
    columns_of,
    compared,
    first_metric,
    heading,
    inner_width,
    panel_name,
    panels,
    variant_labels,
)
from statera.plots.frame.ticks import DIGITS, EXPONENTS, NUMBER, digits_beyond, even_ticks, log_ticks, tidy, values_axis

__all__ = [
    "AT_SIDE",
    "DIGITS",
    "EXPONENTS",
    "FACTS",
    "GLYPH",
    "LONGEST",
    "NARROW",
    "NUMBER",
    "SIDE",
    "Options",
    "Panel",
    "amount",
    "by_benchmark",
    "columns_of",
    "compared",
    "concat",
    "digits_beyond",
    "even_ticks",
    "facts",
    "filled",
    "first_metric",
    "fitting",
    "heading",
    "inner_width",
    "layer",
    "legend",
    "legend_of",
    "log_ticks",
    "name",
    "panel_name",
    "panel_title",
    "panels",
    "small_title",
    "stacked",
    "tidy",
    "title",
    "titled",
    "under_legend",
    "values_axis",
    "variant_colour",
    "variant_dash",
    "variant_labels",
    "verdict_colour",
    "whole",
    "wrapped",
]
