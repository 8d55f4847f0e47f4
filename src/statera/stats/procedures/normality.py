"""Tests of normality: Shapiro-Wilk, Anderson-Darling, and the choice between them by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Outcome
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT

if TYPE_CHECKING:
    from collections.abc import Iterable


def shapiro_wilk(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution (Shapiro & Wilk 1965; Royston 1995).

    The statistic is W. Fewer than 3 values, and values that are all equal, have no p-value.

    Raises:
        ValueError: there are more than 5,000 values (use anderson_darling, or normality, which chooses) or none, or a
            value is not finite.

    """
    try:
        return _tested("shapiro_wilk", x)
    except ValueError as error:
        if "more values" not in str(error):
            raise
        raise ValueError("x has more than 5,000 values; use anderson_darling, or normality, which chooses") from None


def anderson_darling(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution (Anderson & Darling 1954; Stephens 1974).

    The statistic is A squared. Fewer than 8 values, and values that are all equal, have no p-value.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    return _tested("anderson_darling", x)


def normality(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution: Shapiro-Wilk up to 5,000 values, Anderson-Darling above.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    return _tested("normality", x)


def _tested(name: str, x: Iterable[float]) -> Outcome:
    found = one(name, {"x": x})
    return Outcome(**common(found, (INDEPENDENT,)), statistic=found["statistic"], p=found["p"])
