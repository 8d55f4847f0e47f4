"""Rules of metrics: direction and margins."""

from __future__ import annotations

from statera.comparison.weighing.margins import Stated
from statera.support.errors import Stop
from statera.support.patterns import matcher, tidy_metric
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from statera.comparison.weighing.margins import Margin
    from statera.reading.observations import Metric
    from statera.support.settings import Policy
    from statera.support.settings.policy import Better


class Rule(NamedTuple):
    """The rule by which a metric is judged.

    Attributes:
        better: the direction that is better; None if unknown.
        margin: the change that is too small to matter, for values that vary.
        margin_exact: the same for exact values.
        assumed_exact: the file states that the values are exact.
        may_be_exact: the metric is a deterministic count, and is exact if its values are equal.
        own_margins: the number of each benchmark that has its own, with both margins.

    """

    better: Better | None
    margin: Margin
    margin_exact: Margin
    assumed_exact: bool
    may_be_exact: bool
    own_margins: tuple[tuple[int, tuple[Margin, Margin]], ...] = ()


def rules_of(
    metrics: list[Metric],
    benchmarks: Sequence[str],
    policy: Policy,
    *,
    names: Sequence[str],
    units: Sequence[str],
    secondary: bool,
    besides: Collection[str] = (),
) -> tuple[list[Rule | None], list[str]]:
    """Return the rule of each metric, or None if it is not compared, and the names of those that are not.

    Args:
        metrics: all metrics that were read.
        benchmarks: the names of all benchmarks.
        policy: margins and directions.
        names: patterns of the metrics to compare; the primary ones if empty.
        units: patterns of their units; any unit if empty.
        secondary: compare also the metrics that the format counts as secondary.
        besides: names of those of them that are compared in any case.

    """
    chosen = matcher([*names, *(tidy_metric(pattern) for pattern in names)])
    unit = matcher(units)
    stated = Stated(policy, metrics, benchmarks)
    any_primary = any(metric.primary for metric in metrics)
    rules: list[Rule | None] = []
    unused = []
    for metric in metrics:
        wanted = metric.primary or not any_primary or secondary or bool(names) or metric.name in besides
        if wanted and chosen(metric.name) and unit(metric.unit):
            rules.append(_rule(metric, policy, stated))
        else:
            rules.append(None)
            unused.append(metric.name)
    if metrics and not any(rules):
        raise Stop(
            "nothing-to-compare",
            f"no metric matches the filters; there are {', '.join(metric.name for metric in metrics)}",
        )
    return rules, unused


def _rule(metric: Metric, policy: Policy, stated: Stated) -> Rule:
    direction = metric.better
    for pattern, word in policy.directions:
        if matcher([pattern, tidy_metric(pattern)])(metric.name):
            direction = None if word == "none" else word
            break
    margins = stated.of(metric)
    return Rule(
        direction, margins.varying, margins.exact, metric.assumed_exact, metric.may_be_exact, tuple(margins.own.items())
    )


def own_margins(rules: Sequence[Rule | None]) -> list[tuple[tuple[int, int], tuple[Margin, Margin]]]:
    """Return the metric, the benchmark and both margins of each benchmark that has its own."""
    return [
        ((metric, benchmark), margins)
        for metric, rule in enumerate(rules)
        for benchmark, margins in (rule.own_margins if rule else ())
    ]
