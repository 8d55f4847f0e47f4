"""Commands within the process of the tests, where neither their streams nor their end are what is tested.

A process of its own (``forked.py``) costs five times as much.
"""

import gc
import io
import os
import sys

from forked import FORKS, Done
from statera.cli import main


def running(capfd, monkeypatch, folder):
    """Give a function as the fixture ``run``: it takes the words of a command, and gives how it ended.

    Reports are drawn by a process that has drawn others before.
    """

    def run(*words, stdin="", cwd=folder, env=None):
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

    return run
