"""The comparison that the library returns: the result with methods that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.results import comparison as results

if TYPE_CHECKING:
    from typing import Self


class Comparison(results.Comparison):
    """The rows of a comparison, the data behind them, and methods that write them.

    Iteration yields a ``Row`` at a time. ``polars.DataFrame(comparison)``, ``pyarrow.table(comparison)`` and DuckDB
    read the rows as a table through the Arrow PyCapsule interface.
    """

    @classmethod
    def of(cls, found: results.Comparison) -> Self:
        """Add the methods that write to a result."""
        return cls(
            found.observations, found.arrangement, found.weighing, found.settings, found.notes, levels=found.levels
        )

    def __repr__(self) -> str:
        """Write the comparison as in the terminal."""
        from statera.views import terminal  # noqa: PLC0415 - views are loaded on use

        return terminal.text(self, terminal.Look())

    def _repr_html_(self) -> str:
        from statera.views import notebook  # noqa: PLC0415

        return notebook.text(self)

    def to_markdown(self, *, sort: str = "worst", changed: bool = False) -> str:
        """Write the comparison for a pull request, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``worst``, ``file``, ``name``, ``effect`` or ``p``.
            changed: leave out the rows that did not change.

        """
        from statera.views import markdown  # noqa: PLC0415

        return markdown.text(self, sort, changed=changed)

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.

        """
        from statera.views import csv  # noqa: PLC0415

        return csv.text(self, raw=raw)

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/json.md)."""
        from statera.views import json  # noqa: PLC0415

        return json.text(self)
