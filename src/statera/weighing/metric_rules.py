"""How each metric is judged: its direction and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.errors import Stop
from statera.patterns import matcher, tidy_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.observations import Metric
    from statera.settings import Policy
    from statera.settings.policy import Better


class Rule(NamedTuple):
    """How a metric is judged.

    Attributes:
        better: which way is better; None where nobody knows.
        margin: the relative change too small to matter when values vary.
        margin_exact: the same for exact values.
        assumed_exact: the file states that the values are exact.
        may_be_exact: a deterministic count: exact when the data agrees.

    """

    better: Better | None
    margin: float
    margin_exact: float
    assumed_exact: bool
    may_be_exact: bool


def rules_of(
    metrics: list[Metric], policy: Policy, *, names: Sequence[str], units: Sequence[str], secondary: bool
) -> tuple[list[Rule | None], list[str]]:
    """Return the rule of each metric, or None if it is not compared, and the names of those that are not.

    Args:
        metrics: all that were read.
        policy: margins and directions.
        names: patterns of the metrics to compare; none: the primary ones.
        units: patterns of their units; none: any.
        secondary: compare also what the format counts as secondary.

    """
    chosen = matcher([*names, *(tidy_metric(pattern) for pattern in names)])
    unit = matcher(units)
    any_primary = any(metric.primary for metric in metrics)
    rules: list[Rule | None] = []
    unused = []
    for metric in metrics:
        wanted = metric.primary or not any_primary or secondary or bool(names)
        if wanted and chosen(metric.name) and unit(metric.unit):
            rules.append(_rule(metric, policy))
        else:
            rules.append(None)
            unused.append(metric.name)
    if metrics and not any(rules):
        raise Stop("nothing-to-compare", f"no metric fits; there are {', '.join(metric.name for metric in metrics)}")
    return rules, unused


def _rule(metric: Metric, policy: Policy) -> Rule:
    direction = metric.better
    for pattern, word in policy.directions:
        if matcher([pattern, tidy_metric(pattern)])(metric.name):
            direction = None if word == "none" else word
            break
    margin, exact = _default_margin(metric, policy), policy.margin_exact
    for pattern, amount in policy.margins:
        if matcher([pattern, tidy_metric(pattern)])(metric.name):
            margin = amount
            # A margin for everything is meant for what varies; one for this metric is meant as it stands.
            exact = exact if pattern == "*" else amount
            break
    return Rule(direction, margin, exact, metric.assumed_exact, metric.may_be_exact)


def _default_margin(metric: Metric, policy: Policy) -> float:
    if metric.quantity in {"time", "throughput"}:
        return policy.margin_time
    return policy.margin_count if metric.may_be_exact else policy.margin_other
