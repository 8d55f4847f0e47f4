"""The files of a site: which of them are its own, and how they are replaced and removed."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LIST: Final = "files.json"
_KEY: Final = "history-files/1"
# Whatever the list of a site says: nothing else in its folder can be its own.
_OWN: Final = re.compile(
    r"(series|alerts|lines)/[0-9a-f]{8,16}\.(html|json|js)|(index|feed|first|site|chart|overview)\.(html|json|js|css|xml)"
)
# Most of the time of a small file is spent waiting for the disk.
_AT_ONCE: Final = 8
# So many are in memory at a time.
_BATCH: Final = 64


class OwnFiles:
    """The folder of a site while it is written.

    Attributes:
        folder: the folder.
        written: how many files differed from what they are now.
        removed: how many files were removed.

    """

    def __init__(self, folder: Path, paths: Iterable[str]) -> None:
        """Claim the files of a site.

        Args:
            folder: the folder.
            paths: every file that the site will have, relative to the folder.

        Raises:
            Stop: a file is there already that no site wrote, or the folder cannot be written.

        """
        self.folder = folder
        self.written = self.removed = 0
        self._paths = sorted(paths)
        self._before = _listed(folder)
        strange = next((path for path in self._paths if path not in self._before and (folder / path).exists()), None)
        if strange:
            raise Stop(
                "cannot-write",
                f"{folder / strange}: statera history site did not write this file; name another folder with -o",
            )
        try:
            for part in {(folder / path).parent for path in self._paths}:
                part.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise outputs.failure(error.filename or folder, error) from None
        # Files of a site whose writing is cut short are its own as well.
        self._record({*self._before, *self._paths})

    def write_all(self, contents: Iterable[tuple[str, str]]) -> None:
        """Write files; one that is the same already stays untouched.

        Raises:
            Stop: one cannot be written.

        """
        rest = iter(contents)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            while batch := list(islice(rest, _BATCH)):
                self.written += sum(pool.map(self._write, batch))
        self._remove()

    def _write(self, content: tuple[str, str]) -> bool:
        path, data = self.folder / content[0], content[1].encode()
        with suppress(OSError):
            if path.read_bytes() == data:
                return False
        outputs.write(path, data)
        return True

    def _remove(self) -> None:
        """Remove the files of earlier pages, and list those that are left."""
        for path in sorted(self._before - set(self._paths)):
            with suppress(FileNotFoundError):
                (self.folder / path).unlink()
                self.removed += 1
        self._record(set(self._paths))

    def _record(self, paths: set[str]) -> None:
        text = json.dumps({"statera": _KEY, "files": sorted(paths)}, indent=1) + "\n"
        path = self.folder / LIST
        if not path.exists() or path.read_text("utf-8") != text:
            outputs.write(path, text)


def _listed(folder: Path) -> set[str]:
    """Return the files that an earlier site wrote.

    Raises:
        Stop: the list is none.

    """
    path = folder / LIST
    try:
        document = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("statera") != _KEY:
        raise Stop(
            "cannot-write",
            f"{path}: it is not a list of the files of a site; remove it, or name another folder with -o",
        )
    files = document.get("files")
    names = files if isinstance(files, list) else []
    return {name for name in names if isinstance(name, str) and _OWN.fullmatch(name)}
