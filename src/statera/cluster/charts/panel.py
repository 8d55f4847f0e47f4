"""What charts of one panel share: layers with columns of data, title and legend above them, and their width."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from statera.cluster.charts import sorted_samples
from statera.output.plots import frame
from statera.output.plots.picture import NARROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statera.output.plots.picture import Picture


# The baseline is solid. Dashes keep overlapping lines visible, and distinguish runs without colours.
_DASHES: Final = ([1, 0], [7, 3], [3, 2], [9, 2, 2, 2], [2, 4], [12, 4], [6, 2, 1, 2, 1, 2])
_PLACES: Final = 64
_HEIGHT: Final = 180
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


def flat(rows: Sequence[dict[str, Any]], mark: dict[str, Any], **encoding: object) -> dict[str, Any]:
    """Return a layer whose data has one row of lists per curve, so that column names are written once.

    It is clipped at its axes only if something lies beyond: clipping takes more time than all other drawing.
    """
    lists = [key for key, value in rows[0].items() if isinstance(value, list)] if rows else []
    transform = {"transform": [{"flatten": lists}]} if lists else {}
    clip = {"clip": True} if any(_leaves(rows, key, encoding.get(key[0])) for key in lists) else {}
    return {"data": {"values": list(rows)}, **transform, "mark": {**mark, **clip}, "encoding": encoding}


def _leaves(rows: Sequence[dict[str, Any]], key: str, axis: object) -> bool:
    """Tell whether coordinates, ``x``, ``x2``, ``y`` or ``y2``, lie beyond their axis."""
    if not isinstance(axis, dict) or "scale" not in axis:
        return False
    low, high = axis["scale"]["domain"]
    return any(not low <= value <= high for row in rows for value in row[key] if value is not None)


def at_width(
    picture: Picture,
    meaning: str,
    entries: Sequence[tuple[int, str]],
    layers: Callable[[int], list[dict[str, Any]]],
    width: int,
) -> Picture:
    """Return a chart with its specification, in a width in pixels.

    ``meaning`` is that of its metric, which stands below its title, before the remarks. ``entries`` are the places and
    texts of its legend, and ``layers`` gives the layers of the panel for its width in pixels.
    """
    inner = width - frame.SIDE - 40
    panel = {"width": inner, "height": _HEIGHT, "layer": layers(inner)}
    spec = {
        "title": frame.title(picture.title, [meaning.rstrip("."), *picture.remarks], width - frame.SIDE),
        "vconcat": [frame.legend_of(entries, inner, dashes=DASHES), panel],
        "spacing": 8,
    }
    again = (lambda other: at_width(picture, meaning, entries, layers, other)) if width > NARROW else None
    return replace(picture, spec=spec, redrawn=again)


SHORT_LABEL = 20  # the most characters of a name beside numbers


def banded_hosts(counts: Mapping[str, int]) -> str:
    """Describe which hosts a band holds; run by run if they have different numbers of hosts."""
    words = {
        label: f"10 to 90 % of {n} hosts" if n >= sorted_samples.FEW_HOSTS else f"all {n} hosts"
        for label, n in counts.items()
    }
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return ", ".join(f"{each} of {frame.name(label)}" for label, each in words.items())
