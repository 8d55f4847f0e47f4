"""Folded parts of a comment, written as far as the room allows."""

from __future__ import annotations

from statera.output.views import comment
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

# No line of a table is shorter, so that more rows than this allows need not be written to see whether they fit.
_LEAST_LINE: Final = 40
# A fold is cut only if so many characters of it remain; otherwise it is left out.
_LEAST_FOLD: Final = 1_500
_HEADING: Final = 2
SAID: Final = 200
"""At most so many characters say what does not fit; a comment keeps them free."""


class Fold(NamedTuple):
    """A folded part.

    Attributes:
        title: its title.
        said: a few words that show while it is folded.
        rows: the number of its rows; 0 if it is left out as a whole where it does not fit.
        lines: writes its first rows as the lines of a table, two lines of heading first.
        before: what stands above its table.

    """

    title: str
    said: str
    rows: int
    lines: Callable[[int], list[str]]
    before: str = ""


def with_rows(folds: list[Fold], room: comment.Room) -> Iterator[str]:
    """Write the folds that have rows, as many rows as fit, and the number of the others."""
    folds = [fold for fold in folds if fold.rows]
    left_out = 0
    for place, fold in enumerate(folds, 1):
        # The folds that follow keep room for their first rows.
        kept = min(room.left // 2, (len(folds) - place) * _LEAST_FOLD)
        made, rows = _written(fold, room.left - kept)
        yield room.take(made)
        left_out += fold.rows - rows
    if left_out:
        more = counted(left_out, "more row does", "more rows do")
        yield f"\n{more} not fit a comment; `-f csv` has them all.\n"


def whole(folds: Iterable[Fold], room: comment.Room) -> Iterator[str]:
    """Write folds that are not cut, up to the first that does not fit."""
    for fold in folds:
        made, _ = _written(fold, room.left)
        yield room.take(made) or "\nMore tables do not fit a comment; `-f json` has them all.\n"
        if not made:
            return


def _written(fold: Fold, room: int) -> tuple[str, int]:
    """Write a fold with the rows that fit; return it and their number."""
    room -= comment.size(comment.fold(fold.title, fold.said, fold.before))
    if room < min(_LEAST_FOLD, fold.rows * _LEAST_LINE):
        return "", 0
    lines = fold.lines(room // _LEAST_LINE)
    kept = comment.within(lines, room)
    if len(kept) < len(lines) and (not fold.rows or len(kept) <= _HEADING):
        return "", 0
    return comment.fold(fold.title, fold.said, fold.before + "".join(kept)), min(fold.rows, len(kept) - _HEADING)
