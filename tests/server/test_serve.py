"""statera serve: what was answered is there, however the server ends."""

import os
import random
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import threading
import time

import httpx
import pytest
from processes import address_of, prepared, serving
from serving import upload

from support import fails
from waiting import until


def test_uploads_become_pages_and_an_alert(tmp_path):
    secret = prepared(address_of(tmp_path))
    with serving(address_of(tmp_path), tmp_path / "s") as server:
        for number in range(60):
            level = 1.0 if number < 40 else 1.3
            values = {"Parse": [level + number * 7 % 10 / 500]}
            assert server.upload(upload(tmp_path, number, values=values), secret)[0] == 201

        def first():
            return server.get("/p/program/index.html", secret)[1]

        page = until(lambda: (page := first()) * ("1 alert open" in page), what=first, pause=0.1)
        series = re.search(r"series/[0-9a-f]{16}\.html", page)[0]
        status, page = server.get(f"/p/program/{series}", secret)
        assert (status, "<svg" in page, "worse" in page) == (200, True, True)
        assert server.end() == 0
    log = server.log.read_text()
    assert "everything that was answered is stored" in log
    assert secret not in log
    assert "ERROR" not in log


def answered(server, secret, contents, found, *, ended):
    """Send uploads one after another; note the hashes of those that were answered with success."""
    for content in contents:
        try:
            status, text = server.upload(content, secret)
        except httpx.HTTPError:
            # Also one that ends within its answer.
            break
        if status == 201:
            found.append(re.search(r'"hash":"([0-9a-f]{64})"', text)[1])
        else:
            # A server that ends says so; nothing else is wrong.
            assert status == 503, text
        if ended.is_set():
            break


@pytest.mark.parametrize(
    "ends",
    [
        pytest.param([signal.SIGKILL, signal.SIGTERM], id="each"),
        pytest.param([signal.SIGKILL] * 4, id="killed", marks=pytest.mark.later),
        pytest.param([signal.SIGTERM] * 4, id="ended", marks=pytest.mark.later),
    ],
)
def test_what_was_answered_survives_the_end(tmp_path, ends):
    secret = prepared(address_of(tmp_path))
    contents = [
        upload(tmp_path, at, values={f"B{each}": [1.0 + at / 100] for each in range(5)}) for at in range(50 * len(ends))
    ]
    sent = []
    chance = random.Random(7)
    for round_, number in enumerate(ends):
        with serving(address_of(tmp_path), tmp_path / "s") as server:
            ended = threading.Event()
            own = contents[round_ * 50 : (round_ + 1) * 50]
            threads = [
                threading.Thread(target=answered, args=(server, secret, own[at::4], sent), kwargs={"ended": ended})
                for at in range(4)
            ]
            for thread in threads:
                thread.start()
            wanted = len(sent) + chance.randrange(3, 30)
            while len(sent) < wanted and any(thread.is_alive() for thread in threads):
                time.sleep(0.001)
            folder = str(tmp_path / "s/data")
            assert analyses(folder)
            code = server.end(number)
            ended.set()
            for thread in threads:
                thread.join()
            assert code == (0 if number == signal.SIGTERM else -signal.SIGKILL)
            # The analysis of a server that was killed sees that it is gone.
            until(lambda folder=folder: not analyses(folder))
    with sqlite3.connect(tmp_path / "statera.db") as connection:
        held = {hash_ for (hash_,) in connection.execute("select hash from upload")}
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        jobs = connection.execute("select count(*), count(distinct upload_id) from job").fetchone()
        values = connection.execute("select count(*) from value").fetchone()[0]
    assert len(sent) >= 3 * len(ends)
    assert set(sent) <= held
    # An upload is there with all its rows or not at all.
    assert jobs == (len(held), len(held))
    assert values == 5 * len(held)


def test_a_new_server_keeps_its_data_for_its_owner_and_the_key_of_a_terminal_ends_it_quietly(tmp_path):
    """The database holds the secrets of hooks, and what private projects sent."""
    with serving(address_of(tmp_path), tmp_path / "s") as server:
        assert server.get("/health/ready")[0] == 200
        assert stat.S_IMODE((tmp_path / "s/data").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "statera.db").stat().st_mode) == 0o600
        assert analyses(str(tmp_path / "s/data"))
        os.killpg(server.process.pid, signal.SIGINT)
        assert server.process.wait(60) == 0
    assert not analyses(str(tmp_path / "s/data"))
    lines = server.log.read_text().splitlines()
    assert "everything that was answered is stored" in lines[-1]
    assert not [line for line in lines if "Traceback" in line or "ERROR" in line]


def analyses(folder):
    listed = subprocess.run(
        ["pgrep", "-f", f"statera.server.analyst {folder}"], capture_output=True, text=True, check=False
    )
    return listed.stdout.split()


def test_what_is_refused(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("serve", "--port", port, "--data", "d")
        fails(done, "State another --host or --port")
    for words, why in (
        (("--port", "70000"), "--port 70000"),
        (("--address", "perf"), "--address perf"),
        (("--address", "https://"), "--address https://"),
        (("--address", "https://perf.example.org/statera"), "write https:// and the host"),
        (("--address", "https://u:p@perf.example.org"), "write https:// and the host"),
        (("--address", "https://perf.example.org:x"), "write https:// and the host"),
        (("--most-expanded", "2GiB"), "no database stores more than 1,000,000,000 bytes"),
        (("--most-received", "much"), "much"),
        (("--database", "mysql://a@b/c"), "sqlite:///FILE"),
        (("--port", "0", "--database", "postgresql://nobody@127.0.0.1:1/none"), "postgresql://nobody@127.0.0.1:1/none"),
    ):
        done = run("serve", "--data", "d", *words)
        assert (done.code, why in done.err, "Traceback" in done.err) == (2, True, False), done.err


def test_a_password_is_not_shown(run):
    for database in (
        "postgresql://me:topsecret@127.0.0.1:1/none",
        "postgresql://me:topsecret@127.0.0.1:port/none",
        "postgres://me:topsecret@127.0.0.1/none",
        "mysql://127.0.0.1/none?password=topsecret",
        "me:topsecret",
    ):
        done = run("serve", "--data", ".", "--port", "0", "--database", database)
        assert (done.code, "[bad-database]" in done.err, "topsecret" in done.err) == (2, True, False), database
