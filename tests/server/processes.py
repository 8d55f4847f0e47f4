"""A server as a process of its own, as its users start it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from serving import ask, bearer

from statera.history.folder import About
from statera.server import migrations, projects, tokens
from statera.server.access import Role
from statera.server.database import Database
from waiting import until


class Process:
    """A server that runs.

    Attributes:
        address: where it listens.
        process: the process.
        log: what it wrote to standard error.

    """

    def __init__(self, database, folder, *words):
        folder.mkdir(exist_ok=True)
        self.log = folder / "log"
        command = [sys.executable, "-m", "statera", "serve", "--port", "0", "--data", str(folder / "data")]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, "--database", database, *words],
                stderr=log,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONWARNINGS": "error"},
                # As a terminal starts it, which sends its signals to the whole group.
                process_group=0,
            )
        self.address = self._listening()

    def _listening(self):
        def found():
            # What it wrote is read after it is seen to have ended, so that its last line counts.
            ended = self.process.poll() is not None
            said = re.search(r"on (http://\S+)", self.log.read_text())
            assert said or not ended, self.log.read_text()
            return said

        return until(found, what=self.log.read_text)[1]

    def end(self, number=signal.SIGTERM):
        """Send a signal; give the exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)

    def get(self, path, secret=None):
        """Ask for a path; give the status and the text."""
        return self.ask("GET", path, secret)

    def upload(self, content, secret):
        """Send an upload; give the status and the text."""
        return self.ask("POST", "/api/v1/uploads", secret, content)

    def ask(self, method, path, secret=None, content=None):
        answer = ask(method, self.address + path, content=content, headers=bearer(secret) if secret else {})
        return answer.status_code, answer.text


@contextlib.contextmanager
def serving(database, folder, *words):
    """Yield a server; it ends with the block at the latest."""
    made = Process(database, folder, *words)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.process.wait()


def prepared(url, name="program"):
    """Make a database with a project; give the secret of a token that may write."""
    database = Database(url)
    migrations.upgrade(database)
    with database.writing() as connection:
        project = projects.create(connection, About(name))
        secret = tokens.issue(connection, "tests", Role.WRITE, project.id)[1]
    database.close()
    return secret


def address_of(folder: Path):
    """The address of an SQLite database in a folder."""
    return f"sqlite:///{folder / 'statera.db'}"
