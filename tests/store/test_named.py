"""Stored runs: copied whole or not at all, all runs of a name kept, and used wherever a path is."""

import errno
import os
import shutil
from pathlib import Path

import pytest

import statera
from recorded import plan, record, timed
from statera.reading.store import named
from support import fails, go, noisy, stopped

TIMES = {"old": noisy(1.0, 8, seed=1), "new": noisy(1.2, 8, seed=2)}


@pytest.fixture
def store(tmp_path, monkeypatch):
    path = tmp_path / "store"
    monkeypatch.setenv("STATERA_STORE", str(path))
    return path


def made(tmp_path, number=1, levels=None, times=None):
    times = times or TIMES
    return record(tmp_path / f"run{number}", plan(tuple(times), levels=levels), timed(times), number=number)


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def with_store(store):
    return {**os.environ, "STATERA_STORE": str(store)}


def test_a_run_is_named_by_the_levels_of_its_factors(run, tmp_path, store):
    levels = {f"{rev} {gogc}": {"rev": rev, "gogc": gogc} for rev in ("v1/2", "main") for gogc in ("100", "off")}
    made(tmp_path, levels=levels, times={name: [1.0] for name in levels})
    made(tmp_path, 2)
    assert run("store", "add", "run1", env=with_store(store)).code == 0
    assert "stored as old+new/1" in run("store", "add", "run2", env=with_store(store)).err
    assert [each.name for each in named.every()] == ["old+new", "v1-2+main_100+off"]
    listed = run("store", "list", env=with_store(store)).out.splitlines()
    assert listed[0].split() == ["name", "runs", "contents"]
    assert listed[1].split()[:4] == ["old+new", "1", "old,", "new;"]


def test_several_runs_of_a_name_are_kept_and_compared_together(run, tmp_path, store):
    for number in (1, 2):
        named.add([made(tmp_path, number)], "both")
    assert [run.name for run in named.wanted("both").runs] == ["1", "2"]
    done = run("compare", "both", "-f", "csv", env=with_store(store))
    assert done.code == 0
    assert ",16," in done.out
    one = run("compare", "both/2", "-f", "csv", env=with_store(store))
    assert ",8," in one.out
    assert ",16," not in one.out
    shown = run("compare", "both", "--notes", env=with_store(store)).out
    assert f"Note: both: 2 stored runs in {store / 'both'} [stored-run]" in shown


def test_two_names_are_two_variants(run, tmp_path, store):
    for number, name in enumerate(("base", "head"), 1):
        named.add([made(tmp_path, number, times={"it": noisy(float(number), 8, seed=number)})], name)
    done = run("compare", "base", "head", env=with_store(store))
    assert done.out.splitlines()[1] == "base → head   statera run, work, 8 runs per build"
    assert done.out.startswith("work: time slower +")
    assert run("inspect", "base", env=with_store(store)).out.startswith("inspected: it")
    done = run("convert", "head", "-o", "x.csv", env=with_store(store))
    assert f"head: 1 stored run in {store / 'head'}" in done.err


def test_the_library_takes_names_too(tmp_path, store):
    named.add([made(tmp_path)], "both")
    assert [source.name for source in statera.read("both").sources] == [str(store / "both/1/journal.ndjson")]
    assert statera.compare("both").labels == ["old", "new"]


def test_a_path_wins(run, tmp_path, store):
    named.add([made(tmp_path)], "both")
    (tmp_path / "both").write_text(go({"X": noisy(1)}))
    done = run("inspect", "both", env=with_store(store))
    assert "stored" not in done.out + done.err
    assert "sec/op" in done.out


def test_any_results_can_be_stored(run, tmp_path, store):
    folder = tmp_path / "results"
    for part, seed in (("a", 1), ("b", 2)):
        (folder / part).mkdir(parents=True)
        (folder / part / "x.txt").write_text(go({"X": noisy(1, seed=seed)}))
    (folder / "a/link").symlink_to("/etc/passwd")
    environment = with_store(store)
    assert run("store", "add", "results/a/x.txt", env=environment).code == 0
    assert (
        run("store", "add", "results/a/x.txt", "results/b/x.txt", "results", "--name", "all", env=environment).code == 0
    )
    assert names(store) == [
        "all/1/2-x.txt", "all/1/results/a/x.txt", "all/1/results/b/x.txt", "all/1/x.txt", "x/1/x.txt"
    ]  # fmt: skip
    shown = run("store", "show", "x", env=environment)
    assert shown.code == 0
    assert shown.out.startswith("inspected: x\n")
    assert "all      1  4 files" in run("store", "list", env=environment).out


def test_removed_runs_are_gone_and_numbers_are_not_used_twice(run, tmp_path, store):
    environment = with_store(store)
    for number in (1, 2):
        named.add([made(tmp_path, number)], "both")
    assert run("store", "remove", "both/1", env=environment).code == 0
    named.add([made(tmp_path, 3)], "both")
    assert [each.name for each in named.wanted("both").runs] == ["2", "3"]
    assert run("store", "remove", "both", env=environment).code == 0
    assert names(store) == []
    assert not (store / "both").exists()
    fails(run("store", "remove", "both", env=environment), "'both'; there are: none [no-such-run]")
    assert "no run is stored in" in run("store", "list", env=environment).err


@pytest.mark.usefixtures("store")
def test_the_same_run_is_not_stored_twice_under_a_name(tmp_path):
    path = made(tmp_path)
    named.add([path], "one")
    message = stopped(named.add, [path], "one")
    assert "stored as one/1 already" in message
    assert message.endswith("[already-stored]")
    named.add([path], "another")


def test_hostile_names_are_refused(tmp_path, store):
    path = made(tmp_path)
    paths = ("", ".", "..", "../x", "a/b", "/etc", ".hidden")
    for name in (*paths, "-rf", "a=b", "a*", "a b", "a\nb", "a\0b", "x" * 101, "\u202ea"):
        assert stopped(named.add, [path], name).endswith("[bad-option]"), name
        assert named.found(name) is None, name
    assert not store.exists()


def test_names_of_variants_become_names():
    for words in ("../../etc", "-rf", "a\nb", "\u202e", "x" * 300, "\N{GRINNING FACE}", "\udc80", "a=b*?[", ""):
        assert named.is_name(named.name_of(words)), words
    assert named.name_of("v1+v2+.") == "v1+v2+."


def test_a_copy_that_fails_leaves_nothing(tmp_path, store, monkeypatch):
    def full(_source, target):
        Path(target).write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))

    monkeypatch.setattr(shutil, "copyfile", full)
    assert stopped(named.add, [made(tmp_path)], "one").endswith("[disk-full]")
    assert [path.name for path in store.iterdir()] == []


def test_what_a_killed_copy_left_is_removed_by_the_next(tmp_path, store):
    (store / ".part-x/run").mkdir(parents=True)
    named.add([made(tmp_path)], "one")
    assert sorted(path.name for path in store.iterdir()) == ["one"]


@pytest.mark.usefixtures("store")
def test_the_lock_and_links_are_not_copied(tmp_path):
    path = made(tmp_path)
    (path / "lock").write_text("{}")
    (path / "raw/000001.txt").symlink_to("/etc/passwd")
    copy = named.add([path], "one").folder
    assert names(copy) == ["journal.ndjson", "manifest.json"]


def test_the_folder_of_the_store(monkeypatch, tmp_path):
    monkeypatch.delenv("STATERA_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert named.store() == tmp_path / ".local/share/statera/runs"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert named.store() == tmp_path / "data/statera/runs"
    assert named.every() == []
