"""What surrounds every request: headers, counts, limits, tokens that are refused, and errors."""

import http.client
import json
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest
import serving
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from fastapi import APIRouter
from serving import answering, ask, bearer, listening, record, refused, token
from sqlalchemy import func, select

from statera.server import access, audit, tables
from statera.server.access import Role
from statera.server.app import Metrics, build
from statera.server.bodies import Bounds
from statera.server.browser import ROUTERS
from statera.server.requests import Refusals
from waiting import FOREVER

BOUNDS = Bounds(document=10_000, idle=0.5, whole=2.0)


@pytest.fixture
def client(services):
    with answering(services, bounds=BOUNDS) as address, serving.client(address) as made:
        yield made


def test_every_answer_has_the_headers(client):
    for path in ("/", "/health/live", "/api/v1/projects", "/api/v1/openapi.json", "/metrics", "/none"):
        answer = client.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "strict-transport-security" not in answer.headers
        assert ("attachment" in answer.headers.get("content-disposition", "")) == path.startswith("/api/")


def test_a_server_behind_https_says_that_it_stays_so(services):
    with listening(build(services._replace(address="https://perf.example.org"))) as address:
        assert "max-age" in ask("GET", f"{address}/health/live").headers["strict-transport-security"]


def test_unknown_addresses_and_methods(client):
    refused(client.get("/api/v1/none"), 404, "no-page")
    answer = client.put("/api/v1/projects")
    refused(answer, 405, "bad-method")
    assert answer.headers["allow"] == "GET"
    refused(client.get("/docs"), 404, "no-page")


def test_the_counts_are_of_routes_and_for_who_may_see_them(services, project):
    with listening(build(services, open_metrics=True)) as address:
        ask("GET", f"{address}/api/v1/projects/secret-name")
        text = ask("GET", f"{address}/metrics").text
        assert 'statera_requests_total{method="GET",route="/api/v1/projects/{project}",status="401"} 1.0' in text
        assert "secret-name" not in text
        assert "statera_request_seconds_bucket" in text
        assert "statera_uploads_waiting 0.0" in text
        assert text.endswith("# EOF\n")
    with answering(services) as address:
        refused(ask("GET", f"{address}/metrics"), 401, "no-token")
        of_project = bearer(token(services, project, Role.ADMIN))
        refused(ask("GET", f"{address}/metrics", headers=of_project), 403, "not-allowed")
        assert ask("GET", f"{address}/metrics", headers=bearer(token(services, None))).status_code == 200


def test_projects_that_are_behind_are_counted(services, shown_example):
    with listening(build(services, open_metrics=True)) as address:
        assert "statera_projects_behind 0.0" in ask("GET", f"{address}/metrics").text
        record(services.store(shown_example), {"kind": "rename"})
        assert "statera_projects_behind 1.0" in ask("GET", f"{address}/metrics").text


def test_refused_tokens_are_noted_until_they_are_too_many(services, client, project):
    good = bearer(token(services, project))
    secret = access.PREFIX + "A" * 43
    for _ in range(15):
        answer = client.get("/api/v1/projects", headers=bearer(secret))
        refused(answer, 401, "no-token")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert client.get("/api/v1/projects", headers=good).status_code == 200
    with services.database.reading() as connection:
        entries = audit.listed(connection, None)
    assert [each.action for each in entries] == ["refused"] * 10
    assert entries[0].address == "127.0.0.1"
    assert secret not in repr(entries)


def test_a_network_of_ipv6_is_one_address_that_is_refused():
    refusals = Refusals()
    assert sum(refusals.is_noted(f"2001:db8::{number:x}") for number in range(100)) == 10
    assert refusals.is_noted("2001:db8:0:1::1")
    for number in range(20_000):
        refusals.is_noted(f"client-{number}")
    assert len(refusals._of) == 10_000


def test_methods_of_strangers_are_counted_together():
    metrics = Metrics()
    for number in range(100):
        metrics.answered(f"BREW{number}", "none", 405, 0.1)
    assert len(next(iter(metrics._registry.collect())).samples) == 2


