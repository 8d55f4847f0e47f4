"""A run counts once: named again under its label, by whatever path, it is refused with both names."""

import shutil

import pytest

from statera import Stop
from statera.cluster.logs.directories import refuse_repeated
from support import ROOT, every, fails

RAFT = ROOT / "examples/raft-store"
LOGS = ("logs", "--mapping", RAFT / "raft-store.toml")


@pytest.fixture
def run(here):
    return here


@pytest.fixture
def runs(tmp_path):
    for name in ("sync", "nosync"):
        (tmp_path / name).symlink_to(RAFT / f"{name}-1")
    (tmp_path / "link").symlink_to("sync")
    (tmp_path / "base").symlink_to(ROOT / "examples/cluster/base-1")
    (tmp_path / "other").symlink_to("base")
    return tmp_path


REPEATED = [
    (*LOGS, "a=sync", "a=sync", "b=nosync"),
    (*LOGS, "a=sync", "a=./sync/", "b=nosync"),
    (*LOGS, "a=sync", "a=link", "b=nosync"),
    ("cluster", "compare", "a=base", "a=other", "b=base"),
    ("cluster", "report", "a=base", "a=other", "-o", "r.html"),
    ("cluster", "analyse", "base", "other", "-o", "out"),
]


@every("words", REPEATED)
def test_a_run_counts_once(run, runs, words):
    fails(run(*words), "is the same run as", "[same-run]")
    assert not (runs / "out").exists()


@every("labels", (("a=", "b="), ("", "")))
def test_under_two_labels_it_is_compared_with_itself(run, runs, labels):
    done = run(*LOGS, f"{labels[0]}{runs / 'sync'}", f"{labels[1]}link")
    assert done.code == 0, done.err


def test_what_is_not_there_is_told_elsewhere(tmp_path):
    refuse_repeated([tmp_path / "absent", tmp_path / "absent"])
    with pytest.raises(Stop, match="is the same run as"):
        refuse_repeated([tmp_path, tmp_path / "."])


def test_several_runs_do_not_go_among_the_logs_either(run, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(ROOT / "examples/cluster/base-1", tmp_path / name)
    fails(run("cluster", "analyse", "one", "two", "-o", "one"), "holds logs of the run")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == sorted(
        path.name for path in (ROOT / "examples/cluster/base-1").iterdir()
    )
