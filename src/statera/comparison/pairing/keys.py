"""The role of each configuration key: shared, different between variants, compared separately, or pooled."""

from __future__ import annotations

from statera.reading.formats import keys_that
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import listed

if TYPE_CHECKING:
    from statera.comparison.pairing.request import Request
    from statera.reading.observations import Context, Observations

# Keys that distinguish runs; values are pooled over them, because runs are the sampled units.
RUN_KEYS = keys_that(lambda key: key.pooling == "always")
# Keys that distinguish machines and systems; a note warns of a difference between the variants.
MACHINE_KEYS = keys_that(lambda key: key.role == "environment")
# Keys that number runs, rounds and places: they always vary, so that a note on them says nothing.
NUMBER_KEYS = keys_that(lambda key: key.role == "run")
# Keys that the head of a table leaves out where all values share them.
DETAILS = keys_that(lambda key: key.detail)
# Keys whose values stand for different work; they are pooled only on request.
IDENTITY_KEYS = keys_that(lambda key: key.pooling == "never")
# Of these, the keys that make a benchmark of the same name another benchmark. Every other key, known or not, is a
# circumstance: a benchmark that was measured under another value of it is not missing.
WORK_KEYS = keys_that(lambda key: key.pooling == "never" and key.role != "environment")

SHARE = "alpha_share"
"""The key that holds a share of alpha. It is not a circumstance of the measurement: it splits nothing."""
HOST, HOSTS = "host", "hosts"
"""The machine of a value, and all machines of its run, where a run was spread over several ones on purpose."""
NO_LEVEL = "(none)"
# The name of a group contains at most so many keys.
_MOST_NAMED = 12


class Split(NamedTuple):
    """The keys by their role.

    ``factors`` are the keys of ``grouping`` that the caller named; ``work`` has the keys whose values make a benchmark
    of the same name another benchmark: those of the formats, and the parameters of the benchmarks that were read.
    """

    grouping: list[str]
    common: dict[str, str]
    differs: dict[str, list[str]]
    pooled: dict[str, int]
    factors: list[str]
    work: frozenset[str]


def over_hosts(contexts: list[Context], request: Request) -> Request:
    """Return a request that pools the hosts of a run which was spread over them: no pair is of two hosts.

    A variant that is inspected alone has no pairs: its values on each host stay apart.
    """
    spread = [HOSTS in context.keys for context in contexts if context.values]
    named = request.alone or HOST in {*request.by, *request.within, *request.pool}
    return request._replace(pool=(*request.pool, HOST)) if spread and all(spread) and not named else request


def split_keys(
    observations: Observations,
    contexts: list[Context],
    variant_of: list[int | None],
    variants: int,
    request: Request,
    *,
    own: str | None = None,
) -> Split:
    """Decide the role of each configuration key: shared, different between variants, compared separately, or pooled.

    ``own`` is the key that names the variants of the files, that is, the combinations of their factors. If the caller
    chose other keys, it says nothing that the factors do not say.
    """
    used = [(c.keys, v) for c, v in zip(contexts, variant_of, strict=True) if v is not None and c.values]
    idle = {own} - {*request.within, *request.pool} if request.by else set()
    keys = [
        key
        for key in dict.fromkeys(key for pairs, _ in used for key in pairs)
        if key not in {*request.by, request.pair, SHARE, *idle}
    ]
    split = Split([], {}, {}, {}, [], frozenset(WORK_KEYS | set(observations.native.parameters)))
    identity = frozenset(IDENTITY_KEYS | split.work)
    # A run, a date or a commit in the name of a file distinguishes runs, as it does inside a file.
    factors = {*request.within, *(key for key in request.factors.keys if key not in RUN_KEYS)}
    within, between = _varying(observations, contexts, variant_of)
    levels = _levels(used, variants)
    for key in keys:
        seen = levels[key]
        together = set().union(*seen)
        if len(together) == 1:
            split.common[key] = next(iter(together))
        elif key not in {*request.pool, *request.within} and all(len(values) == 1 for values in seen):
            split.differs[key] = [next(iter(values)) for values in seen]
        elif key in factors and key not in request.pool:
            split.grouping.append(key)
            split.factors.append(key)
        else:
            inside = key in request.pool or key in within
            _place(key, seen, split, request, within=inside, between=key not in RUN_KEYS and key in between)
    # A key that named factors determine (such as the name of the compiler in the file) needs no grouping of its own.
    named = [*split.factors, *request.pool]
    loose = factors if named else {*keys}
    split.grouping[:] = [key for key in split.grouping if key in {*loose, *identity} or not _settled(key, named, used)]
    return split


def _place(key: str, seen: list[set[str]], split: Split, request: Request, *, within: bool, between: bool) -> None:
    """Add a key to its role, by whether it varies within the benchmarks of a variant, and between variants."""
    identity = frozenset(IDENTITY_KEYS | split.work)
    pooled = _is_pooled(key, seen, request, identity)
    # A key that distinguishes benchmarks, not runs of one benchmark, is pooled in no row.
    if pooled and within:
        split.pooled[key] = len(set().union(*seen))
    elif key in identity or (within and not pooled):
        split.grouping.append(key)
    elif between:
        split.differs[key] = [listed((value or "(none)" for value in sorted(values)), 3) for values in seen]


# The functions below go through the keys of each configuration, not through all keys: a table can have a thousand
# keys, of which each row has a few.


