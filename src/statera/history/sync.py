"""A history here and its branch in a remote repository → both with the files of either.

Files are named by their content and never change, so that the files of both sides together are the merge; only uploads
that a merged file replaced leave it. A push that the remote does not take, because somebody else pushed first, is made
again on top of what that one pushed.
"""

from __future__ import annotations

import random
import re
from contextlib import contextmanager
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.history.branch import RejectedError
from statera.history.folder import EVENTS, KINDS, NAME, REPLACED, UPLOADS, exists, open_folder, read_about, read_event
from statera.support.errors import Problem, Stop
from statera.support.files import outputs
from statera.support.files.lock import locked
from statera.support.git import GitError
from statera.support.wording import conjoined, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from statera.history.branch import Branch, Entry
    from statera.history.folder import Folder
    from statera.support.settings.limits import Limits

TRIES: Final = 5
# The pause before the second try, in seconds; each further one is twice as long.
_PAUSE: Final = 0.25
# How long a command waits for another one of this repository that fetches or pushes, in seconds.
_PATIENCE: Final = 600
# Those who were rejected together do not come again together.
_CHANCE: Final = random.SystemRandom()
_SMALL: Final = 1 << 20
_PATH: Final = re.compile(r"([a-z]+)/([0-9a-f]{2})/(\2[0-9a-f]{62})(\.[a-z]+)")
_FILES: Final = {"100644", "100755"}
_WORDS: Final = {
    UPLOADS: ("upload", "uploads"),
    EVENTS: ("decision", "decisions"),
    REPLACED: ("list of replaced uploads", "lists of replaced uploads"),
}


class Synced(NamedTuple):
    """What a sync did."""

    # received, sent: how many files of each kind.
    received: dict[str, int]
    sent: dict[str, int]
    replaced: int = 0  # how many uploads left the branch, because merged files have their jobs
    refused: tuple[Problem, ...] = ()  # files of the branch that are not what their names say; they are left out
    tries: int = 0  # how many pushes it took


def fetch(branch: Branch, limits: Limits) -> bool:
    """Bring the history of a branch to this machine; return whether the branch exists."""
    with _alone(branch):
        tip = branch.fetch()
        if tip is not None:
            _receive(branch, branch.entries(tip), limits)
        return tip is not None


def sync(branch: Branch, limits: Limits) -> Synced:
    """Receive what the branch has, and push what it lacks."""
    received: dict[str, int] = {}
    refused: dict[str, Problem] = {}
    with _alone(branch):
        for tries in range(1, TRIES + 1):
            tip = branch.fetch()
            entries = branch.entries(tip) if tip else {}
            if tip:
                new, refused = _receive(branch, entries, limits)
                received = {kind: received.get(kind, 0) + new.get(kind, 0) for kind in KINDS}
            if not exists(branch.folder):
                raise Stop(
                    "no-history",
                    f"{branch.place}: there is no history, neither here nor in {branch.remote}. statera history add "
                    "FILES… makes one",
                )
            added, removed = _difference(open_folder(branch.folder, branch.place), entries.keys(), refused.keys())
            if not added and not removed:
                return Synced(received, {}, 0, tuple(refused.values()), tries - 1)
            try:
                branch.push(branch.commit(tip, added, removed, _message(added, removed)))
            except RejectedError as error:
                why = str(error)
            else:
                return Synced(received, _count(added), len(removed), tuple(refused.values()), tries)
            if tries < TRIES:
                sleep(_PAUSE * 2 ** (tries - 1) * _CHANCE.uniform(0.5, 1.5))
    raise Stop(
        "push-rejected",
        f"{branch.place}: {branch.remote} rejected the push {TRIES} times: {why}; nothing is lost: what was added "
        "stays on this machine, and statera history sync pushes it",
    )


def words(synced: Synced) -> str:
    """Describe what a sync did."""
    parts = [
        f"{conjoined([counted(number, *_WORDS[kind]) for kind, number in counts.items() if number])} {verb}"
        for counts, verb in ((synced.received, "received"), (synced.sent, "sent"))
        if any(counts.values())
    ]
    if synced.replaced:
        parts.append(f"{counted(synced.replaced, 'upload')} replaced by merged files")
    return "; ".join(parts) or "nothing to receive or to send"


@contextmanager
def _alone(branch: Branch) -> Iterator[None]:
    """Keep other commands of this repository from fetching and pushing, and say what git cannot do here."""
    with locked(branch.lock, required=False, patience=_PATIENCE):
        try:
            branch.prepare()
            yield
        except GitError as error:
            raise Stop(
                "cannot-write", f"{branch.place}: git cannot store the files in {branch.lock}: {error}"
            ) from None


