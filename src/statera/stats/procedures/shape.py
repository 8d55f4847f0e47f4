"""The shape of a sample: dip test, number of modes, moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Estimate, Moments, Outcome
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT

if TYPE_CHECKING:
    from collections.abc import Iterable


def dip(x: Iterable[float]) -> Outcome:
    """Test whether a sample has more than one mode (Hartigan & Hartigan 1985).

    The statistic is the dip; p, from a table for uniform samples, is not below 1e-4.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    found = one("dip", {"x": x})
    return Outcome(**common(found, (INDEPENDENT,), "table"), statistic=found["statistic"], p=found["p"])


def modes(x: Iterable[float]) -> Estimate:
    """Count the modes: 1 unless the dip test rejects it; otherwise the peaks of a kernel density above its noise.

    The dip test is that of Hartigan & Hartigan (1985), the bandwidth of the density that of Sheather & Jones (1991).

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    return Estimate(**common(one("modes", {"x": x}), (INDEPENDENT,), "dip test and density"))


def moments(x: Iterable[float]) -> Moments:
    """Return mean, standard deviation, coefficient of variation, skewness and excess kurtosis (Joanes & Gill 1998).

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    found = one("moments", {"x": x})
    return Moments(
        **common({**found, "estimate": found["mean"]}, (INDEPENDENT,), "moments"),
        sd=found["sd"],
        coefficient_of_variation=found["coefficient_of_variation"],
        skewness=found["skewness"],
        excess_kurtosis=found["excess_kurtosis"],
    )
