"""Logs read by Spark: its Java process, the work on its executors, what its errors mean, and the reader of events.

Only the core of Spark is used: its SQL and its data frames take longer to load than most clusters take to read.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from statera import __version__, _native
from statera.cluster.engine import size
from statera.cluster.logs.directories import directory_name, partial, replace, scratch_directory
from statera.cluster.logs.events import VERSION, read_hosts
from statera.support.closing import Closing
from statera.support.errors import Stop
from statera.support.extras import advice, how
from statera.support.files import hadoop
from statera.support.interruption import put_off

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Mapping as Of

    from pyspark import SparkContext

    from statera.cluster.logs.events import Reader, Wanted
    from statera.cluster.logs.files import LogFile
    from statera.cluster.logs.mapping import Mapping

Answer = TypeVar("Answer")
_LONGEST_TEXT = 300
_interruptions: list[int] = []


def interrupt(number: int, _frame: object) -> None:
    """Handle and remember an interruption by the user, since pyspark and py4j turn it into other errors."""
    _interruptions.append(number)
    raise KeyboardInterrupt


def forget_interruptions() -> None:
    """Forget interruptions, so that later errors keep their own meaning."""
    _interruptions.clear()


def meaning(error: Exception) -> BaseException:
    """Return the exception to raise instead of an error of pyspark or py4j."""
    if _interruptions:
        return KeyboardInterrupt()
    text = str(error)
    mended = _mended(text)
    if mended is None and type(error).__module__.partition(".")[0] in {"pyspark", "py4j"}:
        return Stop("spark-failed", f"Spark: {_first(text)}")
    return error if mended is None else mended


def _mended(text: str) -> Stop | None:
    """Return a Stop for an error that a user can fix; None for any other."""
    lacking = re.search(r"No module named '([\w.]+)'", text)
    if lacking:
        return Stop(
            "spark-executors",
            f"the executors have no {lacking[1].partition('.')[0]}. Install statera with the same packages "
            f"there, and name that Python by PYSPARK_PYTHON ({how('spark')})",
        )
    python = r"PYTHON_VERSION_MISMATCH|Cannot run program"
    if re.search(python, text):
        return Stop(
            "spark-executors",
            f"the executors lack this Python: {_telling(text, python)}. Name one that has statera by PYSPARK_PYTHON",
        )
    if re.search(r"No space left on device|Disk quota exceeded", text):
        return Stop("disk-full", "Spark: the disk is full, at OUT or in a directory of SPARK_LOCAL_DIRS")
    memory = r"OutOfMemoryError|UNABLE_TO_ACQUIRE_MEMORY|ExecutorLostFailure|exit status: 137"
    if re.search(memory, text):
        return Stop("out-of-memory", f"Spark: {_telling(text, memory)}. Give more with --memory")
    return None


def _first(text: str) -> str:
    return (text.strip().splitlines() or ["it ended without a message"])[0][:_LONGEST_TEXT]


def _telling(text: str, pattern: str) -> str:
    """Return the line of a message that holds the cause."""
    lines = [line.strip() for line in text.splitlines() if re.search(pattern, line)]
    return (lines or [_first(text)])[-1][:_LONGEST_TEXT]


LEAST_JAVA = 17
_WANTED_JAVA = "Spark needs Java 17 or 21 (on Debian: apt-get install openjdk-17-jre-headless)"
_JAVA_S = 30


def check_java() -> None:
    """Raise Stop unless Spark will find a Java that it runs on."""
    program = _java()
    if program is None:
        raise Stop("spark-unusable", f"there is no Java: {_WANTED_JAVA}")
    version = _java_version(program)
    if version is None:
        raise Stop("spark-unusable", f"{program} does not print its version: {_WANTED_JAVA}")
    if version < LEAST_JAVA:
        raise Stop("spark-unusable", f"{program} is Java {version}: {_WANTED_JAVA}, and JAVA_HOME must name it")


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if not home:
        return shutil.which("java")
    program = Path(home) / "bin" / "java"
    if not program.is_file():
        raise Stop("spark-unusable", f"JAVA_HOME is {home}, which holds no Java: {_WANTED_JAVA}")
    return str(program)


def _java_version(program: str) -> int | None:
    """Return the major version of a Java: 17 for ``17.0.15``, 8 for ``1.8.0_402``."""
    try:
        said = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=_JAVA_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None


_LOCAL = re.compile(r"local(\[(\d+|\*)(,\s*\d+)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*[1-9]\d*\s*,\s*[1-9]\d*\s*,\s*[1-9]\d*\s*\]")
_FORMS = "local[4], spark://HOST:7077, yarn, k8s://https://HOST:PORT, local-cluster[WORKERS,CORES,MIB]"
_SECONDS_TO_CONNECT = 5.0


def check_master(master: str) -> None:
    """Raise Stop unless this names a master and, if it has an address, something answers there."""
    if master == "yarn" or on_this_machine(master):
        return
    kind, _, rest = master.partition("://")
    if kind == "spark":
        addresses = [_address(master, f"spark://{one}") for one in rest.split(",")]
    elif kind == "k8s":
        addresses = [_address(master, rest if "://" in rest else f"https://{rest}")]
    else:
        raise Stop("bad-option", f"--master {master}: not a master of Spark. Write one of {_FORMS}")
    # Spark itself would try for a minute.
    troubles = [_trouble(*address) for address in addresses]
    if all(troubles):
        raise Stop("spark-unusable", f"--master {master}: nobody answers there: {troubles[0]}")


def on_this_machine(master: str) -> bool:
    """Return whether the driver and all executors run on this machine."""
    return bool(_LOCAL.fullmatch(master) or _LOCAL_CLUSTER.fullmatch(master))


def in_this_process(master: str) -> bool:
    """Return whether the driver is the only executor."""
    return bool(_LOCAL.fullmatch(master))


def _address(master: str, url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else None)
    except ValueError:
        host = port = None
    if not host or not port:
        raise Stop("bad-option", f"--master {master}: has no HOST:PORT. Write one of {_FORMS}")
    return host, port


def _trouble(host: str, port: int) -> str:
    """Explain why a connection fails; empty if it works."""
    try:
        with socket.create_connection((host, port), _SECONDS_TO_CONNECT):
            return ""
    except OSError as error:
        return error.strerror or str(error)


_LEAST_MIB = 512
# A master accepts an application at once, or never.
_SECONDS_TO_START = 60
_SECONDS_TO_END = 20
_DRIVER_AND_EXECUTOR = 2


class Session(Closing):
    """A running Spark."""

    def __init__(self, master: str = "local[*]", *, memory: str = "1GiB", cores: int = 0) -> None:
        """Start Spark, with so much memory for each executor and at most so many cores; 0 for all.

        Raises ``Stop`` if Spark is not installed, there is no Java for it, or nothing answers at ``master``.
        """
        mebibytes = _mebibytes(memory)
        try:
            import pyspark  # noqa: F401 - whether it is installed
        except ImportError:
            raise Stop("needs-extra", f"this needs Spark, which is not installed. {advice('spark')}") from None
        check_master(master)
        check_java()
        own = min(cores, os.cpu_count() or 1)
        # the master that it runs on
        self.master = f"local[{own}]" if master == "local[*]" and cores else master
        self._interrupt = signal.getsignal(signal.SIGINT)
        self._scratch = Path(tempfile.mkdtemp(prefix="statera-spark-"))
        self._gateway: Any = None
        try:
            self.context = self._start(_settings(self.master, mebibytes, cores))  # of pyspark
            _wait_for_executors(self.context, self.master, memory)
            hadoop.use(self.context._jvm, self.context._jsc.hadoopConfiguration(), self._scratch)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End Spark and its Java process."""
        from pyspark import SparkContext

        context: SparkContext | None = getattr(self, "context", None)
        application = None
        if context is not None:
            with contextlib.suppress(Exception):
                application = context.applicationId
                context.stop()
        if self._gateway is not None:
            _end(self._gateway)
            self._gateway = None
        hadoop.use(None, None, None)
        SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
        logging.getLogger().removeFilter(_is_no_word_of_py4j)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._interrupt)
        forget_interruptions()
        _forget(self.master, application)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def settings(self) -> dict[str, str]:
        """Return the settings by which executors reach files of Hadoop."""
        given = self.context.getConf().getAll()
        return {name: value for name, value in given if name.startswith("spark.hadoop.") or name in hadoop.EXTRA_PATHS}

    def each(self, work: Callable[[Any], Answer], items: Sequence[Any]) -> list[Answer]:
        """Call ``work`` with each item on the executors, one task per item; return the results in order.

        Executors import ``work``, a function of a module, and items can be pickled.
        """
        try:
            return self.context.parallelize(items, len(items)).map(work).collect()
        except Exception as error:
            raise meaning(error) from None

    def _take_signals_back(self) -> None:
        """Restore the handling of SIGINT: pyspark's handler would call Java, in the middle of another call."""
        if threading.current_thread() is threading.main_thread():
            raises = self._interrupt is signal.default_int_handler
            signal.signal(signal.SIGINT, interrupt if raises else self._interrupt)

    def _start(self, settings: dict[str, str]) -> SparkContext:
        from pyspark import SparkConf, SparkContext
        from pyspark.java_gateway import launch_gateway

        _quiet()
        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        said = self._scratch / "said"
        try:
            # Delay interruptions until the Java process is known and can be ended.
            with said.open("wb") as output, _local_address(self.master), put_off():
                self._gateway = launch_gateway(conf, {"stdout": output, "stderr": output})  # type: ignore[no-untyped-call]
            # Spark retries without end if the server is not a master of Spark: end it after a while.
            watch = threading.Timer(_SECONDS_TO_START, self._gateway.proc.kill)
            watch.start()
            try:
                context = SparkContext(gateway=self._gateway, conf=conf)
            finally:
                watch.cancel()
                self._take_signals_back()
            # This server prints an error if Java ends first; it serves accumulators, which are not used here.
            context._accumulatorServer.handle_error = _no_word  # type: ignore[assignment, method-assign]
            # The Python of the executors; PYSPARK_PYTHON names it on other machines.
            context.pythonExec = os.environ.get("PYSPARK_PYTHON", sys.executable)
            context.setLogLevel("OFF")
        except Exception as error:
            raise Stop("spark-unusable", f"Spark does not start at {self.master}: {_reason(said, error)}") from None
        return context


