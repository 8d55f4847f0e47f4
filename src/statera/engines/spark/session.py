"""A running Spark: its Java process, from start to end, and the work that is done where its executors are."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from statera.engines.interruption import put_off
from statera.engines.memory import size
from statera.engines.spark.errors import forget_interruptions, interrupt, meaning
from statera.engines.spark.java import check_java
from statera.engines.spark.master import check_master, in_this_process, on_this_machine
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

_LEAST_MIB = 512
# A master takes an application in at once, or never.
_SECONDS_TO_START = 60
_SECONDS_TO_END = 20


class Session:
    """A running Spark.

    Attributes:
        spark: pyspark's session.
        master: where it runs.

    """

    def __init__(self, master: str = "local[*]", *, memory: str = "1GiB", cores: int = 0) -> None:
        """Start Spark.

        Args:
            master: where; as ``--master``.
            memory: of each executor.
            cores: that may be used at most; 0: all there are.

        Raises:
            Stop: it is not installed, there is no Java for it, or nobody answers at ``master``.

        """
        mebibytes = _mebibytes(memory)
        try:
            import pyspark  # noqa: F401, PLC0415 - only those who use Spark have it
        except ImportError:
            raise Stop(
                "needs-extra", "this needs Spark, which is not installed: pip install 'statera[spark]'"
            ) from None
        check_master(master)
        check_java()
        own = min(cores, os.cpu_count() or 1)
        self.master = f"local[{own}]" if master == "local[*]" and cores else master
        self._interrupt = signal.getsignal(signal.SIGINT)
        self._scratch = Path(tempfile.mkdtemp(prefix="statera-spark-"))
        self._gateway: Any = None
        try:
            self.spark = self._start(_settings(self.master, mebibytes, cores, self._scratch))
            _wait_for_executors(self.spark, self.master, memory)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Give the session itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End Spark."""
        self.close()

    def close(self) -> None:
        """End Spark and its Java process."""
        from pyspark import SparkContext  # noqa: PLC0415

        spark: SparkSession | None = getattr(self, "spark", None)
        application = None
        if spark is not None:
            with contextlib.suppress(Exception):
                application = spark.sparkContext.applicationId
                spark.stop()
        if self._gateway is not None:
            _end(self._gateway)
            self._gateway = None
        SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None  # noqa: SLF001
        logging.getLogger().removeFilter(_is_no_word_of_py4j)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._interrupt)
        forget_interruptions()
        _forget(self.master, application)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def each(self, work: Callable[[Any], str], items: Sequence[Any]) -> list[str]:
        """Do work with each item where the executors are, every item in a task of its own; in the order of the items.

        Args:
            work: a function of a module, which executors import.
            items: what can be pickled.

        """

        # It is sent as it stands here, so that executors without statera can say so.
        def run(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415

            for batch in batches:
                numbers = batch.column(0).to_pylist()
                answers = [work(items[number]) for number in numbers]
                yield pa.RecordBatch.from_pydict({"number": numbers, "answer": answers})

        if not items:
            return []
        with warnings.catch_warnings():
            _ignore_pandas()
            frame = self.spark.range(0, len(items), 1, len(items)).mapInArrow(run, "number BIGINT, answer STRING")
            try:
                rows = frame.collect()
            except Exception as error:  # noqa: BLE001 - whatever pyspark and py4j raise
                raise meaning(error) from None
        return [answer for _, answer in sorted(rows)]

    def _take_signals_back(self) -> None:
        """Let an interruption be one: pyspark would talk to Java first, amid what is being said there."""
        if threading.current_thread() is threading.main_thread():
            raises = self._interrupt is signal.default_int_handler
            signal.signal(signal.SIGINT, interrupt if raises else self._interrupt)

    def _start(self, settings: dict[str, str]) -> SparkSession:
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415
        from pyspark.java_gateway import launch_gateway  # noqa: PLC0415
        from pyspark.sql import SparkSession  # noqa: PLC0415

        _quiet()
        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        said = self._scratch / "said"
        try:
            # Until the Java process is known, and can be ended.
            with said.open("wb") as output, _local_address(self.master), put_off():
                self._gateway = launch_gateway(conf, {"stdout": output, "stderr": output})  # type: ignore[no-untyped-call]
            # A server that is no master of Spark is asked again and again; then it is enough.
            watch = threading.Timer(_SECONDS_TO_START, self._gateway.proc.kill)
            watch.start()
            try:
                context = SparkContext(gateway=self._gateway, conf=conf)
            finally:
                watch.cancel()
                self._take_signals_back()
            # It prints when Java ends first; of accumulators, which it serves, there are none here.
            context._accumulatorServer.handle_error = _no_word  # type: ignore[assignment, method-assign]  # noqa: SLF001
            # The Python of executors; on other machines PYSPARK_PYTHON names it.
            context.pythonExec = os.environ.get("PYSPARK_PYTHON", sys.executable)
            context.setLogLevel("OFF")
            spark = SparkSession(context)
            spark.conf.set("spark.sql.shuffle.partitions", str(2 * context.defaultParallelism))
        except Exception as error:  # noqa: BLE001 - whatever pyspark and py4j raise
            raise Stop("spark-unusable", f"Spark does not start at {self.master}: {_reason(said, error)}") from None
        return spark


def _settings(master: str, mebibytes: int, cores: int, scratch: Path) -> dict[str, str]:
    settings = {
        "spark.master": master,
        "spark.app.name": "statera",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.speculation": "false",
        "spark.executor.memory": f"{mebibytes}m",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        # An overflow must be an error as it is in DuckDB, and never null.
        "spark.sql.ansi.enabled": "true",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        # Files of events are listed here, not by a job.
        "spark.sql.sources.parallelPartitionDiscovery.threshold": "100000",
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    if in_this_process(master):
        settings["spark.driver.memory"] = f"{mebibytes}m"
    if on_this_machine(master):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    if cores:
        settings["spark.cores.max"] = str(cores)
    return settings


def _mebibytes(memory: str) -> int:
    """Read a size such as ``1GiB``."""
    mebibytes = size(memory) // 2**20
    if mebibytes < _LEAST_MIB:
        raise Stop("bad-option", f"--memory {memory}: an executor of Spark needs {_LEAST_MIB} MiB or more")
    return mebibytes


def _quiet() -> None:
    """Keep pyspark from printing errors that are raised as well, and warnings of what is not used."""
    from pyspark.logger import PySparkLogger  # noqa: PLC0415

    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)
    # py4j logs what it raises, by its own logger and by that of all, and how connections end when Java does.
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_no_word_of_py4j)
    _ignore_pandas()


