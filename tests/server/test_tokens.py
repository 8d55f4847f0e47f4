"""Changes of tokens are in the record, and told to the hooks of the project."""

import json

import pytest
from clusters import both
from receivers import receiving, status

from statera.history.folder import About
from statera.server import access, audit, deliveries, hooks, projects, tokens
from statera.server.access import Role
from statera.server.deliveries import Sender
from statera.support.errors import Stop

ADDRESS = "https://perf.example.org"


@pytest.fixture
def changer(database, project):
    """Whoever holds a token of the project with the role admin, at an address."""
    with database.writing() as connection:
        _, secret = access.issue(connection, "maintainers", Role.ADMIN, project.id)
    return tokens.Changer(access.admitted(database, secret), "192.0.2.1")


def change(database, project_id, by):
    """Add, rotate and revoke a token, the last twice; return the two that there were."""
    with database.writing() as connection:
        first, _ = tokens.add(connection, by, "<!channel>", Role.WRITE, project_id, days=30)
        second, _ = tokens.rotate(connection, by, first.id, project_id)
        for _ in range(2):
            tokens.revoke(connection, by, second.id, project_id)
    return first, second


@both
def test_hooks_are_told_of_every_change(database, project, changer):
    sender = Sender(database, ADDRESS, allow_private=True)
    with receiving(status(200)) as server, receiving(status(200)) as strange:
        with database.writing() as connection:
            hooks.add(connection, project.id, server.url, "json")
            other = projects.create(connection, About("other"))
            hooks.add(connection, other.id, strange.url, "json")
        first, second = change(database, project.id, changer)
        while sender.send_one():
            pass
    told = [json.loads(body) for _, _, body in server.got]
    assert [(each["kind"], each["event"], each["token"]["id"]) for each in told] == [
        ("token", "added", first.id),
        ("token", "rotated", second.id),
        ("token", "revoked", second.id),
    ]
    assert told[0]["token"] == {"id": first.id, "name": "<!channel>", "role": "write", "by": "maintainers"}
    assert told[0]["page"] == f"{ADDRESS}/p/program/"
    assert not strange.got


@pytest.mark.parametrize("by_command", [False, True])
def test_a_chat_is_told_in_a_line_without_signs_of_control(database, project, changer, by_command):
    with receiving(status(200)) as server:
        with database.writing() as connection:
            hooks.add(connection, project.id, server.url, "slack")
        change(database, project.id, tokens.Changer() if by_command else changer)
        Sender(database, ADDRESS, allow_private=True).send_one()
    by = "on the command line" if by_command else "with the token maintainers"
    assert json.loads(server.got[0][2]) == {
        "text": f"<{ADDRESS}/p/program/|program>: the token &lt;!channel&gt; (write) was added {by}"
    }


def test_the_record_has_every_change_also_of_tokens_of_the_server(database, project, changer):
    for project_id in (project.id, None):
        first, second = change(database, project_id, changer)
        with database.reading() as connection:
            rows = [(each.action, each.who, each.address, each.detail) for each in audit.listed(connection, project_id)]
        role = "write" if project_id else "admin"
        who = ("maintainers", "192.0.2.1")
        assert rows == [
            ("token-revoked", *who, str(second.id)),
            ("token-revoked", *who, str(second.id)),
            ("token-rotated", *who, f"{first.id}: now {second.id}"),
            ("token-added", *who, f"{first.id}: <!channel> {role}"),
        ]


def test_a_change_that_is_refused_is_told_to_nobody(database, project, changer):
    with database.writing() as connection:
        hook, _ = hooks.add(connection, project.id, "https://example.com/told", "json")
    with pytest.raises(Stop, match="there is no such token"), database.writing() as connection:
        tokens.revoke(connection, changer, 99, project.id)
    with database.reading() as connection:
        assert deliveries.listed(connection, hook.id, None, 10) == []
