"""Common base of comparisons and inspections: rows and the data behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod

from statera.support.typed import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from statera.comparison.pairing import Arrangement
    from statera.comparison.verdicts import Note
    from statera.reading.observations import Observations
    from statera.support.errors import Problem
    from statera.support.settings.provenance import Settings

R = TypeVar("R")


class Native(Protocol):
    """The rows as the compiled part holds them."""

    def __len__(self) -> int:
        """Count the rows."""

    def row_dict(self, index: int) -> dict[str, Any]:
        """Return the fields of a row."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the rows as columns."""


class Rows(ABC, Generic[R]):
    """Rows, one at a time or as a table, and the data that they were computed from."""

    def __init__(
        self,
        native: Native,
        observations: Observations,
        arrangement: Arrangement,
        settings: Settings,
        notes: list[Note],
    ) -> None:
        self._rows = native
        self.observations = observations
        self.arrangement = arrangement
        self.settings = settings
        self.policy = settings.policy
        self.notes = notes

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    def __getitem__(self, index: int) -> R:
        """Return a row as an object."""
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no row {index}; there are {len(self)}")
        return self._row(self._rows.row_dict(place))

    @abstractmethod
    def _row(self, fields: dict[str, Any]) -> R:
        """Build the object of a row from its fields."""

    def __iter__(self) -> Iterator[R]:
        """Iterate over the rows."""
        return (self[index] for index in range(len(self)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the rows as columns (Arrow PyCapsule interface)."""
        return self._rows.__arrow_c_stream__(requested_schema)

    @property
    def labels(self) -> list[str]:
        """The labels of the variants; in a comparison, the baseline is the first."""
        return self.arrangement.labels

    @property
    def problems(self) -> list[Problem]:
        """The problems of reading, such as values that were left out."""
        return self.observations.problems
