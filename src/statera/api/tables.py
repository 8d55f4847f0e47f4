"""Tables and samples that stand in memory, for the functions that read files."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@contextmanager
def as_paths(sources: Sequence[object]) -> Iterator[tuple[str | os.PathLike[str], ...]]:
    """Yield paths for all sources: those given, and a CSV file for each table, named ``table 1`` and so on.

    Raises:
        TypeError: a source is neither a path nor a table nor numbers, or the columns of a table differ in length.

    """
    if all(isinstance(source, str | os.PathLike) for source in sources):
        yield tuple(sources)  # type: ignore[arg-type]
        return
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        yield tuple(_path(source, Path(folder), number) for number, source in enumerate(sources, 1))


def _path(source: Any, folder: Path, number: int) -> str | os.PathLike[str]:  # noqa: ANN401 - anything may be given
    if isinstance(source, str | os.PathLike):
        return source
    path = folder / f"table {number}.csv"
    columns = dict(_named(name, column) for name, column in _columns(source).items())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        try:
            writer.writerows(zip(*columns.values(), strict=True))
        except ValueError:
            lengths = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise TypeError(f"the columns of a table differ in length: {lengths}") from None
    return path


def _columns(source: Any) -> dict[str, list[object]]:  # noqa: ANN401 - anything may be given
    """Return the columns of a table by name; numbers alone are the values of one benchmark."""
    if isinstance(source, Mapping):
        return {str(name): _list(column) for name, column in source.items()}
    if hasattr(source, "to_pydict"):  # pyarrow
        return _columns(source.to_pydict())
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):  # polars, pandas, DuckDB
        return {str(name): _list(source[name]) for name in source.columns}
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        values = _list(source)
        if all(_is_number(value) for value in values):
            return {"benchmark": ["numbers"] * len(values), "value": values}
    kind = type(source).__name__
    raise TypeError(
        f"write a path, a data frame, an Arrow table, a dictionary of columns or a list of numbers, not {kind}"
    )


def _named(name: str, column: list[object]) -> tuple[str, list[object]]:
    """Return durations as nanoseconds, which the name then says."""
    if not any(isinstance(cell, timedelta) for cell in column):
        return name, column
    return f"{name} (ns)", [_nanoseconds(cell) if isinstance(cell, timedelta) else None for cell in column]


def _nanoseconds(duration: timedelta) -> int:
    # That of pandas knows nanoseconds, that of Python does not.
    exact = getattr(duration, "value", None)
    return exact if isinstance(exact, int) else duration // timedelta(microseconds=1) * 1000


def _list(column: Any) -> list[object]:  # noqa: ANN401 - any column
    """Return the cells as Python objects, which print with all digits."""
    if hasattr(column, "fetchall"):
        return [cell for (cell,) in column.fetchall()]
    convert = getattr(column, "tolist", None) or getattr(column, "to_list", None)
    return list(convert() if convert else column)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
