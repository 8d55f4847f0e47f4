"""A PostgreSQL of the tests' own: on a socket in a folder of its own, ended by its own process number."""

import os
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg
import pytest

from waiting import until

MISSING = "PostgreSQL is missing (on Debian: apt-get install postgresql)"
# As root, it refuses to run.
USER = "postgres"
TEMPLATE = "statera_template"
# On every change, PostgreSQL runs the tests of what it does in its own way: types, locks, arrays, many rows. The other
# tests run on it later.
both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


@pytest.fixture
def sqlite_alone():
    """In the place of ``kind``: nothing in a module depends on the kind of database."""
    return "sqlite"


def programs():
    """Find the folder of initdb and postgres; STATERA_POSTGRESQL=absent says that there is to be none."""
    asked = os.environ.get("STATERA_POSTGRESQL", "")
    places = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = next((place for place in places if (place / "initdb").exists() and (place / "postgres").exists()), None)
    if found and asked != "absent":
        return found
    if os.environ.get("CI") == "true" and asked != "absent":
        pytest.fail(f"{MISSING}; STATERA_POSTGRESQL=absent says that this is meant", pytrace=False)
    pytest.skip(f"{MISSING}: the tests of databases run on SQLite alone")
    return None


class Cluster:
    """A server process with its data."""

    def __init__(self, binaries, folder):
        self.folder = folder
        self._binaries = binaries
        self._user = {"user": USER} if os.geteuid() == 0 else {}
        self._numbers = count()
        self._process = None
        if self._user:
            shutil.chown(folder, USER)
        # Nobody else gets into the folder of the socket.
        words = [binaries / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(words, check=True, capture_output=True, cwd=folder, **self._user)

    def start(self):
        words = [self._binaries / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses="]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(words, cwd=self.folder, stdout=log, stderr=log, **self._user)
        until(self._answers, what=(self.folder / "log").read_text)

    def _answers(self):
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            return False
        return True

    def stop(self, how=signal.SIGINT):
        """End it: connections are cut; with SIGQUIT at once, as in a power cut."""
        self._process.send_signal(how)
        self._process.wait(60)

    def url(self, name):
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def execute(self, statement):
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def create(self, template="template1"):
        """Make a database; return its name."""
        name = f"statera_{next(self._numbers)}"
        self.execute(f"create database {name} template {template}")
        return name

    def drop(self, name):
        self.execute(f"drop database {name} with (force)")


def started():
    """Return a cluster, and the folder to remove at the end."""
    binaries = programs()
    # A socket's path has 107 characters at most.
    folder = Path(tempfile.mkdtemp(prefix="statera-pg-", dir="/tmp"))
    made = Cluster(binaries, folder)
    made.start()
    return made
