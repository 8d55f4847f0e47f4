"""A server's databases with the history of the examples, and what requests share."""

import contextlib
import shutil
import sqlite3

import pytest
from clusters import TEMPLATE, started
from serving import brought, created, current, sharing

from statera.history.folder import open_folder
from statera.server import migrations
from statera.server.database import Database
from support import ROOT

EXAMPLE = ROOT / "examples/history/history"


@pytest.fixture
def example():
    """The history of the examples, in its folder."""
    return open_folder(EXAMPLE)


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL; skipped, or failed in CI, where there is none."""
    made = started()
    yield made
    made.stop()
    shutil.rmtree(made.folder)


@pytest.fixture(scope="session")
def template(cluster):
    """The name of a database with all tables and no rows, to make others of."""
    cluster.execute(f"create database {TEMPLATE}")
    made = Database(cluster.url(TEMPLATE))
    migrations.upgrade(made)
    made.close()
    return TEMPLATE


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def kind(request):
    """Each kind of database in turn; PostgreSQL later, except for tests of ``both``."""
    return request.param


@pytest.fixture(scope="session")
def tables_alone(tmp_path_factory):
    """A file of SQLite with all tables and no rows, to copy."""
    file = tmp_path_factory.mktemp("template") / "statera.db"
    made = Database(f"sqlite:///{file}")
    migrations.upgrade(made)
    made.close()
    return file


@pytest.fixture
def empty_url(kind, request, tmp_path):
    """The address of a database without tables."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    cluster = request.getfixturevalue("cluster")
    name = cluster.create()
    yield cluster.url(name)
    cluster.drop(name)


@pytest.fixture
def empty(empty_url):
    """A database without tables."""
    made = Database(empty_url)
    yield made
    made.close()


@pytest.fixture
def database(kind, request, tmp_path):
    """A database with all tables and no rows."""
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("tables_alone"), tmp_path / "statera.db")
        made = Database(f"sqlite:///{tmp_path / 'statera.db'}")
        yield made
        made.close()
        return
    cluster = request.getfixturevalue("cluster")
    name = cluster.create(request.getfixturevalue("template"))
    made = Database(cluster.url(name))
    yield made
    made.close()
    cluster.drop(name)


@pytest.fixture
def project(database):
    return created(database, "program")


@pytest.fixture(scope="session")
def example_file(tables_alone, tmp_path_factory):
    """A file of SQLite with the history of the examples, analysed."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copy(tables_alone, folder / "statera.db")
    database = Database(f"sqlite:///{folder / 'statera.db'}")
    with sharing(database, folder) as made:
        brought(made, open_folder(EXAMPLE))
    database.close()
    return folder / "statera.db"


@pytest.fixture
def shown_example(services, example, request):
    """The project with the history of the examples, analysed; it is the only one."""
    if not services.database.is_sqlite:
        return brought(services, example)
    held = services.database.engine.raw_connection()
    with contextlib.closing(sqlite3.connect(request.getfixturevalue("example_file"))) as source:
        source.backup(held.driver_connection)
    held.close()
    return current(services, example.about.project)


@pytest.fixture
def services(database, tmp_path):
    with sharing(database, tmp_path) as made:
        yield made
