"""The engine Spark: executors compute the tables, which end as Parquet files in one directory."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Self, TypeVar

from statera.cluster.engines.duckdb import MEMORY, DuckDB
from statera.cluster.engines.spark.dialect import translate
from statera.cluster.engines.spark.session import absolute, meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame

    from statera.cluster.engines.spark.session import Session

T = TypeVar("T")
_TYPES = {"VARCHAR": "STRING"}


class Spark:
    """A running Spark, and a directory of tables that its executors can open as well.

    Executors write a table as several files below ``.spark``; this process joins them into one file, so that readers of
    tables find the same files as after DuckDB.
    """

    most_held = 2_000_000
    """The most values that one executor may hold: an exact percentile counts every value in a Java table."""
    most_columns = 32
    """Columns per query of quantiles: planning and compiling a query takes longer than reading a small table."""

    def __init__(self, session: Session, tables: Path, *, memory: str = MEMORY, threads: int = 0) -> None:
        self._spark = session.spark
        self._local = DuckDB(tables, memory=memory, threads=threads)
        self._parts = tables / ".spark"
        shutil.rmtree(self._parts, ignore_errors=True)

    def __enter__(self) -> Self:
        """Return the engine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine, and delete its temporary files."""
        self._local.__exit__()
        shutil.rmtree(self._parts, ignore_errors=True)

    def read(self, name: str, paths: Sequence[Path], columns: Mapping[str, str]) -> None:
        """Define a table over Parquet files; without files it is empty and has these columns (name: SQL type)."""
        if not paths:
            self.put(name, columns, [])
            return
        declared = ", ".join(f"`{column}` {_TYPES.get(kind, kind)}" for column, kind in columns.items())
        self._name(name, lambda: self._spark.read.schema(declared).parquet(*map(_read_url, paths)))

    def put(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
        """Create a small table from rows; ``columns`` maps columns to SQL types. Every executor gets all rows."""
        import pyarrow as pa  # type: ignore[import-untyped]

        types = {
            "VARCHAR": pa.string(), "INTEGER": pa.int32(), "BIGINT": pa.int64(),
            "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_(),
        }  # fmt: skip
        held = list(zip(*rows, strict=True)) or [()] * len(columns)
        table = pa.table(
            [pa.array(values, types[kind]) for values, kind in zip(held, columns.values(), strict=True)],
            names=list(columns),
        )
        self._name(name, lambda: self._spark.createDataFrame(table).hint("broadcast"))

    def series(self, name: str, column: str, first: int, last: int) -> None:
        """Define a table of the whole numbers from ``first`` to ``last``; empty if ``last`` is less."""
        self._name(name, lambda: self._spark.range(first, last + 1).toDF(column))

    def store(self, name: str, query: str) -> None:
        """Write the result of a query as table ``name``, one file."""
        files, columns = self._write(name, query)
        self._local.read(f"parts_of_{name}", files, columns)
        self._local.store(name, f"SELECT * FROM parts_of_{name}")
        shutil.rmtree(self._parts / name, ignore_errors=True)
        self.open(name)

    def open(self, name: str) -> None:
        """Open a table that the directory holds."""
        self._name(name, lambda: self._spark.read.parquet(_read_url(self.path(name))))

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query as table ``name`` until the end, on disk."""
        files, _ = self._write(name, query)
        self._name(name, lambda: self._spark.read.parquet(*map(_read_url, files)))

    def view(self, name: str, query: str) -> None:
        """Define a view, a query with a name."""
        self._name(name, lambda: self._spark.sql(translate(query)))

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self._local.path(name)

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; each ``?`` in it is replaced by one of ``values``."""
        return self._do(
            lambda: [tuple(row) for row in self._spark.sql(translate(query), args=list(values) or None).collect()]
        )

    def rows_of_all(self, queries: Sequence[str], beside: int) -> list[list[tuple[Any, ...]]]:
        """Return the rows of each of several queries; ``beside`` of them may run in parallel."""
        with ThreadPoolExecutor(beside) as pool:
            try:
                return list(pool.map(self.rows, queries))
            except KeyboardInterrupt:
                self._spark.sparkContext.cancelAllJobs()
                raise

    def ordered(self, query: str, places: Sequence[int]) -> list[float]:
        """Sort the one column of a query on disk; return its values at places in ascending order, counted from 0.

        Each file holds a range of values, and the files are in order.
        """
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        files, _ = self._write("ordered", f"SELECT value FROM ({query}) ORDER BY value")
        groups = [
            (file, group, file.metadata.row_group(group).num_rows)
            for file in map(pq.ParquetFile, files)
            for group in range(file.metadata.num_row_groups)
        ]
        ends = list(accumulate(rows for *_, rows in groups))
        found: list[float] = []
        for place in places:
            number = next(number for number, end in enumerate(ends) if place < end)
            file, group, rows = groups[number]
            found.append(file.read_row_group(group)["value"][place - (ends[number] - rows)].as_py())
        shutil.rmtree(self._parts / "ordered", ignore_errors=True)
        return found

    def _write(self, name: str, query: str) -> tuple[list[Path], dict[str, str]]:
        """Let the executors write the result of a query; return the files in order, and the names of the columns."""
        place = self._parts / name

        def write() -> list[str]:
            frame = self._spark.sql(translate(query))
            frame.write.mode("overwrite").parquet(_url(place))
            return frame.columns

        columns = self._do(write)
        return sorted(place.glob("*.parquet")), dict.fromkeys(columns, "")

    def _name(self, name: str, make: Callable[[], DataFrame]) -> None:
        self._do(lambda: make().createOrReplaceTempView(name))

    @staticmethod
    def _do(what: Callable[[], T]) -> T:
        try:
            return what()
        except Exception as error:
            raise meaning(error) from None


def _url(path: Path) -> str:
    """Write a path as a URL for Hadoop: on this machine, whichever file system is configured."""
    return f"file://{absolute(path)}"


def _read_url(path: Path) -> str:
    """Write a path for Spark's reader, which would read some characters as patterns."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", _url(path))
