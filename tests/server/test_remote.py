"""``statera history add`` to a server: added once, whatever happens on the way."""

import re

import pytest
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from projects import repository
from serving import answering, listening, token
from sqlalchemy import func, select

from statera.history import place
from statera.history.remote import Remote
from statera.server import tables
from statera.server.access import Role
from statera.support.errors import Stop
from support import fails, go, noisy

RESULTS = go({"Parse": noisy(100)})


class Flaky:
    """An application that fails as networks and servers do, before it answers."""

    def __init__(self, app, faults):
        self._app, self._faults = app, faults

    async def __call__(self, scope, receive, send):
        fault = self._faults.pop(0) if self._faults and scope.get("method") == "POST" else None
        if fault == "busy":
            headers = [(b"retry-after", b"0"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return

        async def lost(message):
            """Lose the answer of a request that took effect."""
            if message["type"] == "http.response.start":
                raise ConnectionResetError

        await self._app(scope, receive, lost if fault == "lost" else send)


@pytest.fixture
def faults():
    return []


@pytest.fixture
def history(services, project, faults):
    with answering(services, around=lambda app: Flaky(app, faults)) as address:
        yield f"{address}/p/{project.name}"


@pytest.fixture
def add(run, tmp_path, history, services, project):
    (tmp_path / "out.txt").write_text(RESULTS)
    own = token(services, project)

    def start(*words, secret=own, where=None, cwd=tmp_path):
        command = ("history", "add", str(tmp_path / "out.txt"), "--history", where or history, *words)
        return run(*command, cwd=cwd, env={"STATERA_TOKEN": secret, "GITHUB_ACTIONS": "", "GITLAB_CI": ""})

    return start


HERE = ("--commit", "1" * 40, "--branch", "main", "--foreign", "--started", "2026-01-01T00:00:00+00:00")


def stored(services):
    with services.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(tables.job)).scalar_one()


def test_the_same_results_are_added_once(add, history, services):
    first = add(*HERE)
    assert first.code == 0, first.err
    assert f"added 1 series of commit 11111111 on main (any machine) to {history}" in first.err
    # With a token of all projects, the address names the one.
    again = add(*HERE, secret=token(services, None))
    assert (again.code, "has these results already" in again.err) == (0, True)
    assert stored(services) == 1


def test_what_fails_on_the_way_is_sent_again(add, services, faults):
    faults += ["busy", "lost", "busy"]
    done = add(*HERE)
    assert done.code == 0, done.err
    assert faults == []
    assert stored(services) == 1


def test_the_line_leads_through_the_commits_that_the_server_knows(add, services, tmp_path):
    commits = repository(tmp_path / "program", 20)
    words = ("--branch", "main", "--foreign")
    for number in (3, 12):
        assert add("--commit", commits[number], *words, cwd=tmp_path / "program").code == 0
    with services.database.reading() as connection:
        texts = connection.execute(select(tables.job.c.content).order_by(tables.job.c.id)).scalars().all()
    assert all(commits[number] in texts[1] for number in range(13))


def test_a_project_that_is_stated_has_to_be_that_of_the_address(add, services):
    fails(add(*HERE, "--project", "other"), "[other-project]")
    assert stored(services) == 0


def test_what_the_server_refuses_is_said_in_its_words(add, services, project, history):
    reader = token(services, project, Role.READ)
    done = add(*HERE, secret=reader)
    fails(done, "[server-refused]", "this needs write")
    assert reader not in done.err
    unknown = add(*HERE, where=history.replace("program", "none"))
    assert "[server-refused]" in unknown.err
    assert "there is no such project" in unknown.err
    assert "[server-refused]" in add(*HERE, secret="statera_" + "A" * 43).err


PLACES = [
    "http://perf.example.org/p/x", "https://perf.example.org/x", "https://u:p@perf.example.org/p/x",
              "https://perf.example.org/p/", "https:///p/x", "https://perf.example.org/p/a?b",
              "https://perf.example.org/?x=/p/a", "https://perf..example.org/p/x", "https://[::1/p/x",
              "https://" + "a" * 70 + ".org/p/x"
]  # fmt: skip


def test_addresses_that_are_none(monkeypatch):
    monkeypatch.setenv("STATERA_TOKEN", "secret")
    wrong = {}
    for address in PLACES:
        try:
            wrong[address] = Remote(address)
        except Stop as stop:
            if stop.code != "bad-server" or "secret" in str(stop):
                wrong[address] = stop
    assert not wrong


def test_a_token_is_needed(monkeypatch):
    monkeypatch.delenv("STATERA_TOKEN", raising=False)
    with pytest.raises(Stop, match=re.escape("STATERA_TOKEN")):
        Remote("https://perf.example.org/p/x")


def test_verbs_that_need_files_say_so(run, tmp_path):
    for words in (("points",), ("verify",), ("badge", "-o", str(tmp_path / "x.svg"))):
        fails(run("history", *words, "--history", "https://perf.example.org/p/x"), "statera history add")
    with pytest.raises(Stop):
        place.opened_or_made("https://perf.example.org/p/x", "x")
    assert not (tmp_path / "https:").exists()


ABOUT = b'{"name": "x", "lane": [], "samples": 1, "around": 1}'


STRANGE = [
    [b'{"name": 1}'],
    [b"[]"],
    [ABOUT, b'{"items": 1}'],
    [ABOUT, b'{"items": [{}], "next": null}'],
    [ABOUT, b'{"items": [], "next": null}', b"[]"],
    [ABOUT, b'{"items": [], "next": null}', b"{}"],
]


def test_a_server_that_is_another_program_is_recognized(run, tmp_path):
    left = []

    async def other(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": left.pop(0)})

    (tmp_path / "out.txt").write_text(RESULTS)
    with listening(other) as address:
        for bodies in STRANGE:
            left[:] = bodies
            done = run("history", "add", "out.txt", *HERE, "--history", f"{address}/p/x", env={"STATERA_TOKEN": "t"})
            assert (done.code, "[server-failed]" in done.err, left) == (2, True, []), bodies
