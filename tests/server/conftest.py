"""A server's databases with the history of the examples, and what requests share."""

import contextlib
import shutil
import sqlite3

import pytest
from clusters import TEMPLATE, started
from serving import brought

from statera.history.folder import About, open_folder
from statera.server import migrations, projects
from statera.server.database import Database
from statera.server.rendered import Renderer
from statera.server.services import Services
from statera.server.writer import Writer
from statera.support.settings.limits import Limits
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
        made = Database(f"sqlite:///{tmp_path / 'statera.db'}")
        migrations.upgrade(made)
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
    with database.writing() as connection:
        return projects.create(connection, About("program"))


@pytest.fixture(scope="session")
def example_file(tables_alone, tmp_path_factory):
    """A file of SQLite with the history of the examples, analysed."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copy(tables_alone, folder / "statera.db")
    database = Database(f"sqlite:///{folder / 'statera.db'}")
    writer = Writer(database)
    writer.start()
    made = Services(database, writer, folder / "data", Limits(), Renderer(database), "http://127.0.0.1:8000")
    brought(made, open_folder(EXAMPLE))
    writer.stop()
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
    with services.database.reading() as connection:
        return projects.named(connection, example.about.project)


@pytest.fixture
def services(database, tmp_path):
    writer = Writer(database)
    writer.start()
    yield Services(database, writer, tmp_path / "data", Limits(), Renderer(database), "http://127.0.0.1:8000")
    writer.stop()
