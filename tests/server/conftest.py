"""A server's database with the history of the examples, and what requests share."""

import pytest

from statera.history.folder import About, open_folder
from statera.server import projects, tables
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


@pytest.fixture
def database(tmp_path):
    made = Database(f"sqlite:///{tmp_path / 'statera.db'}")
    tables.metadata.create_all(made.engine)
    yield made
    made.close()


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
