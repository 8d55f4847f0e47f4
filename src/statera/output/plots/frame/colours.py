"""Colours and dashes by the places of variants, and by verdicts; a specification names none of the colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.comparison.codes import VERDICTS
from statera.output.plots.theme import COLOURS, SHADES_OF_HUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.plots.raw_values import Samples

_PLACES = 64  # variants that get a colour by their place; colours repeat after far fewer


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


def verdict_colour(field: str = "verdict") -> dict[str, Any]:
    """Colour by a field that holds the verdict, a code of ``VERDICTS``."""
    return {"field": field, "type": "nominal", "scale": {"domain": list(VERDICTS), "range": "ordinal"}, "legend": None}
