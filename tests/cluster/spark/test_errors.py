"""What Spark lacks is said in a sentence, at once."""

import os
import socket
import sys
import sysconfig

import pytest
from running_spark import need_java

from statera.cluster.logs.spark import LEAST_JAVA, Session, check_java, check_master, meaning, read_task
from statera.support.errors import Stop
from support import every


def stopped(code, what, *words, **named):
    with pytest.raises(Stop) as stop:
        what(*words, **named)
    assert stop.value.code == code
    return str(stop.value)


def java_that_says(folder, text):
    program = folder / "bin/java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{text}' >&2\n")
    program.chmod(0o755)
    return folder


def test_without_java(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install openjdk-17-jre-headless" in stopped("spark-unusable", check_java)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert f"JAVA_HOME is {tmp_path}" in stopped("spark-unusable", check_java)


@every("said, version", (('openjdk version "11.0.2"', 11), ('java version "1.8.0_402"', 8)))
def test_an_old_java(monkeypatch, tmp_path, said, version):
    monkeypatch.setenv("JAVA_HOME", str(java_that_says(tmp_path / str(version), said)))
    assert f"is Java {version}: Spark needs Java 17 or 21" in stopped("spark-unusable", check_java)


def test_a_java_that_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(java_that_says(tmp_path, "what?")))
    assert "does not print its version" in stopped("spark-unusable", check_java)


def test_a_java_that_will_do(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(java_that_says(tmp_path, f'openjdk version "{LEAST_JAVA}"')))
    check_java()


def test_without_pyspark(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    assert "pip install '.[spark]'" in stopped("needs-extra", Session)


NO_MASTERS = ["", "localhost", "local[x]", "local-cluster[2,1]", "local-cluster[0,1,9]", "spark://", "spark://host",
 "spark://host:port", "http://host:1", "sc://host:15002", "mesos://host:5050", "k8s://"]  # fmt: skip


@every("master", NO_MASTERS)
def test_what_is_no_master(master):
    assert "local[4], spark://HOST:7077" in stopped("bad-option", check_master, master)


MASTERS = ["local", "local[*]", "local[2]", "local[2,3]", "local-cluster[2, 1, 1024]", "yarn"]


@every("master", MASTERS)
def test_masters_without_address(master):
    check_master(master)


def test_a_master_where_nobody_answers():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        check_master(f"spark://127.0.0.1:{port}")
        check_master(f"spark://127.0.0.1:1,127.0.0.1:{port}")
    for master in (f"spark://127.0.0.1:{port}", f"k8s://https://127.0.0.1:{port}"):
        assert "nobody answers there" in stopped("spark-unusable", check_master, master)


@every("memory", ("much", "1", "511MiB", "-1GiB", "80%"))
def test_a_memory_that_is_none(memory):
    assert f"--memory {memory}" in stopped("bad-option", Session, memory=memory)


@pytest.mark.later
def test_words_of_the_command_line(run, tmp_path):
    (tmp_path / "run").mkdir()
    done = run("cluster", "analyse", "run", "-o", "out", "--engine", "duckdb", "--master", "local")
    assert (done.code, done.err.count("[bad-option]")) == (2, 1)
    assert run("cluster", "analyse", "run", "-o", "out", "--engine", "flink").code == 2
    need_java()
    done = run("cluster", "compare", "run", "run", "--engine", "spark", "--master", "spark://127.0.0.1:1")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.endswith("nobody answers there: Connection refused [spark-unusable]\n")


@pytest.mark.later
def test_executors_without_statera(spark, tmp_path, monkeypatch):
    """A Python that sees all libraries but statera, which is installed by a .pth file."""
    python = tmp_path / "python"
    libraries = sysconfig.get_path("purelib")
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH{os.pathsep}{libraries}" exec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(spark.context, "pythonExec", str(python))
    said = stopped("spark-executors", spark.each, read_task, [None])
    assert said.startswith("the executors have no statera. Install statera with the same packages there")
    assert "\n" not in said


@pytest.mark.later
def test_executors_without_python(spark, monkeypatch):
    monkeypatch.setattr(spark.context, "pythonExec", "/nowhere/python")
    said = stopped("spark-executors", spark.each, read_task, [None])
    assert "/nowhere/python" in said
    assert "\n" not in said


MENDED = [
    ("Job aborted\njava.io.IOException: No space left on device\n\tat x", "disk-full"),
    ("Job aborted\nCaused by: java.lang.OutOfMemoryError: Java heap space", "out-of-memory"),
    ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "out-of-memory"),
    ("[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9", "spark-executors"),
]  # fmt: skip


@every("text, code", MENDED)
def test_errors_of_spark_that_a_person_can_mend(text, code):
    found = meaning(RuntimeError(text))
    assert isinstance(found, Stop)
    assert found.code == code
    assert "\n" not in str(found)
