"""Data frames, Arrow tables and samples that stand in memory: their columns, and the files that a reader takes."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from datetime import timedelta
from math import isnan
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.reading import observations
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# Types of cells of which none is missing.
_WHOLE: Final = frozenset({str, int, bool})
_MISSING: Final = frozenset({"NAType", "NaTType"})
# As many integers a 64-bit float holds exactly; numpy stores this number where a duration is missing.
_EXACT: Final = 2**53
_NO_TIME: Final = -(2**63)

# Headers that the reader of tables takes for the names of benchmarks.
_NAMES: Final = frozenset({"benchmark", "name", "bench", "test"})


class Nanoseconds(int):
    """A duration."""


class Table(NamedTuple):
    """The columns of a table by name."""

    columns: dict[str, list[object]]  # the cells of each column
    labels: list[object] | None = None  # the texts of a row's index without a name; None without any
    # whether the last column is a sample: numbers whose name, if any, need not say what they are
    is_sample: bool = False

    @property
    def name(self) -> str:
        """The name of the last column."""
        return next(reversed(self.columns), "")

    def called(self, name: str) -> Table:
        """Give the values of a sample a name."""
        if not self.is_sample:
            return self
        *others, (_, values) = self.columns.items()
        return self._replace(columns={**dict(others), name: values})


def table_of(source: Any) -> Table:
    """Return the columns of a table, or of a sample.

    Raises ``TypeError`` if the source is neither, or its columns make no table.
    """
    if isinstance(source, Mapping):
        return _table(list(source.items()))
    if hasattr(source, "lazy") and hasattr(source, "collect"):  # a lazy frame of polars
        source = source.collect()
    if hasattr(source, "read_all"):  # a reader of pyarrow
        source = source.read_all()
    if hasattr(source, "to_pydict"):  # a table of pyarrow
        return _table(list(zip(source.schema.names, source.columns, strict=True)))
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):  # polars, pandas, DuckDB
        _check_names(source.columns)
        return _table([(name, source[name]) for name in source.columns], [source])
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        return _sample(source)
    raise TypeError(
        "write a path, a data frame, an Arrow table, a dictionary of columns or a list of numbers, "
        f"not {type(source).__name__}"
    )


def is_table(source: object) -> bool:
    """Return whether something that holds others is a table, and not a list of sources or numbers."""
    return isinstance(source, Mapping) or any(
        hasattr(type(source), name) for name in ("columns", "dtype", "schema", "type")
    )


def is_number(cell: object) -> bool:
    """Return whether a cell is a number or a duration."""
    return isinstance(cell, Real | timedelta) and not isinstance(cell, bool)


def _table(columns: list[tuple[Any, Any]], indexed: list[Any] | None = None) -> Table:
    """Return a table of columns, and of the index of a frame or of the columns."""
    _check_names([name for name, _ in columns])
    levels, labels = _index([column for _, column in columns] if indexed is None else indexed)
    named = [(_name(label), column) for label, column in columns]
    cells = {name: _cells(column, name) for name, column in named}
    found = {**{name: level for name, level in levels.items() if name not in cells}, **cells}
    lengths = {name: len(each) for name, each in found.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise TypeError(f"the columns of a table differ in length: {told}")
    # A library numbers columns that have no name.
    return Table(found, labels, is_sample=len(columns) == 1 and not isinstance(columns[0][0], str))


def _sample(source: Any) -> Table:
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) and name else "value"
    levels, labels = _index([source])
    values = _cells(source, name, is_sample=True)
    for place, cell in enumerate(values):
        if cell is not None and not is_number(cell):
            told = repr(cell) if isinstance(cell, str | bytes | bool) else "of type " + type(cell).__name__
            raise TypeError(
                f"write a list of numbers, a data frame or a dictionary of columns; element {place} of this "
                f"{type(source).__name__} is {told}"
            )
    levels.pop(name, None)
    return Table({**levels, name: values}, labels, is_sample=True)


def _name(label: object) -> str:
    """Return the name of a column; pandas labels a column of several levels with a tuple: `("time_ms", "mean")`."""
    if isinstance(label, tuple):
        return "_".join(text for text in map(str, label) if text)
    return str(label)


def _check_names(names: Iterable[object]) -> None:
    seen = set()
    for name in map(_name, names):
        if name in seen:
            raise TypeError(f"two columns of a table have the name {name!r}. Rename one, or leave it out")
        seen.add(name)


def _index(holders: list[Any]) -> tuple[dict[str, list[object]], list[object] | None]:
    """Return the named levels of the index of pandas, and the texts of a level without a name."""
    indexes = [holder.index for holder in holders if hasattr(getattr(holder, "index", None), "names")]
    found = [_levels(index) for index in indexes]
    if any(each != found[0] for each in found):
        raise TypeError("the columns of a table differ in their index. Make a DataFrame of them, which aligns them")
    return found[0] if found else ({}, None)


def _levels(index: Any) -> tuple[dict[str, list[object]], list[object] | None]:
    named: dict[str, list[object]] = {}
    labels: list[object] | None = None
    for number, name in enumerate(index.names):
        level = index.get_level_values(number)
        if name is not None:
            named[_name(name)] = _cells(level, _name(name))
        elif getattr(level.dtype, "kind", "O") not in "iuM":  # rows are numbered or dated
            texts = _cells(level, "index")
            if labels is not None or not all(isinstance(cell, str) for cell in texts):
                raise TypeError(
                    "the index of a table has no name. Name its levels, or drop them by reset_index(drop=True)"
                )
            labels = texts
    return named, labels or None


def _cells(column: Any, name: str, *, is_sample: bool = False) -> list[object]:
    """Return the cells as Python objects, which print with all digits."""
    cells = _listed(column, name)
    kinds = set(map(type, cells))
    if kinds <= _WHOLE or (kinds == {float} and not any(map(isnan, cells))):  # type: ignore[arg-type]
        return cells
    missing = {place for place, cell in enumerate(cells) if cell is None or type(cell).__name__ in _MISSING}
    gaps = {place for place, cell in enumerate(cells) if isinstance(cell, Real) and cell != cell}  # noqa: PLR0124
    rest = [cell for place, cell in enumerate(cells) if place not in missing | gaps]
    # NaN is a number, but pandas has it for a missing cell, and it is none among texts.
    if (
        not is_sample
        and gaps
        and (hasattr(column, "isna") or not all(isinstance(cell, Real) for cell in rest or [None]))
    ):
        missing |= gaps
        if all(isinstance(cell, float) and cell.is_integer() and abs(cell) < _EXACT for cell in rest):
            # Whole numbers became floats because one is missing.
            cells = [cell if place in missing else int(cell) for place, cell in enumerate(cells)]  # type: ignore[call-overload]
    cells = [None if place in missing else _in_nanoseconds(cell) for place, cell in enumerate(cells)]
    durations = sum(isinstance(cell, Nanoseconds) for cell in cells)
    if durations and durations + len(missing) < len(cells):
        raise TypeError(f"{name} holds durations and other values")
    return cells


def _listed(column: Any, name: str) -> list[object]:
    if hasattr(column, "fetchall"):  # DuckDB
        return [cell for (cell,) in column.fetchall()]
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise TypeError(f"the column {name} of a table must be a list, not {column!r}")
    given: Any = column
    kind = str(getattr(given, "dtype", ""))
    if kind.startswith("Duration"):  # polars, whose Python objects have no nanoseconds
        given = given.dt.total_nanoseconds()
        return [None if cell is None else Nanoseconds(cell) for cell in given.to_list()]
    if kind.startswith("timedelta64") and not hasattr(given, "isna"):  # numpy
        whole = given.astype("timedelta64[ns]").astype("int64").tolist()
        return [None if cell == _NO_TIME else Nanoseconds(cell) for cell in whole]
    if kind == "datetime64[ns]" and not hasattr(given, "isna"):
        given = given.astype("datetime64[us]")
    ways = (getattr(given, way, None) for way in ("tolist", "to_list", "to_pylist"))
    convert = next((way for way in ways if way), None)
    return list(convert() if convert else given)


def _in_nanoseconds(cell: object) -> object:
    if not isinstance(cell, timedelta):
        return cell
    # That of pandas knows nanoseconds, that of Python does not.
    exact = getattr(cell, "value", None)
    return Nanoseconds(exact if isinstance(exact, int) else cell // timedelta(microseconds=1) * 1000)


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

    ``form`` is the format that the caller asks for, and ``roles`` are (role, column) pairs.

    Raises ``TypeError`` if a source is neither a path nor a table nor numbers, or its columns make no table.
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
    tables = [_columns_or_path(source) for source in sources]
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


def _columns_or_path(source: object) -> Table | observations.Observations | str | os.PathLike[str]:
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
        raise TypeError("the index of a table has no name, and a column is called index. Name the index")
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
