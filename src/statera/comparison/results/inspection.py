"""The result of an inspection: rows as typed objects and as an Arrow table, and the self-test."""

from __future__ import annotations

from statera.comparison.results.comparison import Rows
from statera.comparison.verdicts.inspection import findings, self_test_findings
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from statera import _native
    from statera.comparison.pairing import Arrangement
    from statera.comparison.results.rows import Inspected
    from statera.comparison.verdicts import Note
    from statera.comparison.weighing.self_test import SelfTest
    from statera.reading.observations import Observations
    from statera.support.settings.file import Settings


class InspectedSection(NamedTuple):
    """The rows of one group and metric, with their summary."""

    group: int
    metric: int
    rows: list[int]
    summary: _native.InspectionSummary


class Inspection(Rows["Inspected"]):
    """Benchmarks of each variant, inspected to decide whether they are fit to be compared.

    Iteration yields an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB read the rows as a table through the Arrow PyCapsule interface.
    """

    def __init__(
        self,
        observations: Observations,
        arrangement: Arrangement,
        native: _native.Inspection,
        settings: Settings,
        notes: list[Note],
        *,
        tested: SelfTest | None = None,
    ) -> None:
        super().__init__(native, observations, arrangement, settings, notes)
        self.native = native
        self.self_test = tested

    def _row(self, fields: dict[str, Any]) -> Inspected:
        from statera.comparison.results.rows import Inspected  # noqa: PLC0415 - as that of a comparison

        return Inspected(**fields)

    @property
    def findings(self) -> list[str]:
        """The most important results, in sentences."""
        return findings(self.native) if self.self_test is None else self_test_findings(self.self_test, self.policy)

    def sections(self) -> list[InspectedSection]:
        """Return the rows by group and metric, times first."""
        return [InspectedSection(g, m, rows, self.native.summary(rows)) for g, m, rows in self.native.sections()]
