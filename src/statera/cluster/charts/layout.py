"""A chart of one panel below its title and legend, laid out for a width, and again for phones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from statera.cluster.charts.layers import DASHES
from statera.output.plots import frame
from statera.output.plots.picture import NARROW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.output.plots.picture import Picture


def at_width(
    picture: Picture,
    said: Sequence[str],
    entries: Sequence[tuple[int, str]],
    panel: Callable[[int], dict[str, Any]],
    width: int,
) -> Picture:
    """Return a chart with its specification.

    Args:
        picture: the chart without a specification.
        said: what stands below its title.
        entries: the places and texts of its legend.
        panel: gives the panel, without its width, for a width in pixels.
        width: the width of the whole picture in pixels.

    """
    inner = width - frame.SIDE - 40
    spec = {
        "title": frame.title(picture.title, said, width - frame.SIDE),
        "vconcat": [frame.legend_of(entries, inner, dashes=DASHES), {"width": inner, **panel(inner)}],
        "spacing": 8,
    }
    again = (lambda other: at_width(picture, said, entries, panel, other)) if width > NARROW else None
    return replace(picture, spec=spec, redrawn=again)
