"""The result of an inspection: rows as typed objects, as an Arrow table, as text; and the self-test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.results.base import Rows
from statera.results.inspection_row import Inspected, SelfTest, self_test_of

if TYPE_CHECKING:
    from statera import _native
    from statera.observations import Observations
    from statera.pairing import Arrangement
    from statera.settings.provenance import Settings
    from statera.verdicts import Note


class InspectedSection(NamedTuple):
    """The rows of one group and metric, with what they have in common."""

    group: int
    metric: int
    rows: list[int]
    summary: _native.InspectionSummary


class Inspection(Rows[Inspected]):
    """Benchmarks looked at one variant at a time, to tell whether they are fit to be compared.

    Iterating gives an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB take the rows as a table through the Arrow PyCapsule interface.
    """

    def __init__(
        self,
        observations: Observations,
        arrangement: Arrangement,
        native: _native.Inspection,
        settings: Settings,
        notes: list[Note],
        *,
        tested: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(native, observations, arrangement, settings, notes)
        self.native = native
        self.self_test: SelfTest | None = None if tested is None else self_test_of(tested)

    def _row(self, fields: dict[str, Any]) -> Inspected:
        return Inspected(**fields)

    def __repr__(self) -> str:
        """Write the inspection as the terminal shows it."""
        from statera.views import inspection  # noqa: PLC0415 - views are asked for, not built in

        return inspection.text(self)

    def _repr_html_(self) -> str:
        from statera.views import inspection_notebook  # noqa: PLC0415

        return inspection_notebook.text(self)

    @property
    def findings(self) -> list[str]:
        """The things that matter most, in sentences."""
        from statera.verdicts import inspection, self_test  # noqa: PLC0415

        if self.self_test is not None:
            return self_test.findings(self.self_test, self.policy)
        return inspection.findings(self.native)

    def sections(self) -> list[InspectedSection]:
        """Give the rows by group and metric, times first."""
        return [InspectedSection(g, m, rows, self.native.summary(rows)) for g, m, rows in self.native.sections()]

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
