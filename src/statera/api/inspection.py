"""The inspection that the library returns: the result with methods that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.comparison.results import inspection as results
from statera.output import views
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Self

    from statera.output.report.material import Material


class Inspection(results.Inspection):
    """Benchmarks of each variant, inspected to decide whether they can be compared, with methods that write them.

    Iteration yields an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB read the rows as a table through the Arrow PyCapsule interface.

    Attributes:
        self_test: the build compared with itself; None without ``aa``.
        findings: the most important results, in sentences.
        notes: footnotes and notes: ``code``, ``text``, ``number`` and ``rows``.
        policy: the thresholds and methods; ``settings`` also has the file that they come from.
        observations: the values; ``problems`` lists what the readers left out.

    """

    _gather: Callable[[], Material]

    @classmethod
    def of(cls, found: results.Inspection, gather: Callable[[], Material]) -> Self:
        """Add the methods that write to a result; ``gather`` gathers the material of its report."""
        made = cls(
            found.observations, found.arrangement, found.native, found.settings, found.notes, tested=found.self_test
        )
        made._gather = gather
        return made

    def __repr__(self) -> str:
        """Write the inspection as in the terminal."""
        return views.inspection_as(self, "terminal")

    def _repr_html_(self) -> str:
        from statera.output.report import notebook  # noqa: PLC0415

        return notebook.inspection_fragment(self)

    def to_markdown(self, *, sort: str = "defects") -> str:
        """Write the inspection for a pull request or an issue, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``defects``, ``file`` or ``name``.

        """
        return views.inspection_as(self, "markdown", views.Layout(sort=sort))

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows, or those of the self-test, as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.

        """
        return views.inspection_as(self, "csv", views.Layout(raw=raw))

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/inspect.md)."""
        return views.inspection_as(self, "json")

    def report(
        self,
        to: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        title: str = "",
        notes: str | PathLike[str] | None = None,
        atlas: bool = False,
    ) -> list[str]:
        """Write a report of the inspection, and return the names of all written files.

        Args:
            to: the file to write, or several; the name of each selects the kind, as in ``statera.output.report``.
            title: the title of the report.
            notes: a Markdown file with your own text.
            atlas: add the histogram, density and Q-Q plot of every benchmark.

        Raises:
            Stop: a file cannot be written.

        """
        from statera.api import reporting  # noqa: PLC0415

        if self.self_test is not None:
            raise Stop("bad-option", "a report does not show a self-test; inspect without aa=True")
        inputs = [source.name for source in self.observations.sources]
        return reporting.write(self._gather, to, inputs=inputs, title=title, notes=notes, atlas=atlas)
