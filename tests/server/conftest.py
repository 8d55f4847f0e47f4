"""A server's databases with the history of the examples, and what requests share."""

import shutil

import pytest
from clusters import TEMPLATE, started

from statera.history.folder import About, open_folder
from statera.server import migrations, projects
from statera.server.database import Database
from statera.server.rendered import Renderer
from statera.server.services import Services
from statera.server.writer import Writer
from statera.settings.limits import Limits
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


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    """Each kind of database in turn."""
    return request.param


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


@pytest.fixture
def services(database, tmp_path):
    writer = Writer(database)
    writer.start()
    yield Services(database, writer, tmp_path / "data", Limits(), Renderer(database), "http://127.0.0.1:8000")
    writer.stop()
