"""Merging the uploads of past months of a project: alerts stay, and a kill loses nothing."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from clusters import both
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from histories import folder as new
from histories import job, measured
from serving import answering, ask, bearer, brought, current, token
from sites import commit as sha
from sqlalchemy import select

from statera.history import upload as uploading
from statera.server import audit, backup, compaction, tables
from statera.server.analyst import analyse_one
from statera.server.database import Database
from statera.server.projects import touch
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import noisy

# Ends without a further word at a step within the transaction.
KILLED = """
import os, sys
from statera.server import audit, compaction, projects
from statera.server.database import Database
from statera.support.settings.limits import Limits
database = Database(sys.argv[1])
with database.reading() as connection:
    project = projects.named(connection, sys.argv[2])
module, name = sys.argv[3].split(".")
setattr(globals()[module], name, lambda *_, **__: os._exit(9))
compaction.compact(database, project, Limits(), 0)
"""
NOW = datetime(2026, 6, 20, tzinfo=UTC)
JOBS = 40
SAID = "statera: p: 40 uploads would be replaced by 3 merged files (2026-01, 2026-02, 2026-03)\n"


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """A history of forty jobs of three months; one of two benchmarks changes at the twentieth."""
    made = new(tmp_path_factory.mktemp("forty") / "h", samples=6, around=2)
    for number in range(JOBS):
        line = tuple(sha(each) for each in range(number, max(number - 3, -1), -1))
        started = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=2 * number)).isoformat()
        values = {
            "Moves": noisy(100 * (1.2 if number >= 20 else 1), 3, seed=number),
            "Stays": noisy(50, 3, seed=number),
        }
        about = job(number, started=started, commit=line[0], line=line, environment={"cpu": "c"})
        uploading.store(made, measured(values), ["{}"], about)
    return made


@pytest.fixture
def held(services, forty):
    return brought(services, forty, is_public=True)


def compacted(services, held, days=0, **words):
    return compaction.compact(services.database, held, Limits(), days, NOW, **words)


def rows(database, *, analysed=True):
    """What the analysis found, and what it reads; without where jobs stand."""
    found = [tables.value, tables.series, tables.event]
    found += [tables.course, tables.point, tables.alert, tables.page] if analysed else []
    columns = [[column for column in each.c if each is not tables.point or column.name != "id"] for each in found]
    columns.append([tables.job.c.id, tables.job.c.hash, tables.job.c.content])
    with database.reading() as connection:
        return [sorted(map(repr, connection.execute(select(*each)))) for each in columns]


def uploads(database):
    with database.reading() as connection:
        return dict(map(tuple, connection.execute(select(tables.upload.c.hash, tables.upload.c.content))))


@both
def test_alerts_pages_and_summaries_stay(services, held):
    before, files = rows(services.database), uploads(services.database)
    assert len(files) == JOBS
    done = compacted(services, held)
    assert (list(done.months), len(done.replaced)) == (["2026-01", "2026-02", "2026-03"], JOBS)
    after = uploads(services.database)
    assert set(after) == set(done.months.values())
    assert sum(map(len, after.values())) < sum(map(len, files.values()))
    assert rows(services.database) == before
    # And so when everything is analysed again.
    with services.database.writing() as connection:
        touch(connection, held.id)
    analyse_one(services.database, current(services, held.name), services.data, services.limits)
    assert rows(services.database) == before
    copies = services.data / "copies" / str(held.id) / "uploads"
    assert {each.stem for each in copies.rglob("*.parquet")} == set(after)
    with services.database.reading() as connection:
        noted = [each.detail for each in audit.listed(connection, held.id) if each.action == "compacted"]
    assert noted == ["40 uploads to 3"]


def test_the_second_time_and_a_dry_run_change_nothing(services, held):
    files = uploads(services.database)
    told = compacted(services, held, dry=True)
    assert (len(told.replaced), uploads(services.database)) == (JOBS, files)
    done = compacted(services, held)
    assert done == told
    files = uploads(services.database)
    again = compacted(services, held)
    assert (again.months, again.replaced, uploads(services.database)) == ({}, [], files)


def test_recent_months_stay(services, held):
    done = compaction.compact(services.database, held, Limits(), 31, datetime(2026, 3, 5, tzinfo=UTC))
    assert list(done.months) == ["2026-01"]


def test_what_is_sent_again_is_there_already(services, held, forty):
    compacted(services, held)
    before = rows(services.database), uploads(services.database)
    (_, path), *_ = forty.uploads()
    with answering(services) as address:
        secret = token(services, held)
        answer = ask("POST", f"{address}/api/v1/uploads", content=path.read_bytes(), headers=bearer(secret))
        own = f"{address}/api/v1/projects/{held.name}"
        # A comparison of merged jobs goes on; of those whose values were retired, it takes the summaries.
        made = ask("GET", f"{own}/compare?base={sha(17)}&head={sha(23)}", headers=bearer(secret))
    assert (answer.status_code, answer.json()["new"]) == (200, False)
    assert (rows(services.database), uploads(services.database)) == before
    assert (made.status_code, len(made.json()["rows"])) == (200, 2), made.text


def test_a_backup_of_it_is_restored(services, held, tmp_path):
    compacted(services, held)
    backup.write(services.database, tmp_path / "backup.tar")
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    backup.restore(other, tmp_path / "backup.tar", Limits())
    assert uploads(other) == uploads(services.database)
    with other.reading() as one, services.database.reading() as two:
        wanted = select(tables.job.c.hash).order_by(tables.job.c.hash)
        assert list(one.execute(wanted)) == list(two.execute(wanted))
    other.close()


@pytest.mark.parametrize("step", ["compaction._move", "audit.note"])
def test_a_kill_in_the_middle_loses_nothing(services, held, step):
    before, files = rows(services.database), uploads(services.database)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, services.database.url, held.name, step], check=False, timeout=60
    )
    assert done.returncode == 9
    assert (rows(services.database), uploads(services.database)) == (before, files)
    assert len(compacted(services, held).replaced) == JOBS
    assert rows(services.database) == before


@pytest.mark.later
def test_two_at_the_same_time_are_one(services, held, monkeypatch):
    month, turns = compaction._month, []

    def late(*words):
        if not turns:
            turns.append(1)
            compacted(services, held)
        return month(*words)

    monkeypatch.setattr(compaction, "_month", late)
    with pytest.raises(Stop, match="another command compacts"):
        compacted(services, held)
    assert len(uploads(services.database)) == 3


@pytest.mark.later
def test_the_command_says_what_it_does(run, services, held):
    def server(*words):
        return run("server", *words, env={"STATERA_DATABASE": services.database.url})

    told = server("compact", held.name, "--older", "0", "--dry-run")
    assert (told.code, told.err) == (0, SAID)
    assert len(uploads(services.database)) == JOBS
    assert server("project", "change", held.name, "--samples", "1", "--around", "0").code == 0
    assert "[bad-option]" in server("project", "change", held.name, "--samples", "-1").err
    assert "40 uploads replaced by 3 merged files" in server("compact", held.name, "--older", "0").err
    assert "nothing to merge" in server("compact", held.name).err
    assert "[bad-option]" in server("compact", held.name, "--older", "-1").err
    assert "[no-project]" in server("compact", "none").err
