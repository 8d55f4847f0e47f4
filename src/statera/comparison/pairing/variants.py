"""The variants: their labels, the variant of each configuration, and the pairs to compare."""

from __future__ import annotations

import os

from statera.reading.observations import first_problem
from statera.support.errors import Stop
from statera.support.files.names import as_text
from statera.support.patterns import matcher, nearest
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.comparison.pairing.request import Request
    from statera.reading.observations import Context, Observations
    from statera.support.errors import Problem

ENDINGS = (
    ".gz", ".zst", ".txt", ".csv", ".tsv", ".json", ".ndjson", ".jsonl", ".parquet", ".bench", ".out", ".log",
)  # fmt: skip


def split_label(argument: str) -> tuple[str | None, str]:
    """Split ``label=path``; an argument that is the path of an existing file is not split."""
    label, equals, path = argument.partition("=")
    if not equals or not label or not path or "/" in label or os.path.exists(argument):
        return None, argument
    return as_text(label), path


def label_arguments(arguments: list[tuple[str | None, str]]) -> list[str]:
    """Return the label of each argument: the stated one, or the shortest end of its path that distinguishes it."""
    paths = {as_text(path) for label, path in arguments if label is None}
    named = {label for label, _ in arguments if label is not None}
    return [_short(as_text(path), paths, named) if label is None else label for label, path in arguments]


