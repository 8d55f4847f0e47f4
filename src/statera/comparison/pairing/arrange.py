"""The steps of an arrangement: names of benchmarks, then variants, groups, blocks and what is left aside.

Which variants were measured after which others is told where the results state when.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.pairing.factors import factored
from statera.comparison.pairing.keys import (
    NO_LEVEL,
    SHARE,
    empty_cells,
    groups_of,
    in_words,
    over_hosts,
    split_keys,
    strata_of,
    work_of,
)
from statera.comparison.pairing.request import Arrangement, Request, Shared
from statera.comparison.pairing.variants import (
    baseline_first,
    kept,
    known_keys,
    label_arguments,
    pairs_of,
    variants_of,
    with_known_keys,
)
from statera.comparison.weighing.metric_rules import own_margins, rules_of
from statera.comparison.weighing.weigh import Assignment, Pairing
from statera.reading.formats import block_name, keys_that, variants_key
from statera.support.errors import Stop
from statera.support.patterns import chosen
from statera.support.typed import TYPE_CHECKING, NamedTuple, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from statera.reading.observations import Context, Observations
    from statera.support.settings import Policy

_DATES: Final = keys_that(lambda key: key.role == "date")
# A date in ISO 8601 without a time; a longer number is a count of seconds or of parts of them.
_DAY: Final = len("2026-11-21")


class Moment(NamedTuple):
    """A time, which can be compared with others of the same kind: seconds, days, or times with or without a zone."""

    kind: str
    seconds: float


def in_sequence(
    contexts: list[Context], variant_of: list[int | None], pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return (earlier, later) for each pair of variants of which one was measured completely before the other.

    It is known only if all values state when they were measured, all in the same way; the order of files and of values
    says nothing.
    """
    found: dict[int, list[float]] = {}
    kinds = set()
    for context, variant in zip(contexts, variant_of, strict=True):
        if variant is None or not context.values:
            continue
        measured = moment(context.keys)
        if measured is None:
            return []
        kinds.add(measured.kind)
        found.setdefault(variant, []).append(measured.seconds)
    if len(kinds) != 1:
        return []
    spans = {variant: (min(times), max(times)) for variant, times in found.items()}
    known = ((a, b) for a, b in pairs if a in spans and b in spans)
    ordered = ((a, b) if spans[a] <= spans[b] else (b, a) for a, b in known)
    return [(a, b) for a, b in ordered if spans[a][1] < spans[b][0]]


def moment(keys: dict[str, str]) -> Moment | None:
    """Return when the values of a configuration were measured, from its keys of dates; None if it is not stated."""
    texts = [keys[key] for key in sorted(_DATES & keys.keys()) if keys[key]]
    if not texts:
        return None
    # `date` comes before `time`: both together are a time of that day.
    return next((found for text in ("T".join(texts), *texts) if (found := _parsed(text)) is not None), None)


def _parsed(text: str) -> Moment | None:
    if text.isdigit() and len(text) > _DAY - 2:
        return Moment("seconds", float(text))
    from datetime import UTC, datetime  # noqa: PLC0415 - most results state no date

    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    if parsed.tzinfo is not None:
        return Moment("zone", parsed.timestamp())
    return Moment("day" if len(text) <= _DAY else "local", parsed.replace(tzinfo=UTC).timestamp())


def prepared(observations: Observations, request: Request) -> Observations:
    """Rename the benchmarks of a request, and take its keys out of their names.

    Raises ``Stop`` if a benchmark cannot be renamed so.
    """
    return _with_keys(observations.renamed(request.rename) if request.rename else observations, request)


def _with_keys(observations: Observations, request: Request) -> Observations:
    """Take the keys of a request out of the names of benchmarks.

    A part leaves the name if the key chooses variants, levels or pairs, so that ``X/poly=IEEE/size=64`` and
    ``X/poly=Koopman/size=64`` are one benchmark, ``X/size=64``, that is compared by ``poly``. For a filter it stays.
    Without such a key the names are not looked at.
    """
    pair = [] if request.pair in get_args(Pairing) else [request.pair]
    given = request.factors.keys
    taken = [key for key in (*request.by, *request.within, *request.pool, *pair) if key not in given]
    aside = [key for key, _ in request.where if key not in {"file", *given, *taken}]
    return observations.with_names_split(taken, aside) if taken or aside else observations


