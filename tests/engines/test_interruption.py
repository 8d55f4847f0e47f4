"""Interruptions that come where they must wait."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from statera.support.interruption import in_order, put_off

EXAMPLE = Path(__file__).parents[2] / "examples/cluster/base-1"
# DuckDB makes its enumerations by their names when it is loaded.
INTERRUPTED_AS_DUCKDB_LOADS = """
import enum, signal, sys
from statera.cli import main

make = enum.EnumType.__call__

def interrupted(kind, value, *rest, **named):
    if isinstance(value, str) and rest:
        print("amid", flush=True)
        enum.EnumType.__call__ = make
        signal.raise_signal(int(sys.argv[1]))
    return make(kind, value, *rest, **named)

enum.EnumType.__call__ = interrupted
sys.exit(main(["cluster", *sys.argv[2:]]))
"""
ENDED_AS_A_PAGE_IS_SET = """
import signal, sys, typst
from statera.cli import main

class Compiler:
    def __init__(self, root, **_):
        print(*sorted(path.name for path in root.iterdir()), flush=True)

    def compile(self, **_):
        signal.raise_signal(int(sys.argv[1]))

typst.Compiler = Compiler
sys.exit(main(["report", *sys.argv[2:]]))
"""

# A computation of minutes: that it ends shows that it did not come to its end.
INTERRUPTED_AS_IT_COMPUTES = """
import random, signal, sys
from pathlib import Path
from statera import _native
from statera.cli import main

chance = random.Random(1)
for side in "ab":
    Path(side).write_text("".join(f"BenchmarkA 1 {chance.gauss(100, 9)} ns/op\\n" for _ in range(200_000)))
compute = _native.self_test

def interrupted(*words):
    print("amid", flush=True)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    return compute(*words)

signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(int(sys.argv[1])))
_native.self_test = interrupted
sys.exit(main(["inspect", "--aa", "a", "b", "--splits", "100000"]))
"""

INTERRUPTED_AMID_EXEC = """
import signal, sys
from statera import cli

cli._run = lambda *_: exec("signal.raise_signal(signal.SIGINT)")
sys.exit(cli.main([]))
"""


def run_as_module(code, folder, *words):
    (folder / "interrupted.py").write_text(code)
    command = [sys.executable, "-m", "interrupted", *map(str, words)]
    temporary = folder / "temporary"
    temporary.mkdir()
    env = {**os.environ, "TMPDIR": str(temporary)}
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False, env=env)
    assert not list(temporary.iterdir())
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture(autouse=True)
def handler():
    """Let Python take interruptions, whoever else of this process took them before."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def interruptions():
    """Count interruptions in place of raising them."""
    met = []
    signal.signal(signal.SIGINT, lambda number, _: met.append(number))
    return met


def test_an_interruption_comes_after_the_block():
    done = []

    def run():
        with put_off():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done == [True]


def test_a_handler_of_the_caller_gets_it_once(interruptions):
    with put_off():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interruptions == []
    assert interruptions == [signal.SIGINT]


@pytest.mark.parametrize("other", [signal.SIGTERM, signal.SIGHUP])
def test_each_signal_that_is_taken_comes(interruptions, other):
    before = signal.signal(other, signal.getsignal(signal.SIGINT))
    with put_off():
        signal.raise_signal(other)
        signal.raise_signal(signal.SIGINT)
        assert interruptions == []
    signal.signal(other, before)
    assert interruptions == [other, signal.SIGINT]


def test_without_an_interruption_nothing_comes(interruptions):
    with put_off():
        pass
    assert interruptions == []


def test_what_ignores_interruptions_goes_on_doing_so(interruptions):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with put_off():
        signal.raise_signal(signal.SIGINT)
    assert interruptions == []


def test_an_error_of_the_block_goes_first_and_the_handler_is_back(interruptions):
    with pytest.raises(ValueError, match="of the block"), put_off():
        raise ValueError("of the block")
    signal.raise_signal(signal.SIGINT)
    assert interruptions == [signal.SIGINT]


def test_other_threads_are_left_alone():
    done = []

    def run():
        with put_off():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [signal.default_int_handler]


ENDS = [(signal.SIGINT, "statera: interrupted\n"), (signal.SIGTERM, ""), (signal.SIGHUP, "")]
# Where the command takes long before it is ended, one of them shows on every change what holds for each.
LONG = [ENDS[0], pytest.param(*ENDS[1], marks=pytest.mark.later), pytest.param(*ENDS[2], marks=pytest.mark.later)]


@pytest.mark.parametrize(("number", "said"), ENDS)
@pytest.mark.parametrize("words", [["analyse", EXAMPLE, "-o", "out"], ["compare", EXAMPLE, EXAMPLE]])
def test_ended_as_duckdb_loads(tmp_path, words, number, said):
    ended = run_as_module(INTERRUPTED_AS_DUCKDB_LOADS, tmp_path, number.value, *words)
    assert ended == (128 + number, "amid\n", said)


@pytest.mark.parametrize(("number", "said"), LONG)
def test_ended_as_a_report_is_set(tmp_path, pair, number, said):
    ended = run_as_module(ENDED_AS_A_PAGE_IS_SET, tmp_path, number.value, *pair, "-o", "report.pdf")
    assert (ended[0], ended[2]) == (128 + number, said)
    assert "document.json" in ended[1]
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.parametrize(("number", "said"), LONG)
def test_ended_as_it_computes(tmp_path, number, said):
    assert run_as_module(INTERRUPTED_AS_IT_COMPUTES, tmp_path, number.value) == (128 + number, "amid\n", said)


@pytest.mark.parametrize(("number", "said"), ENDS)
def test_ended_as_an_input_is_read_that_goes_on(tmp_path, number, said):
    command = [sys.executable, "-m", "statera", "compare", "-", "-"]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) as process:
        # More than a pipe holds: it reads, once this is written; and nothing tells it that the input ends.
        process.stdin.write(" " * 2**20)
        process.stdin.flush()
        process.send_signal(number)
        try:
            assert process.wait(60) == 128 + number
        finally:
            process.kill()
        assert process.stderr.read() == said


def test_an_end_that_is_asked_for_raises_in_a_block_and_nowhere_else():
    def run():
        with in_order():
            signal.raise_signal(signal.SIGHUP)

    with pytest.raises(SystemExit) as end:
        run()
    assert end.value.code == 128 + signal.SIGHUP
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_what_goes_on_without_its_terminal_does_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with in_order():
        signal.raise_signal(signal.SIGHUP)
    assert signal.signal(signal.SIGHUP, before) is signal.SIG_IGN


def test_interrupted_amid_an_exec(tmp_path):
    assert run_as_module(INTERRUPTED_AMID_EXEC, tmp_path) == (130, "", "statera: interrupted\n")
