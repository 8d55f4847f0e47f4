"""Numbers in the names of benchmarks and variants: ``Sort/n=1_000-8``, ``64Ki``, ``fib.40``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from statera.output.plots import frame

if TYPE_CHECKING:
    from collections.abc import Iterable

ENOUGH = 3  # numbers that make a series of names; two if no names have more
_TIMES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
# A number is delimited by characters other than letters and digits, or has letters only before or after it; hashes,
# which mix both, do not match.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9])(?P<before>[A-Za-z]*)(?P<digits>\d+(?:_\d{3})+|\d+(?:\.\d+)?)"
    r"(?P<times>[KMG]i(?![A-Za-ac-z])|[kKMG](?![A-Za-ac-z]))?[A-Za-z]*(?![A-Za-z0-9])"
)


class Spot(NamedTuple):
    """The position of a benchmark of a group: its panel, and its number there."""

    panel: str
    parameter: str
    at: float


def number_of(text: str) -> float | None:
    """Return the number of a text that is one, or contains exactly one: ``4``, ``n=1_000``, ``64Ki``; else None."""
    held = list(_NUMBER.finditer(text))
    value = _value(held[0]) if len(held) == 1 else math.inf
    return value if math.isfinite(value) else None


def _value(match: re.Match[str]) -> float:
    return float(match["digits"].replace("_", "")) * _TIMES.get(match["times"] or "", 1.0)


def spots_of_names(names: Iterable[str], *, go: bool) -> dict[str, Spot]:
    """Place benchmarks by the number in which their names differ; the family with the most numbers decides."""
    families: dict[tuple[str, str], dict[float, str]] = {}
    of: dict[str, list[tuple[tuple[str, str], float, str]]] = {}
    for name in names:
        for match in _NUMBER.finditer(name):
            start, end = match.start("digits"), match.end("times") if match["times"] else match.end("digits")
            family, value = (name[:start], name[end:]), _value(match)
            if math.isfinite(value):
                families.setdefault(family, {})[value] = name
                of.setdefault(name, []).append((family, value, match["before"]))
    least = min(max((len(values) for values in families.values()), default=0), ENOUGH)
    spots = {}
    for name, places in of.items():
        family, value, before = max(places, key=lambda place: len(families[place[0]]))
        if len(families[family]) >= max(least, 2):
            panel = frame.whole(f"{family[0]}*{family[1]}")
            spots[name] = Spot(panel, _parameter(family, before, go=go), value)
    return spots


def _parameter(family: tuple[str, str], before: str, *, go: bool) -> str:
    """Return the name of the number: the text before it (``n=``, ``size:``), Go's suffix, or its place."""
    if go and family[0].endswith("-") and not family[1]:
        return "GOMAXPROCS"
    named = re.search(r"([A-Za-z_]+)[=:]$", family[0])
    return named[1] if named else before or "the number in the name"
