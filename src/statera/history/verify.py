"""Whether a history is whole: every file is what its name says, every job can be read, and every decision is one."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native, stages
from statera.errors import Problem, Stop
from statera.history import catalog, renaming, states
from statera.history.folder import EVENTS, KINDS, REPLACED, UPLOADS, read_event
from statera.history.job import from_json, is_hash
from statera.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.history.folder import Folder
    from statera.settings.limits import Limits

_RESTORE: Final = "restore it from another copy of the history, or remove it"
_FIELDS: Final = {
    states.STATE: ("branch", "commits", "series", "state", "who", "when"),
    states.LINK: ("branch", "commits", "series", "url", "who", "when"),
    states.EXPECT: ("commits", "text", "who", "when"),
    renaming.RENAME: ("from", "to", "who", "when"),
}
_LISTS: Final = frozenset({"commits", "series"})


class Verified(NamedTuple):
    """How many files and jobs there are, and what is wrong."""

    files: int
    jobs: int
    problems: list[Problem]


def verify(folder: Folder, limits: Limits) -> Verified:
    """Check all files of a history.

    Raises:
        Stop: the folder cannot be read.

    """
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
    jobs, unreadable = _uploads(whole[UPLOADS], folder.about.project, limits)
    problems += unreadable
    problems += [_problem(EVENTS, path, why) for path in whole[EVENTS] if (why := _wrong_event(path))]
    problems += [_problem(REPLACED, path, why) for path in whole[REPLACED] if (why := _wrong_list(path))]
    return Verified(sum(map(len, found.values())), jobs, problems)


def _strange(folder: Folder) -> Iterator[Problem]:
    """Find what stands among the files of a history and is none of them, such as a link."""
    for kind, ending in KINDS.items():
        known = {path for _, path in folder.named(kind)}
        for above, folders, files in os.walk(folder.path / kind):
            for path in (
                Path(above, name) for name in sorted(files) + [each for each in folders if _is_link(above, each)]
            ):
                if path not in known:
                    why = f"it is not a file named HASH{ending} by its content, so nothing reads it"
                    yield _problem(kind, path, why)
                elif path.parent.name != path.name[:2]:
                    yield _problem(kind, path, f"it belongs into the folder {path.name[:2]}")


def _is_link(above: str, name: str) -> bool:
    return Path(above, name).is_symlink()


def _wrong_content(hash_: str, path: Path) -> str:
    """Return why a file is not the one that its name says; an empty text if it is."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return "" if found == hash_ else "its content does not match its name"


def _uploads(paths: list[Path], project: str, limits: Limits) -> tuple[int, list[Problem]]:
    """Read all jobs with all their values; return how many there are, and what is wrong."""
    most = catalog.most(limits)
    native = _native.Catalog.read(paths, most)
    refused = dict(native.refused)
    keep_all = _native.Retention(native, [], 0, 0)
    ids: set[str] = set()
    problems = []
    for number, (path, text) in enumerate(zip(paths, native.jobs, strict=True)):
        why = refused.get(number, "")
        if not why:
            try:
                jobs = from_json(text, path.name)
                others = {job.project for _, job in jobs} - {project}
                why = f"its jobs are of another project: {listed(sorted(others), 3)}" if others else ""
                ids.update(id_ or path.stem for id_, _ in jobs)
                # All values are read where they are written once more, to nowhere.
                places = list(range(len(jobs)))
                _native.merge_uploads([(path, 0, places)], text, Path(os.devnull), most, keep_all)
            except (Stop, OSError) as error:
                why = str(error)
        if why:
            problems.append(_problem(UPLOADS, path, why))
    return len(ids), problems


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
    if kind == states.STATE and event["state"] not in states.STATES:
        return f"its state is {event['state']!r}; the states are {listed(states.STATES)}"
    if kind == states.EXPECT:
        try:
            states.expectation(event["commits"], event["text"])
        except Stop as stop:
            return str(stop)
    return ""


def _fits(name: str, value: object) -> bool:
    if name in _LISTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return isinstance(value, str)


def _wrong_list(path: Path) -> str:
    words = path.read_bytes().decode(errors="replace").split()
    return "" if words and all(map(is_hash, words)) else "it is not a list of hashes"


def _problem(kind: str, path: Path, why: str) -> Problem:
    return Problem("bad-upload" if kind == UPLOADS else "bad-history", str(path), 0, why, _RESTORE)
