"""A remote repository and two clones of it."""

import pytest
from projects import NOBODY, clone, commit, remote

from within import running


@pytest.fixture
def run(tmp_path, capfd, monkeypatch):
    """Run ``statera`` within this process: tests here start many commands."""
    return running(capfd, monkeypatch, tmp_path)


@pytest.fixture
def bare(tmp_path):
    return remote(tmp_path / "remote.git")


@pytest.fixture
def here(bare, tmp_path, monkeypatch):
    """A clone with a commit, as the current folder."""
    path = clone(bare, tmp_path / "here")
    commit(path)
    for name, value in NOBODY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def there(bare, tmp_path):
    """Another clone of the same repository."""
    path = clone(bare, tmp_path / "there")
    commit(path)
    return path
