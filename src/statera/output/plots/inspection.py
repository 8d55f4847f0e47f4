"""Findings of inspection about the order of the values, for the pictures that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from statera import _native
from statera.comparison.results.inspection import Inspection

if TYPE_CHECKING:
    from statera.output.plots.raw_values import Source

Key = tuple[int, int, int, int]


class Defect(NamedTuple):
    """A row of an inspection: whether runs warm up or change their level, and the findings about order as text."""

    warming: bool
    unsteady: bool
    words: tuple[str, ...]


_kept: WeakKeyDictionary[Any, dict[Key, Defect]] = WeakKeyDictionary()


def defects(source: Source) -> dict[Key, Defect]:
    """Return the findings by the numbers of group, metric, benchmark and variant; a comparison is inspected first."""
    if source not in _kept:
        _kept[source] = _found(source)
    return _kept[source]


def _found(source: Source) -> dict[Key, Defect]:
    native = source.native if isinstance(source, Inspection) else _inspected(source)
    benchmark = {name: number for number, name in enumerate(source.observations.benchmarks)}
    variant = {label: number for number, label in enumerate(source.labels)}
    found = {}
    for group, metric, rows in native.sections():
        for row in rows:
            fields = native.row_dict(row)
            key = (group, metric, benchmark[fields["benchmark"]], variant[fields["variant"]])
            found[key] = _defect(fields)
    return found


def _inspected(source: Source) -> _native.Inspection:
    from statera.comparison.weighing.inspection import inspect  # noqa: PLC0415 - where it is asked for

    arranged = source.arrangement
    return inspect(
        source.observations,
        arranged.assignment,
        source.policy,
        (None, None),
        labels=arranged.labels,
        groups=arranged.groups,
    )


def _defect(fields: dict[str, Any]) -> Defect:
    codes = set(fields["defects"])
    words = []
    if "drift" in codes and fields["drift_change"] is not None:
        change = _native.percent(fields["drift_change"]) if fields["scale"] == "ratio" else ""
        words.append(f"drift {change}".strip())
    if "warm-up" in codes:
        words.append("warm-up")
    if "unsteady" in codes:
        words.append("changes of level")
    if "autocorrelation" in codes:
        words.append("neighbours resemble each other")
    return Defect("warm-up" in codes, "unsteady" in codes, tuple(words))
