"""How a procedure is called: samples become buffers for the compiled part, and its row of numbers a result."""

from __future__ import annotations

from array import array
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from statera import _native
from statera.stats.results import Estimate, Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

R = TypeVar("R", bound=Estimate)

WARNINGS: Final = {
    "empty": "a sample has no values",
    "too-few": "there are too few values for a result",
    "too-many": "there are more values than the procedure accepts",
    "constant": "all values are equal",
    "not-positive": "a value is not positive",
    "below-level": "so few values cannot attain the requested confidence; the interval states what it attains",
    "no-interval": "these values have no interval at this confidence",
    "cannot-reject": "no outcome of samples of these sizes could be significant at 1 - confidence",
    "ties": "the test rejects 0, but ties leave it inside the interval",
    "zeros": "differences of 0 were left out of the test",
    "coarse": "the approximation behind p is coarse for samples this small",
    "no-overlap": "the samples do not overlap: p is the least that a permutation test of these sizes can give",
    "no-spread": "neither sample varies, and no p-value follows from data without spread",
    "table-end": "p is the limit of its table: the true p is at most this value",
    "undefined": "it is not defined for these values",
    "unsupported": "levels with too few values beyond them have no band",
    "short-tails": "resamples of so few values lack the tails: the interval covers less often than its level states",
    "withheld": "the interval of so few values covers less often than its level states, and is withheld (see withhold)",
}

INDEPENDENT: Final = "the values are independent of each other"
INDEPENDENT_SAMPLES: Final = "the samples are independent of each other, and so are the values of each"
SAME_SHAPE: Final = "as a test of a shift: both samples have one shape"
PAIRS: Final = "the pairs are independent of each other"
SYMMETRIC: Final = "the differences are spread symmetrically about their centre"
CONTINUOUS: Final = "the interval attains its level for values without ties, and more with them"
NORMAL: Final = "the values, or their means, are near enough to normal"
BLOCKS: Final = "the blocks are independent of each other"
ORDER: Final = "the values are in the order of measurement"
RESAMPLES: Final = "the sample represents its whole distribution, including the tails"

_ONE, _TWO = 1, 2
# Errors of a single call; a batch marks them in the row.
_REFUSED = {
    "too-many": "{names}: more values than the procedure accepts",
    "not-positive": "{names}: every value must be positive. Leave out what is 0 or less, or take differences",
}


def sentences(codes: list[str]) -> tuple[str, ...]:
    """Return the text of each code."""
    return tuple(WARNINGS[code] for code in codes)


def sample(values: Iterable[float], name: str) -> array[float]:
    """Convert a one-dimensional sample: a buffer of 64-bit floats is used directly, other numbers are copied.

    Raises:
        ValueError: it holds something other than numbers, or has several dimensions.
    """
    view = _view(values, name)
    if view is not None and view.ndim != _ONE:
        raise ValueError(
            f"{name} has {view.ndim} dimensions, and a sample has one; statera.stats.grid takes a sample in every row"
        )
    if view is not None and view.format.startswith("Z"):
        raise ValueError(f"{name} holds complex numbers; a sample is a sequence of real numbers")
    if view is not None and view.format == "d":
        return cast("array[float]", values)
    return _numbers(values, name)


def rows(values: object, name: str) -> object:
    """Convert a two-dimensional buffer of numbers, with one sample per row."""
    view = _view(values, name)
    if view is None or view.ndim != _TWO:
        raise ValueError(f"{name} must be an array of two dimensions, one group a row")
    if view.format != "d":
        raise ValueError(f"{name} must hold 64-bit floats. Write {name}.astype(float)")
    return values


def _view(values: object, name: str) -> memoryview | None:
    if isinstance(values, (str, bytes, bytearray)):
        raise ValueError(f"{name} is text; a sample is a sequence of numbers")  # noqa: TRY004 - what is wrong is the value
    if hasattr(values, "mask") and hasattr(values, "compressed"):
        raise ValueError(f"{name} is a masked array, whose mask would be lost. Write {name}.compressed()")
    try:
        return memoryview(values)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        return None


def _numbers(values: Any, name: str) -> array[float]:
    # Some column libraries yield scalars that are not numbers, but convert to lists of numbers.
    plain = values.to_pylist() if hasattr(values, "to_pylist") else values
    try:
        return array("d", plain)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be a sequence of numbers without gaps: {error}") from None


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


def result(
    kind: type[R], found: Mapping[str, Any], assumptions: tuple[str, ...], method: str | None = None, **stated: object
) -> R:
    """Return the result of a row: its fields are the numbers of the row, unless they are stated otherwise."""
    parts: dict[str, Any] = {field.name: found[field.name] for field in fields(kind) if field.name in found}
    parts |= {
        "interval": interval(found),
        "n": size(found),
        "method": method or found["method"] or "none",
        "assumptions": assumptions,
        "warnings": sentences(found["warnings"]),
    }
    return kind(**(parts | stated))
