"""The stage of a long command: its parts announce what they begin, and whoever watches shows it."""

from __future__ import annotations

from contextlib import contextmanager

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_watchers: list[Callable[[str], None]] = []


def enter(stage: str) -> None:
    """Announce a stage, in a word such as ``weighing``."""
    for watcher in _watchers:
        watcher(stage)


@contextmanager
def watched(watcher: Callable[[str], None]) -> Iterator[None]:
    """Call ``watcher`` with every stage that is entered in this context."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
