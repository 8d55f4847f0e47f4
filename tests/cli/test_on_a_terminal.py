"""What is meant for programs is shown on a terminal now and then: no name may act there."""

import os
import pty
import subprocess
import sys

import pytest

from support import go, noisy, terminal_of

NAME = "A\x1b]0;title\x07\x9b31m\u202eB"


def shown(folder, *words):
    """What a terminal gets on standard output."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "wb") as stream:
        done = subprocess.Popen([sys.executable, "-m", "statera", *words], cwd=folder, stdout=stream)
    text = terminal_of(ours)
    assert done.wait(60) == 0
    return text


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


def answering(folder, answer, *words):
    """What a command prints to somebody who gives this answer on a terminal, and its exit code."""
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    command = [sys.executable, "-m", "statera", *words]
    done = subprocess.run(
        command, cwd=folder, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True, check=False
    )
    os.close(theirs)
    said = os.read(ours, 65536).decode()
    os.close(ours)
    return done.stdout, said, done.returncode


def test_a_table_that_asks_is_read_by_an_answer_or_by_the_settings(tmp_path, run):
    (tmp_path / "t.csv").write_text("a,old,1.5\nb,new,2.5\na,new,1.6\nb,old,2.4\n")
    words = ("inspect", "t.csv", "--colour", "never")
    out, said, code = answering(tmp_path, b"y\n", *words)
    assert (code, "inspected: t" in out) == (0, True)
    lines = said.replace("\r", "").split("To keep the answer, add to statera.toml:\n")[1]
    out, said, code = answering(tmp_path, b"n\n", *words)
    assert (code, out, "To keep" in said) == (2, "", False)
    assert run(*words).code == 2
    (tmp_path / "statera.toml").write_text(lines)
    assert "inspected: t" in run(*words).out
    (tmp_path / "statera.toml").write_text("columns = 1\n")
    assert "columns takes a table of roles" in run(*words).err
    (tmp_path / "statera.toml").write_text('[columns]\nbenchmark = "nix"\n')
    assert "has no column `nix`" in run(*words).err
    assert "those of [columns] in statera.toml" in run(*words).err
