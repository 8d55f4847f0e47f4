"""The results of a job → an upload.

Its series, its commit and branch, the run of the CI, the machine, and the commits that come before.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from statera import _native
from statera.comparison.pairing.arrange import moment
from statera.comparison.pairing.keys import RUN_KEYS, split_keys
from statera.comparison.pairing.request import Request
from statera.experiment import host
from statera.history.checkout import FULL
from statera.history.job import LINE, Job, from_json, iso, now, to_json
from statera.reading.formats import keys_that, variants_key
from statera.support.environment import origin
from statera.support.errors import Stop
from statera.support.files.names import as_text, as_texts
from statera.support.git import GitError
from statera.support.settings.limits import Limits
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from statera.history.checkout import Checkout, Commit
    from statera.history.folder import About
    from statera.reading.observations import Context, Observations
    from statera.support.environment import Origin

# What a machine is called by the CI that lends it: a label, never the name of one machine of many.
_RUNNERS: Final = (("STATERA_RUNNER",), ("ImageOS", "RUNNER_ARCH"), ("CI_RUNNER_DESCRIPTION",))
# Times as other tools write them, and the zone of those that state none; ISO 8601 and numbers are understood before.
_WRITTEN: Final = (("%Y.%m.%d %H:%M:%S %z", ""), ("%Y-%m-%d %H:%M:%S %z", ""), ("%Y%m%d_%H%M%S%z", "+0000"))
# From these numbers on a date counts milliseconds, and microseconds.
_MILLI: Final = 1e11
_MICRO: Final = 1e14
_DATES: Final = keys_that(lambda key: key.role == "date")
_COMMITS: Final = keys_that(lambda key: key.role == "commit" and key.name != "dirty")
# How far back a line is sought in a repository to reach a commit that the history knows.
_FAR: Final = 20_000


class Receiver(Protocol):
    """A place that takes uploads."""

    about: About  # the project, and how its jobs are kept apart
    name: str  # how messages name it

    def commits(self) -> set[str]:
        """Return the commits that it has jobs of."""

    def receiving(self) -> AbstractContextManager[Path]:
        """Yield the path of an empty file for an upload; what is not kept of it vanishes."""

    def keep(self, part: Path, checked: Limits | None = None) -> tuple[str, bool]:
        """Store a whole upload; return its hash, and whether it is new.

        With limits for reading the history, ``checked``, series whose unit changed are refused.
        """

    def sweep(self) -> None:
        """Remove unfinished files that killed commands left behind."""


class Stated(NamedTuple):
    """What the caller states; None where nothing is."""

    project: str | None = None
    branch: str | None = None
    commit: str | None = None  # the name of a commit, as git understands it where there is a repository
    # parents, line: the commit's parents, and its first parents, newest first.
    parents: tuple[str, ...] | None = None
    line: tuple[str, ...] | None = None
    started: str | None = None  # when the job began, ISO 8601
    url: str | None = None
    environment: Mapping[str, str] = {}  # facts that win over those of the results and of this machine
    foreign: bool = False  # the results were measured on another machine, so that the facts of this one say nothing


def machine() -> dict[str, str]:
    """Return the facts about this machine; ``runner`` is the label of the CI's machine, or the name of the host."""
    facts = {name: value for name, value in host.facts().items() if name != "boot"}
    labels = (" ".join(filter(None, map(os.environ.get, names))) for names in _RUNNERS)
    runner = next(filter(None, labels), "") or facts.get("host", "")
    return {**facts, **({"runner": runner} if runner else {})}


def written(names: Iterable[str]) -> list[float]:
    """Return when files were written, in seconds since 1970; what is not a file has no such time."""
    found = []
    for name in names:
        with suppress(OSError, ValueError):
            about = Path(name).stat()
            found += [about.st_mtime] if S_ISREG(about.st_mode) else []
    return found


def commit_of(stated: str | None, results: Iterable[str], checkout: Checkout | None, ci: Origin) -> str:
    """Return the commit that was measured: as stated, as the results say, as checked out, as the CI says."""
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
    raise Stop("no-commit", "the measured commit is unknown. Name it with --commit, or run this in a checkout of it")


def _full(name: str, checkout: Checkout | None, *, wanted: bool) -> str | None:
    if checkout and (known := checkout.resolve(name)):
        return known
    if name == "HEAD":
        return None
    if wanted and checkout and not FULL.fullmatch(name):
        raise Stop("no-commit", f"--commit {name}: the repository {checkout.folder.resolve()} has no such commit")
    return name


