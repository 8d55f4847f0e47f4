"""The steps lead to the tables, keep what is there, and are made by one process at a time."""

import re
import sqlite3
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from clusters import both
from serving import created, keep, record
from sqlalchemy import insert, inspect, select, text

from statera.server import migrations, projects, tables
from statera.server.database import Database
from statera.server.histories import DatabaseStore
from statera.support.errors import Stop

TRUTH = (tables.project, tables.upload, tables.event, tables.job, tables.series, tables.value)


def rows(database):
    with database.reading() as connection:
        known = inspect(connection)
        found = {}
        for table in TRUTH:
            # What no older version has, these projects do not state.
            names = {each["name"] for each in known.get_columns(table.name)} - {"margins"}
            columns = [column for column in table.columns if column.name in names]
            found[table.name] = sorted(map(repr, connection.execute(select(*columns))))
        return found


def table_names(database):
    with database.reading() as connection:
        return set(inspect(connection).get_table_names())


@both
def test_the_steps_lead_to_the_tables(empty):
    migrations.upgrade(empty)
    with empty.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
    migrations.check(empty)


def test_on_sqlite_the_steps_lead_to_the_same_statements(tmp_path):
    written = []
    for name in ("steps", "tables"):
        made = Database(f"sqlite:///{tmp_path / name}")
        if name == "steps":
            migrations.upgrade(made)
        else:
            tables.metadata.create_all(made.engine)
        wanted = "select sql from sqlite_master where sql is not null and name != 'alembic_version'"
        with made.reading() as connection:
            # The order of constraints may differ.
            found = [re.findall(r"\w+", statement) for (statement,) in connection.execute(text(wanted))]
        written.append(sorted(map(sorted, found)))
        made.close()
    assert written[0] == written[1]


@both
def test_the_truth_stays_on_the_way_down_and_up(empty, example, tmp_path):
    migrations.upgrade(empty)
    project = created(empty, "program")
    store = DatabaseStore(empty, project, tmp_path / "copy")
    for _, path in example.uploads():
        keep(store, path)
    for _, event in example.events():
        record(store, event)
    before = rows(empty)
    assert [len(before[name]) for name in ("upload", "event")] == [len(example.uploads()), len(example.events())]
    assert len(before["job"]) > 20
    migrations.downgrade(empty, "0001")
    assert "token" not in table_names(empty)
    assert not migrations.is_current(empty)
    assert rows(empty) == before
    migrations.upgrade(empty)
    migrations.check(empty)
    assert rows(empty) == before


@both
@pytest.mark.usefixtures("project")
def test_a_step_down_that_would_lose_something_is_refused(database):
    token = {"name": "ci", "role": "write", "digest": "0" * 64, "created": "2026-01-01T00:00:00+00:00"}
    with database.writing() as connection:
        connection.execute(insert(tables.token).values(**token))
    with pytest.raises(Stop, match=r"table token is not empty.*backup"):
        migrations.downgrade(database, "0001")
    migrations.check(database)
    with database.writing() as connection:
        connection.execute(tables.token.delete())
    with database.writing() as connection:
        projects.change(connection, "program", margins={"time": "5%"})
    with pytest.raises(Stop, match=r"program states margins.*statera server project change program --margin none"):
        migrations.downgrade(database, "0003")
    with database.writing() as connection:
        projects.change(connection, "program", margins={})
    # All steps are one transaction.
    with pytest.raises(Stop, match="table project is not empty"):
        migrations.downgrade(database, "base")
    migrations.check(database)
    with database.writing() as connection:
        connection.execute(tables.project.delete())
    migrations.downgrade(database, "base")
    assert table_names(database) == {"alembic_version"}
    migrations.upgrade(database)
    migrations.check(database)


def test_a_database_without_tables_or_with_old_ones_is_named_old(empty):
    with pytest.raises(Stop, match="statera server upgrade") as stop:
        migrations.check(empty)
    assert stop.value.code == "old-database"
    migrations.upgrade(empty, "0001")
    with pytest.raises(Stop, match="statera server upgrade"):
        migrations.check(empty)


def test_a_newer_database_is_refused(database):
    revision = text("update alembic_version set version_num = '9999'")
    with database.writing() as connection:
        connection.execute(revision)
    for verb in (migrations.check, migrations.upgrade, lambda each: migrations.downgrade(each, "0001")):
        with pytest.raises(Stop, match="revision 9999, which this version of statera does not know") as stop:
            verb(database)
        assert stop.value.code == "newer-database"


def test_a_database_of_something_else_is_left_alone(empty):
    with empty.writing() as connection:
        connection.execute(text("create table project (name text)"))
    with pytest.raises(Stop, match="tables that statera did not make"):
        migrations.upgrade(empty)
    assert table_names(empty) == {"project"}


@both
def test_a_step_that_fails_leaves_nothing(empty, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError

    monkeypatch.setattr("alembic.op.create_index", fail)
    with pytest.raises(RuntimeError):
        migrations.upgrade(empty)
    assert table_names(empty) == set()


@both
def test_processes_that_upgrade_at_once_wait_for_each_other(empty_url):
    # Both are forked from one that has imported everything, so that they begin together.
    code = (
        "import os, sys; from statera.server import migrations, database; twin = os.fork(); "
        "made = database.Database(sys.argv[1]); migrations.upgrade(made); made.close(); "
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(twin, 0)[1]) if twin else 0)"
    )
    words = [sys.executable, "-W", "error", "-c", code, empty_url]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    made = Database(empty_url)
    migrations.check(made)
    made.close()


def test_a_new_file_that_another_process_locks_is_waited_for(tmp_path, monkeypatch):
    file = tmp_path / "made.db"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("begin immediate")
    other.execute("create table made (kept)")
    monkeypatch.setattr("statera.server.database.time.sleep", lambda _: other.execute("rollback"))
    made = Database(f"sqlite:///{file}")
    migrations.upgrade(made)
    migrations.check(made)
    made.close()
    other.close()


def test_an_encoding_that_lacks_characters_is_refused(cluster):
    cluster.execute("create database latin encoding 'LATIN1' locale 'C' template template0")
    made = Database(cluster.url("latin"))
    with pytest.raises(Stop, match="its encoding is LATIN1"):
        migrations.upgrade(made)
    made.close()
    cluster.drop("latin")
