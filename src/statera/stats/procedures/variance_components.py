"""Variance components within and between runs (Searle, Casella & McCulloch 1992)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Components
from statera.stats.single import common, one

if TYPE_CHECKING:
    from collections.abc import Iterable


def variance_components(*runs: Iterable[float], confidence: float = 0.95) -> Components:
    """Divide the variance of iterations into the variance within runs and the variance between runs.

    This is the one-way analysis of variance (Searle, Casella & McCulloch 1992). The estimate is the intraclass
    correlation: the share of the variance that lies between runs. The statistic is F. There is no result for fewer
    than two runs with values, or if no run has two iterations.

    Raises:
        ValueError: there are fewer than two runs, one is empty, or a value is not finite.

    """
    named = {f"run {number}": run for number, run in enumerate(runs, 1)}
    found = one("variance_components", named, confidence=confidence)
    assumed = ("runs and iterations vary independently, each near enough to normally",)
    return Components(
        **common(found, assumed, "analysis of variance"),
        statistic=found["statistic"],
        p=found["p"],
        within=found["within"],
        between=found["between"],
        runs=found["runs"],
        size=found["size"],
    )