def _receive(branch: Branch, entries: dict[str, Entry], limits: Limits) -> tuple[dict[str, int], dict[str, Problem]]:
    """Take the files of the branch that are not here; return how many of each kind, and those that are refused."""
    counts: dict[str, int] = {}
    refused = {}
    with branch.reading() as read:
        folder = _settings(branch, entries.get(NAME), read)
        # These are here for a moment, to see whether merged files have all their jobs.
        gone = folder.replaced()
        for kind in KINDS:
            held = {hash_ for hash_, _ in folder.named(kind)}
            most = limits.bytes if kind == UPLOADS else _SMALL
            for path, entry in sorted(entries.items()):
                hash_ = _hash(path, kind)
                if hash_ is None or hash_ in held:
                    continue
                why = _unusable(entry, most) or _taken(folder, kind, hash_, partial(read, entry.object))
                if why:
                    refused[path] = _refused(branch, path, why)
                elif hash_ not in gone:
                    counts[kind] = counts.get(kind, 0) + 1
    folder.remove_replaced()
    return counts, refused


def _settings(branch: Branch, entry: Entry | None, read: Callable[[str, Path], str]) -> Folder:
    """Take the settings of the branch, which win over those of this machine."""
    if entry is None or _unusable(entry, _SMALL):
        raise Stop(
            "bad-history",
            f"{branch.place}: the branch {branch.name} of {branch.remote} exists and is not a history, because it "
            f"has no {NAME}. Name another branch",
        )
    received = branch.lock / NAME
    try:
        read(entry.object, received)
        about = read_about(received)
        if exists(branch.folder):
            ours = read_about(branch.folder / NAME)
            if ours.project != about.project:
                raise Stop(
                    "other-project",
                    f"{branch.place}: is the history of {about.project} in {branch.remote}, and of {ours.project} on "
                    f"this machine. Name another branch, or remove {branch.folder} if nothing of it is needed",
                )
        branch.folder.mkdir(parents=True, exist_ok=True)
        outputs.write(branch.folder / NAME, received.read_bytes())
    except OSError as error:
        raise outputs.failure(branch.folder, error) from None
    taken = open_folder(branch.folder, branch.place)
    taken.note_settings()
    return taken


def _unusable(entry: Entry, most: int) -> str:
    """Return why a file of the branch is not read; an empty text if it is."""
    if entry.kind != "blob" or entry.mode not in _FILES:
        return "it is not a file"
    if (entry.size or 0) > most:
        return f"it has {entry.size} bytes, more than the limits allow"
    return ""


def _taken(folder: Folder, kind: str, hash_: str, read: Callable[[Path], str]) -> str:
    """Take a file of the branch; return why it is refused, or an empty text."""
    with folder.receiving() as part:
        if read(part) != hash_:
            return "its content does not match its name"
        if kind == EVENTS:
            try:
                read_event(part)
            except Stop:
                return "it is not an event"
        folder.take(part, folder.file_of(hash_, kind))
    return ""


def _hash(path: str, kind: str) -> str | None:
    """Return the hash that a path of the branch names; None if it is not a file of this kind."""
    found = _PATH.fullmatch(path)
    return found[3] if found and found[1] == kind and found[4] == KINDS[kind] else None


def _refused(branch: Branch, path: str, why: str) -> Problem:
    hint = f"remove it from the branch {branch.name}, or restore it from a machine that has it"
    return Problem("bad-upload", f"{branch.place}:{path}", 0, why, hint)


def _difference(folder: Folder, theirs: AbstractSet[str], refused: AbstractSet[str]) -> tuple[list[str], list[str]]:
    """Return the paths that the branch lacks, and those of uploads that merged files replaced."""
    ours = {f"{kind}/{hash_[:2]}/{hash_}{KINDS[kind]}" for kind in KINDS for hash_, _ in folder.named(kind)} | {NAME}
    gone = folder.replaced()
    # An upload that was received and is not here any more has all its jobs in merged files.
    removed = [path for path in theirs - ours - refused if _hash(path, UPLOADS) in gone]
    return sorted(ours - theirs), sorted(removed)


def _count(paths: list[str]) -> dict[str, int]:
    return {kind: sum(path.startswith(f"{kind}/") for path in paths) for kind in KINDS}


def _message(added: list[str], removed: list[str]) -> str:
    """Return the message of a commit."""
    parts = [counted(number, *_WORDS[kind]) for kind, number in _count(added).items() if number]
    if removed:
        parts.append(f"remove {counted(len(removed), 'replaced upload')}")
    return f"Add {conjoined(parts)}" if parts else "Settings of a history"
