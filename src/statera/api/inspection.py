"""An inspection as the library hands it out: one that can be written as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.results import inspection as results

if TYPE_CHECKING:
    from typing import Self


class Inspection(results.Inspection):
    """Benchmarks looked at one variant at a time, to tell whether they are fit to be compared, and its texts.

    Iterating gives an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB take the rows as a table through the Arrow PyCapsule interface.
    """

    @classmethod
    def of(cls, found: results.Inspection) -> Self:
        """Give a result its texts."""
        return cls(
            found.observations, found.arrangement, found.native, found.settings, found.notes, tested=found.self_test
        )

    def __repr__(self) -> str:
        """Write the inspection as the terminal shows it."""
        from statera.views import inspection  # noqa: PLC0415 - views are asked for, not built in

        return inspection.text(self)

    def _repr_html_(self) -> str:
        from statera.views import inspection_notebook  # noqa: PLC0415

        return inspection_notebook.text(self)

    def to_markdown(self) -> str:
        """Write the inspection for a pull request or an issue."""
        from statera.views import inspection_markdown  # noqa: PLC0415

        return inspection_markdown.text(self)

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows, or those of the self-test, as comma-separated values.

        Args:
            raw: leave names as they are that a spreadsheet would take for formulas.

        """
        from statera.views import inspection_csv  # noqa: PLC0415

        return inspection_csv.text(self, raw=raw)

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/inspect.md)."""
        from statera.views import inspection_json  # noqa: PLC0415

        return inspection_json.text(self)
