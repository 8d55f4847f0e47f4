"""Results of many commits become jobs, in their order, whatever tool wrote them; importing again changes nothing."""

import json
import random
from datetime import timedelta

import pytest
from histories import analysed, read
from projects import START, git, imported, names, repository, rows

from statera.history.batch import Wanted, split
from statera.history.folder import open_folder
from statera.reading import observations
from support import ROOT, fails, table

COMMITS = 60
SLOWER_AT = 35


def jobs(history):
    return sorted((each.job for each in read(open_folder(history)).held), key=lambda job: (job.commit, job.started))


def order(history):
    """The commits of a history from the oldest to the newest, as its analysis has them."""
    [found] = analysed(open_folder(history)).orders.values()
    return found.commits


def uploads(history):
    return [name for name, _ in open_folder(history).uploads()]


def shown(run, history, benchmark, metric):
    done = run("history", "show", benchmark, "--metric", metric, "--history", history)
    assert done.code == 0, done.err
    return done.out


class Noise:
    """Values of one percent noise around levels; slower from a commit on."""

    def __init__(self, seed, at=SLOWER_AT):
        self.chance, self.at = random.Random(seed), at

    def __call__(self, base):
        return round(base * self.chance.gauss(1, 0.01), 4)

    def slower(self, number, base=10.0):
        return self(base * (1.3 if number >= self.at else 1))


