"""A program that stores uploads as a server does, and says what was answered, for tests that end it at any moment.

Each line of its standard input is a JSON list of lists of files; for each list, a process of its own stores them.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from statera.server import histories, projects
from statera.server.database import Database
from statera.server.histories import Writer
from statera.support.errors import Stop
from statera.support.settings.limits import Limits


def say(*words):
    # One write each, so that the lines of two processes do not mix.
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def send(writer, project, path):
    prepared = histories.prepare(Path(path), project.name, Limits())
    try:
        stored = writer.put(project.id, prepared).result()
    except Stop as stop:
        say("refused", prepared.hash, stop.code)
    else:
        say("stored" if stored.new else "known", stored.hash)


def store(url, paths):
    database = Database(url)
    with database.reading() as connection:
        project = projects.named(connection, "p")
    writer = Writer(database)
    writer.start()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda path: send(writer, project, path), paths))
    writer.stop()
    database.close()


if __name__ == "__main__":
    for line in sys.stdin:
        children = []
        for paths in json.loads(line):
            if (child := os.fork()) == 0:
                store(sys.argv[1], paths)
                os._exit(0)
            children.append(child)
            say("process", child)
        for child in children:
            os.waitpid(child, 0)
        say("ended")
