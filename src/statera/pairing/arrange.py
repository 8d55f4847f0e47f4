"""Which values belong to which variant and group, and what must be said about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.errors import Stop
from statera.formats import block_name
from statera.pairing.labels import label_arguments
from statera.pairing.patterns import matcher, tidy_metric

if TYPE_CHECKING:
    from statera.errors import Problem
    from statera.observations import Context, Metric, Observations
    from statera.settings import Policy

# Keys that tell one run from another: over them values are pooled, since runs are what is sampled.
RUN_KEYS = frozenset({"date", "commit", "run", "iteration", "round", "time", "timestamp", "note", "exit_code"})
# Keys that tell machines and systems apart: a difference between the variants is a warning.
MACHINE_KEYS = frozenset(
    {"cpu", "goos", "goarch", "host", "hostname", "kernel", "version", "arch", "machineArchitecture"}
)
# Keys whose values name different work; they are never pooled unless asked for.
IDENTITY_KEYS = frozenset({"pkg", "goos", "goarch", "kind", "wrapper", "from-slot", "nr-blocks"})


class Request(NamedTuple):
    """What the caller wants compared.

    Attributes:
        by: the configuration key whose values are the variants; None where arguments are.
        baseline: the label of the baseline; the first variant where None.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks: patterns of names; likewise metrics, units.
        where: (key, pattern) pairs that a configuration must fit.
        pool: keys to pool over; group: keys to compare apart.
        all_metrics: compare also what the format counts as secondary.

    """

    by: str | None = None
    baseline: str | None = None
    pair: str = "auto"
    benchmarks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    pool: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    all_metrics: bool = False


class Arrangement(NamedTuple):
    """The result, and what must be said of it.

    Attributes:
        layout: as the compiled part takes it.
        labels: the variants, the baseline first.
        groups: the groups in words; a single empty text where nothing is split.
        common: configuration that all values share.
        differs: keys that differ between the variants, with the value of each.
        pooled: keys over which values were pooled, with the number of values.
        unused_metrics: names of metrics that were read and not compared.
        unused_values: values that belong to no variant or that a filter left out.

    """

    layout: dict[str, Any]
    labels: list[str]
    groups: list[str]
    common: dict[str, str]
    differs: dict[str, list[str]]
    pooled: dict[str, int]
    unused_metrics: list[str]
    unused_values: int


def arrange(
    observations: Observations, arguments: list[tuple[str | None, str]], request: Request, policy: Policy
) -> Arrangement:
    """Decide variants, groups and rules.

    Args:
        observations: what was read.
        arguments: (label or None, text) of each argument that was read, in order.
        request: what the caller wants.
        policy: margins and directions.

    """
    contexts = observations.contexts
    if request.pair == block_name({source.format for source in observations.sources if source.values}):
        request = request._replace(pair="block")
    labels, variant_of = _variants(observations, contexts, arguments, request)
    keep = [_where(context, observations, request.where) for context in contexts]
    variant_of = [variant if kept else None for variant, kept in zip(variant_of, keep, strict=True)]
    labels, variant_of = _baseline_first(labels, variant_of, contexts, request, observations.problems)
    split = _split(observations, variant_of, len(labels), request)
    group_of, groups = _groups(contexts, variant_of, split.grouping)
    rules, unused = _rules(observations.metrics, request, policy)
    fits = matcher(request.benchmarks)
    layout = {
        "variant_of_context": variant_of,
        "group_of_context": group_of,
        "block_of_context": _blocks(contexts, variant_of, request.pair),
        "metrics": rules,
        "benchmarks": [fits(name) for name in observations.benchmarks] if request.benchmarks else [],
        "variants": len(labels),
        "groups": max(len(groups), 1),
        "pairing": request.pair if request.pair in {"auto", "order", "unpaired"} else "block",
        "files_are_runs": _files_are_runs(contexts, variant_of, len(labels)),
    }
    if request.pair == "block" and not observations.has_blocks:
        raise Stop(
            "cannot-pair",
            "--pair block: no format that was read gives pairing keys; use --pair order or --pair KEY",
        )
    unused_values = sum(
        context.values for context, variant in zip(contexts, variant_of, strict=True) if variant is None
    )
    return Arrangement(layout, labels, groups or [""], split.common, split.differs, split.pooled, unused, unused_values)


def _variants(
    observations: Observations,
    contexts: list[Context],
    arguments: list[tuple[str | None, str]],
    request: Request,
) -> tuple[list[str], list[int | None]]:
    if request.by is None:
        by_argument = label_arguments(arguments)
        labels = list(dict.fromkeys(by_argument))
        sources = observations.sources
        of = [labels.index(by_argument[sources[context.source].argument]) for context in contexts]
        if len(labels) < 2:  # noqa: PLR2004
            shared = f"All arguments have the label {labels[0]!r}; write A=… B=… to tell them apart. "
            raise Stop("one-variant", (shared if len(arguments) > 1 else "") + _one_variant(contexts))
        return labels, list(of)
    values = [context.keys.get(request.by) for context in contexts]
    labels = list(dict.fromkeys(v for v, c in zip(values, contexts, strict=True) if v is not None and c.values))
    if len(labels) < 2:  # noqa: PLR2004
        found = f"only {labels[0]!r}" if labels else "no value"
        raise Stop("one-variant", f"--by {request.by}: the results have {found} of it. {_one_variant(contexts)}")
    return labels, [labels.index(value) if value in labels else None for value in values]


def _one_variant(contexts: list[Context]) -> str:
    varying: dict[str, set[str]] = {}
    for context in contexts:
        for key, value in context.keys.items():
            varying.setdefault(key, set()).add(value)
    names = [f"{key} ({len(values)})" for key, values in varying.items() if len(values) > 1]
    inside = f" Keys that vary inside these results: {', '.join(names)}." if names else ""
    return f"A comparison needs two variants: name OLD and NEW, or use --by KEY for variants inside the files.{inside}"


def _where(context: Context, observations: Observations, where: tuple[tuple[str, str], ...]) -> bool:
    for key, pattern in where:
        value = observations.sources[context.source].name if key == "file" else context.keys.get(key, "")
        if not matcher([pattern])(value):
            return False
    return True


def _baseline_first(
    labels: list[str],
    variant_of: list[int | None],
    contexts: list[Context],
    request: Request,
    problems: list[Problem],
) -> tuple[list[str], list[int | None]]:
    """Give numbers to the variants that still have values, 0 to the baseline."""
    baseline = request.baseline
    if baseline is not None and baseline not in labels:
        raise Stop("no-baseline", f"--baseline {baseline}: no variant has this label; there are {', '.join(labels)}")
    held = {
        variant for variant, context in zip(variant_of, contexts, strict=True) if variant is not None and context.values
    }
    empty = [label for index, label in enumerate(labels) if index not in held]
    order = [index for index in range(len(labels)) if index in held or labels[index] == baseline]
    if empty:
        first = next(iter(problems), None)
        why = f". The first problem: {first}" if first else ""
        raise Stop("nothing-to-compare", f"no value was read for {', '.join(empty)}{why}")
    if baseline is not None:
        order.sort(key=lambda index: labels[index] != baseline)
    new = {old: place for place, old in enumerate(order)}
    return [labels[index] for index in order], [None if variant is None else new.get(variant) for variant in variant_of]


class _Split(NamedTuple):
    grouping: list[str]
    common: dict[str, str]
    differs: dict[str, list[str]]
    pooled: dict[str, int]


def _split(observations: Observations, variant_of: list[int | None], variants: int, request: Request) -> _Split:
    """Tell for each configuration key whether it is shared, tells variants apart, splits rows or is pooled."""
    contexts = observations.contexts
    used = [(c.keys, v) for c, v in zip(contexts, variant_of, strict=True) if v is not None and c.values]
    keys = [
        key for key in dict.fromkeys(key for pairs, _ in used for key in pairs) if key not in {request.by, request.pair}
    ]
    split = _Split([], {}, {}, {})
    shared = observations.native.contexts_of_one_benchmark() if keys else []
    for key in keys:
        seen: list[set[str]] = [set() for _ in range(variants)]
        for pairs, variant in used:
            seen[variant].add(pairs.get(key, ""))
        together = set().union(*seen)
        if len(together) == 1:
            split.common[key] = next(iter(together))
        elif key not in {*request.pool, *request.group} and all(len(values) == 1 for values in seen):
            split.differs[key] = [next(iter(values)) for values in seen]
        elif _is_pooled(key, seen, request):
            # A key that tells benchmarks apart, not runs of one, is pooled over in no row.
            if key in request.pool or _varies_within(key, contexts, variant_of, shared):
                split.pooled[key] = len(together)
        elif key in {*IDENTITY_KEYS, *request.group} or _varies_within(key, contexts, variant_of, shared):
            split.grouping.append(key)
    return split


def _is_pooled(key: str, seen: list[set[str]], request: Request) -> bool:
    """Tell whether values are pooled over a key that varies: runs are, and what the variants do not share."""
    if key in request.pool or key in request.group:
        return key in request.pool
    return key not in IDENTITY_KEYS and (key in RUN_KEYS or not any(seen[0] & other for other in seen[1:]))


def _varies_within(key: str, contexts: list[Context], variant_of: list[int | None], shared: list[list[int]]) -> bool:
    """Tell whether some benchmark has several values of a key within one variant."""
    for together in shared:
        values: dict[int, str] = {}
        for number in together:
            variant = variant_of[number]
            value = contexts[number].keys.get(key, "")
            if variant is not None and values.setdefault(variant, value) != value:
                return True
    return False


def _groups(contexts: list[Context], variant_of: list[int | None], grouping: list[str]) -> tuple[list[int], list[str]]:
    numbers: dict[tuple[str, ...], int] = {}
    group_of = []
    for context, variant in zip(contexts, variant_of, strict=True):
        key = tuple(context.keys.get(name, "") for name in grouping) if variant is not None and context.values else None
        group_of.append(0 if key is None else numbers.setdefault(key, len(numbers)))
    words = [
        ", ".join(f"{name}: {value or '(none)'}" for name, value in zip(grouping, key, strict=True)) for key in numbers
    ]
    return group_of, words


Rule = tuple[str | None, float, float, bool, bool]


def _rules(metrics: list[Metric], request: Request, policy: Policy) -> tuple[list[Rule | None], list[str]]:
    chosen = matcher([*request.metrics, *(tidy_metric(pattern) for pattern in request.metrics)])
    unit = matcher(request.units)
    any_primary = any(metric.primary for metric in metrics)
    rules: list[Rule | None] = []
    unused = []
    for metric in metrics:
        wanted = metric.primary or not any_primary or request.all_metrics or bool(request.metrics)
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
    return direction, margin, exact, metric.assumed_exact, metric.may_be_exact


def _default_margin(metric: Metric, policy: Policy) -> float:
    if metric.quantity in {"time", "throughput"}:
        return policy.margin_time
    return policy.margin_count if metric.may_be_exact else policy.margin_other


def _blocks(contexts: list[Context], variant_of: list[int | None], pair: str) -> list[int | None] | None:
    """Give numbers to the values of the configuration key that pairs."""
    if pair in {"auto", "order", "unpaired", "block"}:
        return None
    numbers: dict[str, int] = {}
    blocks = []
    for context in contexts:
        value = context.keys.get(pair)
        blocks.append(None if value is None else numbers.setdefault(value, len(numbers)))
    used = [b for b, v, c in zip(blocks, variant_of, contexts, strict=True) if v is not None and c.values]
    if all(block is None for block in used):
        names = ", ".join(dict.fromkeys(key for context in contexts for key in context.keys)) or "none"
        raise Stop(
            "cannot-pair",
            f"--pair {pair}: the results have no configuration key of this name; there are: {names}",
        )
    return blocks


def _files_are_runs(contexts: list[Context], variant_of: list[int | None], variants: int) -> list[bool]:
    files: list[set[int]] = [set() for _ in range(variants)]
    for context, variant in zip(contexts, variant_of, strict=True):
        if variant is not None and context.values:
            files[variant].add(context.source)
    # One side of several runs makes a single file on the other side one run.
    return [any(len(sources) > 1 for sources in files)] * variants