def _levels(used: list[tuple[dict[str, str], int]], variants: int) -> dict[str, list[set[str]]]:
    """Return the values of each key in each variant; the empty text stands for configurations without the key."""
    levels: dict[str, list[set[str]]] = {}
    having: dict[str, list[int]] = {}
    every = [0] * variants
    for pairs, variant in used:
        every[variant] += 1
        for key, value in pairs.items():
            if key not in levels:
                levels[key] = [set() for _ in range(variants)]
                having[key] = [0] * variants
            levels[key][variant].add(value)
            having[key][variant] += 1
    for key, counts in having.items():
        for variant, count in enumerate(counts):
            if count < every[variant]:
                levels[key][variant].add("")
    return levels


def _varying(
    observations: Observations, contexts: list[Context], variant_of: list[int | None]
) -> tuple[set[str], set[str]]:
    """Find the keys that vary for some benchmark within one variant, and those that vary within or between variants."""
    within: set[str] = set()
    anywhere: set[str] = set()
    for together in observations.native.contexts_of_one_benchmark():
        first: dict[int, dict[str, str]] = {}
        for number in together:
            variant, keys = variant_of[number], contexts[number].keys
            if variant is not None:
                within.update(key for key, _ in first.setdefault(variant, keys).items() ^ keys.items())
        used = list(first.values())
        anywhere.update(key for keys in used[1:] for key, _ in used[0].items() ^ keys.items())
    return within, within | anywhere


def _settled(key: str, factors: list[str], used: list[tuple[dict[str, str], int]]) -> bool:
    """Return whether a key has one value at each combination of the levels of the factors."""
    value_at: dict[tuple[str, ...], str] = {}
    return all(
        value_at.setdefault(tuple(pairs.get(factor, "") for factor in factors), pairs.get(key, ""))
        == pairs.get(key, "")
        for pairs, _ in used
    )


def empty_cells(
    contexts: list[Context], variant_of: list[int | None], group_of: list[int], variants: int
) -> list[tuple[int, int]]:
    """Return the (group, variant) combinations without values."""
    held = {
        (group, variant)
        for context, variant, group in zip(contexts, variant_of, group_of, strict=True)
        if variant is not None and context.values
    }
    groups = sorted({group for group, _ in held})
    return [(group, variant) for group in groups for variant in range(variants) if (group, variant) not in held]


def _is_pooled(key: str, seen: list[set[str]], request: Request, identity: frozenset[str]) -> bool:
    """Return whether values are pooled over a key that varies: a key of runs, or one without values in common."""
    if key in request.pool:
        return True
    # Variants that are inspected by themselves need no values in common.
    apart = not request.alone and not any(seen[0] & other for other in seen[1:])
    return key not in identity and (key in RUN_KEYS or apart)


def work_of(keys: list[dict[str, str]], split: Split) -> list[int]:
    """Assign numbers to groups by their work, ignoring the circumstances of the measurement.

    Return an empty list if each group has work of its own.
    """
    kept = {key for key in split.grouping if key in split.work or key in split.factors}
    numbers: dict[frozenset[tuple[str, str]], int] = {}
    works = [
        numbers.setdefault(frozenset(pair for pair in levels.items() if pair[0] in kept), len(numbers))
        for levels in keys
    ]
    return works if len(numbers) < len(works) else []


def groups_of(
    contexts: list[Context], variant_of: list[int | None], grouping: list[str], most: int
) -> tuple[list[int], list[dict[str, str]]]:
    """Assign numbers to groups (combinations of values compared separately), and return their levels by number.

    Raises ``Stop`` if there are more than ``most``.
    """
    wanted = set(grouping)
    numbers: dict[frozenset[tuple[str, str]], int] = {}
    group_of = []
    for context, variant in zip(contexts, variant_of, strict=True):
        if variant is None or not context.values:
            group_of.append(0)
            continue
        levels = frozenset(pair for pair in context.keys.items() if pair[0] in wanted and pair[1])
        group_of.append(numbers.setdefault(levels, len(numbers)))
    if len(numbers) > most:
        raise Stop(
            "too-much",
            f"the values of {listed(grouping, 5)} make {len(numbers):,} groups to compare separately: the limit is "
            f"groups={most}. Pool over the keys with --pool KEY, or raise it with --limit groups=N or in the table "
            "[limits] of the settings",
        )
    return group_of, [dict(levels) for levels in numbers]


def in_words(grouping: list[str], levels: dict[str, str], number: int) -> str:
    """Name a group by its levels (``kernel: 6.1, cpu: Zen``); with very many keys, by the first ones and its number."""
    if len(grouping) <= _MOST_NAMED:
        return ", ".join(f"{name}: {levels.get(name) or NO_LEVEL}" for name in grouping)
    held = [name for name in grouping if name in levels]
    text = listed((f"{name}: {levels[name]}" for name in held), _MOST_NAMED)
    return f"{text} (level {number + 1})".lstrip()


def strata_of(contexts: list[Context], variant_of: list[int | None], pooled: list[str]) -> tuple[int, list[int]]:
    """Assign numbers to the levels of the factors pooled on request; keys that distinguish runs do not count."""
    keys = [key for key in pooled if key not in RUN_KEYS]
    if not keys:
        return 1, []
    numbers: dict[tuple[str, ...], int] = {}
    stratum_of = []
    for context, variant in zip(contexts, variant_of, strict=True):
        level = tuple(context.keys.get(key, "") for key in keys)
        stratum_of.append(0 if variant is None else numbers.setdefault(level, len(numbers)))
    return max(len(numbers), 1), stratum_of
