"""Results of many commits become jobs, in their order; importing again changes nothing."""

import json
import random
from pathlib import Path

import pytest
from projects import START, git, imported, names, repository, rows

from statera.history.batch import Wanted, split
from statera.history.folder import open_folder
from statera.reading import observations
from support import ROOT, table


def jobs(history):
    return sorted(open_folder(Path(history)).jobs(), key=lambda job: (job.commit, job.started))


def order(history):
    """The commits from the oldest to the newest, as the lines of the jobs say."""
    before = {job.commit: job.line[1] if len(job.line) > 1 else None for job in jobs(history)}
    at = next(commit for commit in before if commit not in before.values())
    found = []
    while at:
        found.append(at)
        at = before[at]
    return found[::-1]


def data_js(folder, commits, *, suites=("Rust",)):
    """A data.js whose commits were measured a day apart."""
    chance = random.Random(3)  # noqa: S311 - noise, no secret
    entries = {
        suite: [
            {
                "commit": {"id": commit, "message": "m", "timestamp": START.isoformat()},
                "date": int(START.timestamp() * 1000) + number * 86_400_000,
                "tool": "cargo",
                "benches": [
                    {
                        "name": f"fib of {suite}",
                        "value": 100 * (1.3 if number > 29 else 1) * chance.gauss(1, 0.01),
                        "unit": "ns/iter",
                    }
                ],
            }
            for number, commit in enumerate(commits)
        ]
        for suite in suites
    }
    path = folder / "data.js"
    path.write_text("window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "", "entries": entries}))
    return path


def asv(folder, commits, levels=("10", "1000")):
    """A results folder of asv, as version 2 of its files."""
    chance = random.Random(4)  # noqa: S311 - noise, no secret
    machine = folder / "results" / "rack"
    machine.mkdir(parents=True)
    columns = [
        "result",
        "params",
        "version",
        "started_at",
        "duration",
        "stats_ci_99_a",
        "stats_ci_99_b",
        "stats_q_25",
        "stats_q_75",
        "stats_number",
        "stats_repeat",
        "samples",
    ]
    for number, commit in enumerate(commits):
        slower = 1.4 if number > 29 else 1
        samples = [[int(level) * 1e-6 * slower * chance.gauss(1, 0.01) for _ in range(5)] for level in levels]
        result = [sorted(each)[2] for each in samples]
        document = {
            "commit_hash": commit,
            "env_name": "virtualenv-py3.12",
            "date": int(START.timestamp() * 1000) + number * 86_400_000,
            "params": {"arch": "x86_64", "cpu": "Fast", "machine": "rack", "os": "Linux", "python": "3.12"},
            "python": "3.12",
            "requirements": {},
            "env_vars": {},
            "result_columns": columns,
            "results": {
                "suite.time_sum": [
                    result,
                    [list(levels)],
                    "v1",
                    1,
                    1.0,
                    None,
                    None,
                    None,
                    None,
                    [1] * len(levels),
                    [5] * len(levels),
                    samples,
                ]
            },
            "durations": {},
            "version": 2,
        }
        (machine / f"{commit[:8]}-virtualenv-py3.12.json").write_text(json.dumps(document))
    benchmarks = {
        "suite.time_sum": {
            "name": "suite.time_sum",
            "param_names": ["n"],
            "params": [list(levels)],
            "type": "time",
            "unit": "seconds",
            "version": "v1",
        },
        "version": 2,
    }
    (folder / "results" / "benchmarks.json").write_text(json.dumps(benchmarks))
    return folder / "results"


def test_a_data_js_is_imported_in_the_order_of_its_entries_and_answers(run, tmp_path):
    commits = names(60)
    path = data_js(tmp_path, commits)
    done = run("history", "import", path, "--history", "h", "--branch", "main")
    assert done.code == 0, done.err
    assert "60 jobs of 60 commits on main" in done.err
    assert order(tmp_path / "h") == commits
    shown = run("history", "show", "--history", "h").out
    assert "1 series, 1 with changes" in shown
    assert commits[30][:8] in run("history", "points", "--history", "h").out


def test_suites_of_a_data_js_make_one_job_a_commit(run, tmp_path):
    commits = names(12)
    run("history", "import", data_js(tmp_path, commits, suites=("Rust", "Go")), "--history", "h", "--branch", "main")
    assert [job.commit for job in jobs(tmp_path / "h")] == sorted(commits)
    assert order(tmp_path / "h") == commits


def test_asv_keeps_parameters_as_factors_and_samples_and_answers(run, tmp_path):
    commits = names(60)
    done = run("history", "import", asv(tmp_path, commits), "--history", "h", "--branch", "main")
    assert done.code == 0, done.err
    assert order(tmp_path / "h") == commits
    shown = run("history", "show", "--history", "h").out
    assert "2 series, 2 with changes" in shown
    assert "suite.time_sum [n=10]" in shown
    first = jobs(tmp_path / "h")[0]
    # The dates of asv are those of the commits.
    assert first.started == ""
    assert first.committed.startswith("2026-")
    assert first.environment["cpu"] == "Fast"


def test_a_real_folder_of_asv_is_imported(run):
    real = ROOT / "tests/formats/cases/asv/real"
    done = run("history", "import", real, "--history", "h", "--branch", "main")
    assert "1 job of 1 commit on main" in done.err
    assert "series" in run("history", "show", "--history", "h").out


def test_importing_twice_changes_nothing(run, tmp_path):
    commits = names(20)
    history = imported(run, tmp_path, commits)
    before = sorted(path.name for path in (history / "uploads").rglob("*.parquet"))
    again = run("history", "import", tmp_path / "results.csv", "--history", history)
    assert again.code == 0
    assert "0 imported" in again.err
    assert "20 known" in again.err
    assert sorted(path.name for path in (history / "uploads").rglob("*.parquet")) == before


def test_results_that_lost_their_oldest_commits_are_known_all_the_same(run, tmp_path):
    commits = names(20)
    history = imported(run, tmp_path, commits)
    (tmp_path / "short.csv").write_text(table(rows(commits)[5 * 6 :]))
    again = run("history", "import", tmp_path / "short.csv", "--history", history)
    assert "0 imported" in again.err
    assert "15 known" in again.err
    assert order(history) == commits


def test_the_repository_orders_commits_that_it_has_whatever_their_dates_say(run, tmp_path):
    commits = repository(tmp_path / "project", 40)
    # Measured in another order, abbreviated as people write them, and not all of them.
    measured = [commits[number] for number in (39, 3, 17, 20, 8)]
    (tmp_path / "r.csv").write_text(table(rows([commit[:9] for commit in measured])))
    done = run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "h", cwd=tmp_path / "project")
    assert "5 jobs of 5 commits on main" in done.err
    assert "from the repository of this folder" in done.err
    kept = {job.commit: job for job in jobs(tmp_path / "h")}
    assert set(kept) == set(measured)
    newest = kept[commits[39]]
    assert newest.line == tuple(reversed(commits[20:40]))
    assert newest.subject == "Commit 39"
    assert kept[commits[3]].line == tuple(reversed(commits[:4]))


