"""Long work shows its stage on a terminal, and leaves neither a line nor a thread behind."""

import _thread
import io
import threading
import time
from importlib import import_module
from types import SimpleNamespace

import pytest

from statera import cli
from statera.cli import progress
from statera.cli.progress import Progress
from statera.cli.verbs import VERBS
from statera.support import stages
from waiting import FOREVER, until


class Screen(io.StringIO):
    """A standard error that is a terminal, or a pipe."""

    def __init__(self, *, terminal=True):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setattr(progress, "_PATIENCE", 0.02)
    monkeypatch.setattr(progress, "_STEP", 0.02)
    made = Screen()
    # What captures output takes standard error back before a test begins.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=made))
    return made


def shows(screen, word):
    until(lambda: word in screen.getvalue(), pause=0.005)


BEFORE = _thread._count()


def alone():
    # Other tests of this process may have left threads that wait for nothing.
    until(lambda: _thread._count() <= BEFORE, pause=0.005)
    return True


def test_the_line_follows_the_stages_and_is_removed(screen):
    with Progress("reading"):
        shows(screen, "statera: reading … ")
        stages.enter("weighing")
        shows(screen, "statera: weighing … ")
    assert screen.getvalue().endswith("\r\x1b[K")
    assert "\n" not in screen.getvalue()
    assert alone()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_early_end_leaves_no_line_and_no_thread(screen, error):
    def work():
        with Progress("reading"):
            shows(screen, "reading")
            raise error

    with pytest.raises(error):
        work()
    assert screen.getvalue().endswith("\r\x1b[K")
    assert alone()
    written = screen.getvalue()
    stages.enter("weighing")
    assert screen.getvalue() == written


def test_short_work_shows_nothing(screen, monkeypatch):
    monkeypatch.setattr(progress, "_PATIENCE", 60)
    with Progress("reading"):
        pass
    assert screen.getvalue() == ""
    assert alone()


def test_a_pipe_gets_no_progress(screen):
    screen.terminal = False
    with Progress("reading"):
        assert alone()
        time.sleep(0.1)
    assert screen.getvalue() == ""


def test_a_terminal_that_is_gone_ends_nothing(screen, monkeypatch):
    failed = threading.Event()

    def fail(_):
        failed.set()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(screen, "write", fail)
    with Progress("reading"):
        assert failed.wait(FOREVER)
    assert alone()


def test_what_is_written_meanwhile_removes_the_line(screen):
    with Progress("reading"):
        shows(screen, "reading")
        progress.hide()
        screen.write("a result\n")
        written = screen.getvalue()
        until(lambda: len(screen.getvalue()) > len(written), pause=0.005)
    assert "\x1b[Ka result\n\r\x1b[Kstatera: reading" in screen.getvalue()


def test_nothing_is_shown_while_somebody_is_asked(screen):
    with Progress("reading"):
        shows(screen, "reading")
        with progress.paused():
            screen.write("Read it so? ")
            progress.hide()
            time.sleep(0.2)
            assert screen.getvalue().endswith("\r\x1b[KRead it so? ")
        until(lambda: not screen.getvalue().endswith("? "), pause=0.005)


def test_every_verb_shows_its_progress(screen):
    """A verb does so by itself, or runs within the one line."""

    def work(_):
        shows(screen, "statera: reading")
        return 0

    for verb in (verb for verb in VERBS if verb.run):
        if verb.name in cli._SHOWING:
            assert verb.name in {"run", "serve"}
            continue
        module, _, name = verb.run.partition(":")
        screen.seek(0)
        screen.truncate()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(import_module(f"statera.cli.{module}"), name, work)
            patch.setattr("statera.cli.words.understood", lambda _, verb=verb: (verb, None))
            assert cli._run([*verb.name.split()]) == 0, verb.name
        assert screen.getvalue().endswith("\r\x1b[K"), verb.name