def data_js(folder, commits):
    """A data.js of two suites, whose commits were measured a day apart."""
    level = Noise(3)

    def entry(number, commit, suite):
        bench = {"name": f"fib of {suite}", "value": level.slower(number, 100), "unit": "ns/iter"}
        return {
            "commit": {"id": commit, "message": "m", "timestamp": START.isoformat()},
            "date": int(START.timestamp() * 1000) + number * 86_400_000,
            "tool": "cargo",
            "benches": [bench],
        }

    entries = {suite: [entry(*each, suite) for each in enumerate(commits)] for suite in ("Rust", "Go")}
    path = folder / "data.js"
    path.write_text("window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "", "entries": entries}))
    return path


def asv(folder, commits, levels=("10", "1000")):
    """A results folder of asv, as version 2 of its files."""
    level = Noise(4)
    machine = folder / "results/rack"
    machine.mkdir(parents=True)
    for number, commit in enumerate(commits):
        samples = [[int(size) * 1e-6 * level.slower(number, 1) for _ in range(5)] for size in levels]
        columns = {
            "result": [sorted(each)[2] for each in samples],
            "params": [list(levels)],
            "version": "v1",
            "started_at": 1,
            "duration": 1.0,
            **dict.fromkeys(("stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75")),
            "stats_number": [1] * len(levels),
            "stats_repeat": [5] * len(levels),
            "samples": samples,
        }
        document = {
            "commit_hash": commit,
            "env_name": "virtualenv-py3.12",
            "date": int(START.timestamp() * 1000) + number * 86_400_000,
            "params": {"arch": "x86_64", "cpu": "Fast", "machine": "rack", "os": "Linux", "python": "3.12"},
            "python": "3.12",
            "requirements": {},
            "env_vars": {},
            "result_columns": list(columns),
            "results": {"suite.time_sum": list(columns.values())},
            "durations": {},
            "version": 2,
        }
        (machine / f"{commit[:8]}-virtualenv-py3.12.json").write_text(json.dumps(document))
    about = {"param_names": ["n"], "params": [list(levels)], "type": "time", "unit": "seconds", "version": "v1"}
    benchmarks = {"suite.time_sum": {"name": "suite.time_sum", **about}, "version": 2}
    (folder / "results/benchmarks.json").write_text(json.dumps(benchmarks))
    return folder / "results"


def otava_csv(folder, commits):
    """The file of a test of type csv: a row a run, with local times, a branch, attributes and metrics."""
    level = Noise(11)
    lines = ["time,commit,branch,p99_latency_ms,throughput"]
    for number, commit in enumerate(commits):
        when = (START + timedelta(days=number)).strftime("%Y.%m.%d %H:%M:%S +0100")
        lines.append(f"{when},{commit},trunk,{level.slower(number)},{level(1000)}")
    (folder / "o.csv").write_text("\n".join(lines) + "\n")
    return folder / "o.csv"


def otava_json(folder, commits):
    """The file of a test of type json: a list of runs with their metrics and attributes."""
    level = Noise(12)
    runs = [
        {
            "timestamp": int((START + timedelta(days=number)).timestamp()),
            "metrics": [
                {"name": "p99_latency_ms", "value": level.slower(number)},
                {"name": "throughput", "value": level(1000)},
            ],
            "attributes": {"branch": "trunk", "commit": commit},
        }
        for number, commit in enumerate(commits)
    ]
    (folder / "o.json").write_text(json.dumps(runs))
    return folder / "o.json"


def sandmark(folder, commits, hosts=("turing",), variants=("5.3.0_1",)):
    """A tree of nightly runs: kind/host/date/commit, a file for each variant, and its log."""
    level = Noise(13)
    usual = {"user_time_secs": 1.0, "sys_time_secs": 0.01, "maxrss_kB": 4096}
    usual["gc"] = {"gc.minor_collections": 12, "gc.major_collections": 3}
    for host in hosts:
        for number, commit in enumerate(commits):
            date = (START + timedelta(days=number)).strftime("%Y%m%d_%H%M%S")
            at = folder / "sequential" / host / date / commit
            at.mkdir(parents=True)
            for variant in variants:
                times = {"fft": level.slower(number, 1.0), "nbody": level(3.0)}
                lines = [
                    json.dumps({"name": name, "command": f"./{name}.exe", "time_secs": time, **usual})
                    for name, time in times.items()
                ]
                (at / f"{variant}.orun.summary.bench").write_text("\n".join(lines) + "\n")
                (at / f"{variant}.{date}.{commit}.log").write_text("built\n")
    return folder


def bencher(folder, number, level):
    """The file of a run in Bencher's format: benchmarks with measures; it names no commit."""
    latency = level.slower(number, 1e6)
    document = {
        "parse": {"latency": {"value": latency, "lower_value": latency * 0.99, "upper_value": latency * 1.01}},
        "emit": {"latency": {"value": level(2e6)}},
    }
    (folder / "b.json").write_text(json.dumps(document))
    return folder / "b.json"


def test_a_data_js_is_imported_in_the_order_of_its_entries_and_answers(run, tmp_path):
    """Its suites make one job a commit."""
    commits = names(COMMITS)
    done = run("history", "import", data_js(tmp_path, commits), "--history", "h", "--branch", "main")
    assert done.code == 0, done.err
    assert "60 jobs of 60 commits on main" in done.err
    assert [job.commit for job in jobs(tmp_path / "h")] == sorted(commits)
    assert order(tmp_path / "h") == commits
    assert "2 series, 2 with changes" in run("history", "show", "--history", "h").out
    assert commits[SLOWER_AT][:8] in run("history", "points", "--history", "h").out


def test_asv_keeps_parameters_as_factors_and_samples_and_answers(run, tmp_path):
    commits = names(COMMITS)
    done = run("history", "import", asv(tmp_path, commits), "--history", "h", "--branch", "main")
    assert done.code == 0, done.err
    assert order(tmp_path / "h") == commits
    table = run("history", "show", "--history", "h").out
    assert "2 series, 2 with changes" in table
    assert "suite.time_sum [n=10]" in table
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


@pytest.mark.parametrize("make", [otava_csv, otava_json])
def test_runs_of_otava_are_jobs_in_the_order_of_their_times(run, tmp_path, make):
    commits = names(COMMITS)
    done = run("history", "import", make(tmp_path, commits), "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert "60 jobs of 60 commits on trunk" in done.err
    assert order(tmp_path / "h") == commits
    [first] = [job for job in jobs(tmp_path / "h") if job.commit == commits[0]]
    assert first.started.startswith("2026-01-01T1")
    latency = shown(run, tmp_path / "h", "run", "p99_latency")
    assert commits[SLOWER_AT][:8] in latency
    assert "ms" in latency
    assert "No change of level" in shown(run, tmp_path / "h", "run", "throughput")


def test_a_tree_of_sandmark_is_nights_of_commits_with_changes(run, tmp_path):
    commits = names(COMMITS)
    words = (
        "history",
        "import",
        sandmark(tmp_path / "nights", commits),
        "--history",
        tmp_path / "h",
        "--branch",
        "trunk",
    )
    done = run(*words)
    assert done.code == 0, done.err
    assert "60 jobs of 60 commits on trunk" in done.err
    assert "left out" not in done.err
    assert order(tmp_path / "h") == commits
    assert commits[SLOWER_AT][:8] in shown(run, tmp_path / "h", "fft", "time_secs")
    assert "No change of level" in shown(run, tmp_path / "h", "nbody", "time_secs")
    one = jobs(tmp_path / "h")[0]
    assert one.started.startswith("2026-")
    assert one.environment["host"] == "turing"
    assert "0 imported" in run(*words).err


def test_hosts_of_sandmark_are_lanes_and_variants_are_series_unless_one_is_named(run, tmp_path):
    tree = sandmark(tmp_path / "nights", names(12), hosts=("turing", "navajo"), variants=("5.3.0_1", "5.4.0_1"))
    run("history", "import", tree, "--history", tmp_path / "h", "--branch", "trunk")
    series = read(open_folder(tmp_path / "h")).series
    times = [each for each in series if (each.benchmark, each.metric) == ("fft", "time_secs")]
    assert {each.levels["variant"] for each in times} == {"5.3.0", "5.4.0"}
    found = shown(run, tmp_path / "h", "fft", "time_secs")
    assert "navajo" in found
    assert "turing" in found
    words = ("history", "import", tree, "--history", tmp_path / "one", "--branch", "trunk", "--variant")
    fails(run(*words, "9"), "--variant 9: the results have no such variant; there are: 5.3.0, 5.4.0")
    done = run(*words, "5.4.0")
    assert done.code == 0, done.err
    assert {each.levels.get("variant") for each in read(open_folder(tmp_path / "one")).series} == {None}


def test_a_file_of_bencher_names_no_commit_and_is_added_to_one(run, tmp_path):
    commits, level = repository(tmp_path / "project", COMMITS), Noise(14)
    path = bencher(tmp_path, 0, level)
    fails(run("history", "import", path, "--history", tmp_path / "h", "--branch", "main"), "FILES… --commit NAME adds")
    for number, commit in enumerate(commits):
        bencher(tmp_path, number, level)
        words = ("--commit", commit, "--branch", "main", "--environment", "cpu=Fast")
        done = run("history", "add", path, "--history", tmp_path / "h", *words, cwd=tmp_path / "project")
        assert done.code == 0, done.err
    assert order(tmp_path / "h") == commits
    latency = shown(run, tmp_path / "h", "parse", "latency")
    assert commits[SLOWER_AT][:8] in latency
    assert " ms" in latency
    assert "No change of level" in shown(run, tmp_path / "h", "emit", "latency")


def test_importing_twice_changes_nothing_nor_do_results_that_lost_their_oldest_commits(run, tmp_path):
    commits = names(20)
    history = imported(run, tmp_path, commits)
    before = uploads(history)
    (tmp_path / "short.csv").write_text(table(rows(commits)[5 * 6 :]))
    for name, known in (("results.csv", "20 known"), ("short.csv", "15 known")):
        again = run("history", "import", tmp_path / name, "--history", history)
        assert again.code == 0
        assert "0 imported" in again.err
        assert known in again.err
        assert uploads(history) == before
    assert order(history) == commits


def test_the_repository_orders_commits_that_it_has_whatever_their_dates_say(run, tmp_path):
    commits = repository(tmp_path / "project", 40)
    # Measured in another order, abbreviated as people write them, and not all of them.
    measured = [commits[number] for number in (39, 3, 17, 20, 8)]
    (tmp_path / "r.csv").write_text(table(rows([commit[:9] for commit in measured])))
    words = ("history", "import", tmp_path / "r.csv", "--history")
    done = run(*words, tmp_path / "h", cwd=tmp_path / "project")
    assert "5 jobs of 5 commits on main" in done.err
    assert "from the repository of this folder" in done.err
    kept = {job.commit: job for job in jobs(tmp_path / "h")}
    assert set(kept) == set(measured)
    newest = kept[commits[39]]
    assert newest.line == tuple(reversed(commits))
    assert newest.subject == "Commit 39"
    assert kept[commits[3]].line == tuple(reversed(commits[:4]))
    # Those that it does not have are named.
    (tmp_path / "r.csv").write_text(table(rows([*commits, *names(2)])))
    assert "2 commits unknown to the repository" in run(*words, tmp_path / "i", cwd=tmp_path / "project").err
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{tmp_path / 'project'}", "clone")
    fails(run(*words, tmp_path / "j", cwd=tmp_path / "clone"), "[shallow-clone]")


def test_a_branch_in_the_results_counts_unless_another_is_stated(run, tmp_path):
    (tmp_path / "r.csv").write_text(table(rows(names(3), branch="release")))
    run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "a")
    run("history", "import", tmp_path / "r.csv", "--history", tmp_path / "b", "--branch", "main")
    assert {job.branch for job in jobs(tmp_path / "a")} == {"release"}
    assert {job.branch for job in jobs(tmp_path / "b")} == {"main"}


def test_what_is_missing_is_named(run, tmp_path):
    whole = "commit,benchmark,time_ms\nabc,Parse,1\n"
    missing = [
        ("benchmark,time_ms\nParse,1\n", ("--branch", "main"), "no-commit"),
        (whole, (), "no-branch"),
        (whole, ("--branch", "main", "--within", "nothing"), "bad-option"),
        (whole, ("--branch", "main", "--variant", "nothing"), "bad-option"),
    ]
    for text, options, code in missing:
        (tmp_path / "r.csv").write_text(text)
        fails(run("history", "import", "r.csv", "--history", "h", *options), f"[{code}]")
        # An empty history would hide that nothing was kept.
        assert not (tmp_path / "h").exists()


def jobs_of(tmp_path, *made):
    """The jobs of a table whose rows are of one benchmark."""
    (tmp_path / "r.csv").write_text(table([{**each, "benchmark": "B", "time_ms": 1.5} for each in made]))
    return split(observations.read([str(tmp_path / "r.csv")]), Wanted())


def test_executions_of_a_commit_are_jobs_of_their_own_and_the_times_of_values_are_not(tmp_path):
    times = ["2026-01-01T10:00:00Z", "2026-01-01T10:20:00Z", "2026-01-01T11:10:00Z", "2026-01-02T10:00:00Z"]
    first, second = jobs_of(tmp_path, *({"commit": "abc", "timestamp": time} for time in times)).groups
    assert second.started - first.started == 86_400


def test_machines_are_jobs_of_their_own(tmp_path):
    found = jobs_of(tmp_path, *({"commit": "abc", "cpu": cpu} for cpu in ("Fast", "Slow")))
    assert {dict(group.machine)["cpu"] for group in found.groups} == {"Fast", "Slow"}
    assert "cpu" not in found.factors


def test_builds_of_a_commit_have_series_of_their_own_and_what_goes_with_them_none(tmp_path):
    versions = {("aaa", "debug"): "1", ("aaa", "release"): "2", ("bbb", "debug"): "3", ("bbb", "release"): "4"}
    made = [{"commit": at, "variant": variant, "compilerVersion": v} for (at, variant), v in versions.items()]
    assert jobs_of(tmp_path, *made).factors == {"variant"}


def test_a_key_with_a_value_for_each_commit_is_named_and_can_be_pooled(run, tmp_path):
    commits = names(12)
    made = [{**row, "size": str(commits.index(row["commit"])), "threads": "4"} for row in rows(commits)]
    (tmp_path / "r.csv").write_text(table(made))
    apart = run("history", "import", "r.csv", "--history", "a", "--branch", "main")
    assert "--pool size joins them" in apart.err
    assert "threads" not in apart.err
    assert "24 series" in run("history", "show", "--history", "a").out
    run("history", "import", "r.csv", "--history", "b", "--branch", "main", "--pool", "size")
    assert "2 series" in run("history", "show", "--history", "b").out


def test_names_from_strangers_stay_harmless(run, tmp_path):
    (tmp_path / "r.csv").write_text(table(rows(["--help", "\x1b[31mred", "$(touch x)"])))
    repository(tmp_path / "project", 2)
    words = ("history", "import", tmp_path / "r.csv", "--history", tmp_path / "h", "--branch", "main")
    done = run(*words, cwd=tmp_path / "project")
    assert done.code == 0, done.err
    assert "\x1b" not in done.err
    assert len(jobs(tmp_path / "h")) == 3
    assert not (tmp_path / "project" / "x").exists()
