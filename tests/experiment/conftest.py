"""Every test has a cache of its own."""

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """A cache of the test."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "statera"
