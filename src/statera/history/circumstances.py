"""Where results come from: commit and branch, the run of the CI, and the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment import host
from statera.history.checkout import FULL
from statera.support.errors import Stop
from statera.support.git import GitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.history.checkout import Checkout
    from statera.support.ci import Origin

# What a machine is called by the CI that lends it: a label, never the name of one machine of many.
_RUNNERS: Final = (("STATERA_RUNNER",), ("ImageOS", "RUNNER_ARCH"), ("CI_RUNNER_DESCRIPTION",))


class Stated(NamedTuple):
    """What the caller states; None where nothing is.

    Attributes:
        project, branch: their names.
        commit: the name of a commit, as git understands it where there is a repository.
        parents, line: the commit's parents, and its first parents, newest first.
        started: when the job began, ISO 8601.
        url: the page of the run.
        environment: facts that win over those of the results and of this machine.
        foreign: the results were measured on another machine, so that the facts of this one say nothing.

    """

    project: str | None = None
    branch: str | None = None
    commit: str | None = None
    parents: tuple[str, ...] | None = None
    line: tuple[str, ...] | None = None
    started: str | None = None
    url: str | None = None
    environment: Mapping[str, str] = {}
    foreign: bool = False


def machine(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the facts about this machine; ``runner`` is the label of the CI's machine, or the name of the host."""
    facts = {name: value for name, value in host.facts().items() if name != "boot"}
    labels = (" ".join(filter(None, map(variables.get, names))) for names in _RUNNERS)
    runner = next(filter(None, labels), "") or facts.get("host", "")
    return {**facts, **({"runner": runner} if runner else {})}


def now() -> str:
    """Return the time, ISO 8601 in UTC."""
    return datetime.now(tz=UTC).isoformat(timespec="seconds")


def written(names: Iterable[str]) -> list[float]:
    """Return when files were written, in seconds since 1970; what is not a file has no such time."""
    found = []
    for name in names:
        with suppress(OSError, ValueError):
            about = Path(name).stat()
            found += [about.st_mtime] if S_ISREG(about.st_mode) else []
    return found


def instant() -> str:
    """Return the time to the millisecond, so that decisions keep their order."""
    return datetime.now(tz=UTC).isoformat(timespec="milliseconds")


def commit_of(stated: str | None, results: Iterable[str], checkout: Checkout | None, ci: Origin) -> str:
    """Return the commit that results were measured at: as stated, as the results say, as checked out, as the CI says.

    Raises:
        Stop: nobody knows, or the results are of several.

    """
    said = sorted(set(results))
    if stated is None and len(said) > 1:
        raise Stop(
            "several-commits",
            f"the results state {len(said)} commits; statera history import adds the results of each, and --commit "
            "NAME adds all to one",
        )
    for name in (stated, *said, "HEAD" if checkout else None, ci.commit):
        if name and (full := _full(name, checkout, wanted=name == stated)):
            return full
    raise Stop("no-commit", "the measured commit is unknown; name it with --commit, or run this in a checkout of it")


def _full(name: str, checkout: Checkout | None, *, wanted: bool) -> str | None:
    if checkout and (known := checkout.resolve(name)):
        return known
    if name == "HEAD":
        return None
    if wanted and checkout and not FULL.fullmatch(name):
        raise Stop("no-commit", f"--commit {name}: the repository {checkout.folder.resolve()} has no such commit")
    return name


def branch_of(stated: str | None, checkout: Checkout | None, ci: Origin) -> str:
    """Return the branch that the commit belongs to.

    Raises:
        Stop: nobody knows.

    """
    if found := stated or ci.branch or (checkout.branch if checkout else ""):
        return found
    raise Stop("no-branch", "no branch is checked out; state the one that was measured with --branch")


def project_of(stated: str | None, checkout: Checkout | None, ci: Origin) -> str:
    """Return the name of the project: as stated, as the CI says, otherwise that of the repository."""
    return stated or ci.project or (checkout.project if checkout else "") or "project"


def is_dirty(checkout: Checkout | None, commit: str) -> bool:
    """Return whether the results may be of other files than the commit has."""
    try:
        return checkout is not None and checkout.resolve("HEAD") == commit and checkout.is_dirty
    except GitError:
        return False
