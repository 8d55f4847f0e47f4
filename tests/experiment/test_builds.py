"""Builds are made once, complete or not at all, and say why they failed."""

import hashlib
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from plans import plan as small
from repositories import commit, files, written

from statera.experiment.builds import _refuse_other_bytes, build_folder, identical, make
from statera.experiment.file import planned
from statera.experiment.sources import remove_folder
from support import stopped

FILE = """
[factors]
rev = ["v1", "v2"]
[source]
revision = "{rev}"
[build]
command = COMMAND
[[benchmark]]
name = "x"
command = ["{build}/x"]
"""
COUNTED = """{ shell = "echo again >> $COUNT; cat a.c > $build/x; echo said" }\nenv = { COUNT = "%s" }"""


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    commit(folder, "v1", a_c="1")
    commit(folder, "v2", a_c="2")
    return folder


def plan(folder, command, **changes):
    text = FILE.replace("COMMAND", command)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return planned(written(folder, text))


def built(launcher, each):
    return make(each, launcher.run, os.environ)


def records(launcher, each):
    return [built(launcher, build) for build in each.builds]


def test_a_build_is_made_once(repository, tmp_path, launcher, cache):
    count = tmp_path / "count"
    first, second = plan(repository, COUNTED % count).builds
    record = built(launcher, first)
    assert (record["ok"], record["cached"], record["message"]) == (True, False, "")
    assert record["artefacts"] == {"x": hashlib.sha256(b"1").hexdigest()}
    assert files(Path(first.folder)) == {"x": "1"}
    assert built(launcher, first) == {**record, "cached": True, "seconds": 0.0}
    assert count.read_text() == "again\n"
    assert built(launcher, second)["artefacts"] == {"x": hashlib.sha256(b"2").hexdigest()}
    assert Path(first.folder).parent == cache / "builds"
    # Files beside the artefacts do not matter; an artefact that has changed is built again.
    (Path(first.folder) / "profile").write_text("left by a benchmark")
    assert built(launcher, first)["cached"]
    (Path(first.folder) / "x").write_text("touched")
    again = built(launcher, first)
    assert (again["cached"], again["artefacts"]) == (False, record["artefacts"])
    # A build whose tree is gone is none.
    remove_folder(Path(first.tree))
    assert [built(launcher, first)["cached"] for _ in range(2)] == [False, True]


def keys(folder, command, **changes):
    return [each.key for each in plan(folder, command, **changes).builds]


def test_a_key_names_all_that_decides_the_bytes_and_nothing_else(repository, monkeypatch, tmp_path):
    command = '["cc", "a.c", "-o", "{build}/x"]'
    before = keys(repository, command)
    assert before == keys(repository, command) == keys(repository, command, **{'"x"': '"y"'})
    more = ('env = { A = "1" }', 'directory = "src"', 'artefacts = ["x"]')
    for other in (command.replace("cc", "gcc"), *(f"{command}\n{each}" for each in more)):
        assert not set(before) & set(keys(repository, other)), other
    monkeypatch.setenv("CFLAGS", "-O3")
    assert not set(before) & set(keys(repository, command))
    monkeypatch.delenv("CFLAGS")
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert not set(before) & set(keys(repository, command))


def test_a_failed_build_shows_the_end_of_its_output_and_others_go_on(repository, launcher):
    each = plan(repository, '{ shell = "cat a.c > $build/x; echo broken >&2; grep -q 2 a.c" }')
    first, second = records(launcher, each)
    assert not first["ok"]
    assert "exit" in first["message"]
    assert first["message"].endswith(f"{each.builds[0].folder}.err ends with:\n  broken")
    assert second["ok"]
    again = built(launcher, each.builds[0])
    assert not again["ok"]
    assert not again["cached"]


