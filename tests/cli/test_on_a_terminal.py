"""What is meant for programs is shown on a terminal now and then: no name may act there."""

import os
import pty
import subprocess
import sys

import pytest

from support import go, noisy

NAME = "A\x1b]0;title\x07\x9b31m\u202eB"


def shown(folder, *words):
    """What a terminal gets on standard output."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "wb") as stream:
        done = subprocess.Popen([sys.executable, "-m", "statera", *words], cwd=folder, stdout=stream)
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            # The other end is closed.
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    assert done.wait(60) == 0
    return b"".join(parts).decode()


@pytest.mark.parametrize("kind", ["terminal", "csv", "json", "markdown"])
def test_no_name_acts_on_a_terminal(tmp_path, kind):
    for name, centre in (("old", 100), ("new", 120)):
        (tmp_path / name).write_text(go({NAME: noisy(centre)}))
    text = shown(tmp_path, "compare", "old", "new", "-f", kind, "--colour", "never")
    assert "title" in text
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(text)


def test_a_file_has_the_name_as_it_is(tmp_path, run):
    for name, centre in (("old", 100), ("new", 120)):
        (tmp_path / name).write_text(go({NAME: noisy(centre)}))
    assert run("compare", "old", "new", "-o", "out.csv").code == 0
    assert NAME in (tmp_path / "out.csv").read_text(encoding="utf-8")
