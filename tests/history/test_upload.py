"""statera history add: the commit, its line and the machine are found, and nothing is guessed."""

import os
import time
from datetime import UTC, datetime

import polars as pl
import pytest
from histories import read
from projects import repository
from repositories import commit, git

from statera import _native
from statera.history.analysis import analyse
from statera.history.folder import open_folder
from statera.history.job import LINE, from_json, now
from statera.history.upload import measured_at
from statera.support.settings import Limits
from support import fails, go, noisy

HOME = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "GITLAB_"))}
RESULTS = go({"A": noisy(100.0, 5), "B": noisy(50.0, 5, seed=2)}, config={"cpu": "Fast", "pkg": "example.com/x"})


@pytest.fixture
def project(tmp_path):
    """A repository with three commits, and results beside it."""
    folder = tmp_path / "program"
    for number in range(3):
        commit(folder, f"c{number}", main_c=f"int x = {number};")
    (tmp_path / "out.txt").write_text(RESULTS)
    return folder


@pytest.fixture
def add(run, project):
    def start(*words, env=None, cwd=None):
        return run("history", "add", *words, "--history", "../h", cwd=cwd or project, env=HOME | (env or {}))

    return start


def jobs(tmp_path):
    paths = [path for _, path in open_folder(tmp_path / "h").uploads()]
    return [job for text in _native.upload_jobs(paths) for _, job in from_json(text, "x")]


def test_commit_branch_line_and_machine_are_found(add, project, tmp_path):
    done = add("../out.txt")
    assert done.code == 0, done.err
    assert "a new history of program in ../h" in done.err
    assert "added 2 series of commit" in done.err
    (job,) = jobs(tmp_path)
    head = git(project, "rev-parse", "HEAD")
    assert (job.project, job.branch, job.commit, job.subject) == ("program", "main", head, "c2")
    assert job.line == tuple(git(project, "rev-list", "--first-parent", "HEAD").split())
    assert job.parents == (job.line[1],)
    assert job.environment["cpu"] == "Fast"
    assert job.environment["runner"] == os.uname().nodename
    assert job.committed.startswith("2026-01-01T00:00:00")
    assert "pkg" not in job.environment


def test_adding_twice_changes_nothing(add, tmp_path):
    started = ("--started", "2026-01-01T00:00:00")
    add("../out.txt", *started)
    done = add("../out.txt", *started)
    assert done.code == 0
    assert "has these results already" in done.err
    assert len(jobs(tmp_path)) == 1


def test_a_later_line_leads_through_the_commits_that_are_known(add, project, tmp_path):
    git(project, "checkout", "--quiet", "c1")
    assert "no branch is checked out" in add("../out.txt").err
    assert add("../out.txt", "--branch", "main").code == 0
    git(project, "checkout", "--quiet", "main")
    commit(project, "c3", main_c="int x = 3;")
    assert add("../out.txt").code == 0
    lines = {job.subject: job.line for job in jobs(tmp_path)}
    assert len(lines["c1"]) == 2
    assert [git(project, "log", "-1", "--format=%s", name) for name in lines["c3"][:3]] == ["c3", "c2", "c1"]
    assert lines["c3"][2:] == lines["c1"]


def test_a_damaged_upload_takes_no_other_job_with_it(add, project, tmp_path):
    for number in range(3, 7):
        assert add("../out.txt").code == 0
        commit(project, f"c{number}", main_c=f"int x = {number};")
    assert add("../out.txt").code == 0
    for _, path in open_folder(tmp_path / "h").uploads():
        content = path.read_bytes()
        path.write_bytes(b"")
        found = analyse(read(open_folder(tmp_path / "h")), ())
        assert len(found.jobs("main")) == 4
        path.write_bytes(content)


def test_options_win(add, tmp_path):
    words = "--commit c1 --branch b --project q --url https://x.org/1 --environment runner=r --foreign"
    assert add("../out.txt", *words.split()).code == 0
    (job,) = jobs(tmp_path)
    assert (job.project, job.branch, job.subject, job.url) == ("q", "b", "c1", "https://x.org/1")
    assert job.environment["runner"] == "r"
    assert "host" not in job.environment


def test_results_of_another_project_are_refused(add, tmp_path):
    add("../out.txt")
    done = add("../out.txt", "--project", "other")
    fails(done, "is the history of program, and the results are of other", "[other-project]")
    assert len(jobs(tmp_path)) == 1


