"""Shared parts of chart layers: data as columns instead of rows, and the dashes of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# The baseline is solid. Dashes keep overlapping lines visible, and distinguish runs without colours.
_DASHES: Final = ([1, 0], [7, 3], [3, 2], [9, 2, 2, 2], [2, 4], [12, 4], [6, 2, 1, 2, 1, 2])
_PLACES: Final = 64
DASHES: Final[dict[str, Any]] = {
    "field": "place",
    "type": "nominal",
    "scale": {
        "domain": list(range(_PLACES)),
        "range": [_DASHES[0], *(_DASHES[1 + place % (len(_DASHES) - 1)] for place in range(_PLACES - 1))],
    },
    "legend": None,
}
"""The dashes of a run, by its index."""


def flat(rows: Sequence[dict[str, Any]], mark: dict[str, Any], **encoding: Any) -> dict[str, Any]:  # noqa: ANN401 - what Vega-Lite takes
    """Return a layer whose data has one row of lists per curve, so that column names are written once.

    It is clipped at its axes only if something lies beyond: clipping takes more time than all other drawing.
    """
    lists = [key for key, value in rows[0].items() if isinstance(value, list)] if rows else []
    transform = {"transform": [{"flatten": lists}]} if lists else {}
    clip = {"clip": True} if any(_leaves(rows, key, encoding.get(key[0], {})) for key in lists) else {}
    return {"data": {"values": list(rows)}, **transform, "mark": {**mark, **clip}, "encoding": encoding}


def _leaves(rows: Sequence[dict[str, Any]], key: str, axis: dict[str, Any]) -> bool:
    """Tell whether coordinates, ``x``, ``x2``, ``y`` or ``y2``, lie beyond their axis."""
    if "scale" not in axis:
        return False
    low, high = axis["scale"]["domain"]
    return any(not low <= value <= high for row in rows for value in row[key] if value is not None)
