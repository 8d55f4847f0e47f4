"""Rules of metrics: the direction of each, and its margin, also of the benchmarks that have their own."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.patterns import matcher, tidy_metric, without_threads
from statera.support.settings.policy import NOISE, parse_amount
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from statera.reading.observations import Metric
    from statera.support.settings import Policy
    from statera.support.settings.policy import Better


class Margin(NamedTuple):
    """A change that is too small to matter: a part of the baseline, or an amount in the unit of the metric."""

    amount: float
    is_absolute: bool = False

    def relative(self, size: float) -> float:
        """Return the margin as a part of a value of this size; 0 if it is none."""
        if not self.is_absolute:
            return self.amount
        return self.amount / abs(size) if size else 0.0


class Margins(NamedTuple):
    """The margins of a metric."""

    varying: Margin  # that of values that vary
    exact: Margin  # that of exact values
    # those of single benchmarks, by their numbers: for values that vary, and for exact ones
    own: dict[int, tuple[Margin, Margin]]


class Stated:
    """The margins that a policy states, for the metrics and benchmarks that were read."""

    def __init__(self, policy: Policy, metrics: Sequence[Metric], benchmarks: Sequence[str]) -> None:
        """Find what each pattern means: metrics, or benchmarks if it fits no metric.

        Raises ``Stop`` if an amount is stated for metrics of another unit.
        """
        self._policy = policy
        self._of_metrics: dict[str, set[str]] = {}
        self._of_benchmarks: dict[str, list[int]] = {}
        for pattern, amount in policy.margins:
            fits = matcher([pattern, tidy_metric(pattern)])
            named = [metric for metric in metrics if fits(metric.name)]
            self._of_metrics[pattern] = {metric.name for metric in named}
            if not named:
                self._of_benchmarks[pattern] = [
                    place for place, name in enumerate(benchmarks) if fits(name) or fits(without_threads(name))
                ]
            elif pattern != "*" and not any(_fits(amount, metric) for metric in named):
                raise Stop(
                    "bad-option",
                    f"margin {pattern}: {amount} is no amount of {named[0].name}, whose values are in {named[0].unit}",
                )

    def of(self, metric: Metric) -> Margins:
        """Return the margins of a metric; the first that is stated for it counts."""
        own: dict[int, Margin] = {}
        varying, exact = Margin(_default(metric, self._policy)), Margin(self._policy.margin_exact)
        for pattern, amount in self._policy.margins:
            if not _fits(amount, metric):
                continue
            margin = self._margin(amount, metric)
            if metric.name in self._of_metrics[pattern]:
                # A margin for all metrics applies to values that vary; one for this metric, or its unit, also to exact
                # ones.
                if amount != NOISE and (pattern != "*" or margin.is_absolute):
                    exact = margin
                varying = margin
                break
            for benchmark in self._of_benchmarks.get(pattern, ()):
                own.setdefault(benchmark, margin)
        return Margins(
            varying,
            exact,
            {place: (margin, margin if margin.is_absolute else exact) for place, margin in own.items()},
        )

    def _margin(self, amount: float | str, metric: Metric) -> Margin:
        if amount == NOISE:
            return Margin(max(_default(metric, self._policy), _noise_floor(metric, self._policy)))
        stated = parse_amount(amount)
        return Margin(float(amount)) if stated is None else Margin(stated.amount, is_absolute=True)


def _fits(amount: float | str, metric: Metric) -> bool:
    """Tell whether a margin can be one of a metric: an amount must be in its unit."""
    stated = parse_amount(amount)
    return stated is None or stated.unit in {"", metric.unit}


def _noise_floor(metric: Metric, policy: Policy) -> float:
    """Return the noise floor that was measured for a metric; 0 if none was."""
    matching = (floor for pattern, floor in policy.noise if matcher([pattern, tidy_metric(pattern)])(metric.name))
    return next(matching, 0.0)


def _default(metric: Metric, policy: Policy) -> float:
    if metric.quantity in {"time", "throughput"}:
        return policy.margin_time
    return policy.margin_count if metric.may_be_exact else policy.margin_other


class Rule(NamedTuple):
    """The rule by which a metric is judged."""

    better: Better | None  # the direction that is better; None if unknown
    margin: Margin  # the change that is too small to matter, for values that vary
    margin_exact: Margin  # the same for exact values
    assumed_exact: bool  # the file states that the values are exact
    may_be_exact: bool  # the metric is a deterministic count, and is exact if its values are equal
    # the number of each benchmark that has its own, with both margins
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

    ``names`` and ``units`` are patterns; without names the primary metrics are compared, and with ``secondary`` also
    those that the format counts as secondary, of which ``besides`` names some that are compared in any case.

    What tells of failures is compared beside the chosen metrics, unless a pattern excludes it: without it a server that
    answers faster with errors would be faster.
    """
    patterns = [*names, *(tidy_metric(pattern) for pattern in names)]
    chosen, unit = matcher(patterns), matcher(units)
    kept, kept_unit = (matcher([each for each in of if each.startswith("!")]) for of in (patterns, units))
    stated = Stated(policy, metrics, benchmarks)
    any_primary = any(metric.primary for metric in metrics)
    rules: list[Rule | None] = []
    unused = []
    any_chosen = False
    for metric in metrics:
        wanted = metric.primary or not any_primary or secondary or bool(names) or metric.name in besides
        is_chosen = wanted and chosen(metric.name) and unit(metric.unit)
        any_chosen |= is_chosen
        tells = metric.role == "validity" and metric.primary and kept(metric.name) and kept_unit(metric.unit)
        if is_chosen or tells:
            rules.append(_rule(metric, policy, stated))
        else:
            rules.append(None)
            unused.append(metric.name)
    if metrics and not any_chosen:
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
