"""What the system says about the machine, below /proc and /sys. What cannot be read is None, never a guess."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class System(NamedTuple):
    """The files of a system.

    Attributes:
        root: the folder that holds ``proc``, ``sys`` and ``etc``.

    """

    root: str = "/"

    def text(self, path: str) -> str | None:
        """Return the content of a file without the space around it; None if it cannot be read."""
        try:
            return (Path(self.root) / path).read_text(errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """Return the whole number that a file holds; None if it holds none."""
        text = self.text(path)
        try:
            return None if text is None else int(text)
        except ValueError:
            return None

    def fields(self, path: str, between: str = ":") -> dict[str, str]:
        """Return the lines ``name: value`` of a file, the first of each name; empty if it cannot be read."""
        found: dict[str, str] = {}
        for line in (self.text(path) or "").splitlines():
            name, divider, value = line.partition(between)
            if divider:
                found.setdefault(name.strip(), value.strip())
        return found

    def texts(self, pattern: str) -> list[str]:
        """Return the contents of the files that match a pattern, in the order of their names."""
        paths = sorted(Path(self.root).glob(pattern))
        found = [self.text(str(path.relative_to(self.root))) for path in paths]
        return [text for text in found if text is not None]

    def exists(self, path: str) -> bool:
        """Return whether there is such a file or folder."""
        return (Path(self.root) / path).exists()

    def writable(self, path: str) -> bool:
        """Return whether we may write there."""
        return os.access(Path(self.root) / path, os.W_OK)

    def online(self) -> tuple[int, ...]:
        """Return the numbers of the cores that run; empty if unknown."""
        listed = self.text("sys/devices/system/cpu/online")
        if listed is not None:
            return cores(listed)
        lines = (self.text("proc/stat") or "").splitlines()
        return tuple(int(word[3:]) for word, *_ in map(str.split, lines) if word[:3] == "cpu" and word[3:].isdigit())

    def allowed(self) -> tuple[int, ...]:
        """Return the cores that a container or ``taskset`` leaves to us, and those that are isolated."""
        allowed = self.fields("proc/self/status").get("Cpus_allowed_list", "")
        isolated = self.text("sys/devices/system/cpu/isolated") or ""
        # The kernel starts no process on an isolated core, unless it is asked to.
        return tuple(sorted({*cores(allowed), *cores(isolated)})) if allowed else ()

    def group(self, controller: str) -> list[str]:
        """Return the folders of our control group for a controller, then those of its parents.

        Version 2 has one tree for all controllers, and version 1 a tree for each.
        """
        for line in (self.text("proc/self/cgroup") or "").splitlines():
            _, _, rest = line.partition(":")
            controllers, _, path = rest.partition(":")
            for at in _mounts(controllers, controller):
                if path and self.exists(at + path) and self.exists(f"{at}{path}/cgroup.procs"):
                    parts = [part for part in path.split("/") if part]
                    return ["/".join([at, *parts[:count]]) for count in range(len(parts), -1, -1)]
        return []


def _mounts(controllers: str, controller: str) -> list[str]:
    if controller in controllers.split(","):
        return [f"sys/fs/cgroup/{controller}", f"sys/fs/cgroup/{controllers}"]
    return [] if controllers else ["sys/fs/cgroup"]


def cores(listed: str) -> tuple[int, ...]:
    """Return the numbers of a list of cores, such as ``0-2,5``, ascending.

    Raises:
        ValueError: it is no such list.

    """
    found: set[int] = set()
    for part in filter(None, listed.strip().split(",")):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 0 <= low <= high <= _MOST:
            raise ValueError(part)
        found.update(range(low, high + 1))
    return tuple(sorted(found))


# More cores than any system has; a list beyond it is a mistake.
_MOST = 1 << 16


def as_list(numbers: tuple[int, ...]) -> str:
    """Write numbers of cores as the system does: ``0-2,5``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
