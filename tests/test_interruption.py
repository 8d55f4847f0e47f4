"""Interruptions that come where they must wait."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from statera.interruption import put_off

EXAMPLE = Path(__file__).parent.parent / "examples/cluster/base-1"
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
sys.exit(main(["cluster", "analyse", *sys.argv[2:]]))
"""

INTERRUPTED_AMID_EXEC = """
import signal, sys
from statera import cli

cli.parser = lambda *_: exec("signal.raise_signal(signal.SIGINT)")
sys.exit(cli.main([]))
"""


def run_as_module(code, folder, *words):
    (folder / "interrupted.py").write_text(code)
    command = [sys.executable, "-m", "interrupted", *map(str, words)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
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


def test_each_signal_that_is_taken_comes(interruptions):
    before = signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    with put_off():
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        assert interruptions == []
    signal.signal(signal.SIGTERM, before)
    assert interruptions == [signal.SIGTERM, signal.SIGINT]


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


@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "statera: interrupted\n"), (signal.SIGTERM, "")])
def test_ended_as_duckdb_loads(tmp_path, number, said):
    ended = run_as_module(INTERRUPTED_AS_DUCKDB_LOADS, tmp_path, number.value, EXAMPLE, "-o", tmp_path / "out")
    assert ended == (128 + number, "amid\n", said)


def test_interrupted_amid_an_exec(tmp_path):
    assert run_as_module(INTERRUPTED_AMID_EXEC, tmp_path) == (130, "", "statera: interrupted\n")
