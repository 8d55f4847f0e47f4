"""Deliveries: to receivers on this machine that fail in every way, from servers that are killed or are several."""

import hashlib
import hmac
import json
import threading
import time
from itertools import pairwise

import pytest
from clusters import both
from histories import add, commit
from receivers import raw, receiving, status
from serving import brought, created, current, sent
from sqlalchemy import insert, select, update
from test_triage import stepped

from statera.server import deliveries, hooks, tables
from statera.server.analyst import analyse_one
from statera.server.deliveries import Sender
from statera.server.tables import now
from waiting import FOREVER, until

ADDRESS = "https://perf.example.org"
CHANGE = {"name": "Parse", "metric": "time", "unit": "s", "size": 0.2, "ratio": True, "worse": True, "secret": "x"}
ALERT = {
    "id": "0123abcd",
    "branch": "main",
    "first": "a" * 40,
    "last": "b" * 40,
    "candidates": 10,
    "raised": "c" * 40,
    "worse": 1,
    "better": 0,
    "series": 3,
    "state": "new",
    "changes": [CHANGE] * 30,
}


@pytest.fixture
def sender(database):
    return Sender(database, ADDRESS, allow_private=True)


def hooked(database, project, url, form="json"):
    with database.writing() as connection:
        return hooks.add(connection, project.id, url, form)


def tell(database, project, event="new", alert=ALERT):
    columns = tables.alert.c
    row = {"number": 0, "branch": "main", "state": "new", "is_open": True, "subject": "{}", "told": ""}
    with database.writing() as connection:
        if connection.execute(select(columns.id).where(columns.id == alert["id"])).first() is None:
            keys = {"project_id": project.id, "id": alert["id"]}
            connection.execute(insert(tables.alert).values(**keys, **row, document=json.dumps(alert)))
        return deliveries.queue(connection, project.id, alert["id"], event)


def rows(database, hook, before=None, limit=100):
    with database.reading() as connection:
        return deliveries.listed(connection, hook.id, before, limit)


def make_due(database):
    """Let the pause before the next attempt be over."""
    columns = tables.delivery.c
    with database.writing() as connection:
        connection.execute(update(tables.delivery).where(columns.due.is_not(None)).values(due=now(-1)))


@both
def test_an_alert_is_told_once_signed_with_its_main_facts(database, project, sender):
    with receiving(status(200)) as server:
        hook, secret = hooked(database, project, server.url)
        assert tell(database, project) == 1
        assert tell(database, project) == 0
        assert sender.send_one()
        assert not sender.send_one()
    ((path, headers, body),) = server.got
    assert path == "/told?x=1"
    assert headers["Content-Type"] == "application/json"
    assert headers["Host"] == f"127.0.0.1:{server.server_port}"
    moment = headers["X-Statera-Timestamp"]
    assert abs(int(moment) - time.time()) < 60
    signed = hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers["X-Statera-Signature"] == f"sha256={signed}"
    document = json.loads(body)
    assert document["page"] == f"{ADDRESS}/p/program/alerts/0123abcd.html"
    assert (document["kind"], document["event"], document["project"]) == ("alert", "new", "program")
    assert document["alert"]["headline"] == "Parse +20.0% and 2 more"
    assert document["alert"]["last"] == "b" * 40
    assert len(document["alert"]["changes"]) == 20
    assert "secret" not in document["alert"]["changes"][0]
    (row,) = rows(database, hook)
    assert headers["X-Statera-Delivery"] == str(row.id)
    assert (row.attempts, row.due, row.problem) == (1, None, None)
    assert row.delivered


def test_each_hook_of_the_project_is_told_and_no_other(database, project, sender):
    with receiving(status(204)) as server, receiving(status(200)) as slow, receiving(status(200)) as strange:
        hooked(database, project, server.url)
        hooked(database, project, slow.url, "slack")
        hooked(database, created(database), strange.url)
        assert tell(database, project) == 2
        assert tell(database, project, "grown") == 2
        while sender.send_one():
            pass
    assert (len(server.got), len(slow.got), len(strange.got)) == (2, 2, 0)


