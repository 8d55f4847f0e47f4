"""The order of the commits of results: from a repository, otherwise from the results themselves."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.history.instants import instant
from statera.history.splitting import commit_of
from statera.history.uploading import carried
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statera.history.checkout import Checkout, Commit
    from statera.history.splitting import Group
    from statera.reading.observations import Observations

# Formats whose files grow at the end, commit after commit.
_APPENDED: Final = frozenset({"github-action-benchmark-data"})


class CommitOrder(NamedTuple):
    """The order of commits.

    Attributes:
        names: the full name of each commit, by the name in the results.
        lines: for each full name the commit and its first parents, newest first, as far as the next measured one.
        known: what the repository says of commits; empty without one.
        source: where the order comes from, in words.
        unknown: how many commits the repository does not have.

    """

    names: dict[str, str]
    lines: dict[str, tuple[str, ...]]
    known: dict[str, Commit]
    source: str
    unknown: int = 0


def sequence(
    observations: Observations, groups: Sequence[Group], measured: Iterable[str], checkout: Checkout | None
) -> CommitOrder:
    """Order the commits of results.

    Args:
        observations: the results.
        groups: their jobs.
        measured: commits that the history has already.
        checkout: the repository of the program; None without one.

    Raises:
        Stop: the repository has the commits and is shallow, so that it does not know their order.

    """
    said = list(dict.fromkeys(group.commit for group in groups))
    names = checkout.full_names(said) if checkout else {}
    if checkout and names:
        return _of_repository(said, names, {*measured}, checkout)
    dated, keys = _of_results(observations, groups)
    ordered = sorted(said, key=lambda commit: keys[commit])
    before: dict[str, tuple[str, ...]] = {ordered[0]: (ordered[0],)}
    before |= {commit: (commit, parent) for parent, commit in pairwise(ordered)}
    return CommitOrder({name: name for name in said}, before, {}, dated)


def _of_repository(said: list[str], names: dict[str, str], measured: set[str], checkout: Checkout) -> CommitOrder:
    if checkout.is_shallow:
        raise Stop(
            "shallow-clone",
            "the repository is shallow and lacks the order of the commits; fetch more, with git fetch --unshallow",
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
    """Return the line of a commit up to the next measured one."""
    line = [commit]
    while (parent := parents.get(line[-1])) is not None:
        line.append(parent)
        if parent in stops:
            break
    return carried(line)


def _of_results(observations: Observations, groups: Sequence[Group]) -> tuple[str, dict[str, tuple[float, int]]]:
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
        when = instant(each.keys)
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
        return f"the order of the results, {why}", {commit: (0.0, at) for commit, at in first.items()}
    contexts = observations.contexts
    appended = {sources[contexts[number].source].format for number in first.values()} <= _APPENDED
    said = "the order of the entries" if appended else "the dates in the results"
    return said, {commit: (dates[commit], at) for commit, at in first.items()}
