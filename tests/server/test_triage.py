"""Decisions on a server stay with their alerts, and are told once."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from clusters import both
from histories import add, commit, folder
from serving import created, current, sent
from sqlalchemy import select, update

from statera.history.alerts import STATES
from statera.server import tables, triage
from statera.server.analyst import bring_up_to_date
from statera.server.projects import caught_up
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

LIMITS = Limits()


def stepped(path, count, at=30):
    held = folder(path)
    for number in range(count):
        add(held, number, {"Parse": [(1.0 if number < at else 1.4) + number * 7 % 10 / 200]})
    return held


@pytest.fixture(scope="module")
def sixty(tmp_path_factory):
    """A history of sixty commits with one change, which no test adds to."""
    return stepped(tmp_path_factory.mktemp("sixty") / "h", 60)


def decide(services, project, alert, **words):
    with services.database.writing() as connection:
        triage.decide(connection, project, alert, **words)


def link(services, project, alert, url):
    with services.database.writing() as connection:
        triage.link(connection, project, alert, url=url, who="Ada")


def expect(services, project, commits, text):
    with services.database.writing() as connection:
        triage.expect(connection, project, commits, text=text, who="Ada")


def less_was_told(services, alert):
    """Let an alert stand as if less of it had been known when it was told, so that there is something to tell."""
    smaller = json.dumps(dict.fromkeys(json.loads(alert.told), 0.2))
    with services.database.writing() as connection:
        connection.execute(update(tables.alert).values(told=smaller))


class Server:
    """A project whose uploads come one after another, and what its analyses told."""

    def __init__(self, services, held):
        self.services, self.held, self.told = services, held, []
        created(services.database, held.about)
        self.upload()

    @property
    def project(self):
        return current(self.services, self.held.about.project)

    def upload(self):
        sent(self.services, self.project, self.held)
        self.analyse()

    def analyse(self):
        project = self.project
        store = self.services.store(project)
        bring_up_to_date(
            self.services.database, project, store, LIMITS, lambda _, alert, event: self.told.append((alert, event))
        )

    def tell(self, _, alert, event):
        self.told.append((alert, event))

    def alerts(self):
        with self.services.database.reading() as connection:
            return connection.execute(select(tables.alert).order_by(tables.alert.c.number)).all()


def test_an_alert_is_told_once_and_a_decision_stays(services, tmp_path):
    held = stepped(tmp_path / "h", 25)
    server = Server(services, held)
    assert not server.alerts()
    for number in range(25, 45):
        add(held, number, {"Parse": [(1.0 if number < 30 else 1.4) + number * 7 % 10 / 200]})
    server.upload()
    [alert] = server.alerts()
    assert server.told == [(alert.id, "new")]
    assert (alert.state, alert.is_open) == ("new", True)
    decide(services, server.project, alert.id, state="acknowledged", reason="known", who="Ada")
    [alert] = server.alerts()
    assert (alert.state, alert.is_open) == ("acknowledged", False)
    for number in range(45, 95):
        add(held, number, {"Parse": [1.4 + number * 7 % 10 / 200]})
    server.upload()
    [alert] = server.alerts()
    assert (alert.state, alert.is_open, server.told) == ("acknowledged", False, [(alert.id, "new")])
    assert caught_up(services.database, server.project.id, 0)
    decision = json.loads(alert.document)["decisions"]
    assert [(each["state"], each["reason"], each["who"]) for each in decision] == [("acknowledged", "known", "Ada")]


def test_a_size_beyond_the_interval_that_was_told_is_told_again(services, sixty):
    server = Server(services, sixty)
    [alert] = server.alerts()
    ends = json.loads(alert.told)
    assert all(0.35 < end < 0.5 for end in ends.values())
    less_was_told(services, alert)
    server.analyse()
    [(told, event)] = server.told
    assert told == alert.id
    word, size = event.split()
    assert word == "grown"
    assert 0.35 < float(size) < 0.45
    assert json.loads(server.alerts()[0].told) == ends
    server.analyse()
    assert len(server.told) == 1


def test_what_a_project_holds_on_the_first_look_is_not_told(services, sixty):
    server = Server(services, sixty)
    assert len(server.alerts()) == 1
    assert server.told == []


@both
def test_states_links_and_announcements(services, sixty):
    server = Server(services, sixty)
    [alert] = server.alerts()
    for state in STATES:
        decide(services, server.project, alert.id, state=state, reason="because", who="Ada")
        server.analyse()
        assert server.alerts()[0].state == state
    link(services, server.project, alert.id, "https://example.org/issues/1")
    server.analyse()
    assert json.loads(server.alerts()[0].document)["issue"] == "https://example.org/issues/1"


def test_an_announcement_silences_its_change(services, sixty):
    server = Server(services, sixty)
    commits = [commit(number) for number in range(28, 33)]
    expect(services, server.project, commits, "Par* +30%..+50% on purpose")
    server.analyse()
    [alert] = server.alerts()
    assert (alert.state, alert.is_open) == ("expected", False)


def test_a_decision_that_is_none(services, sixty):
    server = Server(services, sixty)
    [alert] = server.alerts()
    for state, reason, why in (
        ("done", "", "there is no such state"),
        ("noise", " ", "noise needs a reason"),
        ("wontfix", "", "wontfix needs a reason"),
        ("expected", "", "expected needs a reason"),
    ):
        with pytest.raises(Stop, match=why):
            decide(services, server.project, alert.id, state=state, reason=reason, who="Ada")
    assert not services.store(server.project).events()


def test_what_is_refused(services, project):
    with pytest.raises(Stop, match="no such alert"):
        decide(services, project, "00000000", state="fixed", reason="", who="Ada")
    with pytest.raises(Stop, match="write the address"):
        link(services, project, "00000000", "javascript:alert(1)")
    with pytest.raises(Stop, match="write PATTERN"):
        expect(services, project, ["a"], "everything")


class Slow:
    """A history of which somebody decides something while it is read."""

    def __init__(self, store, late):
        self._store, self._late = store, late

    def uploads(self):
        return self._store.uploads()

    def events(self):
        found = self._store.events()
        self._late()
        return found

    def lost(self):
        return self._store.lost()


@both
def test_a_decision_during_an_analysis_is_not_undone_by_it(services, sixty):
    server = Server(services, sixty)
    [alert] = server.alerts()
    words = {"state": "acknowledged", "reason": "", "who": "Ada"}
    slow = Slow(services.store(server.project), lambda: decide(services, server.project, alert.id, **words))
    less_was_told(services, alert)
    bring_up_to_date(services.database, server.project, slow, LIMITS, server.tell)
    [alert] = server.alerts()
    assert (alert.state, alert.is_open, server.told) == ("acknowledged", False, [])
    server.analyse()
    assert server.alerts()[0].state == "acknowledged"


@both
def test_a_decision_while_an_analysis_is_written_waits_for_it(services, sixty):
    server = Server(services, sixty)
    [alert] = server.alerts()
    less_was_told(services, alert)
    words = {"state": "noise", "reason": "shared", "who": "Ada"}
    with ThreadPoolExecutor(1) as threads:

        def tell(*told):
            server.told.append(told)
            server.done = threads.submit(decide, services, server.project, alert.id, **words)
            # It comes as far as it can, but not to its end.
            with pytest.raises(TimeoutError):
                server.done.result(0.5)

        bring_up_to_date(services.database, server.project, services.store(server.project), LIMITS, tell)
        server.done.result(60)
    assert len(server.told) == 1
    assert server.alerts()[0].state == "noise"
    assert not caught_up(services.database, server.project.id, 0)


@both
def test_an_analysis_of_another_server_that_saw_less_changes_nothing(services, sixty):
    server = Server(services, sixty)
    before = server.project
    [alert] = server.alerts()
    decide(services, before, alert.id, state="fixed", reason="", who="Ada")
    server.analyse()
    store = Slow(services.store(before), lambda: None)
    store.events = list
    bring_up_to_date(services.database, before, store, LIMITS, server.tell)
    assert server.alerts()[0].state == "fixed"
    assert caught_up(services.database, before.id, 0)