def test_commits_that_the_repository_does_not_have_are_named(run, tmp_path):
    commits = repository(tmp_path / "project", 4)
    (tmp_path / "r.csv").write_text(table(rows([*commits, *names(2)])))
    done = run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "h", cwd=tmp_path / "project")
    assert "2 commits unknown to the repository" in done.err


def test_a_shallow_repository_is_refused(run, tmp_path):
    commits = repository(tmp_path / "project", 6)
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{tmp_path / 'project'}", "clone")
    (tmp_path / "r.csv").write_text(table(rows(commits)))
    done = run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "h", cwd=tmp_path / "clone")
    assert done.code == 2
    assert "[shallow-clone]" in done.err


def test_a_branch_in_the_results_counts_unless_another_is_stated(run, tmp_path):
    (tmp_path / "r.csv").write_text(table(rows(names(3), branch="release")))
    run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "a")
    run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "b", "--branch", "main")
    assert {job.branch for job in jobs(tmp_path / "a")} == {"release"}
    assert {job.branch for job in jobs(tmp_path / "b")} == {"main"}


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("benchmark,time_ms\nParse,1\n", ("--branch", "main"), "no-commit"),
        ("commit,benchmark,time_ms\nabc,Parse,1\n", (), "no-branch"),
        ("commit,benchmark,time_ms\nabc,Parse,1\n", ("--branch", "main", "--within", "nothing"), "bad-option"),
        ("commit,benchmark,time_ms\nabc,Parse,1\n", ("--branch", "main", "--variant", "nothing"), "bad-option"),
    ],
)
def test_what_is_missing_is_named(run, tmp_path, text, options, code):
    (tmp_path / "r.csv").write_text(text)
    done = run("history", "import", "r.csv", "--history", "h", *options)
    assert done.code == 2
    assert f"[{code}]" in done.err
    # An empty history would hide that nothing was kept.
    assert not (tmp_path / "h").exists()


