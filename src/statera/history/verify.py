"""Whether a history is whole.

Every file is there and is what its name says, every job can be read, every decision is one, and ``history.toml`` fits
the jobs.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history import alerts, catalog
from statera.history.folder import ADDED, EVENTS, KINDS, LANE, NAME, REPLACED, UPLOADS, hash_of, read_event
from statera.history.job import Stored, fact_of, from_json, is_hash
from statera.history.order import ORDER, of_branches
from statera.support import stages
from statera.support.errors import Problem, Stop
from statera.support.files.names import as_texts
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from statera.history.folder import Folder
    from statera.history.job import Job
    from statera.history.order import Order
    from statera.support.settings.limits import Limits

    # The jobs of each upload, with their ids.
    Jobs = dict[Path, list[tuple[str, Job]]]

_RESTORE: Final = "restore it from another copy of the history, or remove it"
_FIELDS: Final = {
    alerts.STATE: ("branch", "commits", "series", "state", "who", "when"),
    alerts.LINK: ("branch", "commits", "series", "url", "who", "when"),
    alerts.EXPECT: ("commits", "text", "who", "when"),
    catalog.RENAME: ("from", "to", "who", "when"),
    ORDER: ("commits", "who", "when"),
}
_LISTS: Final = frozenset({"commits", "series"})


class Verified(NamedTuple):
    """How many files and jobs there are, what is wrong, and where the jobs stand."""

    files: int
    jobs: int
    problems: list[Problem]
    orders: dict[str, Order]  # the line of each branch, and the jobs that it lacks


def verify(folder: Folder, limits: Limits, parents: Mapping[str, str | None] | None = None) -> Verified:
    """Check all files of a history; ``parents`` has first parents of commits from a repository."""
    stages.enter("verifying")
    found = {kind: folder.named(kind) for kind in KINDS}
    problems = list(_strange(folder))
    whole: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for kind, files in found.items():
        for hash_, path in files:
            if why := _wrong_content(hash_, path):
                problems.append(_problem(kind, path, why))
            else:
                whole[kind].append(path)
    jobs, unreadable = _uploads(whole[UPLOADS], limits)
    problems += unreadable
    problems += _changed_settings(folder)
    problems += _wrong_project(folder, jobs) or _foreign(folder.about.project, jobs)
    problems += _idle_lane(folder, jobs)
    problems += [_problem(EVENTS, path, why) for path in whole[EVENTS] if (why := _wrong_event(path))]
    problems += [_problem(REPLACED, path, why) for path in whole[REPLACED] if (why := _wrong_list(path))]
    ids = {id_ for held in jobs.values() for id_, _ in held}
    missing = folder.missing()
    # Afterwards: a command that replaces uploads meanwhile lists them before they go.
    replaced = _replaced(folder)
    problems += [_missing(folder, kind, path) for kind, path in missing if path.stem not in replaced]
    if all(each.code != "bad-upload" for each in problems):
        problems += _without_jobs(folder, jobs, ids)
    events = [(path.stem, read_event(path)) for path in whole[EVENTS] if not _wrong_event(path)]
    held = {id_: Stored(id_, job, 0, 0) for listed in jobs.values() for id_, job in listed}
    return Verified(sum(map(len, found.values())), len(ids), problems, of_branches(held.values(), events, parents))


def _replaced(folder: Folder) -> set[str]:
    """Return the hashes of replaced uploads; a damaged list, which has been found, does not stop the others."""
    return {word for _, path in folder.named(REPLACED) for word in _words(path) if is_hash(word)}


def _missing(folder: Folder, kind: str, path: Path) -> Problem:
    remedy = f"restore it from another copy of the history, or remove its line from {folder.path / ADDED}"
    return _problem(kind, path, "it is missing", remedy)


def _without_jobs(folder: Folder, jobs: Jobs, ids: set[str]) -> Iterator[Problem]:
    """Name the lists of replaced uploads whose jobs no upload has, because merged files are gone.

    A hash that is no job's may be that of a merged file that was merged again. Each list came with one merged file, so
    there are at most as many of these as there are lists without those whose merged file is here.
    """
    lists = [(path, set(filter(is_hash, _words(path)))) for _, path in folder.named(REPLACED)]
    absent = set().union(*(hashes for _, hashes in lists)) - ids - {path.stem for path in jobs}
    merged = _apart({id_ for id_, _ in held} for path, held in jobs.items() if {id_ for id_, _ in held} != {path.stem})
    if not absent or (
        len(absent) <= len(lists) - merged and not ids.isdisjoint(set().union(*(own for _, own in lists)))
    ):
        return
    why = "no upload has a job of those that it lists, so a merged file is missing"
    for path, hashes in lists:
        if hashes <= absent:
            yield _problem(REPLACED, path, why, "restore the uploads from another copy of the history")


def _apart(files: Iterable[set[str]]) -> int:
    """Count the files of which each has a job that none before has."""
    count, seen = 0, set[str]()
    for ids in files:
        count += not ids <= seen
        seen |= ids
    return count


def _changed_settings(folder: Folder) -> Iterator[Problem]:
    """Find settings that are others than this copy of the history knows."""
    noted = folder.noted_settings()
    now = as_texts(folder.about._asdict())
    for key in now if noted is not None else ():
        if noted and noted.get(key) != now[key]:
            why = f"{key} was {json.dumps(noted.get(key))} and is {json.dumps(now[key])}"
            accepted = f"remove the line that begins with settings from {folder.path / ADDED}"
            yield _problem(NAME, folder.path / NAME, why, f"restore it, or if it is meant, {accepted}")


def _strange(folder: Folder) -> Iterator[Problem]:
    """Find what stands among the files of a history and is none of them, such as a link."""
    for kind, ending in KINDS.items():
        known = {path for _, path in folder.named(kind)}
        for above, folders, files in os.walk(folder.path / kind):
            links = [name for name in folders if Path(above, name).is_symlink()]
            for path in (Path(above, name) for name in sorted(files) + links):
                if path not in known:
                    why = f"it is not a file named HASH{ending} by its content, so nothing reads it"
                    yield _problem(kind, path, why)
                elif path.parent.name != path.name[:2]:
                    yield _problem(kind, path, f"it belongs into the folder {path.name[:2]}")


def _wrong_content(hash_: str, path: Path) -> str:
    """Return why a file is not the one that its name says; an empty text if it is."""
    try:
        found = hash_of(path)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return "" if found == hash_ else "its content does not match its name"


def _uploads(paths: list[Path], limits: Limits) -> tuple[Jobs, list[Problem]]:
    """Read all jobs with all their values; return those of each upload, and what is wrong."""
    most = catalog.most(limits)
    native = _native.Catalog.read(paths, most)
    refused = dict(native.refused)
    keep_all = _native.Retention(native, [], 0, 0)
    found: Jobs = {}
    problems = []
    for number, (path, text) in enumerate(zip(paths, native.jobs, strict=True)):
        why = refused.get(number, "")
        if not why:
            try:
                jobs = from_json(text, path.name)
                found[path] = [(id_ or path.stem, job) for id_, job in jobs]
                # All values are read where they are written once more, to nowhere.
                places = list(range(len(jobs)))
                _native.merge_uploads([(path, 0, places)], text, Path(os.devnull), most, keep_all)
            except (Stop, OSError) as error:
                why = str(error)
        if why:
            problems.append(_problem(UPLOADS, path, why))
    return found, problems


def _foreign(project: str, jobs: Jobs) -> Iterator[Problem]:
    for path, held in jobs.items():
        if others := {job.project for _, job in held} - {project}:
            yield _problem(UPLOADS, path, f"its jobs are of another project: {listed(sorted(others), 3)}")


def _wrong_project(folder: Folder, jobs: Jobs) -> list[Problem]:
    """Find a project in the settings that no job is of: then the settings were changed, and not each upload."""
    projects = sorted({job.project for held in jobs.values() for _, job in held})
    if not projects or folder.about.project in projects:
        return []
    why = f"its project is {folder.about.project}, and the jobs are of {listed(projects, 3)}"
    return [_problem(NAME, folder.path / NAME, why, "write the project of the jobs")]


def _idle_lane(folder: Folder, jobs: Jobs) -> Iterator[Problem]:
    """Find facts that keep no jobs apart, because no job states them, such as misspelt ones.

    Those of a new history are free: not every job knows its processor and its runner.
    """
    facts = [job.environment for held in jobs.values() for _, job in held]
    for key in folder.about.lane:
        if facts and key not in LANE and not any(fact_of(each, key) for each in facts):
            known = listed(sorted({name for each in facts for name in each}), 5)
            why = f"lane names {key}, and no job states this fact about its machine; they state: {known}"
            yield _problem(NAME, folder.path / NAME, why, "correct lane")


def _wrong_event(path: Path) -> str:
    """Return why a decision has no effect; an empty text if it has one."""
    try:
        event = read_event(path)
    except Stop as stop:
        return str(stop)
    kind = event.get("kind")
    if kind not in _FIELDS:
        return f"its kind is {kind!r}, which this version of statera does not know"
    wrong = [name for name in _FIELDS[kind] if not _fits(name, event.get(name))]
    if wrong:
        return f"it is a decision of the kind {kind} with a wrong {listed(wrong)}"
    if kind == alerts.STATE and event["state"] not in alerts.STATES:
        return f"its state is {event['state']!r}; the states are {listed(alerts.STATES)}"
    if kind == alerts.EXPECT:
        try:
            alerts.expectation(event["commits"], event["text"])
        except Stop as stop:
            return str(stop)
    return ""


def _fits(name: str, value: object) -> bool:
    if name in _LISTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return isinstance(value, str)


def _wrong_list(path: Path) -> str:
    words = _words(path)
    return "" if words and all(map(is_hash, words)) else "it is not a list of hashes"


def _words(path: Path) -> list[str]:
    with suppress(OSError):
        return path.read_bytes().decode(errors="replace").split()
    return []


def _problem(kind: str, path: Path, why: str, remedy: str = _RESTORE) -> Problem:
    return Problem("bad-upload" if kind == UPLOADS else "bad-history", str(path), 0, why, remedy)
