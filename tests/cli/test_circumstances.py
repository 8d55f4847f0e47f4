"""Every verb where a stream is closed, full or read by nobody: no crash, and the gate's exit code only for the gate."""

import os
import shlex
import subprocess
import sys

import pytest

from support import ROOT, go, noisy, write

STREAMS = {
    "input closed": "<&-",
    "output closed": ">&-",
    "error closed": "2>&-",
    "output and error closed": ">&- 2>&-",
    "all closed": "<&- >&- 2>&-",
    "output full": ">/dev/full",
    "output full at once": ">/dev/full",
    "error full": "2>/dev/full",
    "both full": ">/dev/full 2>&1",
    "output read by nobody": "| true",
    "error read by nobody": "2>&1 >/dev/null | true",
}
ENVIRONMENTS = {
    "no home": ("env -u HOME", 0),
    "no width": ("env COLUMNS=0", 0),
    "a width that is none": ("env COLUMNS=wide", 0),
    "an encoding without most characters": ("env PYTHONIOENCODING=ascii", 0),
    "a locale without most characters": ("env LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", 0),
    "a terminal that can nothing": ("env TERM=dumb", 0),
    "no threads to spare": ("env RAYON_NUM_THREADS=1", 0),
    "a working folder that is gone": ("mkdir gone; cd gone; rmdir ../gone;", 2),
}
# Words, whether standard output is written to, and the exit code where nothing is in the way.
VERBS = {
    "compare": ("compare old new", True, 0),
    "gate": ("compare old new --fail-on worse", True, 1),
    "json": ("compare old new -f json", True, 0),
    "to a file": ("compare old new -o out.md", False, 0),
    "inspect": ("inspect old", True, 0),
    "convert": ("convert old -o out.csv", False, 0),
    "explain": ("explain drift", True, 0),
    "explain all": ("explain", True, 0),
    "completion": ("completion bash", True, 0),
    "help": ("--help", True, 0),
    "help of a verb": ("compare --help", True, 0),
    "version": ("--version", True, 0),
    "missing": ("compare absent old", False, 2),
    "misunderstood": ("compare --no-such-option", False, 2),
    "nothing": ("", False, 2),
}
# All verbs share what handles streams: these verbs meet all of them, and all verbs meet these streams.
FIRST = {"compare", "gate", "to a file", "help", "all closed", "output full", "output read by nobody"}
DRAWN = {
    "plot": "plot forest old new -o out.svg",
    "report": "report old new -o out.html -o out.pdf -o out.md",
    "cluster": f"cluster analyse {ROOT}/examples/cluster/base-1 -o out",
}


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, old=go({"A": noisy(100), "B": noisy(50)}), new=go({"A": noisy(150), "B": noisy(50)}))
    return tmp_path


def code_of(folder, words, streams="", before=""):
    """Run a command in a shell; give its exit code and what it left on standard error."""
    command = f"{before} {shlex.quote(sys.executable)} -m statera {words} {streams}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=300,
    )
    text = (done.stdout + done.stderr).decode()
    assert "Traceback" not in text
    assert "panicked" not in text
    assert "Exception ignored" not in text
    assert "[internal-error]" not in text
    return done.returncode


@pytest.mark.parametrize(
    ("verb", "streams"),
    [
        pytest.param(verb, streams, marks=[pytest.mark.later] * (not {verb, streams} & FIRST))
        for verb in VERBS
        for streams in STREAMS
    ],
)
def test_streams(folder, verb, streams):
    words, writes, code = VERBS[verb]
    refused = writes and any(word in STREAMS[streams] for word in ("full", ">&-")) and "error" not in streams.split()[0]
    before = "env PYTHONUNBUFFERED=1" if streams.endswith("at once") else ""
    assert code_of(folder, words, STREAMS[streams], before) == (2 if refused else code)


@pytest.mark.parametrize(
    ("verb", "streams"),
    [
        pytest.param(verb, streams, marks=[pytest.mark.later] * ((streams == "both full") == (verb == "plot")))
        for verb in DRAWN
        for streams in ("all closed", "both full")
    ],
)
def test_streams_where_something_is_drawn(folder, verb, streams):
    assert code_of(folder, DRAWN[verb], STREAMS[streams]) == (2 if verb == "cluster" else 0)


@pytest.mark.parametrize("surroundings", ENVIRONMENTS)
@pytest.mark.parametrize(
    "words", ["compare old new", "explain", pytest.param("report old new -o out.md", marks=pytest.mark.later)]
)
def test_surroundings(folder, words, surroundings):
    before, code = ENVIRONMENTS[surroundings]
    assert code_of(folder, words, before=before) == (0 if words == "explain" else code)


@pytest.mark.parametrize(
    ("words", "before", "code"),
    [
        pytest.param("report old new -o out.pdf", "env TMPDIR=/proc", 0, marks=pytest.mark.later),
        pytest.param("report old new -o out.pdf", "env TMPDIR=/no/such/folder", 0, marks=pytest.mark.later),
        ("report old new -o out.pdf", "ulimit -f 0;", 2),
        ("compare old new -o out.md", "ulimit -f 0;", 2),
        ("convert old -o out.csv", "ulimit -f 0;", 2),
    ],
)
def test_what_the_system_does_not_give(folder, words, before, code):
    assert code_of(folder, words, before=before) == code
