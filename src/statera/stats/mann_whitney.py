"""The Mann-Whitney test (Mann & Whitney 1947), conditional on ties, for one pair of samples or many."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from statera import _native

if TYPE_CHECKING:
    from collections.abc import Iterable


class MannWhitney(NamedTuple):
    """Tests of groups, one element a group.

    Attributes:
        statistic: U of y over x: pairs with y > x, ties counted half.
        p: two-sided.
        least_p: the least p that samples of these sizes could give without ties.
        method: ``exact`` (both sides below 50) or ``normal`` (with tie and continuity correction).

    """

    statistic: array[float]
    p: array[float]
    least_p: float
    method: str


def mann_whitney(x: object, y: object) -> MannWhitney:
    """Test each group of ``x`` against the same group of ``y``.

    Args:
        x: shape (groups, m) or (m,): an array of 64-bit floats, or a plain sequence of numbers for one group.
        y: shape (groups, n) or (n,), likewise.

    Raises:
        ValueError: when the numbers of groups differ, or a value is not finite.

    """
    statistic, p, least, exact = _native.mann_whitney_rows(_buffer(x), _buffer(y))
    return MannWhitney(array("d", statistic), array("d", p), least, "exact" if exact else "normal")


def _buffer(values: object) -> object:
    """Take a buffer of 64-bit floats as it is; copy anything else that can be iterated."""
    try:
        if memoryview(values).format == "d":  # type: ignore[arg-type]
            return values
    except TypeError:
        pass
    numbers: Iterable[float] = values  # type: ignore[assignment]
    return array("d", numbers)