def branch_of(stated: str | None, checkout: Checkout | None, ci: Origin) -> str:
    """Return the branch that the commit belongs to."""
    if found := stated or ci.branch or (checkout.branch if checkout else ""):
        return found
    raise Stop("no-branch", "no branch is checked out. State the one that was measured with --branch")


def project_of(stated: str | None, checkout: Checkout | None, ci: Origin) -> str:
    """Return the name of the project: as stated, as the CI says, otherwise that of the repository."""
    return stated or ci.project or (checkout.project if checkout else "") or "project"


def is_dirty(checkout: Checkout | None, commit: str) -> bool:
    """Return whether the results may be of other files than the commit has."""
    try:
        return checkout is not None and checkout.resolve("HEAD") == commit and checkout.is_dirty
    except GitError:
        return False


def measured_at(keys: Mapping[str, str]) -> float | None:
    """Return the time that the keys of a configuration state; None if they state none. Local times count as UTC."""
    found = moment(dict(keys))
    if found is not None:
        scale = 1e6 if found.seconds >= _MICRO else 1e3 if found.seconds >= _MILLI else 1.0
        return found.seconds / (scale if found.kind == "seconds" else 1.0)
    for text in (text for key, text in keys.items() if key in _DATES):
        for form, zone in _WRITTEN:
            with suppress(ValueError, OverflowError):
                return datetime.strptime(text + zone, form).astimezone(UTC).timestamp()
    return None


class Added(NamedTuple):
    """An upload: its hash, whether it is new, its job, its number of series, and remarks."""

    hash: str
    new: bool
    job: Job
    series: int
    remarks: tuple[str, ...] = ()


def add(
    folder: Receiver,
    observations: Observations,
    stated: Stated,
    checkout: Checkout | None = None,
    *,
    variant: str | None = None,
    new_unit: bool = False,
    limits: Limits | None = None,
) -> Added:
    """Add the results of one job to a history.

    ``checkout`` is the repository of the program. Of results of several variants ``variant`` is added. The unit of a
    series may differ from the history's with ``new_unit`` only; ``limits`` say how much of the history is read to see
    that.
    """
    contexts, own = _of_variant(observations, variant)
    factors, environment = _keys(observations, contexts, own)
    ci = origin()
    commit = commit_of(stated.commit, _said(contexts, _COMMITS), checkout, ci)
    facts = {} if stated.foreign else machine()
    line = _line(folder, commit, stated, checkout)
    newest = line[0] if line and line[0].sha == commit else None
    job = Job(
        project=project_of(stated.project, checkout, ci),
        branch=branch_of(stated.branch, checkout, ci),
        commit=commit,
        subject=newest.subject if newest else "",
        committed=newest.committed if newest else "",
        started=stated.started or _started(observations, contexts) or now(),
        url=stated.url or ci.url,
        who=ci.who,
        parents=stated.parents or _parents(newest, checkout),
        line=_stated_line(folder, stated) or tuple(each.sha for each in line) or (commit,),
        environment={**facts, **environment, **stated.environment},
        expects=tuple((each.sha, text) for each in line for text in each.expects),
    )
    remarks: tuple[str, ...] = ()
    if is_dirty(checkout, commit):
        remarks = (f"files differ from commit {commit[:12]}: the results are stored for that commit nevertheless",)
    checked = None if new_unit else limits or Limits()
    return store(folder, observations, factors, job, checked)._replace(remarks=remarks)


def store(
    folder: Receiver, observations: Observations, factors: list[str | None], job: Job, checked: Limits | None = None
) -> Added:
    """Write the upload of a job.

    ``factors`` has for each configuration the keys and values that make its values a series of their own, as a JSON
    object; None if they are not the job's. With limits for reading the history, ``checked``, changed units are refused.
    """
    job = Job(**as_texts(job._asdict()))
    if job.project != folder.about.project:
        raise Stop(
            "other-project",
            f"{folder.name}: is the history of {folder.about.project}, and the results are of {job.project}. State "
            f"--project {folder.about.project} if they belong there",
        )
    text = to_json([("", job)])
    # What is written must be read again.
    from_json(text, "the upload")
    with folder.receiving() as part:
        series = _native.write_upload(observations.native, factors, text, part)
        if series == 0:
            raise Stop("nothing-to-add", "no value of the results belongs to this job")
        hash_, new = folder.keep(part, checked)
    folder.sweep()
    return Added(hash_, new, job, series)


