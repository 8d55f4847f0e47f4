"""What is closed at the end of its context."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Closing:
    """An object that the end of a ``with`` block closes; each kind says how."""

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End what the object holds."""
        raise NotImplementedError