def _ignore_pandas() -> None:
    """Drop a warning of every pandas from 3 on: no data frame of pandas is made here."""
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)


def _no_word(_request: object, _address: object) -> None:
    """Say nothing of a request that failed."""


def _is_no_word_of_py4j(record: logging.LogRecord) -> bool:
    """Tell whether a record is of another library: py4j tells the root logger of what it raises too."""
    return f"{os.sep}py4j{os.sep}" not in record.pathname


@contextlib.contextmanager
def _local_address(master: str) -> Iterator[None]:
    """Keep a Spark that is on this machine alone from listening to others."""
    if not on_this_machine(master) or "SPARK_LOCAL_IP" in os.environ:
        yield
        return
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    try:
        yield
    finally:
        del os.environ["SPARK_LOCAL_IP"]


def _wait_for_executors(spark: SparkSession, master: str, memory: str) -> None:
    """Wait until an executor is there: without one Spark would wait for ever."""
    if in_this_process(master):
        return
    tracker = spark.sparkContext._jsc.sc().statusTracker()  # noqa: SLF001
    until = time.monotonic() + _SECONDS_TO_START
    # The driver is one of them.
    while len(tracker.getExecutorInfos()) < 2:  # noqa: PLR2004
        if time.monotonic() > until:
            raise Stop(
                "spark-unusable",
                f"{master} gave no executor within {_SECONDS_TO_START} s: has it a free core, and {memory} beside it?",
            )
        time.sleep(0.1)


def _end(gateway: Any) -> None:  # noqa: ANN401 - py4j has no types
    """End the Java process: it ends by itself when its input closes."""
    with contextlib.suppress(Exception):
        gateway.shutdown()
    process = gateway.proc
    process.stdin.close()
    try:
        process.wait(_SECONDS_TO_END)
    except Exception:  # noqa: BLE001 - also of subprocess, which is not worth an import
        process.kill()
        process.wait()


def _forget(master: str, application: str | None) -> None:
    """Take away what the workers of a cluster on this machine leave where pyspark is installed."""
    if application and master.startswith("local-cluster"):
        import pyspark  # noqa: PLC0415

        home = os.environ.get("SPARK_HOME") or str(Path(pyspark.__file__).parent)
        shutil.rmtree(Path(home) / "work" / application, ignore_errors=True)


def _reason(said: Path, error: Exception) -> str:
    """Give the line of Java's output that says what is wrong, else that of the error."""
    lines = said.read_text(errors="replace").splitlines() if said.exists() else []
    told = [
        line for line in lines if re.search(r"Exception|Error|Could not|cannot", line) and not line.startswith("\t")
    ]
    return " ".join((told[-1] if told else str(error)).split())[:300]
