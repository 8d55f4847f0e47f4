"""Procedures for three or more samples, and for values in runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.stats.calls import BLOCKS, INDEPENDENT_SAMPLES, SAME_SHAPE, common, one, sample, sentences
from statera.stats.results import Components, Omnibus

if TYPE_CHECKING:
    from collections.abc import Iterable


def kruskal_wallis(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several independent samples tends to other values than the rest (Kruskal & Wallis 1952).

    The statistic is H, corrected for ties, with a chi-squared distribution. The estimate is epsilon squared, the share
    of the variance of the ranks that lies between the samples.

    Raises:
        ValueError: there are fewer than two samples, one is empty, or a value is not finite.

    """
    names = (f"sample {number}" for number in range(1, len(samples) + 1))
    held: dict[str, Any] = {name: sample(values, name) for name, values in zip(names, samples, strict=False)}
    found = one("kruskal_wallis", held)
    return Omnibus(
        estimate=found["estimate"],
        interval=None,
        n=tuple(len(values) for values in held.values()),
        method="chi-squared",
        assumptions=(INDEPENDENT_SAMPLES, SAME_SHAPE),
        warnings=sentences(found["warnings"]),
        statistic=found["statistic"],
        p=found["p"],
        df=(found["df"],),
    )


def friedman(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several treatments tends to other values than the rest (Friedman 1937).

    The i-th values of all samples form a block. The statistic is chi-squared, corrected for ties. The estimate is
    Kendall's W: from 0 (the blocks do not agree) to 1 (all blocks have the same order). n is the number of blocks.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.

    """
    found = one("friedman", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    return Omnibus(
        **common(found, (BLOCKS,), "chi-squared"), statistic=found["statistic"], p=found["p"], df=(found["df"],)
    )


def quade(*samples: Iterable[float]) -> Omnibus:
    """Test like Friedman's test, but weight blocks by how much the treatments differ in them (Quade 1979).

    The statistic is F; if all blocks agree completely, it is infinite and p is exact. n is the number of blocks. A
    single block has no p-value.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.

    """
    found = one("quade", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    df = tuple(found[name] for name in ("df", "df2") if found[name] is not None)
    return Omnibus(**common(found, (BLOCKS,), "F"), statistic=found["statistic"], p=found["p"], df=df)


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