# Java compiles little, and collects on one thread: the work is done outside of it.
_LITTLE_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def _settings(master: str, mebibytes: int, cores: int) -> dict[str, str]:
    settings = {
        "spark.master": master,
        "spark.app.name": "statera",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.speculation": "false",
        "spark.executor.memory": f"{mebibytes}m",
    }
    if in_this_process(master):
        settings["spark.driver.memory"] = f"{mebibytes}m"
    if on_this_machine(master):
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.defaultJavaOptions": _LITTLE_JAVA,
            "spark.executor.defaultJavaOptions": _LITTLE_JAVA,
        }
    if cores:
        settings["spark.cores.max"] = str(cores)
    return settings


def _mebibytes(memory: str) -> int:
    """Return the MiB of a size such as ``1GiB``."""
    mebibytes = size(memory) // 2**20
    if mebibytes < _LEAST_MIB:
        raise Stop("bad-option", f"--memory {memory}: an executor of Spark needs {_LEAST_MIB} MiB or more")
    return mebibytes


def _quiet() -> None:
    """Keep py4j from logging closed connections, and errors that it raises as well; no pandas is used here."""
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_no_word_of_py4j)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)


def _no_word(_request: object, _address: object) -> None:
    """Ignore a failed request without printing it."""


def _is_no_word_of_py4j(record: logging.LogRecord) -> bool:
    """Return whether a record comes from another library: py4j also logs its errors to the root logger."""
    return f"{os.sep}py4j{os.sep}" not in record.pathname


