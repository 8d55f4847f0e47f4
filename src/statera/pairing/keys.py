"""What each configuration key is: shared, told apart, a level to compare at, or pooled over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from statera.observations import Context, Observations
    from statera.pairing.request import Request

# Keys that tell one run from another: over them values are pooled, since runs are what is sampled.
RUN_KEYS = frozenset({"date", "commit", "run", "iteration", "round", "time", "timestamp", "note", "exit_code"})
# Keys that tell machines and systems apart: a difference between the variants is a warning.
MACHINE_KEYS = frozenset(
    {"cpu", "goos", "goarch", "host", "hostname", "kernel", "version", "arch", "machineArchitecture"}
)
# Keys whose values name different work; they are never pooled unless asked for.
IDENTITY_KEYS = frozenset({"pkg", "goos", "goarch", "kind", "wrapper", "from-slot", "nr-blocks"})
# Of these, keys that make a benchmark of the same name another benchmark. Every other key, known or not, is a
# circumstance: a benchmark that is there under another value of it did not vanish.
WORK_KEYS = IDENTITY_KEYS - MACHINE_KEYS


class Split(NamedTuple):
    """What each configuration key is; ``factors`` are those keys of ``grouping`` that the caller named."""

    grouping: list[str]
    common: dict[str, str]
    differs: dict[str, list[str]]
    pooled: dict[str, int]
    factors: list[str]


def split_keys(
    observations: Observations,
    contexts: list[Context],
    variant_of: list[int | None],
    variants: int,
    request: Request,
) -> Split:
    """Tell for each configuration key whether it is shared, tells variants apart, splits rows or is pooled."""
    used = [(c.keys, v) for c, v in zip(contexts, variant_of, strict=True) if v is not None and c.values]
    keys = [
        key
        for key in dict.fromkeys(key for pairs, _ in used for key in pairs)
        if key not in {*request.by, request.pair}
    ]
    split = Split([], {}, {}, {}, [])
    factors = {*request.within, *request.factors.keys}
    shared = observations.native.contexts_of_one_benchmark() if keys else []
    for key in keys:
        seen: list[set[str]] = [set() for _ in range(variants)]
        for pairs, variant in used:
            seen[variant].add(pairs.get(key, ""))
        together = set().union(*seen)
        if len(together) == 1:
            split.common[key] = next(iter(together))
        elif key not in {*request.pool, *request.within} and all(len(values) == 1 for values in seen):
            split.differs[key] = [next(iter(values)) for values in seen]
        elif key in factors and key not in request.pool:
            split.grouping.append(key)
            split.factors.append(key)
        else:
            within = key in request.pool or _varies_within(key, contexts, variant_of, shared)
            between = key not in RUN_KEYS and _varies_between(key, contexts, variant_of, shared)
            _place(key, seen, split, request, within=within, between=between)
    # What named factors settle (a file's own word for the compiler) goes where they go.
    named = [*split.factors, *request.pool]
    loose = factors if named else {*keys}
    split.grouping[:] = [
        key for key in split.grouping if key in {*loose, *IDENTITY_KEYS} or not _settled(key, named, used)
    ]
    return split


def _place(key: str, seen: list[set[str]], split: Split, request: Request, *, within: bool, between: bool) -> None:
    """Put a key where it belongs, by whether it varies within the benchmarks of a variant, and between variants."""
    pooled = _is_pooled(key, seen, request)
    # A key that tells benchmarks apart, not runs of one, is pooled over in no row.
    if pooled and within:
        split.pooled[key] = len(set().union(*seen))
    elif key in IDENTITY_KEYS or (within and not pooled):
        split.grouping.append(key)
    elif between:
        split.differs[key] = [_listed(values) for values in seen]


def _settled(key: str, factors: list[str], used: list[tuple[dict[str, str], int]]) -> bool:
    """Tell whether a key has one value at each combination of the factors' levels."""
    value_at: dict[tuple[str, ...], str] = {}
    return all(
        value_at.setdefault(tuple(pairs.get(factor, "") for factor in factors), pairs.get(key, ""))
        == pairs.get(key, "")
        for pairs, _ in used
    )


def empty_cells(
    contexts: list[Context], variant_of: list[int | None], group_of: list[int], variants: int
) -> list[tuple[int, int]]:
    """Give the (group, variant) combinations of which nothing was measured."""
    held = {
        (group, variant)
        for context, variant, group in zip(contexts, variant_of, group_of, strict=True)
        if variant is not None and context.values
    }
    groups = sorted({group for group, _ in held})
    return [(group, variant) for group in groups for variant in range(variants) if (group, variant) not in held]


def _is_pooled(key: str, seen: list[set[str]], request: Request) -> bool:
    """Tell whether values are pooled over a key that varies: runs are, and what the variants do not share."""
    if key in request.pool:
        return True
    # Variants that are looked at alone need to share nothing.
    apart = not request.alone and not any(seen[0] & other for other in seen[1:])
    return key not in IDENTITY_KEYS and (key in RUN_KEYS or apart)


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


def _varies_between(key: str, contexts: list[Context], variant_of: list[int | None], shared: list[list[int]]) -> bool:
    """Tell whether some benchmark has another value of a key under one variant than under another."""
    for together in shared:
        used = [contexts[number].keys.get(key, "") for number in together if variant_of[number] is not None]
        if len(set(used)) > 1:
            return True
    return False


def _listed(values: set[str], most: int = 3) -> str:
    """Write the values of a key in a variant."""
    named = [value or "(none)" for value in sorted(values)]
    return ", ".join(named[:most]) + (f" and {len(named) - most} more" if len(named) > most else "")


def work_of(words: list[tuple[str, ...]], grouping: list[str], factors: list[str]) -> list[int]:
    """Give each group the number of its work: the circumstances in which it was measured are left out of its key."""
    kept = [place for place, key in enumerate(grouping) if key in WORK_KEYS or key in factors]
    numbers: dict[tuple[str, ...], int] = {}
    return [numbers.setdefault(tuple(key[place] for place in kept), len(numbers)) for key in words]


def groups_of(
    contexts: list[Context], variant_of: list[int | None], grouping: list[str]
) -> tuple[list[int], list[tuple[str, ...]]]:
    """Give numbers to the groups, the combinations of values at which is compared apart, and their keys by number."""
    numbers: dict[tuple[str, ...], int] = {}
    group_of = []
    for context, variant in zip(contexts, variant_of, strict=True):
        key = tuple(context.keys.get(name, "") for name in grouping) if variant is not None and context.values else None
        group_of.append(0 if key is None else numbers.setdefault(key, len(numbers)))
    return group_of, list(numbers)


def in_words(grouping: list[str], key: tuple[str, ...]) -> str:
    """Write a group: ``kernel: 6.1, cpu: Zen``."""
    return ", ".join(f"{name}: {value or '(none)'}" for name, value in zip(grouping, key, strict=True))


def strata_of(contexts: list[Context], variant_of: list[int | None], pooled: list[str]) -> tuple[int, list[int]]:
    """Give numbers to the levels of the factors pooled on request; keys that tell runs apart make none."""
    keys = [key for key in pooled if key not in RUN_KEYS]
    if not keys:
        return 1, []
    numbers: dict[tuple[str, ...], int] = {}
    stratum_of = []
    for context, variant in zip(contexts, variant_of, strict=True):
        level = tuple(context.keys.get(key, "") for key in keys)
        stratum_of.append(0 if variant is None else numbers.setdefault(level, len(numbers)))
    return max(len(numbers), 1), stratum_of
