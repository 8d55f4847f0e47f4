"""The comparison as Markdown for a pull request: the answer, what is worse, and the rest folded.

Every part takes its characters from one room, so that no input makes a comment that GitHub refuses.
"""

from __future__ import annotations

from statera import _native
from statera.output.views import comment, folds, open_rows
from statera.output.views.fold import SAID
from statera.output.views.long_names import LongNames
from statera.output.views.terminal import common_lines, note_lines, reading_lines, tail_lines
from statera.support.settings.provenance import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Final

    from statera.comparison.results.comparison import Comparison

# More rows than these are folded even if they are worse: the first screen shows the worst.
_OPEN: Final = 25
_MISSING: Final = 5
_LABELS: Final = 6
_LONGEST_ANSWER: Final = 800
_MOST_CLOSING: Final = 14_000


def text(comparison: Comparison, sort: str = "worst", *, changed: bool = False) -> str:
    """Write the comparison within the length limit of a comment; the worst rows are never folded.

    Args:
        comparison: the comparison.
        sort: the order of the rows, as in the terminal.
        changed: leave out the rows that did not change.

    """
    room = comment.Room(comment.MOST - 2 * SAID)
    head = room.take(_head(comparison))
    names = LongNames(comparison.observations.benchmarks)
    rows = open_rows.open_rows(comparison, sort)
    closing = room.take(_closing(comparison, rows))
    first = open_rows.first(rows, _OPEN, _MISSING)
    opened = room.take(_opened(comparison, first, names, room.left)) if rows else ""
    shown = folds.Shown(sort, changed, rows, frozenset(first))
    kept = names.room(room.left)
    room.left -= kept
    folded = folds.text(comparison, shown, names, room)
    return f"{head}{opened}{folded}{names.fold(kept + room.left, '`-f csv`')}{closing}"


def _head(comparison: Comparison) -> str:
    answer = comparison.answer
    line = _native.markdown_text(comment.brief(answer.line, _LONGEST_ANSWER))
    base, *others = map(comment.name, comparison.labels[: _LABELS + 1])
    against = listed(others, _LABELS, total=len(comparison.labels) - 1)
    return f"### {comment.mark(answer.counts, answer.lacking)} {line}\n\n{base} (baseline) against {against}\n"


def _opened(comparison: Comparison, rows: list[int], names: LongNames, room: int) -> str:
    lines = comment.within(["\n", *open_rows.lines(comparison, rows, names)], room)
    tails = comment.items(tail_lines(comparison, rows))
    return "".join([*lines, *comment.within(["\n", *tails], room - sum(map(comment.size, lines)))] if tails else lines)


def _closing(comparison: Comparison, above: Container[int]) -> str:
    # A section whose rows all stand above has no fold that could say its mean.
    alone = [section for section in comparison.sections() if all(row in above for row in section.rows)]
    means = [f"{folds.title(comparison, section)}: {mean}" for section in alone for mean in folds.mean_of(section)]
    said = [*comparison.findings, *means, f"Method: {comparison.method}.", *settings_lines(comparison.settings)]
    said += [*note_lines(comparison.notes), *common_lines(comparison.arrangement), *reading_lines(comparison)]
    listed = comment.items(said)
    kept = comment.within(listed, _MOST_CLOSING)
    left = len(listed) - len(kept)
    if left:
        kept.append(f"- and {counted(left, 'more note')} in `-f json`\n")
    return comment.fold("Findings, method and notes", "", "".join(kept))
