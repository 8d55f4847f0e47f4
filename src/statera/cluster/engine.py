"""The engine DuckDB, embedded: tables are Parquet files in one directory; sorts and joins spill to disk."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from statera.support.closing import Closing
from statera.support.errors import Stop
from statera.support.extras import advice
from statera.support.files import outputs
from statera.support.interruption import put_off
from statera.support.settings.limits import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Final


LEAST: Final = 16 * 2**20
"""The least memory, in bytes, with which an engine starts."""
_MOST: Final = 2**50


def size(memory: str) -> int:
    """Return the bytes of a size such as ``1GiB``, ``1.5 GB`` or ``4G``.

    Raises ``Stop`` if the text is not a size, or the size is out of range.
    """
    number = parse_size(memory)
    if number is None:
        raise Stop("bad-option", f"--memory {memory}: not a size. Write for instance 512MiB, 2GiB or 4GB")
    if not LEAST <= number <= _MOST:
        raise Stop("bad-option", f"--memory {memory}: must be from {LEAST // 2**20} MiB to {_MOST // 2**40} TiB")
    return number


_DESCRIPTORS: Final = "/proc/self/fd"
# The characters of names that statera chooses (`directories.directory_name`): none is special anywhere.
_PLAIN_NAME: Final = re.compile(r"[\w %~.-]+", re.ASCII)


class Reach:
    """Directories that stay open until ``close``. Raises ``OSError`` if a directory cannot be opened."""

    def __init__(self, directories: Sequence[Path]) -> None:
        self._open: dict[Path, int] = {}
        try:
            for directory in directories:
                if directory not in self._open:
                    self._open[directory] = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except BaseException:
            self.close()
            raise
        if not all(Path(directory).is_dir() for directory in self.directories()):
            self.close()
            raise Stop(
                "system-error",
                f"{_DESCRIPTORS}: the directories of the analysis cannot be found there, and DuckDB opens no others. "
                "Mount /proc",
            )

    def close(self) -> None:
        """Close the directories."""
        while self._open:
            os.close(self._open.popitem()[1])

    def directories(self) -> list[str]:
        """Return the paths of the directories for the library."""
        return [f"{_DESCRIPTORS}/{number}" for number in self._open.values()]

    def name(self, path: Path) -> str:
        """Return the path for the library of a file below one of the directories."""
        for directory, number in self._open.items():
            if path.is_relative_to(directory):
                names = path.relative_to(directory).parts
                if names and all(_PLAIN_NAME.fullmatch(name) and name not in {".", ".."} for name in names):
                    return "/".join((_DESCRIPTORS, str(number), *names))
        raise ValueError(f"{path} is not below a directory that is open")

    def said(self, message: str) -> str:
        """Replace the paths for the library in its message by the real paths."""
        for directory, number in self._open.items():
            message = re.sub(rf"/proc/(self|\d+)/fd/{number}(?!\d)", lambda _, name=directory: str(name), message)  # type: ignore[misc]
        return message


MEMORY = "1GiB"
"""The default limit suits a laptop that does other work as well; larger tables spill to disk anyway."""

# Times and measurements hardly repeat: a dictionary of them costs more than it saves.
_PARQUET = "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 1"


# DuckDB downloads nothing, and takes no values from the names in a path.
_SETTINGS = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
_READ = "hive_partitioning = FALSE"

T = TypeVar("T")


class DuckDB(Closing):
    """A connection whose tables are files in a directory.

    A table is a Parquet file, written under another name first, so that a file with a table's name is complete. DuckDB
    opens no file outside this directory and those of ``sources``, which it may read.
    """

    most_held = 20_000_000
    """The most values to hold in memory at once."""

    def __init__(self, tables: Path, *, memory: str = MEMORY, threads: int = 0, sources: Sequence[Path] = ()) -> None:
        try:
            # DuckDB aborts if an exception is raised while it starts.
            with put_off():
                import duckdb
        except ImportError:
            raise Stop("needs-extra", f"this needs DuckDB, which is not installed. {advice('cluster')}") from None
        limit = size(memory)
        # DuckDB reports an interruption by either class, depending on what it is doing.
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
        """Restrict DuckDB to the open directories, and lock this setting."""
        self._do("SET allow_community_extensions = FALSE")
        self._do(f"SET allowed_directories = [{', '.join(map(_text, self._reach.directories()))}]")
        self._do("SET enable_external_access = FALSE")
        self._do("SET lock_configuration = TRUE")

    def close(self) -> None:
        """Close the connection, and delete spilled data."""
        self._connection.close()
        self._reach.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def read(self, name: str, paths: Sequence[Path], columns: Mapping[str, str]) -> None:
        """Define a table over Parquet files; without files it is empty and has these columns (name: SQL type)."""
        if paths:
            self._sources += paths
            files = ", ".join(map(self._file, paths))
            wanted = ", ".join(f'"{column}"' for column in columns)
            self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT {wanted} FROM read_parquet([{files}], {_READ})")
        else:
            self.put(name, columns, [])

    def put(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
        """Create a small table from rows; ``columns`` maps each column to its SQL type."""
        declared = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        self._do(f"CREATE OR REPLACE TABLE {name} ({declared})")
        held = list(zip(*rows, strict=True))
        if held:
            lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in columns.values())
            self._do(f"INSERT INTO {name} SELECT {lists}", [list(column) for column in held])

    def series(self, name: str, column: str, first: int, last: int) -> None:
        """Define a table of the whole numbers from ``first`` to ``last``; empty if ``last`` is less."""
        self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT range AS {column} FROM range({first}, {last} + 1)")

    def store(self, name: str, query: str) -> None:
        """Write the result of a query as table ``name``."""
        path, part = self.path(name), self._tables / f"{name}.part"
        self._do(f"COPY ({query}) TO {self._file(part)} ({_PARQUET})")
        part.replace(path)
        self.open(name)

    def open(self, name: str) -> None:
        """Open a table that the directory holds."""
        file = self._file(self.path(name))
        self._do(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet({file}, {_READ})")

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query as table ``name`` until the end, in memory as far as it fits."""
        self._do(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def view(self, name: str, query: str) -> None:
        """Define a view, a query with a name."""
        self._do(f"CREATE OR REPLACE VIEW {name} AS {query}")

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self._tables / f"{name}.parquet"

    def columns(self, name: str) -> dict[str, str]:
        """Return the columns of a table with their SQL types."""
        return {column: kind for column, kind, *_ in self._do(f"DESCRIBE {name}").fetchall()}

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; each ``?`` in it is replaced by one of ``values``."""
        return list(self._do(query, list(values)).fetchall())

    def arrays(self, query: str) -> dict[str, Any]:
        """Return the columns of a query as NumPy arrays; nulls become NaN; columns of whole numbers must have none."""
        return {name: _plain(column) for name, column in self._do(query).fetchnumpy().items()}

    def each(self, queries: Sequence[str], beside: int, take: Callable[[Any], T]) -> list[T]:
        """Pass the result of each of several queries to ``take``; ``beside`` of them may run in parallel.

        A result exports Arrow, and ``fetchall`` returns its rows.
        """
        with ThreadPoolExecutor(min(self._cores, beside)) as pool:
            return list(pool.map(lambda query: self._take_apart(query, take), queries))

    def ordered(self, query: str, places: Sequence[int]) -> list[float]:
        """Sort the one column of a query on disk; return its values at places in ascending order, counted from 0."""
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
        """Write a path as an SQL literal that DuckDB does not read as a pattern."""
        return _text(self._reach.name(path))

    def _take_apart(self, query: str, take: Callable[[Any], T]) -> T:
        try:
            with self._connection.cursor() as cursor:
                return take(cursor.sql(query))
        except self._errors as error:
            raise self._meaning(error) from None
        except ValueError as error:
            # Errors during the transfer of rows have lost their class.
            raise self._unusable(self._reach.said(str(error))) from None

    def _do(self, query: str, values: Sequence[object] | None = None) -> Any:
        try:
            return self._connection.execute(query, values)
        except self._errors as error:
            raise self._meaning(error) from None

    def _meaning(self, error: Exception) -> BaseException:
        """Convert errors that a user can fix; return others, such as a mistake in a query, as they are."""
        first = self._reach.said(str(error).split("\n", 1)[0])
        if "interrupted" in first.lower():
            return KeyboardInterrupt()
        match type(error).__name__:
            case "IOException" | "InvalidInputException" | "OutOfMemoryException" if _is_full(str(error)):
                return Stop("disk-full", f"{self._tables}: {first}. Free some space and run the command again")
            case "OutOfMemoryException":
                return Stop("out-of-memory", f"{first}. Give more with --memory")
            case "ConversionException" | "OutOfRangeException":
                return OverflowError(first)
            # Reading a damaged file may fail anywhere; such errors have no class of their own.
            case "IOException" | "InvalidInputException" | "SerializationException" | "Error":
                return self._unusable(first)
            case _:
                return error

    def _unusable(self, message: str) -> Stop:
        """Return the error of a damaged table; sources must be deleted, or the next run would use them again."""
        named = [path.parent for path in self._sources if str(path) in message]
        if not named and str(self._tables) not in message:
            named = [path.parent for path in self._sources]
        order = f"Delete {os.path.commonpath(named)} and analyse" if named else "Analyse"
        return Stop("tables-unusable", f"{self._tables}: {message}. {order} the run again")


def _plain(column: Any) -> Any:
    mask = getattr(column, "mask", None)
    if mask is None:
        return column
    return column.filled(float("nan")) if mask.any() else column.data


def _is_full(message: str) -> bool:
    """Return whether a disk, a quota or a limit on file sizes is full, including the directory for spilled data."""
    return any(
        words in message for words in ("No space left", "File too large", "Disk quota", "max_temp_directory_size")
    )


def _text(value: str) -> str:
    """Write a text as an SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
