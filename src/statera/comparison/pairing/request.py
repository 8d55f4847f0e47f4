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
    """The assignment of observations, and the facts that notes state about it.

    Attributes:
        assignment: the argument of the compiled part.
        block_names: the values of the configuration key that pairs, by number; empty without such a key.
        labels: the variants, the baseline first.
        groups: the names of the groups; a single empty text if there is only one. levels: the value of each key in each
            group.
        pair: how values are paired, as in ``Request``.
        copies: files that repeat an earlier one of their variant, which is named with each; they count once.
        copies_across: files that repeat one of another variant, which is named with each.
        common: configuration that all values share.
        differs: keys that differ between the variants, with the value of each variant.
        pooled: keys over which values were pooled, with the number of their levels.
        unused_metrics: names of metrics that were read and not compared.
        unused_values: the number of values that belong to no variant or that a filter excluded.
        factors: the keys whose levels are compared separately; by: those whose values are the variants.
        circumstances: the keys whose values are compared separately without a request.
        empty: (group, label) of each combination of levels without values.
        shared: what was taken out of the values, if own parts are compared.
        in_sequence: (earlier, later) labels of compared variants of which one was measured completely before the other.

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
    in_sequence: list[tuple[str, str]]
    levels: list[dict[str, str]]
    pair: str
    copies: list[tuple[str, str]]
    copies_across: list[tuple[str, str]]
    shared: tuple[Shared, ...] = ()