def test_a_shallow_clone_is_refused_unless_the_line_is_stated(add, run, project, tmp_path):
    add("../out.txt")
    for number in range(3, 6):
        commit(project, f"c{number}", main_c=f"int x = {number};")
    git(tmp_path, "clone", "--quiet", "--depth=2", f"file://{project}", "shallow")
    shallow = tmp_path / "shallow"
    words = ("history", "add", "../out.txt", "--project", "program", "--history", "../h")
    fails(run(*words, cwd=shallow, env=HOME), "shallow-clone", "git fetch --unshallow")
    line = git(project, "rev-list", "--first-parent", "HEAD")
    done = run(*words, "--line", "-", stdin=line, cwd=shallow, env=HOME)
    assert done.code == 0, done.err
    assert {len(job.line) for job in jobs(tmp_path)} == {3, 6}
    git(shallow, "fetch", "--quiet", "--unshallow")
    done = run(*words, "--started", "2026-05-05", cwd=shallow, env=HOME)
    assert done.code == 0, done.err


def test_outside_a_repository_the_second_commit_needs_its_line(run, tmp_path):
    (tmp_path / "out.txt").write_text(RESULTS)
    words = ("history", "add", "out.txt", "--history", "h", "--project", "p", "--branch", "main")
    assert "no-commit" in run(*words, env=HOME).err
    assert run(*words, "--commit", "aaa", env=HOME).code == 0
    fails(run(*words, "--commit", "bbb", env=HOME), "no-line")
    assert run(*words, "--line", "-", stdin="bbb aaa", env=HOME).code == 0
    assert sorted(job.commit for job in jobs(tmp_path)) == ["aaa", "bbb"]


def test_trailers_of_commits_announce_changes(add, project, tmp_path):
    git(project, "commit", "--quiet", "--allow-empty", "-m", "slower\n\nStatera-Expect: A* +5%..+15% checks\n input")
    assert add("../out.txt").code == 0
    (job,) = jobs(tmp_path)
    assert job.expects == ((job.commit, "A* +5%..+15% checks input"),)


def test_a_changed_work_tree_is_said(add, project):
    (project / "main.c").write_text("int changed;")
    done = add("../out.txt")
    assert done.code == 0
    assert "files differ from commit" in done.err


def test_the_variables_of_a_ci_are_used(add, project, tmp_path):
    git(project, "checkout", "--quiet", "c2")
    variables = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_REPOSITORY": "me/program",
        "GITHUB_REF_TYPE": "branch",
        "GITHUB_REF_NAME": "release",
        "GITHUB_SHA": git(project, "rev-parse", "c2"),
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_RUN_ID": "7",
        "GITHUB_ACTOR": "me",
        "ImageOS": "ubuntu24",
        "RUNNER_ARCH": "X64",
        "RUNNER_NAME": "GitHub Actions 12",
    }
    done = add("../out.txt", env=variables)
    assert done.code == 0, done.err
    (job,) = jobs(tmp_path)
    assert (job.project, job.branch, job.who) == ("me/program", "release", "me")
    assert job.url == "https://github.com/me/program/actions/runs/7"
    assert job.environment["runner"] == "ubuntu24 X64"