def variant_numbers(arguments: list[tuple[str | None, str]], *, together: bool = False) -> list[int]:
    """Return the number of the variant of each argument; ``together``: arguments without a label are one variant."""
    labels = [label for label, _ in arguments] if together else label_arguments(arguments)
    numbers: dict[str | None, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def _short(path: str, paths: set[str], named: set[str]) -> str:
    if path == "-":
        return "standard input"
    parts, others = _parts(path), paths - {path}
    for count in range(1, len(parts) + 1):
        label = _without_ending("/".join(parts[-count:]))
        taken = {_without_ending("/".join(_parts(other)[-count:])) for other in others}
        if label not in taken and label not in named:
            return label
    return path


def _parts(path: str) -> list[str]:
    """Split a path into its parts; drop the parts of a pattern that consist of wildcards only."""
    parts = [part for part in path.split("/") if part]
    named = [part for part in parts if any(mark not in "*?.[]" for mark in _without_ending(part))]
    return named or parts or [path]


def _without_ending(name: str) -> str:
    for _ in range(2):
        for ending in ENDINGS:
            if name.endswith(ending) and len(name) > len(ending) and not name[: -len(ending)].endswith("/"):
                name = name[: -len(ending)]
                break
    return name


def with_known_keys(observations: Observations, contexts: list[Context], request: Request) -> Request:
    """Check that all keys of the request exist, and that no key has two roles."""
    known = {key for context in contexts for key in context.keys}
    aside = {"file"}.union(*(context.aside for context in contexts))
    filters = tuple(key for key, _ in request.where if key not in aside)
    for option, keys in (
        ("--by", request.by),
        ("--within", request.within),
        ("--pool", request.pool),
        ("--where", filters),
    ):
        for key in keys:
            if key not in known:
                why = f"no result states this key; there are: {known_keys(observations, contexts)}"
                hint = "; of a table, --column variant=COLUMN chooses it" if key == "variant" else ""
                raise Stop("no-such-key", f"{option} {key}: {why}{hint}")
    both = set(request.by) & {*request.within, *request.pool} or set(request.within) & set(request.pool)
    if both:
        raise Stop("bad-option", f"{', '.join(sorted(both))}: only one of --by, --within and --pool can take a key")
    return request


def known_keys(observations: Observations, contexts: list[Context]) -> str:
    """List the keys of the configurations, and those of parts of names."""
    stated = dict.fromkeys(key for context in contexts for key in context.keys)
    return f"{listed(stated) or 'none'}{_of_names(observations, stated)}"


def _of_names(observations: Observations, stated: Iterable[str]) -> str:
    """List the keys of parts of names that no configuration states."""
    others = [key for key in observations.keys_of_names if key not in set(stated)]
    return f"; in the names of benchmarks: {listed(others)}" if others else ""


def pairs_of(variants: int, which: str, most: int) -> list[tuple[int, int]]:
    """Return the pairs to compare, as (baseline, contender). Raises ``Stop`` if there are more than ``most``."""
    count = variants * (variants - 1) // 2 if which == "all" else variants - 1
    if count > most:
        raise Stop(
            "too-much",
            f"{variants:,} variants make {count:,} pairs to compare: the limit is pairs={most}. Choose variants with "
            "--where, compare with one baseline, or raise it with --limit pairs=N or in the table [limits] of the "
            "settings",
        )
    bases = range(variants) if which == "all" else range(1)
    return [(base, contender) for base in bases for contender in range(base + 1, variants)]


def variants_of(
    observations: Observations,
    contexts: list[Context],
    by_argument: list[str],
    request: Request,
    *,
    ordered: bool = False,
) -> tuple[list[str], list[int | None]]:
    """Return the labels of the variants, and the number of the variant of each configuration (None if it has none).

    ``ordered``: the files state an order of the variants, of which the first is the baseline.
    """
    if not request.by:
        labels = list(dict.fromkeys(by_argument))
        sources = observations.sources
        numbers = {label: number for number, label in enumerate(labels)}
        of = [numbers[by_argument[sources[context.source].argument]] for context in contexts]
        if len(labels) < _least(request):
            raise Stop(
                "one-variant",
                _one_label(labels[0], len(by_argument), observations) + _one_variant(observations, contexts),
            )
        return labels, list(of)
    values = [_level(context, request.by) for context in contexts]
    held = {value for value, context in zip(values, contexts, strict=True) if context.values}
    every = list(dict.fromkeys(value for value in values if value is not None))
    if ordered and not request.alone and request.baseline is None and every and every[0] not in held:
        raise Stop(
            "nothing-to-compare",
            f"no value was read for the baseline {every[0]!r}{first_problem(observations.problems)}; "
            "--baseline compares with another variant",
        )
    labels = [value for value in every if value in held]
    if len(labels) < _least(request):
        found = f"only the value {labels[0]!r}" if labels else "no value"
        by = ",".join(request.by)
        raise Stop(
            "one-variant",
            f"--by {by}: the results have {found} of this key{first_problem(observations.problems)}. "
            f"{_one_variant(observations, contexts)}",
        )
    number_of = {label: number for number, label in enumerate(labels)}
    return labels, [None if value is None else number_of.get(value) for value in values]


def _one_label(label: str, arguments: int, observations: Observations) -> str:
    """Explain why several arguments are one variant; empty for a single argument."""
    if arguments == 1:
        return ""
    if len(observations.sources) == 1:
        name = observations.sources[0].name
        return f"{name} is named twice. To compare it with itself, write a={name} b={name}. "
    return f"All arguments have the label {label!r}. Write A=… B=… to distinguish them. "


def _least(request: Request) -> int:
    """Return the smallest number of variants that the request allows."""
    return 1 if request.alone else 2


def _level(context: Context, by: tuple[str, ...]) -> str | None:
    """Return the variant of a configuration, its values of some keys; None if a key has no value."""
    values = [context.keys.get(key) for key in by]
    return None if None in values else "/".join(value for value in values if value is not None)


def _one_variant(observations: Observations, contexts: list[Context]) -> str:
    varying: dict[str, set[str]] = {}
    for context in contexts:
        for key, value in context.keys.items():
            varying.setdefault(key, set()).add(value)
    names = [f"{key} ({len(values)})" for key, values in varying.items() if len(values) > 1]
    vary = f" Keys that vary inside these results: {listed(names) or 'none'}{_of_names(observations, varying)}."
    files = sum(source.values > 0 for source in observations.sources)
    several = (
        f" {counted(files, 'file')} were read: name those to compare, or say with --name-pattern what their names mean "
        "('{version}') and compare --by it."
        if files > 1
        else ""
    )
    return (
        "A comparison needs two variants: name OLD and NEW, or use --by KEY for variants inside the files; statera "
        f"inspect examines a single one.{several}{vary}"
    )


def kept(contexts: list[Context], observations: Observations, where: tuple[tuple[str, str], ...]) -> list[bool]:
    """Return which configurations match all filters on their keys, or on their file.

    Raises ``Stop`` if a filter leaves no value.
    """
    found = [True] * len(contexts)
    for key, pattern in where:
        fits = matcher([pattern])
        held = _values(contexts, key, observations)
        found = [so_far and fits(value) for so_far, value in zip(found, held, strict=True)]
        if not any(match and context.values for match, context in zip(found, contexts, strict=True)):
            values = dict.fromkeys(value for value, context in zip(held, contexts, strict=True) if context.values)
            near = nearest(pattern, [value for value in values if value])
            raise Stop("nothing-to-compare", f"--where {key}={pattern}: leaves no value; the nearest of {key}: {near}")
    return found


def _values(contexts: list[Context], key: str, observations: Observations) -> list[str]:
    if key == "file":
        sources = observations.sources
        return [sources[context.source].name for context in contexts]
    return [_stated(context).get(key, "") for context in contexts]


def _stated(context: Context) -> Mapping[str, str]:
    return {**context.aside, **context.keys} if context.aside else context.keys


def baseline_first(
    labels: list[str],
    variant_of: list[int | None],
    contexts: list[Context],
    request: Request,
    problems: list[Problem],
) -> tuple[list[str], list[int | None]]:
    """Assign numbers to the variants that still have values; the baseline is 0."""
    baseline = request.baseline
    if baseline is not None and baseline not in labels:
        raise Stop("no-baseline", f"--baseline {baseline}: no variant has this label; there are {listed(labels)}")
    held = {
        variant for variant, context in zip(variant_of, contexts, strict=True) if variant is not None and context.values
    }
    empty = [label for index, label in enumerate(labels) if index not in held]
    order = [index for index in range(len(labels)) if index in held or labels[index] == baseline]
    # Of the values of a key a filter may leave out some: what is left is compared.
    chosen = request.by and request.where and len(held) > 1 and baseline not in empty
    if empty and not chosen:
        why = (
            f"the filters leave no value of {listed(empty)}"
            if request.where
            else f"no value was read for {listed(empty)}"
        )
        raise Stop("nothing-to-compare", why + ("" if request.where else first_problem(problems)))
    if baseline is not None:
        order.sort(key=lambda index: labels[index] != baseline)
    new = {old: place for place, old in enumerate(order)}
    return [labels[index] for index in order], [None if variant is None else new.get(variant) for variant in variant_of]


def refuse_overlaps(observations: Observations, named: list[tuple[str | None, str]], request: Request) -> None:
    """Refuse results that were named twice; ``named`` has the label (or None) and the text of each argument.

    A file that is compared with itself on purpose is named by itself for each build: ``a=FILE b=FILE``. With keys to
    compare by, all arguments are read together, and each file counts once.

    Raises ``Stop`` if a file is in the folder, or fits the pattern, of another build; or it is named twice without
    labels.
    """
    if request.by or request.alone:
        return
    remarks, labels = observations.remarks_by_code, label_arguments(named)
    if remarks.keys() & {"same-file", "shared-file"} and len(set(labels)) > 1:
        _refuse_same_path(named)
    if "shared-file" in remarks:
        _refuse_shared(observations, named, labels)


def _refuse_same_path(named: list[tuple[str | None, str]]) -> None:
    known = set()
    for label, path in named:
        place = os.path.abspath(path)
        if label is None and path != "-" and place in known:
            raise Stop(
                "named-twice",
                f"{path} is named twice. Name each build once, or, to compare it with itself, give each a label: "
                f"a={path} b={path}",
            )
        if label is None:
            known.add(place)


def _refuse_shared(observations: Observations, named: list[tuple[str | None, str]], labels: list[str]) -> None:
    """Refuse a file that two builds have, unless both name the same place."""
    places = [os.path.realpath(path) for _, path in named]
    known: dict[str, int] = {}
    for source in observations.sources:
        first = known.setdefault(os.path.realpath(source.name), source.argument)
        if labels[first] != labels[source.argument] and places[first] != places[source.argument]:
            wider, other = (first, source.argument) if os.path.isdir(places[first]) else (source.argument, first)
            raise Stop(
                "named-twice",
                f"{source.name} belongs to {named[other][1]} and to {named[wider][1]}, so that two builds would have "
                "its values. Name the files of each build",
            )
