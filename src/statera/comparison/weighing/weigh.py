"""The calls of the compiled part that compare and inspect, and their argument: the variant and group of each value."""

from __future__ import annotations

from statera import _native
from statera.reading.formats import values_are_times
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from statera.comparison.weighing.metric_rules import Margin, Rule
    from statera.reading.observations import Observations
    from statera.support.settings import Policy


Pairing = Literal["auto", "block", "order", "unpaired"]


class Assignment(NamedTuple):
    """The variant and group of each observation, and the pairs that are compared.

    The compiled part reads every field by its name (``crates/bindings/src/decisions.rs``). Fields that end in
    ``_of_context`` have one entry for each configuration, in the order of ``Observations.contexts``.
    """

    variant_of_context: list[int | None]  # its variant, or None if it is not used
    group_of_context: list[int]  # its group, a set of configuration values that are compared separately
    block_of_context: list[int | None] | None  # its block, if a configuration key pairs the values; otherwise None
    # the share of alpha that a test of its values may spend, above 0 and at most 1; empty if no configuration states
    # one, and every test may spend all of it
    share_of_context: list[float]
    stratum_of_context: list[int]  # its level of the factors that were pooled on request; empty if there are none
    metrics: list[Rule | None]  # the rule of each metric, or None if it is not compared
    # the margins of benchmarks that have their own: metric, benchmark, and those for values that vary and for exact
    # ones
    own_margins: list[tuple[tuple[int, int], tuple[Margin, Margin]]]
    benchmarks: list[bool]  # for each benchmark, whether it is compared; empty for all
    variants: int  # the number of variants
    groups: int  # the number of groups, at least 1
    strata: int  # the number of levels of pooled factors, at least 1
    # a number for each group, equal for groups that differ only in circumstances, such as the kernel of the machine;
    # empty if there are no such groups
    work_of_group: list[int]
    pairs: list[tuple[int, int]]  # the pairs of variants to compare, as (baseline, contender)
    factorial: bool  # whether the groups are levels of factors, so that effects are compared between them
    pairing: Pairing  # how values are paired
    files_are_runs: list[bool]  # for each variant, whether each of its files is a run

    def rule(self, metric: int) -> Rule:
        """Return the rule of a metric that is compared."""
        rule = self.metrics[metric]
        if rule is None:
            raise LookupError(f"metric {metric} is not compared")
        return rule

    def margin(self, metric: int, benchmark: int) -> Margin:
        """Return the margin of a benchmark for values that vary."""
        rule = self.rule(metric)
        return dict(rule.own_margins).get(benchmark, (rule.margin, rule.margin_exact))[0]


def weigh(
    observations: Observations,
    assignment: Assignment,
    labels: list[str],
    groups: list[str],
    policy: Policy,
) -> _native.Weighing:
    """Compare the pairs of variants of the assignment.

    Raises ``Stop`` if the data does not allow the requested pairing.
    """
    try:
        return _native.weigh(observations.native, assignment, policy, labels, groups)
    except _native.PairingFailure as failure:
        raise cannot_pair(failure) from None


def cannot_pair(failure: _native.PairingFailure) -> Stop:
    """Return the error that names the row that cannot be paired, and the reason."""
    benchmark, metric, why = failure.args
    name = _native.printable(benchmark)
    return Stop("cannot-pair", f"{name}, {metric}: {why}. Correct the keys, or compare with --unpaired")


def inspect(
    observations: Observations,
    assignment: Assignment,
    policy: Policy,
    costs: tuple[float | None, float | None],
    *,
    labels: list[str],
    groups: list[str],
) -> _native.Inspection:
    """Inspect every variant of every benchmark and metric."""
    for name, cost in zip(("--cost-run", "--cost-iteration"), costs, strict=True):
        if cost is not None and not 0 <= cost < float("inf"):
            raise Stop("bad-option", f"{name} takes a number of seconds of at least 0, not {cost}")
    formats = {source.format for source in observations.sources if source.values}
    whole = values_are_times(formats, {key for context in observations.contexts for key in context.keys})
    timed = [whole and metric.quantity == "time" for metric in observations.metrics]
    return _native.inspect(observations.native, assignment, policy, labels, groups, *costs, timed)
