"""A remote repository and two clones of it."""

import gc
import io
import os
import sys

import pytest
from stores import NOBODY, clone, commit, remote

from forked import FORKS, Done
from statera.cli import main


@pytest.fixture
def run(tmp_path, capfd, monkeypatch):
    """Run ``statera`` within this process: a process of its own costs five times as much, and tests here start many.

    Reports are drawn by a process that has drawn others before.
    """

    def start(*words, stdin="", cwd=tmp_path, env=None):
        words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in words]
        if any(word.endswith((".html", ".pdf", ".png")) for word in words):
            return FORKS.run(words, cwd=cwd, stdin=stdin.encode(), env=env)
        threshold = gc.get_threshold()
        with monkeypatch.context() as own:
            own.chdir(cwd)
            for name, value in (env or {}).items():
                own.setenv(name, value)
            own.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            capfd.readouterr()
            code = main(words)
        gc.set_threshold(*threshold)
        return Done(code, *capfd.readouterr())

    return start


@pytest.fixture
def bare(tmp_path):
    return remote(tmp_path / "remote.git")


@pytest.fixture
def here(bare, tmp_path, monkeypatch):
    """A clone with a commit, as the current folder."""
    path = clone(bare, tmp_path / "here")
    commit(path)
    for name, value in NOBODY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def there(bare, tmp_path):
    """Another clone of the same repository."""
    path = clone(bare, tmp_path / "there")
    commit(path)
    return path
