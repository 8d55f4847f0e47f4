import pytest
from starting import Lives

from statera.experiment.launcher import Launcher


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """A cache of the test."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "statera"


@pytest.fixture
def lives(tmp_path):
    pipe = Lives(tmp_path)
    yield pipe
    pipe.close()


@pytest.fixture
def launcher():
    with Launcher() as running:
        yield running
