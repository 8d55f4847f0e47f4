"""What the caller wants compared, and what was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.pairing.factors import Factors

if TYPE_CHECKING:
    from statera.weighing.assignment import Assignment


class Request(NamedTuple):
    """What the caller wants compared.

    Attributes:
        by: the configuration keys or factors whose values are the variants; none where arguments are.
        baseline: the label of the baseline; the first variant where None.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks: patterns of names; likewise metrics, units.
        where: (key, pattern) pairs that a configuration must fit.
        pool: keys to pool over; within: keys or factors whose levels are compared separately.
        all_metrics: compare also what the format counts as secondary.
        pairs: ``baseline`` (each variant with the baseline) or ``all``.
        factors: what was said about factors that the files do not state.
        quantiles: levels of the quantile table, between 0 and 1; none where it is not asked for.
        alone: each variant is looked at by itself, so that one is enough.

    """

    by: tuple[str, ...] = ()
    baseline: str | None = None
    pair: str = "auto"
    benchmarks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    pool: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    all_metrics: bool = False
    pairs: str = "baseline"
    factors: Factors = Factors()
    quantiles: tuple[float, ...] = ()
    alone: bool = False


class Arrangement(NamedTuple):
    """The result, and what must be said of it.

    Attributes:
        assignment: as the compiled part takes it.
        block_names: the values of the configuration key that pairs, by number; none where none does.
        labels: the variants, the baseline first.
        groups: the groups in words; a single empty text where nothing is split. levels: of each group, its value
            of each key.
        pair: what pairs values, as in ``Request``.
        common: configuration that all values share.
        differs: keys that differ between the variants, with the value of each.
        pooled: keys over which values were pooled, with the number of values.
        unused_metrics: names of metrics that were read and not compared.
        unused_values: values that belong to no variant or that a filter left out.
        factors: the keys whose levels are compared separately; by: those whose values are the variants.
        circumstances: the keys whose values are compared separately though nobody asked for it.
        empty: (group, label) of each combination of levels of which nothing was measured.

    """

    assignment: Assignment
    block_names: list[str]
    labels: list[str]
    groups: list[str]
    common: dict[str, str]
    differs: dict[str, list[str]]
    pooled: dict[str, int]
    unused_metrics: list[str]
    unused_values: int
    factors: list[str]
    by: tuple[str, ...]
    circumstances: list[str]
    empty: list[tuple[str, str]]
    levels: list[dict[str, str]]
    pair: str
