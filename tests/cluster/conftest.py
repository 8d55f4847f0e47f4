"""Generated runs for the tests of clusters, and analyses that all tests of a run share."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import nullcontext
from html import escape
from typing import NamedTuple

import pytest
from noisy import make

from statera.cli import main
from statera.cluster.analysis import Options, analyse, analyse_all
from statera.cluster.samples import load
from statera.output.plots import ahead
from statera.output.report import drawn, writers
from support import ROOT

EXAMPLE = ROOT / "examples/cluster"
# A drawing takes 50 ms, and a report of a cluster has a hundred.
_PLAIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="300" viewBox="0 0 420 300">'
    '<text font-family="Liberation Sans" font-size="11px" transform="translate(0,150)" fill="#1c2430">{}</text></svg>'
)


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Make a folder once for all workers: ``once(name, make)`` calls ``make(folder)`` unless it is there."""
    place = tmp_path_factory.getbasetemp()
    # Each worker has a folder of its own below that of the run.
    place = (place.parent if "PYTEST_XDIST_WORKER" in os.environ else place) / "clusters"
    place.mkdir(exist_ok=True)

    def folder(name, make):
        made = place / name
        with (place / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                part = place / f"{name}.part"
                shutil.rmtree(part, ignore_errors=True)
                make(part)
                part.rename(made)
        return made

    return folder


@pytest.fixture(scope="session")
def analysed(once):
    """Give the analysis of a run of the example; nobody may change it."""
    return lambda name: once(name, lambda out: analyse(EXAMPLE / name, out, Options()))


@pytest.fixture(scope="session")
def several(once):
    """Two runs of the example analysed together; nobody may change them."""
    runs = [EXAMPLE / "base-1", EXAMPLE / "slower-1"]
    return once("several", lambda out: analyse_all(runs, out, Options()))


@pytest.fixture(scope="session")
def noisy(once):
    """Give a small run with noise of its own, analysed once for the same words; nobody may change it."""

    def run(**words):
        name = "noisy-" + "-".join(f"{key}={value}" for key, value in sorted(words.items()))
        return load(once(name.replace("'", ""), lambda out: make(out, **words)))

    return run


class Done(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def here(tmp_path, capsys, monkeypatch):
    """Run a command in this process, in an empty folder: what it says depends on its words and files alone."""
    monkeypatch.chdir(tmp_path)

    def start(*words):
        code = main(list(map(str, words)))
        return Done(code, *capsys.readouterr())

    return start


@pytest.fixture
def plain_pictures(monkeypatch):
    """Draw of each picture the title alone: for tests of what else a report has."""
    _plain(monkeypatch)


@pytest.fixture(scope="module")
def plain_pictures_of_module():
    """Do the same for what a module shares."""
    with pytest.MonkeyPatch.context() as patch:
        _plain(patch)
        yield patch


def _plain(patch):

    patch.setattr(ahead, "svg", lambda picture: _PLAIN.format(escape(picture.title)))
    patch.setattr(writers, "announced", lambda *_, **__: nullcontext())
    patch.setattr(drawn.Drawing, "png", lambda *_: b"")