def without_copies(
    observations: Observations, contexts: list[Context], variant_of: list[int | None]
) -> tuple[list[int | None], list[tuple[int, int]], list[tuple[int, int]]]:
    """Take the files out of the variants whose values are in another file of the same variant and factors.

    Returns the variant of each configuration, the numbers of each file that was taken out and of the other one, and
    those of each file whose values are in one of another variant.
    """
    pairs = observations.native.copies()
    if not pairs:
        return variant_of, [], []
    numbers: dict[int, list[int]] = {}
    for number, context in enumerate(contexts):
        if context.values:
            numbers.setdefault(context.source, []).append(number)
    kept, found, across = list(variant_of), [], []
    for copy, original in pairs:
        copied, first = (
            [(variant_of[number], contexts[number].keys) for number in numbers[source]] for source in (copy, original)
        )
        if all(each in first for each in copied) and any(variant is not None for variant, _ in copied):
            found.append((copy, original))
            for number in numbers[copy]:
                kept[number] = None
        else:
            of_copy, of_first = ({variant for variant, _ in side} for side in (copied, first))
            if None not in of_copy | of_first and of_copy.isdisjoint(of_first):
                across.append((copy, original))
    return kept, found, across


def shares_of(observations: Observations, contexts: list[Context]) -> list[float]:
    """Return the share of alpha of each configuration, 1 where none is stated; empty if no configuration states one.

    Raises ``Stop`` if a share is not a number above 0 and at most 1.
    """
    if not any(SHARE in context.keys for context in contexts):
        return []
    return [_share(observations, context) for context in contexts]


def _share(observations: Observations, context: Context) -> float:
    text = context.keys.get(SHARE, "")
    if not text:
        return 1.0
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise Stop(
            "bad-share",
            f"{observations.sources[context.source].name}: {SHARE} is {text!r}: it must be the share of alpha that "
            "a look at the results spent, a number above 0 and at most 1. Correct it, or remove the key if the results "
            "were looked at once",
        )
    return share


def arrange(
    observations: Observations, arguments: list[tuple[str | None, str]], request: Request, policy: Policy
) -> Arrangement:
    """Assign all observations to variants and groups, and choose the rule of each metric.

    ``arguments`` has (label or None, text) of each argument, in order.
    """
    by_argument = label_arguments(arguments)
    contexts = factored(observations.contexts, observations.sources, by_argument, request.factors)
    own = variants_key({source.format for source in observations.sources if source.values})
    if own is not None and not request.by and len(set(by_argument)) == 1:
        request = request._replace(by=(own,))
    request = over_hosts(contexts, with_known_keys(observations, contexts, request))
    if request.pair == block_name({source.format for source in observations.sources if source.values}):
        request = request._replace(pair="block")
    labels, variant_of = variants_of(observations, contexts, by_argument, request, ordered=own is not None)
    keep = kept(contexts, observations, request.where)
    variant_of = [variant if holds else None for variant, holds in zip(variant_of, keep, strict=True)]
    variant_of, copies, across = without_copies(observations, contexts, variant_of)
    labels, variant_of = baseline_first(labels, variant_of, contexts, request, observations.problems)
    split = split_keys(observations, contexts, variant_of, len(labels), request, own=own)
    group_of, keys = groups_of(contexts, variant_of, split.grouping, observations.limits.groups)
    groups = [in_words(split.grouping, key, number) for number, key in enumerate(keys)]
    rules, unused = rules_of(
        observations.metrics,
        observations.benchmarks if policy.margins else (),
        policy,
        names=request.metrics,
        units=request.units,
        secondary=request.all_metrics,
        besides=request.besides,
    )
    strata, stratum_of = strata_of(contexts, variant_of, [key for key in split.pooled if key in request.pool])
    if request.pair == "block" and not observations.has_blocks:
        raise Stop(
            "cannot-pair",
            "--pair block: no format that was read has pairing keys. Use --pair order or --pair KEY",
        )
    blocks, block_names = _blocks(observations, contexts, variant_of, request.pair)
    assignment = Assignment(
        variant_of_context=variant_of,
        group_of_context=group_of,
        block_of_context=blocks,
        share_of_context=shares_of(observations, contexts),
        stratum_of_context=stratum_of,
        metrics=rules,
        own_margins=own_margins(rules),
        benchmarks=chosen(observations.benchmarks, request.benchmarks, "--benchmark") if request.benchmarks else [],
        variants=len(labels),
        groups=max(len(groups), 1),
        strata=strata,
        work_of_group=work_of(keys, split),
        pairs=pairs_of(len(labels), request.pairs, len(labels) if request.alone else observations.limits.pairs),
        factorial=bool(split.factors) and len(groups) > 1,
        pairing="unpaired" if _in_own_runs(contexts, variant_of, request, own) else _pairing(request.pair),
        files_are_runs=_files_are_runs(contexts, variant_of, group_of, stratum_of, alone=request.alone),
    )
    sources = observations.sources if copies or across else []
    copied = {copy for copy, _ in copies}
    unused_values = sum(
        context.values
        for context, variant in zip(contexts, variant_of, strict=True)
        if variant is None and context.source not in copied
    )
    return Arrangement(
        assignment=assignment,
        block_names=block_names,
        labels=labels,
        groups=groups or [""],
        common=split.common,
        differs=split.differs,
        pooled=split.pooled,
        unused_metrics=unused,
        unused_values=unused_values,
        factors=split.factors,
        by=request.by,
        circumstances=[key for key in split.grouping if key not in {*split.work, *split.factors}],
        empty=_empty(contexts, variant_of, group_of, groups, labels) if split.factors and not request.alone else [],
        in_sequence=[(labels[a], labels[b]) for a, b in in_sequence(contexts, variant_of, assignment.pairs)],
        levels=[{name: key.get(name) or NO_LEVEL for name in split.grouping} for key in keys] or [{}],
        pair=request.pair,
        copies=[(sources[copy].name, sources[of].name) for copy, of in copies],
        copies_across=[(sources[copy].name, sources[of].name) for copy, of in across],
    )


