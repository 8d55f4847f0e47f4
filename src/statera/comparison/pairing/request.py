"""The request of the caller, and the arrangement that results from it."""

from __future__ import annotations

from statera.comparison.pairing.factors import Factors
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from statera.comparison.weighing.weigh import Assignment


class Request(NamedTuple):
    """What the caller wants to compare.

    Attributes:
        by: the configuration keys or factors whose values are the variants; if empty, arguments are.
        baseline: the label of the baseline; None for the first variant.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks, metrics, units: patterns of their names.
        where: (key, pattern) pairs that a configuration must match.
        rename: pairs ``OLD=NEW`` of names of benchmarks that are the same.
        pool: keys to pool over; within: keys or factors whose levels are compared separately.
        all_metrics: compare also the metrics that the format counts as secondary.
        pairs: ``baseline`` (each variant with the baseline) or ``all``.
        factors: factors that the files do not contain.
        quantiles: levels of the quantile table, between 0 and 1; empty for no table.
        blocks: so many blocks of each paired row are named, those that changed most.
        alone: inspect each variant by itself, so that one is enough.
        own: compare what each benchmark did apart from what all of them share.
        apart: no block was measured for two variants, so that blocks of their own pair nothing.
        besides: names of metrics that are compared beside the primary ones.
    """

    by: tuple[str, ...] = ()
    baseline: str | None = None
    pair: str = "auto"
    benchmarks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    rename: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    all_metrics: bool = False
    pairs: str = "baseline"
    factors: Factors = Factors()
    quantiles: tuple[float, ...] = ()
    blocks: int = 0
    alone: bool = False
    own: bool = False
    apart: bool = False
    besides: tuple[str, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """Return the names that must be configuration keys or factors."""
        return (*self.by, *self.within, *self.pool, *(key for key, _ in self.where), self.pair)


class Shared(NamedTuple):
    """What all benchmarks of a group and metric share, which was taken out of their values.

    Attributes:
        group, metric, variant: their numbers.
        change: by how much all of them differ from the baseline together, relative.
        rows: the number of benchmarks.
    """

    group: int
    metric: int
    variant: int
    change: float
    rows: int


class Arrangement(NamedTuple):
    """The assignment of observations, and the facts that notes state about it."""

    assignment: Assignment  # the argument of the compiled part
    block_names: list[str]  # the values of the configuration key that pairs, by number; empty without such a key
    labels: list[str]  # the variants, the baseline first
    groups: list[str]  # the names of the groups; a single empty text if there is only one
    common: dict[str, str]  # configuration that all values share
    differs: dict[str, list[str]]  # keys that differ between the variants, with the value of each variant
    pooled: dict[str, int]  # keys over which values were pooled, with the number of their levels
    unused_metrics: list[str]  # names of metrics that were read and not compared
    unused_values: int  # the number of values that belong to no variant or that a filter excluded
    factors: list[str]  # the keys whose levels are compared separately
    by: tuple[str, ...]  # those whose values are the variants
    circumstances: list[str]  # the keys whose values are compared separately without a request
    empty: list[tuple[str, str]]  # (group, label) of each combination of levels without values
    # (earlier, later) labels of compared variants of which one was measured completely before the other
    in_sequence: list[tuple[str, str]]
    levels: list[dict[str, str]]  # the value of each key in each group
    pair: str  # how values are paired, as in ``Request``
    # files that repeat an earlier one of their variant, which is named with each; they count once
    copies: list[tuple[str, str]]
    copies_across: list[tuple[str, str]]  # files whose values are in one of another variant, which is named with each
    shared: tuple[Shared, ...] = ()  # what was taken out of the values, if own parts are compared
