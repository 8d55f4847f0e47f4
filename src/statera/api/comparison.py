"""The comparison that the library returns: the result with methods that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.comparison.results import comparison as results
from statera.output import views

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Self

    from statera.output.report.material import Material


class Comparison(results.Comparison):
    """The rows of a comparison, the data behind them, and methods that write them.

    Iteration yields a ``Row`` at a time. ``polars.DataFrame(comparison)``, ``pyarrow.table(comparison)`` and DuckDB
    read the rows as a table through the Arrow PyCapsule interface.

    Attributes:
        answer: the answer in one line (``line``), and the row that speaks for each benchmark (``leads``).
        findings: the most important results, in sentences.
        notes: footnotes and notes: ``code``, ``text``, ``number`` and ``rows``.
        labels: the variants, the baseline first.
        policy: the thresholds and methods; ``settings`` also has the file that they come from.
        observations: the values; ``problems`` lists what the readers left out.

    """

    _gather: Callable[[], Material]

    @classmethod
    def of(cls, found: results.Comparison, gather: Callable[[], Material]) -> Self:
        """Add the methods that write to a result; ``gather`` gathers the material of its report."""
        made = cls(
            found.observations, found.arrangement, found.weighing, found.settings, found.notes, levels=found.levels
        )
        made._gather = gather
        return made

    def __repr__(self) -> str:
        """Write the comparison as in the terminal."""
        return views.comparison_as(self, "terminal")

    def _repr_html_(self) -> str:
        from statera.output.report import notebook  # noqa: PLC0415

        return notebook.comparison_fragment(self)

    def to_markdown(self, *, sort: str = "worst", changed: bool = False) -> str:
        """Write the comparison for a pull request, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``worst``, ``file``, ``name``, ``effect`` or ``p``.
            changed: leave out the rows that did not change.

        """
        return views.comparison_as(self, "markdown", views.Layout(sort=sort, changed=changed))

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.

        """
        return views.comparison_as(self, "csv", views.Layout(raw=raw))

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/json.md)."""
        return views.comparison_as(self, "json")

    def report(
        self,
        to: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        title: str = "",
        notes: str | PathLike[str] | None = None,
        atlas: bool = False,
    ) -> list[str]:
        """Write a report of the comparison, and return the names of all written files.

        Args:
            to: the file to write, or several; the name of each selects the kind, as in ``statera.output.report``.
            title: the title of the report.
            notes: a Markdown file with your own text.
            atlas: add the histogram, density and Q-Q plot of every benchmark.

        Raises:
            Stop: a file cannot be written.

        """
        from statera.api import reporting  # noqa: PLC0415

        inputs = [source.name for source in self.observations.sources]
        return reporting.write(self._gather, to, inputs=inputs, title=title, notes=notes, atlas=atlas)
