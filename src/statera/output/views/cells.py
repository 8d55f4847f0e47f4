"""Columns of tables with very many rows, in little memory."""

from __future__ import annotations

from itertools import islice

from statera import _native
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, TypeVar

    T = TypeVar("T")

# So many cells are one text: enough to save their objects, and few enough to be objects for a moment.
_PIECE: Final = 4096


class Cells:
    """Printable texts, such as the cells of a column; none has a line end.

    Each text as an object of its own would need several times as much memory.
    """

    def __init__(self, cells: Iterable[str] = ()) -> None:
        self._pieces: list[str] = []
        self._width: int | None = None
        self.add(cells)

    def add(self, cells: Iterable[str]) -> None:
        """Add cells at the end."""
        self._pieces += ["\n".join(piece) for piece in pieces(cells)]
        self._width = None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the cells."""
        for piece in self._pieces:
            yield from piece.split("\n")

    @property
    def width(self) -> int:
        """The number of terminal columns of the widest cell."""
        if self._width is None:
            self._width = max(map(_native.columns, self))
        return self._width

    def each(self, function: Callable[[str], str]) -> Cells:
        """Return the cells that a function makes of these."""
        return Cells(map(function, self))


def pieces(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield some items at a time."""
    rest = iter(items)
    while piece := list(islice(rest, _PIECE)):
        yield piece
