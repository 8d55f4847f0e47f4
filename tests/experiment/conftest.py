from __future__ import annotations

import pytest
from starting import Lives

from statera.experiment.launcher import Launcher


@pytest.fixture
def lives(tmp_path):
    pipe = Lives(tmp_path)
    yield pipe
    pipe.close()


@pytest.fixture
def launcher():
    with Launcher() as running:
        yield running
