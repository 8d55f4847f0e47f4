"""Rules of metrics: direction and margins."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.patterns import matcher, tidy_metric
from statera.support.settings.policy import NOISE
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.reading.observations import Metric
    from statera.support.settings import Policy
    from statera.support.settings.policy import Better


class Rule(NamedTuple):
    """The rule by which a metric is judged.

    Attributes:
        better: the direction that is better; None if unknown.
        margin: the relative change that is too small to matter, for values that vary.
        margin_exact: the same for exact values.
        assumed_exact: the file states that the values are exact.
        may_be_exact: the metric is a deterministic count, and is exact if its values are equal.

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
        metrics: all metrics that were read.
        policy: margins and directions.
        names: patterns of the metrics to compare; the primary ones if empty.
        units: patterns of their units; any unit if empty.
        secondary: compare also the metrics that the format counts as secondary.

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
        raise Stop(
            "nothing-to-compare",
            f"no metric matches the filters; there are {', '.join(metric.name for metric in metrics)}",
        )
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
            if amount == NOISE:
                margin = max(margin, _noise_floor(metric, policy))
                break
            margin = amount
            # A margin for all metrics applies to values that vary; a margin for this metric also to exact values.
            exact = exact if pattern == "*" else amount
            break
    return Rule(direction, margin, exact, metric.assumed_exact, metric.may_be_exact)


def _noise_floor(metric: Metric, policy: Policy) -> float:
    """Return the noise floor that was measured for a metric; 0 if none was."""
    matching = (floor for pattern, floor in policy.noise if matcher([pattern, tidy_metric(pattern)])(metric.name))
    return next(matching, 0.0)


def _default_margin(metric: Metric, policy: Policy) -> float:
    if metric.quantity in {"time", "throughput"}:
        return policy.margin_time
    return policy.margin_count if metric.may_be_exact else policy.margin_other