@contextlib.contextmanager
def _local_address(master: str) -> Iterator[None]:
    """Make a Spark that runs only on this machine listen only on this machine."""
    if not on_this_machine(master) or "SPARK_LOCAL_IP" in os.environ:
        yield
        return
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    try:
        yield
    finally:
        del os.environ["SPARK_LOCAL_IP"]


def _wait_for_executors(context: SparkContext, master: str, memory: str) -> None:
    """Wait for an executor: without one Spark would wait for ever."""
    if in_this_process(master):
        return
    tracker = context._jsc.sc().statusTracker()
    until = time.monotonic() + _SECONDS_TO_START
    while len(tracker.getExecutorInfos()) < _DRIVER_AND_EXECUTOR:
        if time.monotonic() > until:
            raise Stop(
                "spark-unusable",
                f"{master} started no executor within {_SECONDS_TO_START} s: does it have a core and {memory} free?",
            )
        time.sleep(0.1)


def _end(gateway: Any) -> None:
    """End the Java process: it exits when its input closes."""
    with contextlib.suppress(Exception):
        gateway.shutdown()
    process = gateway.proc
    process.stdin.close()
    try:
        process.wait(_SECONDS_TO_END)
    except Exception:
        process.kill()
        process.wait()


def _forget(master: str, application: str | None) -> None:
    """Delete the files that workers of a local cluster leave in the installation of pyspark."""
    if application and master.startswith("local-cluster"):
        import pyspark

        home = os.environ.get("SPARK_HOME") or str(Path(pyspark.__file__).parent)
        shutil.rmtree(Path(home) / "work" / application, ignore_errors=True)


def _reason(said: Path, error: Exception) -> str:
    """Return the line of Java's output that states the cause, else the text of the error."""
    lines = said.read_text(errors="replace").splitlines() if said.exists() else []
    told = [
        line for line in lines if re.search(r"Exception|Error|Could not|cannot", line) and not line.startswith("\t")
    ]
    return " ".join((told[-1] if told else str(error)).split())[:300]


