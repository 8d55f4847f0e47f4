"""Results of several commits → the jobs that they are of: a commit, a machine and a time each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.comparison.pairing.keys import MACHINE_KEYS
from statera.history.instants import instant
from statera.history.work_keys import BRANCH, work_keys
from statera.reading.formats import variants_key
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from statera.reading.observations import Context, Observations

_COMMITS: Final = ("commit", "revision")
# Formats whose dates are those of the commits, not of the measurements.
_DATED_COMMITS: Final = frozenset({"asv"})
# Tables state the time of each value. Values that are further apart are of two executions of the benchmarks.
_GAP: Final = 3600.0

Machine = tuple[tuple[str, str], ...]


class Group(NamedTuple):
    """What results say of a job.

    Attributes:
        commit, branch: as the results name them; the branch is empty if they do not.
        machine: the facts about the machine.
        committed, started: seconds since 1970; None if the results do not say.
        contexts: the numbers of its configurations.

    """

    commit: str
    branch: str
    machine: Machine
    committed: float | None
    started: float | None
    contexts: tuple[int, ...]


class Split(NamedTuple):
    """Results by jobs.

    Attributes:
        groups: the jobs, in the order of the results.
        factors: the keys that make values series of their own.
        of_commits: of these, the keys that have one value at each commit, and several over all.
        without_commit: how many values name no commit.

    """

    groups: list[Group]
    factors: frozenset[str]
    of_commits: tuple[str, ...]
    without_commit: int


class Wanted(NamedTuple):
    """What the caller says of the keys of results.

    Attributes:
        variant: of results of several variants the one that is taken; None takes all, each as series of its own.
        within: keys whose values are series of their own.
        pool: keys whose values are not.

    """

    variant: str | None = None
    within: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()


def split(observations: Observations, wanted: Wanted) -> Split:
    """Split results by jobs.

    Raises:
        Stop: no value names a commit, or no value has a key or variant that the caller names.

    """
    contexts, sources = observations.contexts, observations.sources
    # Tables and trees state their variants in a key of this name.
    own = variants_key([source.format for source in sources if source.values]) or "variant"
    used = _used(contexts, own, wanted)
    alike: dict[tuple[str, str, Machine, bool], list[int]] = {}
    for number in used:
        keys = contexts[number].keys
        if commit := commit_of(keys):
            dated = sources[contexts[number].source].format in _DATED_COMMITS
            alike.setdefault((commit, keys.get(BRANCH, ""), _machine(keys), dated), []).append(number)
    if not alike:
        raise Stop(
            "no-commit", "no value names its commit; statera history add FILES… --commit NAME adds those of one commit"
        )
    groups = [
        Group(commit, branch, machine, when if dated else None, None if dated else when, tuple(numbers))
        for (commit, branch, machine, dated), together in alike.items()
        for when, numbers in _executions(contexts, together)
    ]
    # Builds that differ in a key may be measured hours apart; the commit and the machine are the same.
    factors = work_keys(observations, list(alike.values()), own, wanted)
    without = sum(contexts[number].values for number in used if not commit_of(contexts[number].keys))
    return Split(groups, factors, _of_commits(contexts, groups, factors - {*wanted.within}), without)


def commit_of(keys: Mapping[str, str]) -> str:
    """Return the commit that the keys of a configuration name; empty if they name none."""
    return next((keys[key] for key in _COMMITS if keys.get(key)), "")


def _used(contexts: Sequence[Context], own: str, wanted: Wanted) -> list[int]:
    used = [number for number, each in enumerate(contexts) if each.values]
    known = {key for number in used for key in contexts[number].keys}
    for option, keys in (("--within", wanted.within), ("--pool", wanted.pool)):
        for key in keys:
            if key not in known:
                raise Stop("bad-option", f"{option} {key}: no value has this key; there are: {listed(sorted(known))}")
    if wanted.variant is None:
        return used
    variants = {contexts[number].keys.get(own, "") for number in used} - {""}
    if wanted.variant not in variants:
        names = listed(sorted(variants)) or "none"
        raise Stop("bad-option", f"--variant {wanted.variant}: the results have no such variant; there are: {names}")
    return [number for number in used if contexts[number].keys.get(own) == wanted.variant]


def _machine(keys: Mapping[str, str]) -> Machine:
    return tuple(sorted((key, value) for key, value in keys.items() if value and key in MACHINE_KEYS))


def _executions(contexts: Sequence[Context], numbers: Iterable[int]) -> Iterator[tuple[float | None, list[int]]]:
    """Yield the executions of a commit on a machine: when each began, and its configurations."""
    timed: list[tuple[float, int]] = []
    timeless = []
    for number in numbers:
        when = instant(contexts[number].keys)
        if when is None:
            timeless.append(number)
        else:
            timed.append((when, number))
    if timeless:
        yield None, timeless
    together: list[tuple[float, int]] = []
    for when, number in sorted(timed):
        if together and when - together[-1][0] > _GAP:
            yield together[0][0], sorted(number for _, number in together)
            together = []
        together.append((when, number))
    if together:
        yield together[0][0], sorted(number for _, number in together)


def _of_commits(contexts: Sequence[Context], groups: Iterable[Group], factors: Iterable[str]) -> tuple[str, ...]:
    """Return the factors that say something of commits, such as a version: each has one value at every commit."""
    levels: dict[str, dict[str, set[str]]] = {key: {} for key in factors}
    for group in groups:
        for number in group.contexts:
            for key, at in levels.items():
                at.setdefault(group.commit, set()).add(contexts[number].keys.get(key, ""))
    return tuple(
        sorted(
            key
            for key, at in levels.items()
            if all(len(values) == 1 for values in at.values()) and len(set().union(*at.values())) > 1
        )
    )
