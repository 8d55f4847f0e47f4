"""DuckDB, embedded: tables are Parquet files in one directory, sorts and joins spill to disk."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self, TypeVar

from statera.engines.interruption import put_off
from statera.engines.memory import size
from statera.engines.reach import Reach
from statera.errors import Stop
from statera.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

MEMORY = "1GiB"
"""Default limit: an analysis runs beside other work on a laptop, and larger tables spill to disk all the same."""

# Columns of times and measurements hardly repeat: looking for repetition costs more than it saves.
_PARQUET = "FORMAT parquet, COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 1"


# Nothing is fetched, and a name in a path is never a value.
_SETTINGS = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
_READ = "hive_partitioning = FALSE"

T = TypeVar("T")


class DuckDB:
    """A connection whose tables live in a directory.

    A table is a Parquet file there, written under another name first, so that a file of a table's name is whole. No
    file is opened outside that directory and those of ``sources``, which may be read.
    """

    most_held = 20_000_000
    """Values that memory may hold at once."""
    most_columns = 1
    """Whose quantiles one query finds: its last step runs on one core, so several run beside each other."""

    def __init__(self, tables: Path, *, memory: str = MEMORY, threads: int = 0, sources: Sequence[Path] = ()) -> None:
        try:
            # Its start-up takes an exception for a defect of its own, and aborts.
            with put_off():
                import duckdb  # noqa: PLC0415 - only those who analyse clusters have it
        except ImportError:
            raise Stop(
                "needs-extra", "this needs DuckDB, which is not installed: pip install 'statera[cluster]'"
            ) from None
        limit = size(memory)
        # Of an interruption DuckDB tells by either, depending on what it is at.
        self._errors: tuple[type[Exception], ...] = (duckdb.Error, RuntimeError)
        self._cores = threads or os.cpu_count() or 1
        self._tables = tables
        self._spill = tables / ".spill"
        self._sources: list[Path] = []
        settings: dict[str, Any] = {**_SETTINGS, "memory_limit": f"{limit}B", "preserve_insertion_order": False}
        if threads:
            settings["threads"] = threads
        try:
            tables.mkdir(parents=True, exist_ok=True)
            self._reach = Reach([tables, *(source for source in sources if source.is_dir())])
        except OSError as error:
            raise outputs.failure(error.filename or tables, error) from None
        try:
            spill = self._reach.name(self._spill)
            self._connection = duckdb.connect(config={**settings, "temp_directory": spill})
        except self._errors as error:
            self._reach.close()
            raise Stop("bad-option", f"--memory {memory}: {error}") from None
        try:
            self._shut()
        except BaseException:
            self.close()
            raise

    def _shut(self) -> None:
        """Leave it the directories that are open, and no way to change that."""
        self._do("SET allow_community_extensions = FALSE")
        self._do(f"SET allowed_directories = [{', '.join(map(_text, self._reach.directories()))}]")
        self._do("SET enable_external_access = FALSE")
        self._do("SET lock_configuration = TRUE")

    def __enter__(self) -> Self:
        """Give the engine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close, and take away what was spilled."""
        self.close()

    def close(self) -> None:
        """Close, and take away what was spilled."""
        self._connection.close()
        self._reach.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def read(self, name: str, paths: Sequence[Path], columns: Mapping[str, str]) -> None:
        """Make Parquet files one table; without any file an empty one of these columns (name: SQL type)."""
        if paths:
            self._sources += paths
            files = ", ".join(map(self._file, paths))
            wanted = ", ".join(f'"{column}"' for column in columns)
            self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT {wanted} FROM read_parquet([{files}], {_READ})")
        else:
            self.put(name, columns, [])

    def put(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
        """Make a small table of rows; ``columns`` says each column's SQL type."""
        declared = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        self._do(f"CREATE OR REPLACE TABLE {name} ({declared})")
        held = list(zip(*rows, strict=True))
        if held:
            lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in columns.values())
            self._do(f"INSERT INTO {name} SELECT {lists}", [list(column) for column in held])

    def series(self, name: str, column: str, first: int, last: int) -> None:
        """Make a table of the whole numbers from ``first`` to ``last``; empty where ``last`` is less."""
        self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT range AS {column} FROM range({first}, {last} + 1)")

    def store(self, name: str, query: str) -> None:
        """Write what a query gives as table ``name``."""
        path, part = self.path(name), self._tables / f"{name}.part"
        self._do(f"COPY ({query}) TO {self._file(part)} ({_PARQUET})")
        part.replace(path)
        self.open(name)

    def open(self, name: str) -> None:
        """Open a table that stands in the directory."""
        file = self._file(self.path(name))
        self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet({file}, {_READ})")

    def keep(self, name: str, query: str) -> None:
        """Hold what a query gives as table ``name`` until the end, in memory as far as it fits."""
        self._do(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def view(self, name: str, query: str) -> None:
        """Name a query."""
        self._do(f"CREATE OR REPLACE VIEW {name} AS {query}")

    def path(self, name: str) -> Path:
        """Give the file of a table."""
        return self._tables / f"{name}.parquet"

    def columns(self, name: str) -> dict[str, str]:
        """Give the columns of a table, and their SQL types."""
        return {column: kind for column, kind, *_ in self._do(f"DESCRIBE {name}").fetchall()}

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Give the rows of a query; a ``?`` in it stands for each of the values."""
        return list(self._do(query, list(values)).fetchall())

    def arrays(self, query: str) -> dict[str, Any]:
        """Give the columns of a query as NumPy arrays; nulls, of which whole numbers may have none, are NaN."""
        return {name: _plain(column) for name, column in self._do(query).fetchnumpy().items()}

    def rows_of_all(self, queries: Sequence[str], beside: int) -> list[list[tuple[Any, ...]]]:
        """Give the rows of each of several queries, of which so many may run beside each other."""
        with ThreadPoolExecutor(min(self._cores, beside)) as pool:
            return list(pool.map(self._rows_apart, queries))

    def columns_of_all(self, queries: Sequence[str], beside: int, take: Callable[[object], T]) -> list[T]:
        """Hand the rows of each of several queries to ``take``, as a table that exports Arrow."""
        with ThreadPoolExecutor(min(self._cores, beside)) as pool:
            return list(pool.map(lambda query: self._take_apart(query, take), queries))

    def ordered(self, query: str, places: Sequence[int]) -> list[float]:
        """Put the one column of a query in ascending order and give its values at places, counted from 0; on disk."""
        part = self._tables / "ordered.part"
        try:
            self._do(f"COPY (SELECT value FROM ({query}) ORDER BY value) TO {self._file(part)} (FORMAT parquet)")
            wanted = ", ".join(map(str, places))
            found = self.rows(
                f"SELECT file_row_number, value FROM read_parquet({self._file(part)}, file_row_number = TRUE, {_READ}) "
                f"WHERE file_row_number IN ({wanted})"
            )
        finally:
            part.unlink(missing_ok=True)
        of = dict(found)
        return [of[place] for place in places]

    def _file(self, path: Path) -> str:
        """Write a file as an SQL literal that is no pattern."""
        return _text(self._reach.name(path))

    def _rows_apart(self, query: str) -> list[tuple[Any, ...]]:
        try:
            with self._connection.cursor() as cursor:
                return list(cursor.execute(query).fetchall())
        except self._errors as error:
            raise self._meaning(error) from None

    def _take_apart(self, query: str, take: Callable[[object], T]) -> T:
        try:
            with self._connection.cursor() as cursor:
                return take(cursor.sql(query))
        except self._errors as error:
            raise self._meaning(error) from None
        except ValueError as error:
            # What goes wrong while rows are handed over has lost its class.
            raise self._unusable(self._reach.said(str(error))) from None

    def _do(self, query: str, values: Sequence[object] | None = None) -> Any:  # noqa: ANN401 - a relation
        try:
            return self._connection.execute(query, values)
        except self._errors as error:
            raise self._meaning(error) from None

    def _meaning(self, error: Exception) -> BaseException:
        """Tell what a person can mend from what is a mistake in a query."""
        first = self._reach.said(str(error).split("\n", 1)[0])
        if "interrupted" in first.lower():
            return KeyboardInterrupt()
        match type(error).__name__:
            case "IOException" | "InvalidInputException" | "OutOfMemoryException" if _is_full(str(error)):
                return Stop("disk-full", f"{self._tables}: {first}; make room and run it again")
            case "OutOfMemoryException":
                return Stop("out-of-memory", f"{first}; give more with --memory")
            case "ConversionException" | "OutOfRangeException":
                return OverflowError(first)
            # What a damaged file is taken to hold may fail in any place; such an error has no class of its own.
            case "IOException" | "InvalidInputException" | "SerializationException" | "Error":
                return self._unusable(first)
            case _:
                return error

    def _unusable(self, message: str) -> Stop:
        """Say how to have a damaged table made anew; what was read from elsewhere would be taken again as it is."""
        named = [path.parent for path in self._sources if str(path) in message]
        if not named and str(self._tables) not in message:
            named = [path.parent for path in self._sources]
        first = f"delete {os.path.commonpath(named)} and " if named else ""
        return Stop("tables-unusable", f"{self._tables}: {message}; {first}analyse the run again")


def _plain(column: Any) -> Any:  # noqa: ANN401 - arrays, of which those that may hold nulls have a mask
    mask = getattr(column, "mask", None)
    if mask is None:
        return column
    return column.filled(float("nan")) if mask.any() else column.data


def _is_full(message: str) -> bool:
    """Tell a disk (or a quota, or a limit on the size of files) that is full, also where it was spilled to."""
    return any(
        words in message for words in ("No space left", "File too large", "Disk quota", "max_temp_directory_size")
    )


def _text(value: str) -> str:
    """Write a text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"
