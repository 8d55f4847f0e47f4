"""Converts samples to buffers of 64-bit floats, which the compiled part accepts."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

_ONE, _TWO = 1, 2


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
        raise ValueError(f"{name} must hold 64-bit floats; write {name}.astype(float)")
    return values


def _view(values: object, name: str) -> memoryview | None:
    if isinstance(values, (str, bytes, bytearray)):
        raise ValueError(f"{name} is text; a sample is a sequence of numbers")  # noqa: TRY004 - what is wrong is the value
    if hasattr(values, "mask") and hasattr(values, "compressed"):
        raise ValueError(f"{name} is a masked array, whose mask would be lost; write {name}.compressed()")
    try:
        return memoryview(values)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        return None


def _numbers(values: Any, name: str) -> array[float]:  # noqa: ANN401 - anything may be given
    # Some column libraries yield scalars that are not numbers, but convert to lists of numbers.
    plain = values.to_pylist() if hasattr(values, "to_pylist") else values
    try:
        return array("d", plain)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be a sequence of numbers without gaps: {error}") from None
