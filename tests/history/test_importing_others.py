"""What Otava, Sandmark and Bencher write becomes a history: commits in their order, machines, branches, changes."""

import json
import random
from datetime import timedelta

import pytest
from projects import START, git, names, repository

from statera.history.catalog import read
from statera.history.folder import open_folder
from statera.support.settings import Limits

COMMITS = 60
SLOWER_AT = 35


def level(number, chance, base=10.0):
    return round(base * (1.3 if number >= SLOWER_AT else 1) * chance.gauss(1, 0.01), 4)


def otava_csv(path, commits):
    """The file of a test of type csv: a row a run, with local times, a branch, attributes and metrics."""
    chance = random.Random(11)  # noqa: S311 - noise, no secret
    lines = ["time,commit,branch,p99_latency_ms,throughput"]
    for number, commit in enumerate(commits):
        when = (START + timedelta(days=number)).strftime("%Y.%m.%d %H:%M:%S +0100")
        lines.append(f"{when},{commit},main,{level(number, chance)},{round(1000 * chance.gauss(1, 0.01), 2)}")
    path.write_text("\n".join(lines) + "\n")
    return path


def otava_json(path, commits):
    """The file of a test of type json: a list of runs with their metrics and attributes."""
    chance = random.Random(12)  # noqa: S311 - noise, no secret
    runs = [
        {
            "timestamp": int((START + timedelta(days=number)).timestamp()),
            "metrics": [
                {"name": "p99_latency_ms", "value": level(number, chance)},
                {"name": "throughput", "value": round(1000 * chance.gauss(1, 0.01), 2)},
            ],
            "attributes": {"branch": "trunk", "commit": commit},
        }
        for number, commit in enumerate(commits)
    ]
    path.write_text(json.dumps(runs))
    return path


def sandmark(folder, commits, hosts=("turing",), variants=("5.3.0_1",), kind="sequential"):
    """A tree of nightly runs: kind/host/date/commit, a file for each variant, and its log."""
    chance = random.Random(13)  # noqa: S311 - noise, no secret
    for host in hosts:
        for number, commit in enumerate(commits):
            date = (START + timedelta(days=number)).strftime("%Y%m%d_%H%M%S")
            at = folder / kind / host / date / commit
            at.mkdir(parents=True)
            for variant in variants:
                lines = []
                for name, base in (("fft", 1.0), ("nbody", 3.0)):
                    time = level(number, chance, base) if name == "fft" else round(base * chance.gauss(1, 0.01), 4)
                    gc = {"gc.minor_collections": 12, "gc.major_collections": 3}
                    lines.append(
                        json.dumps(
                            {
                                "name": name,
                                "command": f"./{name}.exe",
                                "time_secs": time,
                                "user_time_secs": time,
                                "sys_time_secs": 0.01,
                                "maxrss_kB": 4096,
                                "gc": gc,
                            }
                        )
                    )
                (at / f"{variant}.orun.summary.bench").write_text("\n".join(lines) + "\n")
                (at / f"{variant}.{date}.{commit}.log").write_text("built\n")
    return folder


def bencher(path, number, chance):
    """The file of a run in Bencher's format: benchmarks with measures; it names no commit."""
    latency = level(number, chance, 1e6)
    document = {
        "parse": {"latency": {"value": latency, "lower_value": latency * 0.99, "upper_value": latency * 1.01}},
        "emit": {"latency": {"value": round(2e6 * chance.gauss(1, 0.01), 1)}},
    }
    path.write_text(json.dumps(document))
    return path


def held(history):
    return read(open_folder(history), Limits())


def in_order(history):
    """The commits of a history from the oldest to the newest, as its analysis has them."""
    from statera.history.analysis import analyse  # noqa: PLC0415

    folder = open_folder(history)
    [order] = analyse(read(folder, Limits()), folder.about.lane).orders.values()
    return order.commits


def changes(run, history, benchmark, metric):
    done = run("history", "show", benchmark, "--metric", metric, "--history", history)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(("make", "name", "branch"), [(otava_csv, "o.csv", "main"), (otava_json, "o.json", "trunk")])
