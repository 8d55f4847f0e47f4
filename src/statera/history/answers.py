"""Answers of commands that nothing new has changed: the answer of the last time, at the cost of looking for news.

An answer depends on the files of the history, the version of statera, the settings, the options, and what the
repository of the current folder knows of the commits. An answer that came with messages is not kept.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from statera.history import checkout
from statera.history.catalog import doubled
from statera.history.folder import ADDED, KINDS, NAME
from statera.history.kept import Kept, digest
from statera.history.left_out import left_out
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from statera.history.analysis import Analysis
    from statera.history.folder import Folder

# Histories of fewer files need no kept answer.
_LEAST: Final = 200


class Answers:
    """The answer that a command gave the last time, and the one it gives now."""

    def __init__(self, folder: Folder, verb: str, *words: object) -> None:
        """Look for the answer of a verb; ``words`` are the options and settings that it depends on."""
        self._kept = Kept(folder.path)
        self._name = f"{verb}.json"
        state = _state(folder)
        self._key = "" if state is None else digest(self._kept.version, state, verb, repr(words))
        # what was kept; None if anything changed since, or nothing was kept
        self.last: dict[str, Any] | None = self._read() if self._key else None

    def keep(self, analysis: Analysis, answer: dict[str, Any]) -> None:
        """Keep an answer for the next time, unless jobs or files are left out, which it says every time."""
        whole = not left_out(analysis) and not doubled(analysis.catalog)
        if not self._key or not whole:
            return
        commits = sorted({each.job.commit for each in analysis.catalog.held})
        known = _known(commits, analysis.parents)
        if known is not None:
            content = {"key": self._key, "commits": commits, "known": known, "answer": answer}
            text = json.dumps(content)
            self._kept.write(self._name, f"{digest(text)}\n{text}".encode())

    def _read(self) -> dict[str, Any] | None:
        seal, _, text = (self._kept.read(self._name) or b"").partition(b"\n")
        if not text or digest(text) != seal.decode(errors="replace"):
            return None
        content: dict[str, Any] = json.loads(text)
        if content["key"] != self._key or _known(content["commits"]) != content["known"]:
            return None
        answer: dict[str, Any] = content["answer"]
        return answer


def state_of(paths: Iterable[Path]) -> str:
    """Return a text that differs if a file is another one, or has changed."""
    found = []
    for path in paths:
        about = path.lstat()
        found.append((os.fspath(path), about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino))
    return digest(repr(found))


def _state(folder: Folder) -> str | None:
    """Return a text that differs if the history has changed; None if it is too small to ask."""
    paths = [path for kind in KINDS for _, path in folder.named(kind)]
    if len(paths) < _LEAST:
        return None
    paths += [path for name in (NAME, ADDED) if (path := folder.path / name).exists()]
    try:
        return state_of(paths)
    except OSError:
        # Another command removes files meanwhile.
        return None


def _known(commits: list[str], parents: Mapping[str, str | None] | None = None) -> str | None:
    """Return what the repository of the current folder says of commits; None if it lacks some of its own.

    ``parents`` is what it said of them, if it was asked already.
    """
    repository = checkout.here()
    if repository is None:
        return ""
    try:
        parents = repository.first_parents(commits) if parents is None else parents
        return None if repository.is_shallow else digest(os.fspath(repository.folder), repr(sorted(parents.items())))
    except Stop:
        return None
