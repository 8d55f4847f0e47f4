"""What every place of a history offers: a folder, the copy of a branch, a database, a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from statera.history.folder import About
    from statera.support.settings.limits import Limits


class Receiver(Protocol):
    """A place that takes uploads.

    Attributes:
        about: the project, and how its jobs are kept apart.
        name: how messages name it.

    """

    @property
    def about(self) -> About: ...  # noqa: D102

    @property
    def name(self) -> str: ...  # noqa: D102

    def commits(self) -> set[str]:
        """Return the commits that it has jobs of."""

    def receiving(self) -> AbstractContextManager[Path]:
        """Yield the path of an empty file for an upload; what is not kept of it vanishes."""

    def keep(self, part: Path, checked: Limits | None = None) -> tuple[str, bool]:
        """Store a whole upload; return its hash, and whether it is new.

        Args:
            part: the file.
            checked: how much may be read of the history, to refuse series whose unit changed; None to accept them.

        """

    def sweep(self) -> None:
        """Remove unfinished files that killed commands left behind."""


class Readable(Protocol):
    """A place whose history is read."""

    def uploads(self) -> list[tuple[str, Path]]:
        """Return the hash and the file of each upload, in the order of the hashes."""

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events with their hashes, in the order of these."""
