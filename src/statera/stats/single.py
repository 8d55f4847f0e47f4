"""One group: its samples to the compiled part, and its row of numbers to the parts of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from statera import _native
from statera.stats.results import Interval
from statera.stats.samples import sample
from statera.stats.wording import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What a single call refuses, and a batch marks in its row.
_REFUSED = {
    "too-many": "{names}: more values than the procedure takes",
    "not-positive": "{names}: every value must be positive; leave out what is 0 or less, or take differences",
}


class Common(TypedDict):
    """What every result has."""

    estimate: float | None
    interval: Interval | None
    n: int | tuple[int, ...] | None
    method: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


def one(procedure: str, samples: Mapping[str, Iterable[float]], **settings: object) -> dict[str, Any]:
    """Run a procedure on the named samples of one group.

    Raises:
        ValueError: when a sample is empty, is no sample, or holds what the procedure does not take.

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
    """Return the interval of a row; None where it has none."""
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
    """Return the number of values, or of those of each sample."""
    return found["n"] if "n" in found else (found["n_x"], found["n_y"])


def common(found: Mapping[str, Any], assumptions: tuple[str, ...], method: str | None = None) -> Common:
    """Return what every result has, from a row."""
    return Common(
        estimate=found.get("estimate"),
        interval=interval(found),
        n=size(found),
        method=method or found["method"] or "none",
        assumptions=assumptions,
        warnings=sentences(found["warnings"]),
    )
