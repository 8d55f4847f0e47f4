"""Processes that store uploads into one database, side by side, and killed at any moment."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from histories import add, folder
from serving import created
from sqlalchemy import func, select, text

from statera.server import tables

SERIES = 5


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Uploads of one project, by hash."""
    made = folder(tmp_path_factory.mktemp("files") / "p")
    for number in range(200):
        add(made, number, {f"B{each}": [1.0 + number / 100] for each in range(SERIES)})
    return {hash_: str(path) for hash_, path in made.uploads()}


@contextmanager
def program(url):
    words = [sys.executable, "-W", "error", Path(__file__).with_name("writing.py"), url]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        yield started
        started.stdin.close()


def begin(started, *parts):
    """Let a process store each of several lists of files."""
    started.stdin.write(json.dumps(parts) + "\n")
    started.stdin.flush()


def number_of(started):
    """Give the number of a process that began."""
    word = ""
    while word != "process":
        word, number = started.stdout.readline().split()
    return int(number)


def rest(started):
    """What a process says until it ends: lists of hashes by word."""
    found = {"stored": [], "known": [], "refused": []}
    while (line := started.stdout.readline()) != "ended\n":
        word, hash_, *_ = line.split()
        if word != "process":
            found[word].append(hash_)
    return found


def check(database):
    """Check that each upload is there with all its rows; give the hashes."""
    with database.reading() as connection:
        hashes = list(connection.execute(select(tables.upload.c.hash)).scalars())
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar() for table in (tables.job, tables.value)
        ]
        if database.is_sqlite:
            assert connection.execute(text("pragma integrity_check")).scalar() == "ok"
            assert connection.execute(text("pragma foreign_key_check")).all() == []
    assert counts == [len(hashes), SERIES * len(hashes)]
    assert len(set(hashes)) == len(hashes)
    return set(hashes)


@pytest.fixture
def own(database):
    created(database, "p")
    return database


def url_of(database):
    return database.engine.url.set(drivername="sqlite" if database.is_sqlite else "postgresql").render_as_string(
        hide_password=False
    )


def test_two_servers_lose_nothing_and_store_nothing_twice(own, files):
    paths = list(files.values())
    with program(url_of(own)) as started:
        # Half of the files come by both.
        begin(started, paths[:150], paths[:50:-1])
        said = rest(started)
    assert sorted(said["stored"]) == sorted(files)
    assert len(said["known"]) == 150 + 149 - 200
    assert check(own) == set(files)


def test_what_was_answered_is_there_after_a_kill(own, files):
    chance = random.Random(5)
    answered, cut = set(), 0
    with program(url_of(own)) as started:
        for _ in range(20):
            begin(started, chance.sample(list(files.values()), len(files)))
            child = number_of(started)
            first = [started.stdout.readline().split()[1] for _ in range(chance.randrange(1, 8))]
            time.sleep(chance.random() / 200)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            ended = rest(started)
            answered.update(first, ended["stored"], ended["known"])
            cut += len(first) + len(ended["stored"]) + len(ended["known"]) < len(files)
            assert answered <= check(own)
    assert cut > 5
