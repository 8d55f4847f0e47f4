"""The tests over all variants in a terminal: in the order of the rows, of many only the first."""

from __future__ import annotations

from statera import _native
from statera.output.views.apart import shortened
from statera.output.views.columns import aligned
from statera.output.views.factors import omnibus_rows
from statera.output.views.shown_rows import screen
from statera.output.views.terminal import BOLD, folded
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.views.terminal import Look

_LEAST_NAME = 16


def table(comparison: Comparison, section: tuple[int, int], prefix: str, look: Look) -> str:
    """Write the tests over all variants of a group and metric; ``prefix`` is what a heading says of all names."""
    head, *tests = omnibus_rows(comparison, *section, look.sort) or [[]]
    if not tests:
        return ""
    rows = [head, *([name.removeprefix(prefix), *cells] for name, *cells in tests[: screen(len(tests), look)])]
    left = len(tests) + 1 - len(rows)
    said = f"not shown: {counted(left, 'test')} over all variants; --all-rows shows them" if left else ""
    made = aligned(_fitting(rows, look.width), left=2, bold=BOLD if look.colour else ("", ""))
    return f"\n{made}" + (f"{folded(said, look.width)}\n" if said else "")


def _fitting(rows: list[list[str]], width: int | None) -> list[list[str]]:
    """Shorten the names until a line fits."""
    if width is None:
        return rows
    others = sum(2 + max(map(_native.columns, cells)) for cells in list(zip(*rows, strict=True))[1:])
    names = [row[0] for row in rows[1:]]
    short = shortened(names, max(width - others, _LEAST_NAME))
    return [rows[0], *([short.get(name, name), *cells] for name, *cells in rows[1:])]