def test_runs_of_otava_are_jobs_in_the_order_of_their_times(run, tmp_path, make, name, branch):
    commits = names(COMMITS)
    done = run("history", "import", make(tmp_path / name, commits), "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert f"{COMMITS} jobs of {COMMITS} commits on {branch}" in done.err
    assert in_order(tmp_path / "h") == commits
    [first] = [each.job for each in held(tmp_path / "h").held if each.job.commit == commits[0]]
    assert first.started.startswith("2026-01-01T1")
    shown = changes(run, tmp_path / "h", "run", "p99_latency")
    assert commits[SLOWER_AT][:8] in shown
    assert "ms" in shown
    assert "No change of level" in changes(run, tmp_path / "h", "run", "throughput")


def test_attributes_of_otava_are_series_of_their_own_and_can_be_pooled(run, tmp_path):
    commits = names(12)
    path = otava_csv(tmp_path / "o.csv", commits)
    lines = path.read_text().splitlines()
    rows = [f"{line},{value}" for line, value in zip(lines, ["threads", *range(12)], strict=True)]
    path.write_text("\n".join(rows) + "\n")
    apart = run("history", "import", path, "--history", tmp_path / "a")
    assert "--pool threads joins them" in apart.err
    run("history", "import", path, "--history", tmp_path / "b", "--pool", "threads")
    assert len({each for each in held(tmp_path / "b").series if each.metric == "throughput"}) == 1


def test_the_repository_orders_the_runs_of_otava_whatever_their_times(run, tmp_path):
    commits = repository(tmp_path / "project", COMMITS)
    path = otava_csv(tmp_path / "o.csv", [*reversed(commits)])
    done = run("history", "import", path, "--history", tmp_path / "h", cwd=tmp_path / "project")
    assert "from the repository of this folder" in done.err
    assert in_order(tmp_path / "h") == git(tmp_path / "project", "rev-list", "--reverse", "main").split()


def test_a_tree_of_sandmark_is_nights_of_commits_with_changes(run, tmp_path):
    commits = names(COMMITS)
    tree = sandmark(tmp_path / "nights", commits)
    done = run("history", "import", tree, "--history", tmp_path / "h", "--branch", "trunk")
    assert done.code == 0, done.err
    assert f"{COMMITS} jobs of {COMMITS} commits on trunk" in done.err
    assert "left out" not in done.err
    assert in_order(tmp_path / "h") == commits
    assert commits[SLOWER_AT][:8] in changes(run, tmp_path / "h", "fft", "time_secs")
    assert "No change of level" in changes(run, tmp_path / "h", "nbody", "time_secs")
    one = held(tmp_path / "h").held[0].job
    assert one.started.startswith("2026-")
    assert one.environment["host"] == "turing"
    again = run("history", "import", tree, "--history", tmp_path / "h", "--branch", "trunk")
    assert "0 imported" in again.err


def test_hosts_of_sandmark_are_lanes_and_variants_are_series_unless_one_is_named(run, tmp_path):
    commits = names(12)
    tree = sandmark(tmp_path / "nights", commits, hosts=("turing", "navajo"), variants=("5.3.0_1", "5.4.0_1"))
    run("history", "import", tree, "--history", tmp_path / "h", "--branch", "trunk")
    times = [each for each in held(tmp_path / "h").series if (each.benchmark, each.metric) == ("fft", "time_secs")]
    assert {each.levels["variant"] for each in times} == {"5.3.0", "5.4.0"}
    shown = run("history", "show", "fft", "--metric", "time_secs", "--history", tmp_path / "h").out
    assert "navajo" in shown
    assert "turing" in shown
    done = run("history", "import", tree, "--history", tmp_path / "one", "--branch", "trunk", "--variant", "5.4.0")
    assert done.code == 0, done.err
    assert {each.levels.get("variant") for each in held(tmp_path / "one").series} == {None}


def test_a_file_of_bencher_names_no_commit_and_is_added_to_one(run, tmp_path):
    commits = repository(tmp_path / "project", COMMITS)
    chance = random.Random(14)  # noqa: S311 - noise, no secret
    path = bencher(tmp_path / "b.json", 0, chance)
    refused = run("history", "import", path, "--history", tmp_path / "h", "--branch", "main")
    assert (refused.code, "statera history add FILES" in refused.err) == (2, True)
    for number, commit in enumerate(commits):
        bencher(path, number, chance)
        words = ("--commit", commit, "--branch", "main", "--environment", "cpu=Fast")
        done = run("history", "add", path, "--history", tmp_path / "h", *words, cwd=tmp_path / "project")
        assert done.code == 0, done.err
    assert in_order(tmp_path / "h") == commits
    shown = changes(run, tmp_path / "h", "parse", "latency")
    assert commits[SLOWER_AT][:8] in shown
    assert " ms" in shown
    assert "No change of level" in changes(run, tmp_path / "h", "emit", "latency")
