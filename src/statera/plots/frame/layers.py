"""Layers with their data, and how panels are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.plots import curves
from statera.plots.frame.names import amount, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.plots.raw_values import Samples, Series

SIDE = 48  # pixels of numbers at the left of a panel
AT_SIDE: dict[str, Any] = {
    "minExtent": SIDE - 6,
    "maxExtent": SIDE - 6,
    "labelBound": True,
}  # so that panels stand in line
_KNOWN = ("variant", "values", "median")
FACTS = [{"field": key, "title": key} for key in _KNOWN]


def concat(specs: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    """Set panels side by side; each keeps its own scales."""
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
    """Give a layer with data of its own; what is ``known`` of each variant (``facts``) is written once for all rows."""
    table = [{key: each[key] for key in ("place", *_KNOWN)} for each in known]
    found = {"data": {"values": table}, "key": "place", "fields": list(_KNOWN)}
    joined = {"transform": [{"lookup": "place", "from": found}]} if table else {}
    return {"data": {"values": values}, **joined, "mark": mark, "encoding": encoding}


def filled(layers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the layers that draw something; where none does, a word that says so: Vega takes no panel without a mark."""
    held = [each for each in layers if each["data"]["values"]]
    return held or [layer([{"label": "nothing to draw"}], {"type": "text", "style": "remark"}, text={"field": "label"})]


def facts(samples: Samples, series: Series) -> dict[str, Any]:
    """Give what a tooltip says of a series (``FACTS``), and the place of its variant."""
    values = samples.values(series)
    return {
        "place": series.variant,
        "variant": whole(samples.labels[series.variant]),
        "values": len(values),
        "median": amount(samples, series.metric, curves.quantiles(values, 0.5)[0]),
    }


def stacked(specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Set the series of a panel below one another, closer than panels."""
    return specs[0] if len(specs) == 1 else {"vconcat": specs, "spacing": 8}
