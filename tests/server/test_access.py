"""Tokens: who may what, when they end, and that their changes are in the record and told to hooks."""

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from clusters import both
from receivers import receiving, status
from serving import created
from sqlalchemy import select, update

from statera.history.folder import About
from statera.server import access, audit, deliveries, hooks, projects, tables, tokens
from statera.server.access import Role
from statera.server.deliveries import Sender
from statera.server.tables import now
from statera.support.errors import Stop


@pytest.fixture
def other(database):
    return created(database, "other")


def issued(database, project, role=Role.WRITE, days=None):
    with database.writing() as connection:
        return tokens.issue(connection, "ci", role, project.id if project else None, days)


def test_a_token_is_stored_as_a_hash_of_256_random_bits(database, project):
    number, secret = issued(database, project)
    assert re.fullmatch(r"statera_[A-Za-z0-9_-]{43}", secret)
    with database.reading() as connection:
        row = connection.execute(select(tables.token)).one()
    assert row.id == number
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in repr(row)


def test_a_new_server_and_a_new_project_have_no_token(database, project):
    with database.reading() as connection:
        assert tokens.listed(connection, None) == tokens.listed(connection, project.id) == []


def test_a_role_holds_in_its_project_and_includes_the_lower_ones(database, project, other):
    for role in Role:
        who = access.admitted(database, issued(database, project, role)[1])
        assert [who.may(project.id, each) for each in Role] == [each <= role for each in Role]
        assert not any(who.may(other.id, each) for each in Role)
        assert not who.is_servers


def test_a_token_of_the_server_may_do_everything(database, project, other):
    who = access.admitted(database, issued(database, None, Role.READ)[1])
    assert who.is_servers
    assert who.may(project.id, Role.ADMIN)
    assert who.may(other.id, Role.ADMIN)


def test_nobody_holds_another_secret(database, project):
    _, secret = issued(database, project)
    for wrong in ("", "statera_", secret[:-1], secret + "x", secret.upper(), "é" * 51, "\ud800" * 51, "'" * 51, "\0"):
        assert access.admitted(database, wrong) is None


def test_an_expired_token_is_good_no_longer(database, project):
    number, secret = issued(database, project, days=1)
    assert access.admitted(database, secret).token_id == number
    with database.writing() as connection:
        connection.execute(update(tables.token).values(expires=now(-1)))
    assert access.admitted(database, secret) is None
    with database.reading() as connection:
        assert access.numbered(connection, number) is None
    with database.writing() as connection, pytest.raises(Stop):
        tokens.rotate(connection, tokens.Changer(), number, project.id)


def test_a_revoked_token_is_good_no_longer(database, project, other):
    number, secret = issued(database, project)
    with database.writing() as connection:
        with pytest.raises(Stop) as raised:
            tokens.revoke(connection, tokens.Changer(), number, other.id)
        assert raised.value.code == "no-such-token"
    assert access.admitted(database, secret) is not None
    with database.writing() as connection:
        tokens.revoke(connection, tokens.Changer(), number, project.id)
    assert access.admitted(database, secret) is None


@both
def test_rotation_ends_the_old_token_and_keeps_name_role_and_end(database, project):
    number, secret = issued(database, project, Role.READ, days=3)
    with database.writing() as connection:
        new, fresh = tokens.rotate(connection, tokens.Changer(), number, project.id)
    assert access.admitted(database, secret) is None
    assert access.admitted(database, fresh) == access.Identity(new.id, "ci", Role.READ, project.id)
    with database.reading() as connection:
        old, made = tokens.listed(connection, project.id)
    assert (old.revoked is not None, made.revoked) == (True, None)
    assert old.expires == made.expires


@both
def test_of_two_rotations_at_the_same_time_one_makes_a_token(database, project):
    number, _ = issued(database, project)

    def rotate():
        with database.writing() as connection:
            return tokens.rotate(connection, tokens.Changer(), number, project.id)

    with ThreadPoolExecutor(1) as threads:
        with database.writing() as connection:
            tokens.rotate(connection, tokens.Changer(), number, project.id)
            other = threads.submit(rotate)
            with pytest.raises(TimeoutError):
                other.result(0.3)
        with pytest.raises(Stop, match="it has ended"):
            other.result(60)


@both
def test_use_is_noted_once_an_hour(database, project):
    number, secret = issued(database, project)

    def used():
        with database.reading() as connection:
            return connection.execute(select(tables.token.c.used)).scalar_one()

    assert access.admitted(database, secret).token_id == number
    assert used() <= now()
    for earlier, noted in ((-600, False), (-4000, True)):
        moment = now(earlier)
        with database.writing() as connection:
            connection.execute(update(tables.token).values(used=moment))
        access.admitted(database, secret)
        assert (used() != moment) is noted


def test_a_token_needs_a_proper_name_and_end(database, project):
    for name, days in (("", None), ("  ", None), ("a\0b", None), ("n" * 101, None), ("n", 0)):
        with database.writing() as connection, pytest.raises(Stop) as raised:
            tokens.issue(connection, name, Role.READ, project.id, days)
        assert raised.value.code == "bad-token", (name, days)


@both
def test_the_record_lists_the_newest_first(database, project):
    number, secret = issued(database, project)
    who = access.admitted(database, secret)
    with database.writing() as connection:
        audit.note(connection, "upload", identity=who, project_id=project.id, address="192.0.2.7", detail="x" * 5000)
        audit.note(connection, "refused", address="192.0.2.8")
        audit.note(connection, "triage", identity=who, project_id=project.id)
    with database.reading() as connection:
        newest, oldest = audit.listed(connection, project.id)
        assert (newest.action, newest.who, newest.token_id) == ("triage", "ci", number)
        assert (oldest.action, oldest.address, len(oldest.detail)) == ("upload", "192.0.2.7", 1000)
        assert [each.action for each in audit.listed(connection, None)] == ["refused"]
        assert audit.listed(connection, project.id, before=newest.id) == [oldest]
        assert audit.listed(connection, project.id, most=1) == [newest]


ADDRESS = "https://perf.example.org"


@pytest.fixture
def changer(database, project):
    """Whoever holds a token of the project with the role admin, at an address."""
    with database.writing() as connection:
        _, secret = tokens.issue(connection, "maintainers", Role.ADMIN, project.id)
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
