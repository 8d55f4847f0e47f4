"""What a command leaves in the folder of a history for the next one, so that only what is new costs time.

Nothing depends on it: the folder ``cache`` can be removed at any time, and what is damaged, of another version, or
about other files, counts as absent. It is never sent with a history. The compiled part writes the summaries of uploads
(``read_before.rs``) and the changes of series (``found_before.rs``); ``answers.py`` has whole answers.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final

from statera import __version__, _native
from statera.support.errors import Stop
from statera.support.files import outputs

CACHE: Final = "cache"
UPLOADS: Final = "uploads"
CHANGES: Final = "changes"


class Kept:
    """The cache of a history in a folder."""

    def __init__(self, history: Path) -> None:
        self.folder = history / CACHE

    @cached_property
    def version(self) -> str:
        """Return which statera may read what this one writes: the same one, compiled at the same time."""
        about = Path(_native.__file__).stat()
        return f"{__version__} {about.st_size} {about.st_mtime_ns}"

    @property
    def is_own(self) -> bool:
        """Return whether it is a folder of the history: a link would lead out of it."""
        return not self.folder.is_symlink()

    def path(self, name: str) -> Path:
        """Return where a file of it stands."""
        return self.folder / name

    def read(self, name: str) -> bytes | None:
        """Return what was kept under a name; None without it."""
        path = self.path(name)
        with suppress(OSError):
            if self.is_own and path.is_file() and not path.is_symlink():
                return path.read_bytes()
        return None

    def write(self, name: str, content: bytes | None) -> None:
        """Keep something under a name, unless it is None. Where it cannot be written, the next command takes longer."""
        if content is None or not self.is_own:
            return
        with suppress(OSError, Stop):
            self.folder.mkdir(exist_ok=True)
            path, ignored = self.path(name), self.path(".gitignore")
            if any(each.is_symlink() or (each.exists() and not each.is_file()) for each in (path, ignored)):
                return
            if not ignored.exists():
                outputs.write(ignored, "*\n")
            outputs.write(path, content)


def digest(*parts: str | bytes) -> str:
    """Return a text that differs for other texts."""
    made = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "little") + data)
    return made.hexdigest()