def read(tmp_path, rows):
    (tmp_path / "r.csv").write_text(table(rows))
    return observations.read([str(tmp_path / "r.csv")])


def test_executions_of_a_commit_are_jobs_of_their_own_and_the_times_of_values_are_not(tmp_path):
    times = ["2026-01-01T10:00:00Z", "2026-01-01T10:20:00Z", "2026-01-01T10:50:00Z", "2026-01-02T10:00:00Z"]
    found = split(
        read(tmp_path, [{"commit": "abc", "timestamp": time, "benchmark": "B", "time_ms": 1.5} for time in times]),
        Wanted(),
    )
    assert len(found.groups) == 2
    assert found.groups[1].started - found.groups[0].started == 86_400


def test_machines_are_jobs_of_their_own(tmp_path):
    made = [{"commit": "abc", "cpu": cpu, "benchmark": "B", "time_ms": 1.5} for cpu in ("Fast", "Slow")]
    found = split(read(tmp_path, made), Wanted())
    assert {dict(group.machine)["cpu"] for group in found.groups} == {"Fast", "Slow"}
    assert "cpu" not in found.factors


def test_builds_of_a_commit_have_series_of_their_own_and_what_goes_with_them_none(tmp_path):
    made = [
        {"commit": commit, "variant": variant, "compilerVersion": version, "benchmark": "B", "time_ms": 1.5}
        for commit, versions in (("aaa", ("1", "2")), ("bbb", ("3", "4")))
        for variant, version in zip(("debug", "release"), versions, strict=True)
    ]
    found = split(read(tmp_path, made), Wanted())
    assert found.factors == {"variant"}


def test_a_key_with_a_value_for_each_commit_is_named_and_can_be_pooled(run, tmp_path):
    commits = names(12)
    made = [{**row, "size": str(commits.index(row["commit"]))} for row in rows(commits)]
    (tmp_path / "r.csv").write_text(table(made))
    apart = run("history", "import", "r.csv", "--history", "a", "--branch", "main")
    assert "--pool size joins them" in apart.err
    assert "24 series" in run("history", "show", "--history", "a").out
    run("history", "import", "r.csv", "--history", "b", "--branch", "main", "--pool", "size")
    assert "2 series" in run("history", "show", "--history", "b").out


def test_names_from_strangers_stay_harmless(run, tmp_path):
    (tmp_path / "r.csv").write_text(table(rows(["--help", "\x1b[31mred", "$(touch x)"])))
    repository(tmp_path / "project", 2)
    done = run(
        "history",
        "import",
        tmp_path / "r.csv",
        "--history",
        tmp_path / "h",
        "--branch",
        "main",
        cwd=tmp_path / "project",
    )
    assert done.code == 0, done.err
    assert "\x1b" not in done.err
    assert len(jobs(tmp_path / "h")) == 3
    assert not (tmp_path / "project" / "x").exists()