LARGEST = 64 * 2**20
"""The largest file, in bytes, that this process reads if no executor can open it."""
AT_ONCE = 4 * 2**30
"""The bytes of logs whose events Spark brings here at once: about 150 MB of events, of the 1 GB that it allows."""
_COMPRESSION = 16
_HERE = (__version__, VERSION)


class _Task(NamedTuple):
    """A host to read."""

    version: tuple[str, int]  # of this process
    plan: Mapping  # the mapping, by which lines become events
    host: str  # its name
    files: tuple[LogFile, ...]  # its log files, with absolute paths: executors have another working directory
    settings: Of[str, str]  # those of Spark that files of Hadoop need


class _Answer(NamedTuple):
    """What became of a task."""

    machine: str  # where it ran
    version: tuple[str, int]  # of statera there
    closed: str = ""  # why a file cannot be opened there
    stop: tuple[str, str] = ("", "")  # an error: its code and its text
    trouble: tuple[int, str] = (0, "")  # an error of the system: its number and its text
    events: Of[str, bytes] = {}  # the files of the host's events, by name


def reader(session: Session) -> Reader:
    """Return a reader that uses the executors; small files that they cannot open are read in this process."""

    def read(plan: Mapping, wanted: Wanted, place: Path) -> None:
        settings = session.settings()
        closed: dict[str, str] = {}
        for hosts in _shares(wanted):
            full = {host: tuple(file._replace(path=file.path.absolute()) for file in wanted[host]) for host in hosts}
            tasks = [_Task(_HERE, plan, host, files, settings) for host, files in full.items()]
            for host, answer in zip(hosts, session.each(read_task, tasks), strict=True):
                if answer.closed:
                    closed[host] = f"the executor on {answer.machine}: {answer.closed}"
                else:
                    _keep(answer, place, host)
            _refuse_large(closed, wanted)
        read_hosts(plan, {host: wanted[host] for host in wanted if host in closed}, place)

    return read


def _shares(wanted: Wanted) -> Iterator[list[str]]:
    """Part hosts so that the events of a part can be brought here at once."""
    part: list[str] = []
    held = 0
    for host, files in wanted.items():
        size = sum(file.size * (_COMPRESSION if file.name.endswith((".gz", ".zst")) else 1) for file in files)
        if part and held + size > AT_ONCE:
            yield part
            part, held = [], 0
        part.append(host)
        held += size
    if part:
        yield part


def _keep(answer: _Answer, place: Path, host: str) -> None:
    """Write the events of a host, or raise what happened on the executor."""
    if answer.version != _HERE:
        raise Stop(
            "spark-executors", f"{answer.machine} has statera {answer.version[0]}, not {__version__}: install it there"
        )
    if answer.stop[0]:
        raise Stop(*answer.stop)
    if answer.trouble[0]:
        raise OSError(*answer.trouble)
    made = partial(place, host)
    for name, content in answer.events.items():
        (made / name).write_bytes(content)
    replace(made, place / directory_name(host))


def _refuse_large(closed: Of[str, str], wanted: Wanted) -> None:
    for host, why in closed.items():
        for file in wanted[host]:
            if file.size > LARGEST:
                raise Stop(
                    "not-shared",
                    f"{file.path} of {host} has {file.size / 2**20:.0f} MiB and cannot be read by {why}. Put it where "
                    f"all machines can open it by this path (files up to {LARGEST // 2**20} MiB are read here)",
                )


def read_task(task: _Task) -> _Answer:
    """Read a host on an executor, on one core."""
    answer = _Answer(os.uname().nodename, _HERE)
    if task.version != _HERE:
        return answer
    with scratch_directory() as scratch:
        try:
            if any(isinstance(file.path, hadoop.Remote) for file in task.files):
                hadoop.start(task.settings, scratch)
            if why := _closed(task.files):
                return answer._replace(closed=why)
            _native.set_jobs(1)
            read_hosts(task.plan, {task.host: task.files}, scratch)
        except OSError as error:
            return answer._replace(trouble=(error.errno or errno.EIO, error.strerror or str(error)))
        except Stop as stop:
            return answer._replace(stop=(stop.code, str(stop)))
        made = scratch / directory_name(task.host)
        return answer._replace(events={file.name: file.read_bytes() for file in made.iterdir()})


def _closed(files: Sequence[LogFile]) -> str:
    """Describe the first file that cannot be opened or differs here; empty if there is none."""
    for file in files:
        try:
            size = file.path.stat().st_size
            if not isinstance(file.path, hadoop.Remote):
                file.path.open("rb").close()
        except OSError as error:
            return f"{file.path}: {error.strerror or error}"
        if size != file.size:
            return f"{file.path}: has {size} bytes there, not {file.size}"
    return ""