def test_a_database_whose_connections_are_all_in_use_is_away(services):
    pool = services.database.engine.pool
    # Nobody wants to wait for half a minute here.
    pool._timeout = 0.2
    with ExitStack() as held, answering(services, routers=ROUTERS) as address:
        while pool.checkedout() < pool.size() + pool._max_overflow:
            held.enter_context(services.database.engine.connect())
        refused(ask("GET", f"{address}/api/v1/projects"), 503, "database-away")
        page = ask("GET", f"{address}/")
        assert (page.status_code, page.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert page.headers["retry-after"] == "5"


def test_headers_that_are_no_token(client):
    for header in ("", "Bearer", "Basic dTpw", "statera_x", "Bearer ' or 1=1", "Bearer é"):
        answer = client.get("/api/v1/projects", headers={"Authorization": header.encode("latin-1")})
        refused(answer, 401, "no-token")


def test_documents_have_a_limit(client, services, project):
    headers = bearer(token(services, project, Role.ADMIN))
    path = "/api/v1/projects/program/tokens"
    large = json.dumps({"name": "n" * 20_000, "role": "read"})
    refused(client.post(path, content=large, headers=headers), 413, "too-large")
    refused(client.post(path, content=iter([large.encode()]), headers=headers), 413, "too-large")
    deep = "[" * 9_000
    assert client.post(path, content=deep, headers=headers).status_code == 422
    for strange in ('{"name": "\\ud800", "role": "read"}', '{"name": "a\\u0000", "role": "read"}', "nan", "{}", "\xff"):
        assert client.post(path, content=strange.encode("latin-1"), headers=headers).status_code in {400, 422}


def test_slow_documents_end(client, services, project):
    parts = urlsplit(str(client.base_url))
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=FOREVER)
    connection.putrequest("POST", "/api/v1/projects/program/tokens")
    connection.putheader("Authorization", bearer(token(services, project, Role.ADMIN))["Authorization"])
    connection.putheader("Content-Length", "100")
    connection.endheaders()
    connection.send(b"{")
    answer = connection.getresponse()
    assert (answer.status, "paused for 0.5 seconds" in answer.read().decode()) == (408, True)
    connection.close()


def test_what_nobody_expected_is_said_without_details(services, caplog):
    router = APIRouter()

    @router.get("/broken")
    def broken():
        raise RuntimeError("a secret")

    with listening(build(services, routers=[router])) as address:
        answer = ask("GET", f"{address}/broken")
    document = refused(answer, 500, "server-defect")
    assert "a secret" not in json.dumps(document)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a secret" in caplog.text


def test_hostile_words_in_addresses_do_nothing(services, shown_example, client):
    headers = bearer(token(services, shown_example))
    base = f"/api/v1/projects/{shown_example.name}"
    hostile = ["' or '1'='1", "'; drop table project; --", "../../etc/passwd", "<script>alert(1)</script>", "%00", "\\"]
    for text in hostile:
        quoted = httpx.QueryParams({"q": text, "branch": text, "cursor": "0"})
        for path in ("/series", "/commits", "/points"):
            answer = client.get(f"{base}{path}?{quoted}", headers=headers)
            assert answer.status_code == 200
            assert text not in answer.text
        for path in (f"/series/{text}", f"/alerts/{text}", f"/{text}", f"/tokens/{text}"):
            answer = client.get(base + path, headers=headers)
            assert answer.status_code in {404, 405, 422}
            assert answer.headers["content-type"] == "application/problem+json"
        answer = client.get("/api/v1/projects/" + text.replace("/", "%2f"), headers=headers)
        assert answer.status_code == 404
    for query in ("limit=0", "limit=1001", "limit=99999999999999999999", "cursor=-1", "cursor=9223372036854775808",
                  "cursor=<b>", "q=%00", "branch=%00"):  # fmt: skip
        document = refused(
            client.get(f"{base}/{'points' if 'branch' in query else 'series'}?{query}", headers=headers),
            422,
            "bad-request",
        )
        assert "<b>" not in document["detail"]
    with services.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.project)).scalar_one() == 1