def test_a_time_is_understood_in_each_way_in_which_tools_write_it():
    first = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    times = dict.fromkeys(("2026-01-01", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00", "20260101_000000"), first)
    times |= dict.fromkeys(("2026.01.01 01:00:00 +0100", "2025-12-31 23:00:00 -0100"), first)
    times |= dict.fromkeys((f"{first:.0f}", f"{first:.0f}000", f"{first:.0f}000000"), first)
    # The largest seconds, and the smallest milliseconds and microseconds.
    times |= {"99999999999": 1e11 - 1, "100000000000": 1e8, "99999999999999": 1e11 - 1e-3, "100000000000000": 1e8}
    times |= {"yesterday": None, "": None}
    assert {text: measured_at({"date": text, "cpu": "2026-01-01"}) for text in times} == times


def test_results_of_several_commits_or_variants_are_not_one_job(add, tmp_path):
    rows = "benchmark,value,commit\n" + "".join(f"a,{value},{name}\n" for name in ("x1", "x2") for value in (1.5, 1.6))
    (tmp_path / "several.csv").write_text(rows)
    assert "several-commits" in add("../several.csv").err
    (tmp_path / "variants.csv").write_text(rows.replace("commit", "variant"))
    fails(add("../variants.csv"), "several-variants")
    done = add("../variants.csv", "--variant", "x2")
    assert done.code == 0, done.err
    assert "no such variant" in add("../variants.csv", "--variant", "x3").err


def test_wrong_options_are_refused_before_anything_is_written(add, tmp_path):
    wrong = [
        (("--environment", "cpu"), "write KEY=VALUE"),
        (("--started", "yesterday"), "write ISO 8601"),
        (("--line", "gone"), "gone"),
        (("--commit", "nothing"), "has no such commit"),
        # These are names of strangers, which must not run anything.
        *((("--commit=" + name,), "") for name in ("--output=/tmp/x", "$(touch owned)", "HEAD;id", "../../x", "@{-1}")),
    ]
    for words, why in wrong:
        fails(add("../out.txt", *words), why)
        assert not (tmp_path / "h").exists() or jobs(tmp_path) == [], words
    assert not list(tmp_path.rglob("owned"))


def test_a_folder_with_other_files_is_no_history(add, tmp_path):
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "mine").write_text("precious")
    assert "holds other files and no history" in add("../out.txt").err
    (tmp_path / "h" / "history.toml").write_text("format = 9\n")
    assert "Use a newer one" in add("../out.txt").err


def test_the_settings_say_where_the_history_is(run, project, tmp_path):
    (project / "statera.toml").write_text('[history]\nplace = "../kept"\nproject = "named"\n')
    done = run("history", "add", "../out.txt", cwd=project, env=HOME)
    assert done.code == 0, done.err
    assert open_folder(tmp_path / "kept").about.project == "named"
    (project / "statera.toml").write_text('[history]\nplaces = "x"\n')
    assert "history has no setting 'places'" in run("history", "show", cwd=project, env=HOME).err


def test_every_value_comes_back(add, tmp_path):
    add("../out.txt")
    ((_, path),) = open_folder(tmp_path / "h").uploads()
    most = (1 << 30, 1 << 20)
    jobs = [(path, 0, 0, "job", 0, [("commit", "abc")])]
    frame = pl.DataFrame(_native.upload_samples(_native.Catalog.read([path], most), jobs, Limits(), most))
    assert frame["benchmark"].to_list() == ["A"] * 5 + ["B"] * 5
    values = noisy(100.0, 5), noisy(50.0, 5, seed=2)
    assert frame["value"].to_list() == pytest.approx([value * 1e-9 for each in values for value in each], rel=1e-15)
    assert set(frame["commit"]) == {"abc"}
    assert set(frame["pkg"]) == {"example.com/x"}


def test_adding_an_undated_file_twice_changes_nothing(add, tmp_path):
    assert add("../out.txt").code == 0
    before = now()
    while now() == before:
        time.sleep(0.05)
    assert "has these results already" in add("../out.txt").err
    [job] = jobs(tmp_path)
    written = datetime.fromtimestamp((tmp_path / "out.txt").stat().st_mtime, tz=UTC)
    assert job.started == written.isoformat(timespec="seconds")


def test_a_date_in_milliseconds_says_when_the_job_began(add, tmp_path):
    (tmp_path / "dated.csv").write_text("date,benchmark,time_ms\n1767225600000,Parse,10\n")
    assert add("../dated.csv").code == 0
    [job] = jobs(tmp_path)
    assert job.started == "2026-01-01T00:00:00+00:00"


def test_a_line_that_is_too_long_to_be_carried_still_connects(run, tmp_path):
    folder = tmp_path / "long"
    names = repository(folder, LINE + 200)
    (tmp_path / "out.txt").write_text(RESULTS)
    (tmp_path / "line").write_text("\n".join(reversed(names)))
    for name, how in (("found", ("--commit", names[-1])), ("stated", ("--line", "../line"))):
        words = ("history", "add", "../out.txt", "--history", f"../{name}", "--branch", "main")
        assert run(*words, "--commit", names[0], cwd=folder, env=HOME).code == 0
        assert run(*words, *how, cwd=folder, env=HOME).code == 0
        held = read(open_folder(tmp_path / name))
        assert [len(each.job.line) for each in held.held if each.job.commit == names[-1]] == [LINE]
        order = analyse(held, ()).orders["main"]
        assert (order.commits[0], order.commits[-1], order.unconnected) == (names[0], names[-1], [])


def test_a_stated_line_goes_on_behind_a_commit_that_is_known(add, project, tmp_path):
    names = git(project, "rev-list", "HEAD").split()
    (tmp_path / "line").write_text("\n".join(names))
    assert add("../out.txt", "--commit", names[1]).code == 0
    assert add("../out.txt", "--line", "../line").code == 0
    assert [job.line for job in jobs(tmp_path) if job.commit == names[0]] == [tuple(names)]


def test_jobs_of_a_commit_are_ordered_by_the_moment_of_their_start(add, tmp_path):
    add("../out.txt", "--started", "2026-01-01T08:00:00+05:00")
    add("../out.txt", "--started", "2026-01-01T04:00:00+00:00")
    assert sorted(job.started for job in jobs(tmp_path)) == ["2026-01-01T03:00:00+00:00", "2026-01-01T04:00:00+00:00"]
