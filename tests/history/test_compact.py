"""Merging the uploads of past months: the analysis stays the same to the last digit, and a kill loses nothing."""

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import polars as pl
import pytest
from histories import commits, job, read, shown, store
from histories import folder as new
from sites import commit as sha

from statera import _native
from statera.history import verify
from statera.history.analysis import analyse
from statera.history.compact import LOCK, _idle, compact
from statera.history.folder import open_folder
from statera.history.job import VERSION
from statera.support.errors import Stop
from statera.support.files.lock import locked
from statera.support.settings.limits import Limits
from statera.support.wording import counted
from support import ROOT, noisy

NOW = datetime(2026, 6, 20, tzinfo=UTC)
JOBS = 60
# Killed commands, forked from a process that has imported everything: each ends without a further word before the N-th
# change of a file's name, in a folder that is named after this number.
KILLED = """
import json, os, sys
from datetime import UTC, datetime
from pathlib import Path
sys.path[:0] = sys.argv[3:]
left = 0
from histories import read
from statera.history import compact, folder
from statera.history.analysis import analyse
from statera.support.settings.limits import Limits
def counted(function):
    def call(*words, **more):
        global left
        if left == 0:
            os._exit(9)
        left -= 1
        return function(*words, **more)
    return call
def killed(step):
    global left
    left = step
    of = folder.open_folder(Path(sys.argv[1], str(step)))
    analysis = analyse(read(of), of.about.lane)
    Path.replace, Path.unlink = counted(Path.replace), counted(Path.unlink)
    compact.compact(of, analysis, Limits(), 0, datetime(2026, 6, 20, tzinfo=UTC))
    os._exit(0)
for step in json.loads(sys.argv[2]):
    if os.fork() == 0:
        killed(step)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
# A file and a list for each month, an upload a job, and the leftover names: the last kill comes near the end.
STEPS = [*range(0, 72, 6), 76]


def day(number):
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=2 * number)


def stated(number):
    line = tuple(sha(each) for each in range(number, max(number - 3, -1), -1))
    facts = {"commit": line[0], "line": line, "subject": "", "environment": {"cpu": "c"}}
    return job(number, started=day(number).isoformat(), **facts)


def values(number):
    factor = 1.2 if number >= 30 else 1
    return {"Moves": noisy(100 * factor, 3, seed=number), "Stays": noisy(50, 3, seed=1000 + number)}


@pytest.fixture(scope="module")
def sixty(tmp_path_factory):
    """The folder of a history of sixty jobs of four months; one of two benchmarks changes at the thirtieth."""
    made = new(tmp_path_factory.mktemp("sixty") / "h", samples=10, around=4)
    for number in range(JOBS):
        store(made, stated(number), values(number))
    return made.path


@pytest.fixture
def history(sixty, tmp_path):
    """A copy of its own."""
    return open_folder(shutil.copytree(sixty, tmp_path / "h"))


def compacted(history, days=0, now=NOW):
    return compact(history, analyse(read(history), history.about.lane), Limits(), days, now)


def kept(history, benchmark):
    """The numbers of the jobs that have their values still."""
    held = read(history)
    places = {sha(number): number for number in range(JOBS)}
    found = []
    for each in held.held:
        own = _native.upload_samples(
            held.native, [(held.files[each.file], each.place, 0, "a", 0, [])], Limits(), (2**30, 2**20)
        )
        if pl.DataFrame(own)["benchmark"].to_list().count(benchmark) > 1:
            found.append(places[each.job.commit])
    return sorted(found)


def test_the_analysis_stays_the_same_to_the_last_digit(history):
    before = shown(history)
    assert any(changes for _, (_, _, changes, *_) in before)
    done = compacted(history)
    assert list(done.months) == ["2026-01", "2026-02", "2026-03", "2026-04"]
    assert len(done.replaced) == JOBS
    assert len(history.uploads()) == 4
    assert shown(history) == before
    assert verify.verify(history, Limits()).problems == []


def test_a_month_is_merged_only_when_it_is_over_for_so_long(history):
    assert list(compacted(history, 31, datetime(2026, 4, 3, tzinfo=UTC)).months) == ["2026-01", "2026-02"]
    assert list(compacted(history, 31, datetime(2026, 4, 2, 23, tzinfo=UTC) - timedelta(days=30)).months) == []


def test_values_stay_for_the_last_jobs_and_around_the_changes_of_their_series(history):
    [change] = [change for _, (_, _, changes, *_) in shown(history) for change in changes]
    compacted(history)
    last = list(range(JOBS - 10, JOBS))
    assert kept(history, "Stays") == last
    assert kept(history, "Moves") == [*range(change.first - 4, change.last + 4), *last]


def test_a_summary_stands_for_the_values_that_are_retired(history):
    compacted(history)
    held = read(history)
    counts = {count for series in range(2) for _, count, *_ in held.native.summaries(series)}
    assert counts == {3}


def test_jobs_that_stand_on_no_line_keep_their_values(tmp_path):
    history = new(tmp_path / "h", samples=0, around=0)
    for number in range(3):
        store(history, stated(number), {"X": [1.0, 2.0]})
    # Nothing leads from this commit to the others.
    store(history, stated(40)._replace(line=()), {"X": [1.0, 2.0]})
    compacted(history)
    [(line, *_)] = shown(history)
    assert len(kept(history, "X")) == 4 - len(line[3])


def test_an_old_upload_that_is_added_again_changes_nothing(history):
    compacted(history)
    before = [name for name, _ in history.uploads()]
    store(history, stated(3), values(3))
    assert [name for name, _ in history.uploads()] == before


def test_it_is_done_once(history):
    compacted(history)
    before = [name for name, _ in history.uploads()]
    done = compacted(history)
    assert (done.months, done.replaced) == ({}, [])
    assert [name for name, _ in history.uploads()] == before


def test_a_late_job_joins_the_file_of_its_month(history):
    compacted(history)
    store(history, stated(2)._replace(commit=sha("late"), line=(sha("late"), sha(2))), values(2))
    before = shown(history)
    assert list(compacted(history).months) == ["2026-01"]
    assert len(history.uploads()) == 4
    assert shown(history) == before


def test_a_kill_at_any_moment_loses_nothing(sixty, tmp_path):
    before = shown(open_folder(sixty))
    for step in STEPS:
        shutil.copytree(sixty, tmp_path / str(step))
    words = [tmp_path, json.dumps(STEPS), ROOT / "tests/history", ROOT / "tests"]
    done = subprocess.run([sys.executable, "-c", KILLED, *words], check=False, capture_output=True, timeout=120)
    assert done.stdout.split() == [b"9"] * len(STEPS), done.stderr
    for step in STEPS:
        history = open_folder(tmp_path / str(step))
        assert shown(history) == before, step
        compacted(history)
        assert shown(history) == before, step
        assert len(history.uploads()) == 4, step
        assert verify.verify(history, Limits()).problems == [], step


def test_an_upload_whose_merged_file_is_damaged_stays(history):
    first = history.uploads()[0][0]
    history.replace([first])
    assert first in dict(history.uploads())
    assert len(read(history).held) == JOBS


def test_a_damaged_upload_is_named_and_not_merged(history):
    name, path = history.uploads()[0]
    held = read(history)
    path.write_bytes(path.read_bytes() + b"x")
    done = compact(history, analyse(held, history.about.lane), Limits(), 0, NOW)
    assert [problem.source for problem in done.problems] == [str(path)]
    assert path.exists()
    assert name not in done.replaced


def test_a_job_without_a_time_stays_as_it_is_and_a_clock_in_1970_is_a_month(tmp_path):
    history = new(tmp_path / "h")
    for number, started in enumerate(("", "yesterday", "1970-01-01T00:00:00+00:00", "1970-01-01T00:00:01+00:00")):
        store(history, job(number, started=started), {"X": [1.0]})
    before = shown(history)
    assert list(compacted(history).months) == ["1970-01"]
    assert len(history.uploads()) == 3
    assert shown(history) == before


def test_a_clock_at_the_end_of_all_calendars_is_a_month_that_is_not_over(tmp_path):
    history = new(tmp_path / "h")
    store(history, job(1, started="9999-12-31T23:59:59+00:00"), {"X": [1.0]})
    assert list(compacted(history).months) == []


def test_one_command_compacts_at_a_time(history):
    with locked(history.path, name=LOCK), pytest.raises(Stop, match="writes there"):
        compacted(history)


def test_two_compactions_of_two_copies_are_one(history, tmp_path):
    """Each copy merged other uploads; together they have every job once."""
    before = shown(history)
    other = new(tmp_path / "other", samples=10, around=4)
    for number in range(0, JOBS, 2):
        store(other, stated(number), values(number))
    compacted(history)
    compacted(other)
    for kind in ("replaced", "uploads"):
        for name, path in other.named(kind):
            with history.receiving() as part:
                part.write_bytes(path.read_bytes())
                history.put(part, history.file_of(name, kind))
    assert len(commits(history)) == JOBS
    assert shown(history) == before
    compacted(history)
    assert shown(history) == before
    assert len(history.uploads()) == 4


@pytest.mark.usefixtures("history")
def test_the_command(run, tmp_path):
    done = run("history", "compact", "--history", "h", cwd=tmp_path)
    assert done.code == 0, done.err
    assert f"{counted(JOBS, 'upload')} replaced by 4 merged files (2026-01, 2026-02, 2026-03, 2026-04)" in done.err
    assert "nothing to merge" in run("history", "compact", "--history", "h", cwd=tmp_path).err
    assert run("history", "compact", "--history", "h", "--older", "-1", cwd=tmp_path).code == 2


def test_only_a_file_all_of_whose_jobs_count_elsewhere_is_removed(history):
    found = read(history)
    (path, *_), (text, *_) = found.files, found.native.jobs
    for stands, gone in ((text, [path.stem]), (text.replace(VERSION, "9"), []), ("", []), ("[]", [])):
        jobs = SimpleNamespace(jobs=[stands, *found.native.jobs[1:]])
        one = SimpleNamespace(native=jobs, files=found.files, held=found.held)
        others = dict.fromkeys(range(1, len(found.files)))
        assert _idle(one, others) == gone, stands[:40]
    assert _idle(SimpleNamespace(native=found.native, files=found.files, held=found.held[1:]), others) == []
