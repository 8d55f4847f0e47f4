"""The jobs of two commits are compared like files, and those of one machine only."""

import json
import shutil

import pytest
from projects import imported, names, rows

from forked import FORKS
from statera import _native
from statera.history import catalog
from statera.history.analysis import analyse
from statera.history.comparison import at_level
from statera.history.folder import open_folder
from statera.history.job import to_json
from statera.support.settings import Limits
from support import fails, noisy, table

COMMITS = names(60)


@pytest.fixture(scope="module")
def sixty(tmp_path_factory):
    """The folder of a history of sixty commits; Parse is 20 % slower from number 30 on."""
    folder = tmp_path_factory.mktemp("sixty")
    return imported(lambda *words: FORKS.run(words, cwd=folder), folder, COMMITS, repeats=8)


@pytest.fixture
def history(sixty, tmp_path):
    """A copy of its own."""
    return shutil.copytree(sixty, tmp_path / "h")


def compared(run, history, words, *options):
    done = run("history", "compare", words, "--history", history, "-f", "json", *options)
    assert done.code == 0, done.err
    document = json.loads(done.out)
    return {row["benchmark"]: row for row in document["rows"]}, done.err


def test_two_commits_are_compared_by_their_own_values(run, history):
    found, said = compared(run, history, f"{COMMITS[28]}..{COMMITS[40][:10]}")
    assert found["Parse"]["verdict"] == "worse"
    assert found["Parse"]["change"] == pytest.approx(0.2, abs=0.03)
    assert found["Emit"]["verdict"] != "worse"
    assert "1 job;" in said


def test_a_stretch_reaches_to_the_changes_next_to_a_commit(run, history):
    _, said = compared(run, history, f"{COMMITS[28]}..{COMMITS[40]}", "--stretch")
    assert f"{COMMITS[28][:8]}: 30 jobs; {COMMITS[40][:8]}: 30 jobs" in said


def test_a_stretch_leaves_out_commits_that_may_belong_to_either_side(history):
    held = catalog.read(open_folder(history), Limits())
    analysis = analyse(held, ())
    found = [
        track._replace(changes=tuple(each._replace(first=27, last=33) for each in track.changes))
        for track in analysis.tracks
    ]
    before = at_level(analysis, "main", COMMITS[10], found)
    after = at_level(analysis, "main", COMMITS[50], found)
    assert [job.job.commit for job in before] == COMMITS[:27]
    assert [job.job.commit for job in after] == COMMITS[33:]
    # The commit that was named belongs to its side, wherever the change may be.
    assert COMMITS[28] in {job.job.commit for job in at_level(analysis, "main", COMMITS[28], found)}


def test_changes_of_benchmarks_that_are_not_compared_bound_no_stretch(run, history):
    fails(
        run(
            "history",
            "compare",
            f"{COMMITS[10]}..{COMMITS[50]}",
            "--stretch",
            "--benchmark",
            "Emit",
            "--history",
            history,
        ),
        "[same-level]",
    )


def test_the_gate_and_the_report_work(run, history, tmp_path):
    words = (f"{COMMITS[28]}..{COMMITS[40]}", "--history", history)
    assert run("history", "compare", *words, "--fail-on", "worse").code == 1
    done = run("history", "compare", *words, "-o", tmp_path / "c.html", "--fail-on", "worse:50%")
    assert done.code == 0, done.err
    assert "Parse" in (tmp_path / "c.html").read_text()
    assert run("history", "compare", *words, "-o", tmp_path / "d.json", "--fail-on", "worse").code == 1
    assert "Parse" in (tmp_path / "d.json").read_text()


def test_unlike_machines_are_not_compared(run, tmp_path):
    unlike = [{**row, "cpu": "Fast" if row["commit"] == COMMITS[0] else "Slow"} for row in rows(COMMITS[:3], repeats=8)]
    (tmp_path / "r.csv").write_text(table(unlike))
    run("history", "import", "r.csv", "--history", "h", "--branch", "main")
    fails(run("history", "compare", f"{COMMITS[0]}..{COMMITS[1]}", "--history", "h"), "[other-machine]")
    pooled = run("history", "compare", f"{COMMITS[0]}..{COMMITS[1]}", "--history", "h", "--lane", "none")
    assert pooled.code == 0, pooled.err


def test_retired_values_are_compared_as_summaries(run, history):
    folder = open_folder(history)
    held = catalog.read(folder, Limits())
    retired = [each for each in held.held if each.job.commit in COMMITS[:2]]
    text = to_json([(each.id, each.job) for each in retired])
    with folder.receiving() as part:
        parts = [(held.files[each.file], held.jobs.index(each), [number]) for number, each in enumerate(retired)]
        retention = _native.Retention(held.native, [track.found for track in analyse(held, ()).tracks], 0, 0)
        _native.merge_uploads(parts, text, part, catalog.most(Limits()), retention)
        folder.keep(part)
    folder.replace([each.id for each in retired])
    done = run("history", "compare", f"{COMMITS[0]}..{COMMITS[1]}", "--history", history, "-f", "json")
    assert done.code == 0, done.err
    row = next(row for row in json.loads(done.out)["rows"] if row["benchmark"] == "Parse")
    # One median per build, of eight values each.
    assert row["design"] == "suite"


def test_commits_that_were_not_measured_are_named(run, history):
    for words, code in (
        ("abc", "bad-option"),
        ("a..", "bad-option"),
        ("a...b", "bad-option"),
        (f"{COMMITS[0]}..zzz", "no-commit"),
        (f"{COMMITS[0]}..{COMMITS[0][:9]}", "bad-option"),
    ):
        fails(run("history", "compare", words, "--history", history), f"[{code}]")


def in_rounds(number, slower, of):
    """The rows of a job in five rounds, which are those of one execution."""
    return [
        {"commit": COMMITS[number], "benchmark": "A", "time_ms": (10 + slower) * value, "block": f"{at} of {of}"}
        for at, value in enumerate(noisy(1, 5, seed=number, spread=0.01))
    ]


@pytest.mark.parametrize(
    ("executions", "design", "note"), [("xy", "independent", "blocks-apart"), ("xx", "paired", "paired")]
)
def test_blocks_pair_jobs_only_where_both_sides_measured_them(run, tmp_path, executions, design, note):
    both = [row for number, of in enumerate(executions) for row in in_rounds(number, 5 * number, of)]
    (tmp_path / "r.csv").write_text(table(both))
    run("history", "import", "r.csv", "--history", "h", "--branch", "main")
    words = ("history", "compare", f"{COMMITS[0]}..{COMMITS[1]}", "--history", "h")
    document = json.loads(run(*words, "-f", "json").out)
    [row] = document["rows"]
    assert (row["design"], row["change"]) == (design, pytest.approx(0.5, abs=0.05))
    assert note in {each["code"] for each in document["notes"]}
    assert f"[{note}]" in run(*words, "--notes").out
    done = run(*words, "-o", tmp_path / "c.html")
    assert done.code == 0, done.err
    assert ("blocks-apart" in (tmp_path / "c.html").read_text()) == (note == "blocks-apart")


def test_values_without_blocks_are_not_said_to_have_some(run, history):
    words = ("history", "compare", f"{COMMITS[28]}..{COMMITS[40]}", "--history", history)
    for options in ((), ("--unpaired",)):
        done = run(*words, *options)
        assert done.code == 0, done.err
        assert "block" not in done.out
