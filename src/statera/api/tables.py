"""Tables and samples that stand in memory, for the functions that read files."""

from __future__ import annotations

import csv
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.api.columns import Nanoseconds, Table, table_of
from statera.reading import observations
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Headers that the reader of tables takes for the names of benchmarks.
_NAMES: Final = frozenset({"benchmark", "name", "bench", "test"})


class Given(NamedTuple):
    """What is read: paths, their format, and for the file of each table the name that a user sees."""

    paths: tuple[str | os.PathLike[str], ...]
    format: str | None
    names: dict[str, str]

    def name(self, read: observations.Observations) -> observations.Observations:
        """Call the tables by their names in what was read."""
        read.names = self.names
        return read


@contextmanager
def as_paths(sources: Sequence[object], form: str | None, roles: Sequence[tuple[str, str]]) -> Iterator[Given]:
    """Yield paths for all sources: those given, and a CSV file for each table, named ``table 1`` and so on.

    Args:
        sources: paths, tables and samples.
        form: the format that the caller asks for.
        roles: (role, column) pairs of the caller.

    Raises:
        TypeError: a source is neither a path nor a table nor numbers, or its columns make no table.

    """
    if all(isinstance(source, str | os.PathLike) for source in sources):
        yield Given(tuple(sources), form, {})  # type: ignore[arg-type]
        return
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        given = _written(sources, Path(folder), form, has_names="benchmark" in dict(roles))
        try:
            yield given
        except Stop as stop:
            text = str(stop)
            for path, name in given.names.items():
                text = text.replace(path, name)
            raise Stop(stop.code, text) from None


def _written(sources: Sequence[object], folder: Path, form: str | None, *, has_names: bool) -> Given:
    """Write each table to a file; where there are only tables, nothing is guessed from their texts."""
    tables = [_table(source) for source in sources]
    header = _header({each.name for each in tables if isinstance(each, Table) and each.is_sample}, folder)
    paths: list[str | os.PathLike[str]] = []
    names = {}
    for number, table in enumerate(tables, 1):
        if not isinstance(table, Table | observations.Observations):
            paths.append(table)
            continue
        path = folder / f"table {number}.csv"
        names[str(path)] = path.stem
        paths.append(path)
        if isinstance(table, observations.Observations):
            table.write(path, "csv", raw=True)
        else:
            _write(path, _columns(table.called(header), has_names=has_names))
    return Given(tuple(paths), form or ("csv" if len(names) == len(paths) else None), names)


def _table(source: object) -> Table | observations.Observations | str | os.PathLike[str]:
    return source if isinstance(source, str | os.PathLike | observations.Observations) else table_of(source)


def _header(names: set[str], folder: Path) -> str:
    """Return the name that all samples bear if it says what they are, as ``rps`` does; otherwise ``value``."""
    name = names.pop() if len(names) == 1 else ""
    if not name or name.lower() in _NAMES:
        return "value"
    path = folder / "header.csv"
    _write(path, {"benchmark": ["numbers"], name: [1]})
    try:
        return name if len(observations.read([path], format="csv")) else "value"
    except Stop:
        return "value"


def _columns(table: Table, *, has_names: bool) -> dict[str, list[object]]:
    """Return the columns with names of benchmarks: nothing but numbers is one benchmark, or one for each row label."""
    columns, labels = table.columns, table.labels
    is_bare = all(isinstance(cell, int | float | None) for cells in columns.values() for cell in cells)
    if is_bare and not has_names and _NAMES.isdisjoint(name.strip().lower() for name in columns):
        count = len(next(iter(columns.values()), []))
        return {"benchmark": labels or ["numbers"] * count, **columns}
    if labels and "index" in columns:
        raise TypeError("the index of a table has no name, and a column is called index; name the index")
    return {"index": labels, **columns} if labels else columns


def _write(path: Path, columns: dict[str, list[object]]) -> None:
    named = {
        f"{name} (ns)" if any(isinstance(cell, Nanoseconds) for cell in cells) else name: cells
        for name, cells in columns.items()
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        # A name that begins as a comment does is quoted.
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(named)
        writer.writerows(zip(*named.values(), strict=True))
