"""The inspection that the library returns: the result with methods that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.results import inspection as results

if TYPE_CHECKING:
    from typing import Self


class Inspection(results.Inspection):
    """Benchmarks of each variant, inspected to decide whether they can be compared, with methods that write them.

    Iteration yields an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB read the rows as a table through the Arrow PyCapsule interface.
    """

    @classmethod
    def of(cls, found: results.Inspection) -> Self:
        """Add the methods that write to a result."""
        return cls(
            found.observations, found.arrangement, found.native, found.settings, found.notes, tested=found.self_test
        )

    def __repr__(self) -> str:
        """Write the inspection as in the terminal."""
        from statera.views import inspection  # noqa: PLC0415 - views are loaded on use

        return inspection.text(self)

    def _repr_html_(self) -> str:
        from statera.views import inspection_notebook  # noqa: PLC0415

        return inspection_notebook.text(self)

    def to_markdown(self, *, sort: str = "defects") -> str:
        """Write the inspection for a pull request or an issue, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``defects``, ``file`` or ``name``.

        """
        from statera.views import inspection_markdown  # noqa: PLC0415

        return inspection_markdown.text(self, sort)

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows, or those of the self-test, as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.

        """
        from statera.views import inspection_csv  # noqa: PLC0415

        return inspection_csv.text(self, raw=raw)

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/inspect.md)."""
        from statera.views import inspection_json  # noqa: PLC0415

        return inspection_json.text(self)
