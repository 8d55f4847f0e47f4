"""Results as text. A view does no arithmetic: the compiled part gives numbers their written form.

    from statera.output import views

    views.comparison_as(found, "terminal", views.Layout(width=100))
    views.comparison_as(found, "csv")
    views.inspection_as(found, "markdown")

- ``terminal.py``: a comparison for terminals: what changed, the answer, two cautions. ``lines.py`` chooses the tables
  and their lines, one for each benchmark, and counts what they leave out; ``wide.py`` lays them out for a width.
- ``inspection.py``: an inspection or a self-test, and all about one of its rows.
- ``markdown.py``: a comparison for pull requests, from the same lines, words and counts; ``inspection_markdown.py``: an
  inspection; ``comment.py``: what a comment has room for.
- ``json.py``: JSON and CSV, for programs; ``result.py``: what a comment says as numbers, names and codes, from which
  another job writes it.
- ``blocks.py``: the blocks of paired rows that changed most. ``profiles.py``: where the cost of profiles differs, for
  people and for programs.
- ``noise_floors.py``: lines of a settings file from a self-test; ``formats.py``: the formats that statera reads.
- ``tables.py``: tables beside those of lines, and how small ones are written; ``texts.py``: texts beside tables;
  ``names.py``: short forms of names.

Names come from strangers, and each view makes them harmless for where it is read. Rows are many: the compiled part
writes CSV, JSON and every cell. A view is imported when it is asked for, so that a small comparison starts fast.
"""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Final

    from statera import _native
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection

# The module and the function of each output.
_OF_COMPARISONS: Final = {
    "terminal": ("terminal", "page"),
    "markdown": ("markdown", "comment_on"),
    "csv": ("json", "comparison_table"),
    "json": ("json", "comparison_document"),
}
_OF_INSPECTIONS: Final = {
    "terminal": ("inspection", "page"),
    "markdown": ("inspection_markdown", "comment_on"),
    "csv": ("json", "inspection_table"),
    "json": ("json", "inspection_document"),
    "toml": ("noise_floors", "settings_file"),
}


class Layout(NamedTuple):
    """How a result is laid out; an output that has no use for a field ignores it."""

    width: int | None = None  # the width of the terminal in columns; None for lines of any length
    colour: bool = False  # whether verdicts are coloured
    sort: str = ""  # the order of the rows; empty for that of the output
    changed: bool = False  # whether only changed rows are shown
    every: bool = False  # whether all rows of large tables are shown, also those without a change
    raw: bool = False  # whether names in CSV stay unchanged, even if a spreadsheet would read them as formulas
    height: int = 0  # the lines of the terminal; 0 where the output is no terminal
    notes: bool = False  # whether all notes are shown
    method: bool = False  # whether the tests and their correction are named
    only: tuple[str, ...] = ()  # the verdicts whose rows are shown; empty for those that changed

    def rows(self, weighing: _native.Weighing, rows: list[int], sort: str) -> list[int]:
        """Return those of some rows that are shown, in their order, or in ``sort`` if the layout has none."""
        order = weighing.order(rows, self.sort or sort, self.changed)
        if not self.only:
            return order
        shown = frozenset(weighing.with_verdict([*self.only]))
        return [row for row in order if row in shown]

    @property
    def bold(self) -> tuple[str, str]:
        """What stands before and after bold words."""
        return ("\x1b[1m", "\x1b[0m") if self.colour else ("", "")


PLAIN: Final = Layout()
"""The layout without options."""


def comparison_as(found: Comparison, output: str, layout: Layout = PLAIN) -> str:
    """Write a comparison as ``terminal``, ``markdown``, ``csv`` or ``json``."""
    return _written(_OF_COMPARISONS[output], found, layout)


def inspection_as(found: Inspection, output: str, layout: Layout = PLAIN) -> str:
    """Write an inspection as ``terminal``, ``markdown``, ``csv`` or ``json``; a self-test also as ``toml``."""
    return _written(_OF_INSPECTIONS[output], found, layout)


def _written(writer: tuple[str, str], found: Comparison | Inspection, layout: Layout) -> str:
    module, function = writer
    text: str = getattr(__import__(f"statera.output.views.{module}", fromlist=[function]), function)(found, layout)
    return text
