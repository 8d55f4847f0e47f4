"""Tokens: who may what, and when they end."""

import hashlib
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from clusters import both
from sqlalchemy import select, update

from statera.history.folder import About
from statera.server import access, audit, projects, tables
from statera.server.access import Role
from statera.server.moments import now
from statera.support.errors import Stop


@pytest.fixture
def other(database):
    with database.writing() as connection:
        return projects.create(connection, About("other"))


def issued(database, project, role=Role.WRITE, days=None):
    with database.writing() as connection:
        return access.issue(connection, "ci", role, project.id if project else None, days)


def identified(database, secret):
    return access.admitted(database, secret)


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
        assert access.listed(connection, None) == access.listed(connection, project.id) == []


def test_a_role_holds_in_its_project_and_includes_the_lower_ones(database, project, other):
    for role in Role:
        who = identified(database, issued(database, project, role)[1])
        assert [who.may(project.id, each) for each in Role] == [each <= role for each in Role]
        assert not any(who.may(other.id, each) for each in Role)
        assert not who.is_servers


def test_a_token_of_the_server_may_do_everything(database, project, other):
    who = identified(database, issued(database, None, Role.READ)[1])
    assert who.is_servers
    assert who.may(project.id, Role.ADMIN)
    assert who.may(other.id, Role.ADMIN)


def test_nobody_holds_another_secret(database, project):
    _, secret = issued(database, project)
    for wrong in ("", "statera_", secret[:-1], secret + "x", secret.upper(), "é" * 51, "\ud800" * 51, "'" * 51, "\0"):
        assert identified(database, wrong) is None
        assert access.admitted(database, wrong) is None


def test_an_expired_token_is_good_no_longer(database, project):
    number, secret = issued(database, project, days=1)
    assert identified(database, secret).token_id == number
    with database.writing() as connection:
        connection.execute(update(tables.token).values(expires=now(-1)))
    assert identified(database, secret) is None
    with database.reading() as connection:
        assert access.numbered(connection, number) is None
    with database.writing() as connection, pytest.raises(Stop):
        access.rotate(connection, number, project.id)


def test_a_revoked_token_is_good_no_longer(database, project, other):
    number, secret = issued(database, project)
    with database.writing() as connection:
        with pytest.raises(Stop) as raised:
            access.revoke(connection, number, other.id)
        assert raised.value.code == "no-such-token"
    assert identified(database, secret) is not None
    with database.writing() as connection:
        access.revoke(connection, number, project.id)
    assert identified(database, secret) is None


@both
def test_rotation_ends_the_old_token_and_keeps_name_role_and_end(database, project):
    number, secret = issued(database, project, Role.READ, days=3)
    with database.writing() as connection:
        new, fresh = access.rotate(connection, number, project.id)
    assert identified(database, secret) is None
    assert identified(database, fresh) == access.Identity(new, "ci", Role.READ, project.id)
    with database.reading() as connection:
        old, made = access.listed(connection, project.id)
    assert (old.revoked is not None, made.revoked) == (True, None)
    assert old.expires == made.expires


@both
def test_of_two_rotations_at_the_same_time_one_makes_a_token(database, project):
    number, _ = issued(database, project)

    def rotate():
        with database.writing() as connection:
            return access.rotate(connection, number, project.id)

    with ThreadPoolExecutor(1) as threads:
        with database.writing() as connection:
            access.rotate(connection, number, project.id)
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
            access.issue(connection, name, Role.READ, project.id, days)
        assert raised.value.code == "bad-token", (name, days)


@both
def test_the_record_lists_the_newest_first(database, project):
    number, secret = issued(database, project)
    who = identified(database, secret)
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
