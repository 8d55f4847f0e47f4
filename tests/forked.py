"""Processes of the program that are forked from one which has imported everything, for tests that start very many.

Each is a process of its own: its streams, directory, environment and end are as those of ``python -m statera``. What
would start another Python, such as ``PYTHONHASHSEED``, is started afresh.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import json
import os
import pickle
import pkgutil
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

PYTHON = [sys.executable, "-W", "error"]
# What Python and the C library read once, at their start.
_AT_START = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "MALLOC_")
# Without duckdb: it complains at the end of a process whose objects the collector leaves alone.
_OPTIONAL = ("altair", "jinja2", "markdown_it", "numpy", "typst", "vl_convert")


class Done(NamedTuple):
    code: int
    out: str
    err: str


def _at_start(environment):
    return {name: value for name, value in environment.items() if name.startswith(_AT_START)}


class Forks:
    """The process that forks the others; it starts with the first of them, and ends with this one."""

    def __init__(self):
        self._environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        self._process = self._socket = None

    def run(self, words, *, cwd, stdin=b"", env=None):
        """Run ``statera`` with words; give how it ended and what it wrote."""
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})}
        words = list(map(str, words))
        if _at_start(environment) != _at_start(self._environment):
            command = [*PYTHON, "-m", "statera", *words]
            done = subprocess.run(
                command, input=stdin, capture_output=True, cwd=cwd, env=environment, check=False, timeout=300
            )
            return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
        return self._forked({"words": words, "cwd": str(cwd), "environment": environment}, stdin)

    def _forked(self, request, stdin):
        if self._process is None:
            self._start()
        (theirs, into), (out, outs), (err, errs) = os.pipe(), os.pipe(), os.pipe()
        given = [theirs, outs, errs]
        socket.send_fds(self._socket, [json.dumps(request).encode()], given)
        for number in given:
            os.close(number)
        with ThreadPoolExecutor(3) as streams:
            streams.submit(_write, into, stdin)
            texts = [streams.submit(_read, number) for number in (out, err)]
            try:
                code = self._socket.recv(16)
            except BaseException:
                os.killpg(self._process.pid, signal.SIGKILL)
                raise
        if not code:
            raise RuntimeError(self._process.stderr.read().decode())
        return Done(int(code), *(text.result().decode() for text in texts))

    def _start(self):
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(300)
        with theirs:
            self._process = subprocess.Popen(
                [*PYTHON, __file__, str(theirs.fileno())],
                env=self._environment,
                pass_fds=[theirs.fileno()],
                process_group=0,
                # Its streams are made for what they are at its start: pipes, as those of every request.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )

    def close(self):
        """End it: it sees that nobody asks any more."""
        if self._process is not None:
            self._socket.close()
            self._process.communicate(timeout=60)
            self._process = None


FORKS = Forks()


def _write(number, content):
    with contextlib.suppress(BrokenPipeError), os.fdopen(number, "wb", 0) as stream:
        stream.write(content)


def _read(number):
    with os.fdopen(number, "rb") as stream:
        return stream.read()


def _prepare(folder):
    """Import what the verbs use."""
    import statera.comparison.pipeline  # noqa: PLC0415

    # Few commands follow; each imports the rest of what it uses.
    if os.environ.get("STATERA_FEW_FORKS"):
        return
    for module in pkgutil.walk_packages(statera.__path__, "statera."):
        # Alembic alone executes its own modules.
        if not any(word in module.name for word in ("spark", "__main__", "migrations.env")):
            importlib.import_module(module.name)
    for name in _OPTIONAL:
        importlib.import_module(name)
    converter = sys.modules["vl_convert"]
    for name in (
        "javascript_bundle",
        "svg_to_pdf",
        "svg_to_png",
        "vegalite_to_pdf",
        "vegalite_to_png",
        "vegalite_to_svg",
    ):
        setattr(converter, name, _once(getattr(converter, name), folder))
    # The collector of a fork would touch, and so copy, all that is here.
    gc.freeze()


def _once(make, folder):
    """Give a function that makes of the same words the same once for all forks: to draw takes long."""

    def made(*words, **named):
        path = folder / hashlib.sha256(repr((make.__name__, words, named)).encode()).hexdigest()
        if not path.exists():
            own = path.with_name(f"{path.name}.{os.getpid()}")
            own.write_bytes(pickle.dumps(make(*words, **named)))
            own.rename(path)
        return pickle.loads(path.read_bytes())  # noqa: S301 - of our own

    return made


def _receive(listening):
    """Give the next request and its streams; nothing when there is no more."""
    sent, numbers, *_ = socket.recv_fds(listening, 1 << 20, 3)
    return (json.loads(sent), numbers) if sent else None


def _become(request, numbers):
    """Be the process that is asked for."""
    for place, number in enumerate(numbers):
        os.dup2(number, place)
        os.close(number)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["statera", *request["words"]]


def _serve(listening):
    """Fork for every request; a fork returns from here."""
    while received := _receive(listening):
        if (child := os.fork()) == 0:
            listening.close()
            _become(*received)
            return True
        for number in received[1]:
            os.close(number)
        listening.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    return False


if __name__ == "__main__":
    scripts = Path(tempfile.mkdtemp(prefix="statera-tests-"))
    _prepare(scripts)
    if _serve(socket.socket(fileno=int(sys.argv[1]))):
        runpy.run_module("statera", run_name="__main__", alter_sys=True)
    else:
        shutil.rmtree(scripts)
