"""Engines that run the analysis of a cluster's events: all run the same SQL; one module per engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

T = TypeVar("T")


class Engine(Protocol):
    """An engine: tables with names, and queries over them."""

    most_held: int  # the most values to hold in memory at once; larger columns are sorted on disk
    most_columns: int  # the best number of columns per query of quantiles

    def read(self, name: str, paths: Sequence[Path], columns: Mapping[str, str]) -> None:
        """Define a table over Parquet files; without files it is empty and has these columns (name: SQL type)."""

    def put(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
        """Create a small table from rows; ``columns`` maps each column to its SQL type."""

    def series(self, name: str, column: str, first: int, last: int) -> None:
        """Define a table of the whole numbers from ``first`` to ``last``; empty if ``last`` is less."""

    def store(self, name: str, query: str) -> None:
        """Write the result of a query as table ``name``."""

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query as table ``name`` until the end."""

    def view(self, name: str, query: str) -> None:
        """Define a view, a query with a name."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; each ``?`` in it is replaced by one of ``values``."""

    def rows_of_all(self, queries: Sequence[str], beside: int) -> list[list[tuple[Any, ...]]]:
        """Return the rows of each of several queries; ``beside`` of them may run in parallel."""

    def ordered(self, query: str, places: Sequence[int]) -> list[float]:
        """Sort the one column of a query, ``value``, on disk; return its values at places, counted from 0."""


@runtime_checkable
class ColumnEngine(Engine, Protocol):
    """An engine that exports columns: statistics of columns are several times as fast as those of queries."""

    def columns_of_all(self, queries: Sequence[str], beside: int, take: Callable[[object], T]) -> list[T]:
        """Pass the result of each of several queries to ``take``, as a table that exports Arrow."""
