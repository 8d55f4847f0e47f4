"""Files of Hadoop's file systems (``hdfs://``, ``s3a://``, ``gs://``, …), read and written through Java.

Java's ``FileSystem`` is the one interface to all schemes, with the settings and rights that Spark has already; libhdfs
and the clients of single clouds would each need a package and settings of their own. Python workers cannot call the
Java of their executor, so each starts a small one when it needs it (a second of its processor) and keeps it.
Java copies a file to the local disk, where the compiled reader opens it like any other: bytes never pass through
Python, and memory stays the same however large a file is. A worker holds the files of one host at a time.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path, PosixPath
from typing import TYPE_CHECKING, Any, Self

from statera.support.errors import Stop
from statera.support.files import addresses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_OPTIONS = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
_PACKAGE = "Name it in spark-defaults.conf, for s3a: spark.jars.packages org.apache.hadoop:hadoop-aws:3.5.0"
# A path would join the slashes of an address, and hdfs:///run has no machine between them.
_MARK = ":%2F%2F"
EXTRA_PATHS = ("spark.driver.extraClassPath", "spark.executor.extraClassPath")


class _Java:
    """The Java of this process, and the directory of files that it copied."""

    def __init__(self) -> None:
        self.of: Any = None
        self.configuration: Any = None
        self.copies: Path | None = None


_java = _Java()


def use(java: Any, configuration: Any, copies: Path | None) -> None:
    """Use a running Java, with its configuration of Hadoop; ``copies`` is a directory that the caller removes."""
    _java.of, _java.configuration, _java.copies = java, configuration, copies


def start(settings: Mapping[str, str], copies: Path) -> None:
    """Start a Java that ends with this process, unless it has one.

    ``settings`` are those of Spark, in which ``spark.hadoop.KEY`` sets ``KEY`` of Hadoop. ``copies`` is the directory
    of files that are copied here, which the caller removes.
    """
    if _java.of is None:
        from py4j.java_gateway import (  # type: ignore[import-untyped]
            GatewayParameters,
            JavaGateway,
            launch_gateway,
        )
        from pyspark import SparkFiles
        from pyspark.find_spark_home import _find_spark_home

        home = Path(_find_spark_home())
        [python] = (home / "jars").glob("py4j-*.jar")
        given = [settings.get(name, "") for name in EXTRA_PATHS]
        places = [os.environ.get("HADOOP_CONF_DIR", ""), *given, f"{SparkFiles.getRootDirectory()}/*", f"{home}/jars/*"]
        port, token = launch_gateway(
            jarpath=str(python), classpath=":".join(filter(None, places)), javaopts=_OPTIONS, die_on_exit=True,
            java_path=None, enable_auth=True,
        )  # fmt: skip
        java = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token)).jvm
        configuration = java.org.apache.hadoop.conf.Configuration()
        for name, value in settings.items():
            if name.startswith("spark.hadoop."):
                configuration.set(name.removeprefix("spark.hadoop."), value)
        use(java, configuration, copies)
    _java.copies = copies


def place(word: str, *, remote: bool = True) -> Path:
    """Return the path that a word means.

    Raises ``Stop`` if it is an address, and only Spark (``remote``) reads those.
    """
    word = addresses.local(word)
    if not remote:
        addresses.refuse(word, ". Or let Spark read it: --engine spark")
    return Remote(word.replace("://", _MARK, 1)) if addresses.scheme(word) else Path(word)


class Remote(PosixPath):
    """A path of a file system of Hadoop; whatever opens it gets a copy on the local disk.

    Every method raises ``FileNotFoundError`` if there is no such file, and ``OSError`` with the words of Hadoop for any
    other failure.
    """

    _about: Any = None

    def __str__(self) -> str:
        """Return the address."""
        return super().__str__().replace(_MARK, "://", 1)

    @property
    def name(self) -> str:
        """The last part; of the root, its machine or bucket."""
        return super().name.rpartition(_MARK)[2] if len(self.parts) == 1 else super().name

    def __fspath__(self) -> str:
        """Copy the file here, and return the path of the copy."""
        copy = Path(tempfile.mkdtemp(dir=_java.copies)) / self.name
        self._do(lambda files, path: files.copyToLocalFile(False, path, _local(copy), True))  # noqa: FBT003
        return str(copy)

    @property
    def path(self) -> Self:
        """The path itself, as an entry of a directory has it."""
        return type(self)(self)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:  # noqa: ARG002 - Hadoop's paths are no links
        """Return what Hadoop knows: kind, bytes and the time of the last change; the number is one of the address."""
        about = self._about or self._do(lambda files, path: files.getFileStatus(path))
        kind = stat.S_IFDIR if about.isDirectory() else stat.S_IFREG
        changed = about.getModificationTime() * 10**6
        number = int.from_bytes(hashlib.sha256(str(self).encode()).digest()[:7])
        seconds = changed // 10**9
        return os.stat_result(
            (kind, number, 0, 1, 0, 0, about.getLen(), seconds, seconds, seconds),
            {"st_mtime_ns": changed, "st_ctime_ns": changed},
        )

    def scan(self) -> Iterator[Self]:
        """Yield the entries of the directory; each knows what it is, without asking again."""
        for about in self._do(lambda files, path: files.listStatus(path)):
            entry = self / about.getPath().getName()
            entry._about = about
            yield entry

    def resolve(self, strict: bool = False) -> Self:  # noqa: ARG002, FBT001, FBT002 - as of any path
        """Return the path itself."""
        return self

    def absolute(self) -> Self:
        """Return the path itself."""
        return self

    def refuse_taken(self) -> None:
        """Refuse a place where something is already."""
        try:
            taken = self.exists() and (not self.is_dir() or any(self.scan()))
        except OSError as error:
            raise Stop("cannot-write", f"{self}: {error.strerror}") from None
        if taken:
            raise Stop("cannot-write", f"{self}: is there already. Name another folder, or remove this one")

    def put(self, folder: Path, last: Sequence[Path]) -> None:
        """Write the files of a local folder here, ``last`` of them at the end; after a failure none is left.

        Raises ``Stop`` if they cannot be written.
        """
        others = (each for each in sorted(folder.rglob("*")) if each.is_file() and each not in last)
        try:
            for file in (*others, *last):
                (self / file.relative_to(folder))._take(file)
        except BaseException as error:
            with suppress(OSError):
                self._do(lambda files, path: files.delete(path, True))  # noqa: FBT003
            if isinstance(error, OSError):
                raise Stop("cannot-write", f"{self}: {error.strerror}") from None
            raise

    def _take(self, file: Path) -> None:
        self._do(lambda files, path: files.copyFromLocalFile(False, True, _local(file), path))  # noqa: FBT003

    def _do(self, work: Any) -> Any:
        """Call ``work`` with the file system of this path, and the path as Hadoop has it."""
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]

        try:
            path = _java.of.org.apache.hadoop.fs.Path(str(self))
            return work(path.getFileSystem(_java.configuration), path)
        except Py4JError as error:
            said = getattr(error, "java_exception", None)
            name = said.getClass().getSimpleName() if said is not None else type(error).__name__
            text = (said is not None and said.getMessage()) or name
            text = text.splitlines()[0].partition("; For more")[0]
            if name == "UnsupportedFileSystemException" or "ClassNotFoundException" in text:
                raise Stop("spark-unusable", f"{self}: Spark lacks a package: {text}. {_PACKAGE}") from None
            number = errno.ENOENT if name == "FileNotFoundException" else errno.EIO
            raise OSError(number, text, str(self)) from None


def _local(file: Path) -> Any:
    return _java.of.org.apache.hadoop.fs.Path(f"file://{file}")