def _of_variant(observations: Observations, variant: str | None) -> tuple[list[Context | None], str]:
    """Return the configurations of a variant, None in the place of others, and the key that names variants."""
    # A table states its variants in a column of this name.
    own = variants_key([source.format for source in observations.sources if source.values]) or "variant"
    contexts: list[Context | None] = [each if each.values else None for each in observations.contexts]
    names = sorted({each.keys[own] for each in contexts if each and own in each.keys})
    if variant is None and len(names) > 1:
        raise Stop("several-variants", f"the results are of the variants {listed(names)}; --variant NAME adds one")
    if variant is None:
        return contexts, own
    if variant not in names:
        raise Stop("bad-option", f"--variant {variant}: the results have no such variant; there are: {listed(names)}")
    return [each if each and each.keys.get(own) == variant else None for each in contexts], own


def _keys(
    observations: Observations, contexts: list[Context | None], own: str
) -> tuple[list[str | None], dict[str, str]]:
    """Return the factors of each configuration, and the facts that all of them share."""
    given = [each for each in contexts if each]
    split = split_keys(observations, observations.contexts, [0 if each else None for each in contexts], 1, Request())
    idle = {own, *RUN_KEYS, *_COMMITS, *_DATES}
    keys = {key for each in given for key in each.keys} - idle
    factors = {key for key in keys if key in split.grouping or key in split.work}
    shared = {key: value for key, value in split.common.items() if key in keys and key not in factors}
    return [factors_of(each, factors) if each else None for each in contexts], shared


def factors_of(context: Context, keys: Iterable[str]) -> str:
    """Return the keys of a configuration that make its values a series of their own, as a JSON object."""
    chosen = set(keys)
    levels = {as_text(key): as_text(value) for key, value in context.keys.items() if key in chosen}
    return json.dumps(levels, sort_keys=True, ensure_ascii=False)


def carried(line: Sequence[str], reached: int = 0) -> tuple[str, ...]:
    """Return the commits of a line that a job carries; ``reached`` is the place of one that was measured, 0 without.

    The line goes on behind that commit: if the upload of a job is lost, those of the jobs after it still lead back to
    the jobs before it. If the measured commit is too far away, commits before it are left out: the order of measured
    commits is what counts.
    """
    return tuple(line[:LINE] if reached < LINE else [*line[: LINE - 1], line[reached]])


def _said(contexts: Iterable[Context | None], keys: AbstractSet[str]) -> list[str]:
    return [each.keys[key] for each in contexts if each for key in keys if each.keys.get(key)]


def _started(observations: Observations, contexts: Iterable[Context | None]) -> str:
    """Return when the first values were measured; if the results state no date, when their first file was written.

    The same file that is added again is then the same job. Standard input has no such time.
    """
    given = [each for each in contexts if each]
    sources = {observations.sources[each.source].name for each in given}
    stated = [found for each in given if (found := measured_at(each.keys)) is not None]
    return iso(min(stated or written(sources), default=None))


def _parents(commit: Commit | None, checkout: Checkout | None) -> tuple[str, ...] | None:
    """Return the parents of a commit; None if unknown, as where a shallow clone ends."""
    if commit is None or (not commit.parents and checkout and checkout.is_shallow):
        return None
    return commit.parents


def _line(folder: Receiver, commit: str, stated: Stated, checkout: Checkout | None) -> list[Commit]:
    """Return the commits from one back that its job carries, which lead to one that the history knows."""
    if checkout is not None and checkout.resolve(commit) != commit:
        checkout = None
    line = checkout.line(commit, LINE) if checkout else []
    if stated.line:
        return line[:1]
    known = folder.commits()
    if not known or (commit in known and not line):
        return line
    if checkout and not any(each.sha in known for each in line[1:]) and commit not in known:
        line = checkout.line(commit, _FAR)
    if reached := _reached([each.sha for each in line], known):
        kept = set(carried([each.sha for each in line], reached))
        return [each for each in line if each.sha in kept]
    if checkout and checkout.is_shallow:
        raise Stop(
            "shallow-clone",
            f"the repository is shallow: it does not reach from {commit[:12]} back to a commit of the history. Fetch "
            "more (git fetch --unshallow; in GitHub Actions fetch-depth: 0), or state the commits with --line FILE",
        )
    if not checkout:
        raise Stop(
            "no-line",
            f"the commits before {commit[:12]} are unknown. Run this in a repository that has them, or state them with "
            "--line FILE: one name a line, newest first",
        )
    return line[:LINE]


def _stated_line(folder: Receiver, stated: Stated) -> tuple[str, ...]:
    """Return what a job carries of the line that the caller states; empty without one."""
    return carried(stated.line, _reached(stated.line, folder.commits())) if stated.line else ()


def _reached(line: Sequence[str], known: AbstractSet[str]) -> int:
    """Return where a line reaches a commit that the history knows, behind its first; 0 if it does not."""
    return next((at for at, each in enumerate(line) if at and each in known), 0)
