"""Runs a procedure on one group: samples go to the compiled part, its row of numbers becomes a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from statera import _native
from statera.stats.results import Interval
from statera.stats.samples import sample
from statera.stats.wording import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Errors of a single call; a batch marks them in the row.
_REFUSED = {
    "too-many": "{names}: more values than the procedure accepts",
    "not-positive": "{names}: every value must be positive; leave out what is 0 or less, or take differences",
}


class Common(TypedDict):
    """The parts that every result has."""

    estimate: float | None
    interval: Interval | None
    n: int | tuple[int, ...] | None
    method: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


def one(procedure: str, samples: Mapping[str, Iterable[float]], **settings: object) -> dict[str, Any]:
    """Run a procedure on the named samples of one group.

    Raises:
        ValueError: a sample is empty, not a sequence of numbers, or holds values that the procedure does not accept.

    """
    held = {name: sample(values, name) for name, values in samples.items()}
    for name, values in held.items():
        if len(values) == 0:
            raise ValueError(f"{name} has no values; a sample needs one or more")
    found = _native.one(procedure, list(held.items()), settings)
    for code in found["warnings"]:
        if code in _REFUSED:
            raise ValueError(_REFUSED[code].format(names=" and ".join(samples)))
    return found


def interval(found: Mapping[str, Any]) -> Interval | None:
    """Return the interval of a row, or None."""
    low, high = found.get("low"), found.get("high")
    if low is None or high is None:
        return None
    return Interval(
        low=low,
        high=high,
        level=found["level"],
        low_open=bool(found.get("low_open")),
        high_open=bool(found.get("high_open")),
    )


def size(found: Mapping[str, Any]) -> int | tuple[int, ...]:
    """Return the number of values, or the numbers of values of several samples."""
    return found["n"] if "n" in found else (found["n_x"], found["n_y"])


def common(found: Mapping[str, Any], assumptions: tuple[str, ...], method: str | None = None) -> Common:
    """Return the parts that every result has, from a row."""
    return Common(
        estimate=found.get("estimate"),
        interval=interval(found),
        n=size(found),
        method=method or found["method"] or "none",
        assumptions=assumptions,
        warnings=sentences(found["warnings"]),
    )
