"""Decisions on a server stay with their alerts, and are told once."""

import json

import pytest
from making import add, commit, folder
from sqlalchemy import select

from statera.errors import Stop
from statera.history.states import STATES
from statera.server import projects, tables, triage, uploads
from statera.server.analyses import bring_up_to_date
from statera.server.rendered import caught_up
from statera.settings.limits import Limits

LIMITS = Limits()


def stepped(path, count, at=30):
    held = folder(path)
    for number in range(count):
        add(held, number, {"Parse": [(1.0 if number < at else 1.4) + number * 7 % 10 / 200]})
    return held


class Server:
    """A project whose uploads come one after another, and what its analyses told."""

    def __init__(self, services, held):
        self.services, self.held, self.told = services, held, []
        with services.database.writing() as connection:
            projects.create(connection, held.about)
        self.upload()

    @property
    def project(self):
        with self.services.database.reading() as connection:
            return projects.named(connection, self.held.about.project)

    def upload(self):
        for _, path in self.held.uploads():
            prepared = uploads.prepare(path, self.held.about.project, LIMITS)
            self.services.writer.put(self.project.id, prepared).result(60)
        self.analyse()

    def analyse(self):
        project = self.project
        store = self.services.store(project)
        bring_up_to_date(self.services.database, project, store, LIMITS, lambda _, alert: self.told.append(alert))

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
    assert server.told == [alert.id]
    assert (alert.state, alert.is_open) == ("new", True)
    triage.decide(services, server.project, alert.id, state="acknowledged", reason="known", who="Ada")
    [alert] = server.alerts()
    assert (alert.state, alert.is_open) == ("acknowledged", False)
    for number in range(45, 95):
        add(held, number, {"Parse": [1.4 + number * 7 % 10 / 200]})
    server.upload()
    [alert] = server.alerts()
    assert (alert.state, alert.is_open, server.told) == ("acknowledged", False, [alert.id])
    assert caught_up(services.database, server.project.id, 0)
    decision = json.loads(alert.document)["decisions"]
    assert [(each["state"], each["reason"], each["who"]) for each in decision] == [("acknowledged", "known", "Ada")]


def test_what_a_project_holds_on_the_first_look_is_not_told(services, tmp_path):
    server = Server(services, stepped(tmp_path / "h", 60))
    assert len(server.alerts()) == 1
    assert server.told == []


def test_states_links_and_announcements(services, tmp_path):
    server = Server(services, stepped(tmp_path / "h", 60))
    [alert] = server.alerts()
    for state in STATES:
        triage.decide(services, server.project, alert.id, state=state, reason="because", who="Ada")
        server.analyse()
        assert server.alerts()[0].state == state
    triage.link(services, server.project, alert.id, "https://example.org/issues/1", "Ada")
    server.analyse()
    assert json.loads(server.alerts()[0].document)["issue"] == "https://example.org/issues/1"


def test_an_announcement_silences_its_change(services, tmp_path):
    server = Server(services, stepped(tmp_path / "h", 60))
    triage.expect(
        services, server.project, [commit(number) for number in range(28, 33)], "Par* +30%..+50% on purpose", "Ada"
    )
    server.analyse()
    [alert] = server.alerts()
    assert (alert.state, alert.is_open) == ("expected", False)


@pytest.mark.parametrize(
    ("state", "reason", "why"),
    [
        ("done", "", "there is no such state"),
        ("noise", " ", "noise needs a reason"),
        ("wontfix", "", "wontfix needs a reason"),
        ("expected", "", "expected needs a reason"),
    ],
)
def test_a_decision_that_is_none(services, tmp_path, state, reason, why):
    server = Server(services, stepped(tmp_path / "h", 60))
    [alert] = server.alerts()
    with pytest.raises(Stop, match=why):
        triage.decide(services, server.project, alert.id, state=state, reason=reason, who="Ada")
    assert not services.store(server.project).events()


def test_what_is_refused(services, project):
    with pytest.raises(Stop, match="no such alert"):
        triage.decide(services, project, "00000000", state="fixed", reason="", who="Ada")
    with pytest.raises(Stop, match="write the address"):
        triage.link(services, project, "00000000", "javascript:alert(1)", "Ada")
    with pytest.raises(Stop, match="write PATTERN"):
        triage.expect(services, project, ["a"], "everything", "Ada")
