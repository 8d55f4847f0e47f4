"""The stage of a long command: its parts announce what they begin, and whoever watches shows it."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_watchers: list[Callable[[str], None]] = []


def enter(stage: str) -> None:
    """Announce a stage, in a word such as ``weighing``."""
    for watcher in _watchers:
        watcher(stage)


class watched:  # noqa: N801 - it reads as what a block is
    """Calls ``watcher`` with every stage that is entered in a block."""

    def __init__(self, watcher: Callable[[str], None]) -> None:
        """Watch from the begin of the block."""
        self._watcher = watcher

    def __enter__(self) -> None:
        """Begin to watch."""
        _watchers.append(self._watcher)

    def __exit__(self, *_: object) -> None:
        """End watching."""
        _watchers.remove(self._watcher)
