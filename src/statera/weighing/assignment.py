"""What the compiled part takes of an arrangement: which configuration belongs where, and how each metric is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from statera.weighing.metric_rules import Rule

Pairing = Literal["auto", "block", "order", "unpaired"]


class Assignment(NamedTuple):
    """Which observations belong to which variant and group, and what is compared with what.

    The compiled part takes every field by its name (``crates/bindings/src/decisions.rs``). Fields that end in
    ``_of_context`` have one entry a configuration, in the order of ``Observations.contexts``.

    Attributes:
        variant_of_context: its variant, or None where it takes no part.
        group_of_context: its group, a set of configuration values that are compared apart.
        block_of_context: its block, where a configuration key pairs the values; None where none does.
        stratum_of_context: its level of the factors that were pooled on request; empty where none were.
        metrics: for each metric how it is judged, or None where it is not compared.
        benchmarks: for each benchmark whether it is compared; empty: all.
        variants: how many there are.
        groups: how many there are, at least 1.
        strata: how many levels of pooled factors there are, at least 1.
        work_of_group: for each group a number that it shares with the groups that differ from it in circumstances
            alone, such as the machine's kernel; empty: no group shares any.
        pairs: of variants to be compared, each as (baseline, contender).
        factorial: whether the groups are levels of factors, so that effects are compared between them.
        pairing: what pairs with what.
        files_are_runs: for each variant whether its files are its runs.

    """

    variant_of_context: list[int | None]
    group_of_context: list[int]
    block_of_context: list[int | None] | None
    stratum_of_context: list[int]
    metrics: list[Rule | None]
    benchmarks: list[bool]
    variants: int
    groups: int
    strata: int
    work_of_group: list[int]
    pairs: list[tuple[int, int]]
    factorial: bool
    pairing: Pairing
    files_are_runs: list[bool]

    def rule(self, metric: int) -> Rule:
        """Return how a metric is judged that is compared."""
        rule = self.metrics[metric]
        if rule is None:
            raise LookupError(f"metric {metric} is not compared")
        return rule
