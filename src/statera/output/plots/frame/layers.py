"""Layers with their data, and the arrangement of panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.output.plots import curves
from statera.output.plots.frame.names import amount, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.output.plots.raw_values import Samples, Series

SIDE = 48  # pixels of numbers at the left of a panel
AT_SIDE: dict[str, Any] = {
    "minExtent": SIDE - 6,
    "maxExtent": SIDE - 6,
    "labelBound": True,
}  # aligns the panels
_KNOWN = ("variant", "values", "median")
FACTS = [{"field": key, "title": key} for key in _KNOWN]


def concat(specs: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    """Arrange panels in columns; each keeps its own scales."""
    if len(specs) == 1:
        return specs[0]
    return {"concat": specs, "columns": columns, "resolve": {"scale": {"color": "shared"}}}


def layer(
    values: list[dict[str, Any]],
    mark: dict[str, Any],
    known: Iterable[dict[str, Any]] = (),
    /,
    **encoding: Any,  # noqa: ANN401 - what Vega-Lite takes
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
