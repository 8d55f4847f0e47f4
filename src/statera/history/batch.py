"""Results of several commits → an upload for each of their jobs, in the order of the commits.

The keys of the results tell the commit, the machine and the time of each job, and which values are a series. The order
of the commits comes from a repository, otherwise from the results themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.comparison.pairing.keys import MACHINE_KEYS, WORK_KEYS
from statera.history.job import LINE, Job, iso, now
from statera.history.order import joined
from statera.history.upload import carried, factors_of, measured_at, store
from statera.reading.formats import keys_that, variants_key
from statera.support import stages
from statera.support.environment import origin
from statera.support.errors import Stop
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from statera.history.checkout import Checkout, Commit
    from statera.history.folder import Folder
    from statera.history.upload import Stated
    from statera.reading.observations import Context, Observations


_COMMITS: Final = ("commit", "revision")
# Formats whose dates are those of the commits, not of the measurements.
_DATED_COMMITS: Final = frozenset({"asv"})
# Tables state the time of each value. Values that are further apart are of two executions of the benchmarks.
_GAP: Final = 3600.0
Machine = tuple[tuple[str, str], ...]
BRANCH: Final = "branch"
# What says when and where something was measured, and never what.
CIRCUMSTANCES: Final = keys_that(lambda key: key.role in {"commit", "date", "run", "outcome"})
# Formats whose files grow at the end, commit after commit.
_APPENDED: Final = frozenset({"github-action-benchmark-data"})
_IDLE: Final = CIRCUMSTANCES | MACHINE_KEYS | {BRANCH}
_Known = dict[tuple[object, ...], Job]


class Group(NamedTuple):
    """What results say of a job."""

    # commit, branch: as the results name them; the branch is empty if they do not.
    commit: str
    branch: str
    machine: Machine  # the facts about the machine
    # committed, started: seconds since 1970; None if the results do not say.
    committed: float | None
    started: float | None
    contexts: tuple[int, ...]  # the numbers of its configurations


class Split(NamedTuple):
    """Results by jobs."""

    groups: list[Group]  # the jobs, in the order of the results
    factors: frozenset[str]  # the keys that make values series of their own
    of_commits: tuple[str, ...]  # of these, the keys that have one value at each commit, and several over all
    without_commit: int  # how many values name no commit


class Wanted(NamedTuple):
    """What the caller says of the keys of results."""

    # Of results of several variants the one that is taken; None takes all, each as series of its own.
    variant: str | None = None
    within: tuple[str, ...] = ()  # keys whose values are series of their own
    pool: tuple[str, ...] = ()  # keys whose values are not


def split(observations: Observations, wanted: Wanted) -> Split:
    """Split results by jobs."""
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
        when = measured_at(contexts[number].keys)
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
    once = {key: at for key, at in levels.items() if all(len(values) == 1 for values in at.values())}
    return tuple(sorted(key for key, at in once.items() if len(set().union(*at.values())) > 1))


def work_keys(
    observations: Observations, places: Sequence[Sequence[int]], own: str | None, wanted: Wanted
) -> frozenset[str]:
    """Return the keys whose values are series of their own; ``places``: the configurations of each commit and machine.

    These are what the formats call work, the parameters of the benchmarks, and the keys that vary at one commit on one
    machine, such as the environment. Of several keys that vary together, such as the name of an environment and the
    version of its interpreter, the first is enough: versions change in the course of a history.
    """
    contexts = observations.contexts
    parameters = set(observations.native.parameters)
    every = dict.fromkeys(key for place in places for number in place for key in contexts[number].keys)
    open_keys = [key for key in every if key not in _IDLE and key not in wanted.pool]
    taken = [key for key in open_keys if key in parameters or key in WORK_KEYS or key in wanted.within]
    if wanted.variant is not None:
        taken = [key for key in taken if key != own]
    comparable = _comparable(observations, places)
    for key in sorted((key for key in open_keys if key not in taken), key=lambda key: key != own):
        if any(_varies(key, taken, [contexts[number].keys for number in alike]) for alike in comparable):
            taken.append(key)
    return frozenset(taken)


def _comparable(observations: Observations, places: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    """Return the configurations that have values of the same benchmark at the same commit and machine."""
    place_of = {number: place for place, numbers in enumerate(places) for number in numbers}
    found: set[tuple[int, ...]] = set()
    for together in observations.native.contexts_of_one_benchmark():
        of_places: dict[int, list[int]] = {}
        for number in together:
            if number in place_of:
                of_places.setdefault(place_of[number], []).append(number)
        found.update(tuple(numbers) for numbers in of_places.values() if len(numbers) > 1)
    return found


def _varies(key: str, taken: Iterable[str], alike: Iterable[dict[str, str]]) -> bool:
    """Return whether a key has several values at the same levels of other keys."""
    value_at: dict[tuple[str, ...], str] = {}
    for keys in alike:
        level = tuple(keys.get(each, "") for each in taken)
        if value_at.setdefault(level, keys.get(key, "")) != keys.get(key, ""):
            return True
    return False


class CommitOrder(NamedTuple):
    """The order of commits."""

    names: dict[str, str]  # the full name of each commit, by the name in the results
    # For each full name the commit and its first parents, newest first; empty until all portions are joined.
    lines: dict[str, tuple[str, ...]]
    known: dict[str, Commit]  # what the repository says of commits; empty without one
    source: str  # where the order comes from, in words
    unknown: int = 0  # how many commits the repository does not have
    # Without a repository, the commits in their order, each with its time; None where times do not order them.
    said: Mapping[str, float | None] | None = None


def sequence(
    observations: Observations, groups: Sequence[Group], measured: Iterable[str], checkout: Checkout | None
) -> CommitOrder:
    """Order the commits of results; ``measured`` are those that the history has already."""
    said = list(dict.fromkeys(group.commit for group in groups))
    names = checkout.full_names(said) if checkout else {}
    if checkout and names:
        return _of_repository(said, names, {*measured}, checkout)
    source, keys = _of_results(observations, groups)
    ordered = sorted(said, key=lambda commit: keys[commit])
    return CommitOrder({name: name for name in said}, {}, {}, source, said={each: keys[each][0] for each in ordered})


def _of_repository(said: list[str], names: dict[str, str], measured: set[str], checkout: Checkout) -> CommitOrder:
    if checkout.is_shallow:
        raise Stop(
            "shallow-clone",
            "the repository is shallow and lacks the order of the commits. Fetch more, with git fetch --unshallow",
        )
    commits = list(names.values())
    parents = checkout.first_parents(commits)
    stops = {*commits, *measured}
    lines = {commit: _line(commit, parents, stops) for commit in commits}
    lines |= {name: (name,) for name in said if name not in names}
    wanted = {commit for line in lines.values() for commit in line if commit in parents}
    full = {name: names.get(name, name) for name in said}
    missing = len(said) - len(names)
    return CommitOrder(full, lines, checkout.described(wanted), "the repository of this folder", missing)


def _line(commit: str, parents: Mapping[str, str | None], stops: set[str]) -> tuple[str, ...]:
    """Return what the job of a commit carries of its line, which leads to the next measured one."""
    line = [commit]
    reached = 0
    while (reached == 0 or len(line) < LINE) and (parent := parents.get(line[-1])) is not None:
        line.append(parent)
        if reached == 0 and parent in stops:
            reached = len(line) - 1
    return carried(line, reached)


def _of_results(observations: Observations, groups: Sequence[Group]) -> tuple[str, dict[str, tuple[float | None, int]]]:
    """Return what the order of commits comes from, in words, and the place of each commit in it."""
    first: dict[str, int] = {}
    dates: dict[str, float] = {}
    latest: dict[tuple[str, str], float] = {}
    dateless = 0
    wanted = {group.commit for group in groups}
    sources = observations.sources
    for number, each in enumerate(observations.contexts):
        commit = commit_of(each.keys)
        if not each.values or commit not in wanted:
            continue
        first.setdefault(commit, number)
        when = measured_at(each.keys)
        if when is None:
            dateless += 1
            continue
        source = sources[each.source]
        if source.format in _APPENDED:
            # The order of the file counts; the dates tell how the lists of its suites mesh.
            part = source.name, each.keys.get("suite", "")
            when = latest[part] = max(when, latest.get(part, when))
        dates[commit] = min(when, dates.get(commit, when))
    undated = len(wanted) - len(dates)
    if undated or dateless:
        why = f"{counted(undated, 'commit')} without a date" if undated else "some values have no date"
        return f"the order of the results, {why}", {commit: (None, at) for commit, at in first.items()}
    contexts = observations.contexts
    appended = {sources[contexts[number].source].format for number in first.values()} <= _APPENDED
    said = "the order of the entries" if appended else "the dates in the results"
    return said, {commit: (dates[commit], at) for commit, at in first.items()}


class Imported(NamedTuple):
    """What was imported."""

    jobs: int  # how many jobs the results have
    new: int  # how many of these the history did not have
    other: int  # how many of the new ones were known with other values
    commits: int  # how many commits they are of
    branches: tuple[str, ...]
    order: str  # where the order of the commits comes from, in words
    unknown: int  # how many commits the repository does not have, so that they have no place
    without_commit: int  # how many values name no commit, and are left out
    of_commits: tuple[str, ...]  # keys that make series of their own, and have one value at each commit
    apart: int = 0  # how many commits that the history has are connected with these neither by commits nor by dates
    mended: bool = False  # whether the order of commits that the history has was corrected


def bring(
    folder: Folder,
    observations: Observations,
    stated: Stated,
    wanted: Wanted,
    checkout: Checkout | None = None,
    *,
    branch: str = "",
) -> Imported:
    """Add the results of several commits to a history; ``branch`` is that of results that name none, unless stated."""
    found = split(observations, wanted)
    known = {_circumstances(job): job for job in folder.jobs()}
    order = sequence(observations, found.groups, {job.commit for job in known.values()}, checkout)
    project = stated.project or folder.about.project
    default = branch or _default_branch(known, order, checkout)
    portions = None
    if order.said is not None:
        places = {stated.branch or group.branch or default for group in found.groups}
        held = [job for job in known.values() if job.branch in places]
        times = {commit: when for commit, when in order.said.items() if when is not None}
        portions = joined([*order.said], times, held, folder.events())
        order = order._replace(lines=portions.lines())
    contexts = observations.contexts
    stages.enter("writing")
    new = other = 0
    branches = set()
    for group in found.groups:
        own_branch = stated.branch or group.branch or default
        if not own_branch:
            raise Stop("no-branch", "the results name no branch. State it with --branch, such as --branch main")
        facts = {**_facts(group, contexts, found.factors), **dict(group.machine), **stated.environment}
        job = _job(group, order)._replace(
            project=project, branch=own_branch, url=stated.url or "", who=origin().who, environment=facts
        )
        same = known.get(_circumstances(job))
        factors: list[str | None] = [None] * len(contexts)
        for number in group.contexts:
            factors[number] = factors_of(contexts[number], found.factors)
        # What a job carries of its surroundings depends on when it was imported; its values do not.
        added = store(folder, observations, factors, same or job)
        new += added.new
        other += added.new and same is not None
        branches.add(job.branch)
    for event in portions.events if portions else ():
        folder.record({**event, "who": origin().who, "when": now("milliseconds")})
    return Imported(
        len(found.groups),
        new,
        other,
        len({group.commit for group in found.groups}),
        tuple(sorted(branches)),
        order.source,
        order.unknown,
        found.without_commit,
        found.of_commits,
        portions.apart if portions else 0,
        bool(portions and portions.events),
    )


def _default_branch(known: _Known, order: CommitOrder, checkout: Checkout | None) -> str:
    """Return the branch of results that name none: that of the repository that has them, or the only one known."""
    if checkout and order.known and checkout.branch:
        return checkout.branch
    branches = {job.branch for job in known.values()}
    return branches.pop() if len(branches) == 1 else ""


def _job(group: Group, order: CommitOrder) -> Job:
    """Return what results and the order of their commits say of a job."""
    commit = order.names[group.commit]
    described = order.known.get(commit)
    line = order.lines[commit]
    return Job(
        project="",
        branch=group.branch,
        commit=commit,
        subject=described.subject if described else "",
        committed=described.committed if described else iso(group.committed),
        started=iso(group.started),
        parents=described.parents if described else None,
        line=line,
        expects=tuple((sha, text) for sha in line if sha in order.known for text in order.known[sha].expects),
    )


def _facts(group: Group, contexts: Sequence[Context], factors: Iterable[str]) -> dict[str, str]:
    """Return what all configurations of a job share, and what is neither its place, its machine nor its work."""
    first, *others = (contexts[number].keys for number in group.contexts)
    apart = {*factors, *CIRCUMSTANCES, BRANCH}
    return {
        key: value
        for key, value in first.items()
        if value and key not in apart and all(keys.get(key) == value for keys in others)
    }


def _circumstances(job: Job) -> tuple[object, ...]:
    """Return what two jobs of the same execution have in common."""
    return job.branch, job.commit, job.started, tuple(sorted(job.environment.items()))