def test_a_build_that_hangs_is_ended_with_all_that_it_started(repository, launcher):
    each = plan(repository, '{ shell = "echo $$ > $build/x; sleep 1000 & wait" }\ntimeout = 0.2')
    record = built(launcher, each.builds[0])
    assert not record["ok"]
    assert "0.2" in record["message"]
    process = int((Path(each.builds[0].folder) / "x").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_build_that_does_not_make_what_it_should_says_why(repository, launcher):
    for command, said in {
        '["no-such-compiler"]': "no-such-compiler",
        '["true"]\nartefacts = ["bench"]': "bench: No such file or directory",
        '["true"]\ndirectory = "gone"': "has no folder gone, where the build is to run",
    }.items():
        record = built(launcher, plan(repository, command).builds[0])
        assert (record["ok"], said in record["message"]) == (False, True), command


def test_only_named_artefacts_are_recorded(repository, launcher):
    command = '{ shell = "date +%N > $build/stamp; cp a.c $build/x" }\nartefacts = ["x"]'
    assert list(built(launcher, plan(repository, command).builds[0])["artefacts"]) == ["x"]


def test_each_build_has_a_tree_of_its_own(repository, launcher):
    """Objects that one build leaves in its tree must not become part of another."""
    command = '{ shell = "test ! -e left && touch left && echo $flags > $build/x" }'
    each = plan(repository, command, **{"[factors]": '[factors]\nflags = ["-O2", "-O3"]', '"v1", "v2"': '"v1"'})
    assert [record["ok"] for record in records(launcher, each)] == [True, True]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_that_may_not_be_written_are_removed(repository, launcher):
    build = plan(
        repository, '{ shell = "mkdir -p $build/d/e; touch $build/d/e/x; chmod 0555 $build/d $build/d/e" }'
    ).builds[0]
    assert built(launcher, build)["ok"]
    (Path(build.folder) / "d/e/x").write_text("touched")
    assert built(launcher, build)["ok"]


def test_a_link_in_a_build_leads_to_no_removal(repository, tmp_path, launcher):
    (tmp_path / "kept").mkdir(mode=0o500)
    build = plan(repository, f'{{ shell = "ln -s {tmp_path}/kept $build/l; date +%N > $build/x" }}').builds[0]
    assert built(launcher, build)["ok"]
    (Path(build.folder) / "x").write_text("touched")
    assert built(launcher, build)["ok"]
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o500


def test_sources_alone_are_a_build(repository, launcher):
    text = '[factors]\nrev = ["v1", "v2"]\n[source]\nrevision = "{rev}"\n[[benchmark]]\nname = "x"\n'
    each = planned(written(repository, text + 'command = ["cat", "{source}/a.c"]\n'))
    assert [record["ok"] for record in records(launcher, each)] == [True, True]
    assert [Path(cell.command.arguments[1]).read_text() for cell in each.cells] == ["1", "2"]
    assert [record["cached"] for record in records(launcher, each)] == [True, True]


def test_a_build_gets_the_variables_of_the_caller_and_its_own(repository, launcher):
    build = plan(repository, '{ shell = "echo $A$B > $build/x" }\nenv = { B = "{rev}" }').builds[0]
    make(build, launcher.run, {**os.environ, "A": "a-"})
    assert files(Path(build.folder)) == {"x": "a-v1\n"}


BUILDER = """
import os, sys
from statera.experiment.builds import make
from statera.experiment.file import planned
from statera.experiment.sources import remove_folder
from statera.experiment.launcher import Launcher
with Launcher() as launcher:
    print(make(planned(sys.argv[1]).builds[0], launcher.run, os.environ)["cached"])
"""


def test_two_at_once_build_once(repository, tmp_path):
    count, path = tmp_path / "count", repository / "experiment.toml"
    plan(repository, COUNTED % count)
    several = [
        subprocess.Popen([sys.executable, "-c", BUILDER, path], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert sorted(each.communicate(timeout=100)[0].strip() for each in several) == ["False", "True", "True", "True"]
    assert count.read_text() == "again\n"


def child(process):
    return int(Path(f"/proc/{process}/task/{process}/children").read_text())


def test_a_build_that_was_killed_is_no_build(repository, tmp_path, launcher):
    pipe, path = tmp_path / "pipe", repository / "experiment.toml"
    os.mkfifo(pipe)
    # The command goes on when statera is gone.
    goes_on = "echo half > $build/x; [ -p $PIPE ] && cat $PIPE && while :; do echo half > $build/x; done"
    command = COUNTED.replace("echo said", f"{goes_on}; cat $PIPE > $build/x") % (tmp_path / "count")
    build = plan(repository, command.replace("env = {", f'env = {{ PIPE = "{pipe}",')).builds[0]
    process = subprocess.Popen([sys.executable, "-c", BUILDER, path], stdout=subprocess.DEVNULL)
    # Opening the pipe waits until the command reads it; then half of it is built.
    with pipe.open("w"):
        # They would end the command, but that takes a moment.
        starters = [child(process.pid), child(child(process.pid))]
        for each in starters:
            os.kill(each, signal.SIGSTOP)
        process.kill()
        process.wait()
    try:
        assert files(Path(build.folder))
        pipe.unlink()
        pipe.write_text("whole")
        record = built(launcher, build)
    finally:
        for each in starters:
            # One that has ended may be gone.
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGCONT)
    assert (record["ok"], record["cached"]) == (True, False)
    assert files(Path(build.folder)) == {"x": "whole"}


def test_a_cache_that_cannot_be_written(repository, launcher, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "Not a directory" in stopped(built, launcher, plan(repository, '["true"]').builds[0])
    # A relative folder is none.
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert build_folder("k") == Path.home() / ".cache/statera/builds/k"


def test_a_resumed_build_gives_the_bytes_of_the_beginning():
    one, other, failed = ({"ok": bool(name), "artefacts": {"x": name}} for name in ("a", "b", ""))
    for before, now, said in (
        (one, other, "[build-changed]"), (one, one, ""), (one, failed, ""), (failed, one, ""), (None, one, "")
    ):  # fmt: skip
        assert stopped(_refuse_other_bytes, small("v1", "v2"), 0, before, now)[-15:] == said


def test_variants_that_build_the_same_bytes_are_named_and_no_others(repository, launcher):
    def named(command, **changes):
        each = plan(repository, command, **changes)
        return identical(each, records(launcher, each))

    same = '{ shell = "echo $rev > /dev/null; echo same > $build/x" }'
    assert named(same) == ["v1 and v2 run the same commands on the same bytes: a difference between them is noise"]
    assert named('["cp", "a.c", "{build}/x"]') == []
    assert named(same, **{'"{build}/x"]': '"{build}/x", "{rev}"]'}) == []
    assert named(same, **{'"{build}/x"]': '"{build}/x", "{source}/a.c"]'}) == []
    assert named('["false"]') == []