def _empty(
    contexts: list[Context], variant_of: list[int | None], group_of: list[int], groups: list[str], labels: list[str]
) -> list[tuple[str, str]]:
    """Return the combinations of levels without values; raise Stop if no level can be compared."""
    empty = empty_cells(contexts, variant_of, group_of, len(labels))
    if len(groups) * len(labels) - len(empty) <= len(groups):
        held = "; ".join(groups[:3])
        raise Stop(
            "no-shared-level",
            f"no level was measured under two variants: {held}. Measure one under both, or use --pool",
        )
    return [(groups[group], labels[variant]) for group, variant in empty]


def _pairing(pair: str) -> Pairing:
    """Return the kind of pairing; any other word is a key whose values are the blocks."""
    return cast("Pairing", pair) if pair in get_args(Pairing) else "block"


def _in_own_runs(contexts: list[Context], variant_of: list[int | None], request: Request, own: str | None) -> bool:
    """Return whether each variant was measured in runs of its own: rounds of different runs are not pairs."""
    if request.alone or request.pair != "auto":
        return False
    if request.apart or own is None:
        return request.apart
    measured: dict[int, set[int]] = {}
    for context, variant in zip(contexts, variant_of, strict=True):
        if variant is not None and context.values:
            measured.setdefault(context.source, set()).add(variant)
    return all(len(variants) == 1 for variants in measured.values())


def _blocks(
    observations: Observations, contexts: list[Context], variant_of: list[int | None], pair: str
) -> tuple[list[int | None] | None, list[str]]:
    """Assign numbers to the values of the key that pairs, and return their names by number; None without a key."""
    if pair in get_args(Pairing):
        return None, []
    numbers: dict[str, int] = {}
    blocks = []
    for context in contexts:
        value = context.keys.get(pair)
        blocks.append(None if value is None else numbers.setdefault(value, len(numbers)))
    used = [b for b, v, c in zip(blocks, variant_of, contexts, strict=True) if v is not None and c.values]
    if all(block is None for block in used):
        names = known_keys(observations, contexts)
        raise Stop(
            "cannot-pair",
            f"--pair {pair}: the results have no configuration key of this name; there are: {names}",
        )
    return blocks, list(numbers)


def _files_are_runs(
    contexts: list[Context], variant_of: list[int | None], group_of: list[int], stratum_of: list[int], *, alone: bool
) -> list[bool]:
    files: dict[tuple[int, int, int], set[int]] = {}
    strata = stratum_of or [0] * len(contexts)
    for context, variant, group, stratum in zip(contexts, variant_of, group_of, strata, strict=True):
        if variant is not None and context.values:
            files.setdefault((variant, group, stratum), set()).add(context.source)
    several = {variant for (variant, _, _), sources in files.items() if len(sources) > 1}
    variants = {variant for variant in variant_of if variant is not None}
    # If one compared variant has several files, its files are runs, and so is the single file of another variant.
    return [variant in several if alone else bool(several) for variant in sorted(variants)]


def own_part(observations: Observations, arrangement: Arrangement) -> tuple[Observations, Arrangement]:
    """Return the values of what each benchmark did by itself, and the arrangement that states what was taken out.

    Raises ``Stop`` if no metric has enough benchmarks.
    """
    native, shared = _native.own_part(observations.native, arrangement.assignment)
    if not shared:
        raise Stop(
            "bad-option",
            "--apart: no time or rate has ten benchmarks with as many values in each build, all above zero, so that "
            "nothing tells what they share. Leave it out",
        )
    return observations.with_native(native), arrangement._replace(shared=tuple(Shared(*each) for each in shared))
