"""Long work shows its stage on a terminal, and leaves neither a line nor a thread behind."""

import io
import threading
import time
from types import SimpleNamespace

import pytest

from statera.cli import progress
from statera.cli.progress import Progress
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


def alone():
    return not [thread for thread in threading.enumerate() if thread.name == "progress"]


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