def test_a_message_for_a_chat_shows_names_as_text(database, project, sender):
    names = ["<!channel> & <https://evil.invalid|x>", "a\nb\x1b[31m", "*_`~"]
    with receiving(status(200)) as server:
        hooked(database, project, server.url, "slack")
        for number, name in enumerate(names):
            alert = {**ALERT, "id": f"{number:08x}", "branch": name, "changes": [{**CHANGE, "name": name}]}
            tell(database, project, alert=alert)
            tell(database, project, "grown 0.31", alert=alert)
        while sender.send_one():
            pass
    documents = [json.loads(body) for _, _, body in server.got]
    for number, (document, grown) in enumerate(zip(documents[::2], documents[1::2], strict=True)):
        assert ">, which has grown, begins at " in grown["text"]
        assert list(document) == ["text"]
        text = document["text"]
        assert text.count("<") == text.count(">") == 1
        assert f"<{ADDRESS}/p/program/alerts/{number:08x}.html|" in text
        assert ">, begins at one of 10 commits up to bbbbbbbb on " in text
        assert all(char.isprintable() for char in text)
    assert len(documents) == 2 * len(names)


WRONG = {
    "500": (status(500), "it answered 500"),
    "503 for an hour": (status(503, Retry_After="3600"), "it answered 503"),
    "429 for a year": (status(429, Retry_After="31536000"), "it answered 429"),
    "429 until a day that no calendar has": (
        status(429, Retry_After="Mon, 20 Nov 1995 19:12:08 +99999999999999999"),
        "it answered 429",
    ),
    "redirect": (status(302, Location="/elsewhere"), "redirections are not followed"),
    "redirect of the same method": (status(307, Location="/elsewhere"), "redirections are not followed"),
    "no HTTP": (raw(b"hello\r\n\r\n"), "not HTTP"),
    "cut off": (raw(b"HTTP/1."), "not HTTP"),
    "closed": (raw(b""), "not HTTP"),
    "an endless head": (raw(b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 500 + b"\r\n"), "not HTTP"),
}


def test_a_receiver_that_fails_is_told_again_later(database, project, sender):
    for number, (case, (answer, said)) in enumerate(WRONG.items()):
        with receiving(answer) as server:
            hook, _ = hooked(database, project, server.url)
            tell(database, project, alert={**ALERT, "id": f"{number:08x}"})
            assert [sender.send_one(), sender.send_one()] == [True, False], case
        assert [path for path, *_ in server.got] == ["/told?x=1"], case
        (row,) = rows(database, hook)
        assert said in row.problem
        assert (row.attempts, row.delivered) == (1, None), case
        least = {"503 for an hour": 3600, "429 for a year": 43200}.get(case, 60)
        assert now(least - 30) < row.due <= now(least), case
        with receiving(status(200)) as healed:
            with database.writing() as connection:
                connection.execute(update(tables.hook).values(url=healed.url))
            make_due(database)
            assert sender.send_one(), case
        (row,) = rows(database, hook)
        assert (row.attempts, row.due, row.problem) == (2, None, None), case
        assert healed.got[0][2] == server.got[0][2], case
        with database.writing() as connection:
            hooks.remove(connection, project.id, hook.id)


def test_a_message_that_cannot_be_sent_stops_neither_itself_nor_others(database, project, sender):
    with receiving(status(200)) as server:
        hook, _ = hooked(database, project, server.url)
        tell(database, project)
        with database.writing() as connection:
            connection.execute(update(tables.delivery).values(content="no message"))
        tell(database, project, "grown 0.31")
        while sender.send_one():
            pass
    other, broken = rows(database, hook)
    assert (other.delivered is not None, len(server.got)) == (True, 1)
    assert (broken.attempts, broken.problem) == (1, "the server failed; its log says why")
    assert now(30) < broken.due <= now(60)


def test_attempts_end_after_a_day_with_growing_pauses(database, project, sender):
    with receiving(status(500)) as server:
        hook, _ = hooked(database, project, server.url)
        tell(database, project)
        pauses = []
        while sender.send_one():
            (row,) = rows(database, hook)
            pauses.append(row.due)
            make_due(database)
    assert len(server.got) == len(pauses) == row.attempts == 10
    assert pauses[-1] is None
    assert all(early < late for early, late in pairwise(pauses[:-1]))
    assert pauses[-2] > now(43000)


def test_a_receiver_that_is_gone_is_not_told_again(database, project, sender):
    with receiving(status(410)) as server:
        hook, _ = hooked(database, project, server.url)
        tell(database, project)
        assert sender.send_one()
    (row,) = rows(database, hook)
    assert (row.due, row.delivered, row.problem) == (None, None, "it answered 410")


