"""Results of several commits → an upload for each of their jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.history.instants import iso
from statera.history.job import Job
from statera.history.sequence import sequence
from statera.history.splitting import split
from statera.history.uploading import factors_of, store
from statera.history.work_keys import BRANCH, CIRCUMSTANCES
from statera.support import stages
from statera.support.ci import origin
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.checkout import Checkout
    from statera.history.circumstances import Stated
    from statera.history.folder import Folder
    from statera.history.sequence import CommitOrder
    from statera.history.splitting import Group, Wanted
    from statera.reading.observations import Context, Observations

_Known = dict[tuple[str, str, str, tuple[tuple[str, str], ...]], Job]


class Imported(NamedTuple):
    """What was imported.

    Attributes:
        jobs: how many jobs the results have.
        new: how many of these the history did not have.
        other: how many of the new ones were known with other values.
        commits: how many commits they are of.
        branches: their branches.
        order: where the order of the commits comes from, in words.
        unknown: how many commits the repository does not have, so that they have no place.
        without_commit: how many values name no commit, and are left out.
        of_commits: keys that make series of their own, and have one value at each commit.

    """

    jobs: int
    new: int
    other: int
    commits: int
    branches: tuple[str, ...]
    order: str
    unknown: int
    without_commit: int
    of_commits: tuple[str, ...]


def bring(
    folder: Folder,
    observations: Observations,
    stated: Stated,
    wanted: Wanted,
    checkout: Checkout | None = None,
    *,
    branch: str = "",
) -> Imported:
    """Add the results of several commits to a history.

    Args:
        folder: the history.
        observations: what was read.
        stated: what the caller says of all jobs.
        wanted: what the caller says of the keys of the results.
        checkout: the repository of the program; None without one.
        branch: the branch of results that name none, if the caller states none.

    Raises:
        Stop: something that is needed is not known, or an upload cannot be written.

    """
    found = split(observations, wanted)
    known = _by_circumstances(folder.jobs())
    measured = {job.commit for job in known.values()}
    order = sequence(observations, found.groups, measured, checkout)
    shared = _Shared(
        stated.project or folder.about.project,
        branch or _default_branch(known, order, checkout),
        stated,
        order,
        found.factors,
    )
    contexts = observations.contexts
    stages.enter("writing")
    new = other = 0
    branches = set()
    for group in found.groups:
        job = _job(group, contexts, shared)
        same = known.get(_circumstances(job))
        factors: list[str | None] = [None] * len(contexts)
        for number in group.contexts:
            factors[number] = factors_of(contexts[number], found.factors)
        # What a job carries of its surroundings depends on when it was imported; its values do not.
        added = store(folder, observations, factors, same or job)
        new += added.new
        other += added.new and same is not None
        branches.add(job.branch)
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
    )


def _default_branch(known: _Known, order: CommitOrder, checkout: Checkout | None) -> str:
    """Return the branch of results that name none: that of the repository that has them, or the only one known."""
    if checkout and order.known and checkout.branch:
        return checkout.branch
    branches = {job.branch for job in known.values()}
    return branches.pop() if len(branches) == 1 else ""


class _Shared(NamedTuple):
    """What the jobs of an import share: project, branch, what the caller states, order of the commits, and factors."""

    project: str
    branch: str
    stated: Stated
    order: CommitOrder
    factors: frozenset[str]


def _job(group: Group, contexts: Sequence[Context], shared: _Shared) -> Job:
    stated, order = shared.stated, shared.order
    commit = order.names[group.commit]
    described = order.known.get(commit)
    line = order.lines[commit]
    branch = stated.branch or group.branch or shared.branch
    if not branch:
        raise Stop("no-branch", "the results name no branch; state it with --branch, such as --branch main")
    return Job(
        project=shared.project,
        branch=branch,
        commit=commit,
        subject=described.subject if described else "",
        committed=described.committed if described else iso(group.committed),
        started=iso(group.started),
        url=stated.url or "",
        who=origin().who,
        parents=described.parents if described else None,
        line=line,
        environment={**_facts(group, contexts, shared.factors), **dict(group.machine), **stated.environment},
        expects=tuple((sha, text) for sha in line if sha in order.known for text in order.known[sha].expects),
    )


def _facts(group: Group, contexts: Sequence[Context], factors: Iterable[str]) -> dict[str, str]:
    """Return what all configurations of a job share, and what is neither its place, its machine nor its work."""
    first, *others = (contexts[number].keys for number in group.contexts)
    apart = {*factors, BRANCH}
    return {
        key: value
        for key, value in first.items()
        if value and key not in apart and key not in CIRCUMSTANCES and all(keys.get(key) == value for keys in others)
    }


def _by_circumstances(jobs: Iterable[Job]) -> _Known:
    return {_circumstances(job): job for job in jobs}


def _circumstances(job: Job) -> tuple[str, str, str, tuple[tuple[str, str], ...]]:
    """Return what two jobs of the same execution have in common."""
    return job.branch, job.commit, job.started, tuple(sorted(job.environment.items()))
