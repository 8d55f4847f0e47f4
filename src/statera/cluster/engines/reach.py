"""Paths through file descriptors of directories, for a library that reads names as patterns, data or addresses.

DuckDB reads `size=1` in a path as a column, `[1]` as a pattern, `s3:` as a service. Instead it gets
`/proc/self/fd/7/blocks.parquet`: this process holds the directory open, and statera chose the names after it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_DESCRIPTORS: Final = "/proc/self/fd"
# The characters of names that statera chooses (`directories.directory_name`): none is special anywhere.
_PLAIN: Final = re.compile(r"[\w %~.-]+", re.ASCII)


class Reach:
    """Directories that stay open until ``close``.

    Raises:
        OSError: a directory cannot be opened.

    """

    def __init__(self, directories: Sequence[Path]) -> None:
        self._open: dict[Path, int] = {}
        try:
            for directory in directories:
                if directory not in self._open:
                    self._open[directory] = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except BaseException:
            self.close()
            raise
        if not all(Path(directory).is_dir() for directory in self.directories()):
            self.close()
            raise Stop(
                "system-error",
                f"{_DESCRIPTORS}: the directories of the analysis cannot be found there, and DuckDB opens no others; "
                "mount /proc",
            )

    def close(self) -> None:
        """Close the directories."""
        while self._open:
            os.close(self._open.popitem()[1])

    def directories(self) -> list[str]:
        """Return the paths of the directories for the library."""
        return [f"{_DESCRIPTORS}/{number}" for number in self._open.values()]

    def name(self, path: Path) -> str:
        """Return the path for the library of a file below one of the directories."""
        for directory, number in self._open.items():
            if path.is_relative_to(directory):
                names = path.relative_to(directory).parts
                if names and all(_PLAIN.fullmatch(name) and name not in {".", ".."} for name in names):
                    return "/".join((_DESCRIPTORS, str(number), *names))
        raise ValueError(f"{path} is not below a directory that is open")

    def said(self, message: str) -> str:
        """Replace the paths for the library in its message by the real paths."""
        for directory, number in self._open.items():
            message = re.sub(rf"/proc/(self|\d+)/fd/{number}(?!\d)", lambda _, name=directory: str(name), message)  # type: ignore[misc]
        return message