def test_a_machine_of_the_own_network_is_not_reached_when_it_is_told(database, project):
    with receiving(status(200)) as server:
        hook, _ = hooked(database, project, server.url)
        tell(database, project)
        assert Sender(database, ADDRESS).send_one()
    assert server.got == []
    (row,) = rows(database, hook)
    assert "own network" in row.problem


@both
def test_several_servers_on_one_database_send_each_message_once(database, project):
    with receiving(status(200)) as server:
        hooked(database, project, server.url)
        for number in range(40):
            tell(database, project, alert={**ALERT, "id": f"{number:08x}"})
        senders = [Sender(database, ADDRESS, allow_private=True) for _ in range(3)]
        for each in senders:
            each.start()
        until(lambda: len(server.got) >= 40)
        for each in senders:
            each.stop()
    numbers = [headers["X-Statera-Delivery"] for _, headers, _ in server.got]
    assert len(numbers) == len(set(numbers)) == 40
    with database.reading() as connection:
        assert connection.execute(select(tables.delivery.c.delivered)).scalars().all().count(None) == 0


@both
def test_what_a_killed_server_had_claimed_is_sent_by_the_next(database, project, sender):
    with receiving(status(200)) as server:
        hook, _ = hooked(database, project, server.url)
        tell(database, project)
        claimed = sender._claim()
        assert claimed is not None
        assert not sender.send_one()
        make_due(database)
        assert Sender(database, ADDRESS, allow_private=True).send_one()
        # The first one was only slow: what it says now no longer counts.
        sender._record(claimed, hooks.Answer(500, "it answered 500"))
    assert len(server.got) == 1
    (row,) = rows(database, hook)
    assert row.delivered
    assert row.problem is None


def test_a_sender_outlives_an_absent_database(database, project, sender, monkeypatch):
    monkeypatch.setattr(deliveries, "_LOOK", 0.02)
    real, failed = database.reading, threading.Event()

    def away():
        failed.set()
        raise OSError("gone")

    with receiving(status(200)) as server:
        hooked(database, project, server.url)
        tell(database, project)
        database.reading = away
        sender.start()
        assert failed.wait(FOREVER)
        database.reading = real
        until(lambda: server.got)
        sender.stop()
    assert len(server.got) == 1


@both
def test_tests_are_sent_as_often_as_one_likes(database, project, sender):
    with receiving(status(200)) as server:
        hook, _ = hooked(database, project, server.url)
        with database.writing() as connection:
            made = [deliveries.queue_test(connection, project.id, hook.id) for _ in range(2)]
        while sender.send_one():
            pass
    assert [row.id for row in rows(database, hook)] == made[::-1]
    assert [row.id for row in rows(database, hook, before=made[1], limit=1)] == made[:1]
    documents = [json.loads(body) for *_, body in server.got]
    assert [each["kind"] for each in documents] == ["test", "test"]
    assert documents[0]["page"] == f"{ADDRESS}/p/program/"


def test_a_removed_hook_takes_what_waits_with_it(database, project, sender):
    hook, _ = hooked(database, project, "http://127.0.0.1:9/")
    tell(database, project)
    with database.writing() as connection:
        hooks.remove(connection, project.id, hook.id)
    assert not sender.send_one()


def test_an_alert_of_an_upload_is_told_with_all_its_facts(services, tmp_path):
    held = stepped(tmp_path / "h", 25)
    with receiving(status(200)) as server:
        project = brought(services, held)
        hooked(services.database, project, server.url)
        for number in range(25, 45):
            add(held, number, {"Parse": [(1.0 if number < 30 else 1.4) + number * 7 % 10 / 200]})
        sent(services, project, held)
        for _ in range(2):
            analyse_one(services.database, current(services, project.name), services.data, services.limits)
        sending = Sender(services.database, services.address, allow_private=True)
        while sending.send_one():
            pass
    ((_, _, body),) = server.got
    document = json.loads(body)
    alert = document["alert"]
    assert None not in alert.values()
    assert [name for name, value in alert["changes"][0].items() if value is None] == []
    assert alert["headline"].startswith("Parse +3")
    assert commit(30) in {alert["first"], alert["last"], alert["changes"][0]["commit"]}
    with services.database.reading() as connection:
        known = connection.execute(select(tables.page.c.path)).scalars().all()
    assert document["page"].removeprefix(f"{services.address}/p/p/") in known
