"""A real HDFS for the tests: a name node and a data node on loopback, from a package of Maven Central."""

import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
import small_java

_PACKAGE = ("org.apache.hadoop", "hadoop-client-minicluster", "3.5.0")
_SECONDS_TO_FETCH = 300


def _jar():
    """Return the package, fetched once for this user; skip where that fails."""
    group, name, version = _PACKAGE
    found = Path.home() / ".m2/repository" / group.replace(".", "/") / name / version / f"{name}-{version}.jar"
    if not found.exists():
        if shutil.which("mvn") is None:
            pytest.skip("mvn is missing, which fetches HDFS: on Debian, apt-get install maven")
        words = ["mvn", "-q", "dependency:get", f"-Dartifact={':'.join(_PACKAGE)}", "-Dtransitive=false"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_SECONDS_TO_FETCH)
        except subprocess.TimeoutExpired:
            pytest.skip(f"HDFS was not fetched within {_SECONDS_TO_FETCH} s")
        if done.returncode:
            pytest.skip(f"HDFS cannot be fetched: {(done.stdout or done.stderr).strip()[:200]}")
    return found


@contextmanager
def running(folder):
    """Start it; give its address, and the file system as Java has it."""
    with small_java.running(_jar()) as java:
        settings = java.org.apache.hadoop.conf.Configuration()
        settings.set("hdfs.minidfs.basedir", str(folder))
        cluster = java.org.apache.hadoop.hdfs.MiniDFSCluster.Builder(settings).numDataNodes(1).build()
        yield cluster.getURI().toString(), cluster.getFileSystem(), java.org.apache.hadoop.fs.Path
