"""Logins: cookies, forms of other sites, wrong tokens, and pages that nobody but their readers knows of."""

import re
from contextlib import contextmanager

import pytest
import serving
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from serving import answering, created, listening, token
from sqlalchemy import select, update

from statera.history.folder import About
from statera.server import audit, projects, tables, tokens
from statera.server.access import Role
from statera.server.app import build
from statera.server.browser import ROUTERS, session
from statera.server.browser.login import Attempts
from statera.server.tables import now

OURS = {"Sec-Fetch-Site": "same-origin"}


@contextmanager
def client(services):
    with answering(services, routers=ROUTERS) as address, serving.client(address) as found:
        yield found


@pytest.fixture
def browser(services):
    with client(services) as found:
        yield found


@pytest.fixture
def secret(services, project):
    return token(services, project)


def enter(browser, secret, following="/", **headers):
    return browser.post("/login", data={"secret": secret, "next": following}, headers={**OURS, **headers})


def origin(browser):
    return str(browser.base_url).rstrip("/")


def proof(browser):
    return re.search(r'name="proof" value="([0-9a-f]{64})"', browser.get("/").text)[1]


def test_a_token_opens_its_project_until_the_logout(browser, secret):
    assert browser.get("/p/program/").headers["location"] == "/login?next=%2Fp%2Fprogram%2F"
    answer = enter(browser, secret, "/p/program/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/p/program/")
    page = browser.get("/p/program/")
    assert page.status_code == 200
    assert "Logged in as</span> <b>write of program</b>" in page.text
    before = dict(browser.cookies)
    left = browser.post("/logout", data={"proof": proof(browser)}, headers=OURS)
    assert left.headers["location"] == "/login"
    assert left.headers["clear-site-data"] == '"cache"'
    assert not browser.cookies
    browser.cookies.update(before)
    assert browser.get("/p/program/").status_code == 303


def test_the_cookie_is_a_secret_of_its_own(services, browser, secret):
    set_cookie = enter(browser, secret).headers["set-cookie"]
    name, value = re.match(r"([^=]+)=([^;]+);", set_cookie).groups()
    assert name == "statera"
    assert len(value) >= 43
    assert secret not in set_cookie
    words = {each.strip().lower() for each in set_cookie.split(";")[1:]}
    assert words == {"httponly", "samesite=strict", "path=/", "max-age=43200"}
    with services.database.reading() as connection:
        row = connection.execute(select(tables.session)).one()
    assert value not in map(str, row)
    assert now(43190) < row.expires <= now(43200)


def test_over_https_the_cookie_belongs_to_this_host_alone(services, secret):
    app = build(services._replace(address="https://perf.example.org"), routers=ROUTERS)
    with listening(app) as address, serving.client(address) as browser:
        set_cookie = enter(browser, secret).headers["set-cookie"]
        assert set_cookie.startswith("__Host-statera=")
        assert "secure" in {each.strip().lower() for each in set_cookie.split(";")}
        assert "domain" not in set_cookie.lower()
        kept = set_cookie.partition(";")[0]
        assert browser.get("/p/program/", headers={"Cookie": kept}).status_code == 200
        assert browser.get("/p/program/", headers={"Cookie": kept.removeprefix("__Host-")}).status_code == 303


def test_a_login_ends_the_session_before_it(browser, secret):
    enter(browser, secret)
    first = browser.cookies["statera"]
    enter(browser, secret)
    assert browser.cookies["statera"] != first
    browser.cookies.clear()
    browser.cookies.set("statera", first)
    assert browser.get("/p/program/").status_code == 303


def test_a_cookie_that_a_stranger_chose_is_not_taken(browser, secret):
    browser.cookies.set("statera", "x" * 43)
    answer = enter(browser, secret)
    assert "x" * 43 not in answer.headers["set-cookie"]


def test_a_session_ends_with_its_token_and_after_its_time(services, project, browser):
    ends = {
        "revoked": lambda connection, number: tokens.revoke(connection, tokens.Changer(), number, project.id),
        "expired": lambda connection, _: connection.execute(update(tables.token).values(expires=now(-1))),
        "session": lambda connection, _: connection.execute(update(tables.session).values(expires=now(-1))),
    }
    for what, end in ends.items():
        with services.database.writing() as connection:
            number, secret = tokens.issue(connection, "mine", Role.READ, project.id, 1)
        enter(browser, secret)
        assert browser.get("/p/program/").status_code == 200, what
        with services.database.writing() as connection:
            end(connection, number)
        assert browser.get("/p/program/").status_code == 303, what


def test_sessions_that_ended_are_removed(services, project):
    with services.database.writing() as connection:
        number, _ = tokens.issue(connection, "mine", Role.READ, project.id)
        session.begin(connection, number)
        connection.execute(update(tables.session).values(expires=now(-1)))
        session.begin(connection, number)
        assert len(connection.execute(select(tables.session)).all()) == 1


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "OURS"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1"},
    {},
]


@pytest.mark.parametrize("path", ["/login", "/logout", "/p/program/alerts/01234567.html"])
def test_a_form_of_another_site_is_refused(services, browser, secret, path):
    stated = ""
    if path != "/login":
        enter(browser, secret)
        stated = proof(browser)
    before = dict(browser.cookies)
    taken = []
    for headers in FOREIGN:
        own = {name: value.replace("OURS", origin(browser)) for name, value in headers.items()}
        data = {"secret": secret, "state": "acknowledged", "proof": stated}
        answer = browser.post(path, data=data, headers=own)
        is_refused = answer.status_code == 403 and "another site" in answer.text and "set-cookie" not in answer.headers
        with services.database.reading() as connection:
            holds = path == "/login" or session.identity_of(connection, before["statera"])
        if not (is_refused and holds):
            taken.append(headers)
    assert not taken


@pytest.mark.parametrize("path", ["/logout", "/p/program/alerts/01234567.html"])
def test_a_form_of_another_session_is_refused(browser, secret, path):
    enter(browser, secret)
    earlier = proof(browser)
    enter(browser, secret)
    for stated in (earlier, "", "ä"):
        answer = browser.post(path, data={"proof": stated, "state": "fixed"}, headers=OURS)
        assert answer.status_code == 403
        assert "earlier login" in answer.text
    assert browser.get("/p/program/").status_code == 200


def test_an_origin_that_is_ours_is_enough_for_browsers_that_say_no_more(browser, secret):
    answer = browser.post("/login", data={"secret": secret}, headers={"Origin": origin(browser)})
    assert answer.status_code == 303


# As many as an address may try at once.
WRONG = ["", "statera_", "statera_" + "a" * 43, "<script>window.__pwned=1</script>' or 1=1 --", "ä\x00"]


def test_a_wrong_token_is_refused_and_noted_without_it(services, browser):
    for secret in WRONG:
        answer = enter(browser, secret)
        assert answer.status_code == 403, secret
        assert "unknown, has expired or was revoked" in answer.text, secret
        assert "set-cookie" not in answer.headers, secret
        if len(secret) > len("statera_"):
            assert secret not in answer.text
    with services.database.reading() as connection:
        rows = audit.listed(connection, None)
    noted = [(row.action, row.who, row.detail, row.address) for row in rows]
    assert noted == [("refused", "", "POST /login", "127.0.0.1")] * len(WRONG)


def test_a_token_that_reads_documents_counts_as_used(services, browser, secret):
    assert browser.get("/p/program/", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    with services.database.reading() as connection:
        assert connection.execute(select(tables.token.c.used)).scalar_one() is not None


def test_wrong_tokens_slow_an_address_down(browser, secret):
    for _ in range(6):
        answer = enter(browser, "statera_" + "b" * 43)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1
    # Not even the right one is tried in between.
    assert enter(browser, secret).status_code == 429


def test_attempts_wait_twice_as_long_each_time_and_are_forgotten():
    clock = [1000.0]
    attempts = Attempts(lambda: clock[0])
    waits = []
    for _ in range(16):
        waits.append(attempts.wait("192.0.2.1"))
        clock[0] += waits[-1]
        attempts.failed("192.0.2.1")
    assert waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert attempts.wait("192.0.2.2") == 0
    clock[0] += 7200
    attempts.failed("192.0.2.1")
    assert attempts.wait("192.0.2.1") == 0


def test_a_network_of_ipv6_is_one_address_and_memory_is_bounded():
    attempts = Attempts(lambda: 0.0)
    for number in range(5):
        attempts.failed(f"2001:db8::{number}")
    assert attempts.wait("2001:db8::ffff") > 0
    assert attempts.wait("2001:db8:0:1::1") == 0
    for number in range(20_000):
        attempts.failed(f"client-{number}")
    assert len(attempts._of) == 10_000


ELSEWHERE = [
    "https://evil.example/", "//evil.example/", "/\\evil.example", "/\t/evil.example", "\\\\evil.example",
    "javascript:alert(1)", "/p/x\r\nSet-Cookie: a=b", "",
]  # fmt: skip


def test_a_login_leads_to_pages_of_this_server_alone(browser, secret):
    led = [each for each in ELSEWHERE if enter(browser, secret, each).headers["location"] != "/"]
    offered = [
        each for each in ELSEWHERE if 'name="next" value="/"' not in browser.get("/login", params={"next": each}).text
    ]
    assert (led, offered) == ([], [])


def seen(answer):
    return answer.status_code, answer.headers.get("location"), answer.text


@pytest.mark.usefixtures("project")
def test_a_private_project_looks_like_none(services, browser):
    other = created(services.database)
    absent = "absent"
    paths = ["", "index.json", "alerts/01234567.html", "series/x.html", "%00", "..%2f..%2fetc%2fpasswd"]

    def compared(name, path):
        answer = browser.get(f"/p/{name}/{path}")
        return seen(answer)[0], seen(answer)[1].replace(name, "NAME"), seen(answer)[2]

    for path in paths:
        assert compared("program", path) == compared(absent, path), path
        assert compared("program", path)[0] == 303, path
    enter(browser, token(services, other, Role.ADMIN))
    for path in paths:
        assert compared("program", path) == compared(absent, path), path
        form = browser.get(f"/login?next=/p/program/{path}").text.replace("program", absent)
        assert form == browser.get(f"/login?next=/p/{absent}/{path}").text, path
    posted = [
        browser.post(f"/p/{name}/alerts/01234567.html", data={"proof": proof(browser)}, headers=OURS)
        for name in ("program", absent)
    ]
    assert seen(posted[0])[1].replace("program", absent) == seen(posted[1])[1]


def test_everybody_reads_a_public_project_and_sees_no_other(services, browser):
    with services.database.writing() as connection:
        projects.create(connection, About("open"), is_public=True)
        projects.create(connection, About("closed"))
    page = browser.get("/")
    assert "/p/open/" in page.text
    assert "closed" not in page.text
    assert browser.get("/p/open/").status_code == 200
    assert "/login?next=%2Fp%2Fopen%2F" in browser.get("/p/open/").text
    assert "<form" not in browser.get("/p/open/").text
    enter(browser, token(services, None))
    assert "/p/closed/" in browser.get("/").text


@pytest.mark.usefixtures("project")
def test_without_anything_to_read_the_first_page_is_the_login(browser):
    assert browser.get("/").headers["location"] == "/login?next=%2F"


def test_a_link_of_another_site_leads_on_once(browser, secret):
    """A strict cookie does not come along a link of another site; a page of ours in between brings it."""
    strange = {"Sec-Fetch-Site": "cross-site"}
    bounce = browser.get("/p/program/?x=%3Cb%3E%22", headers=strange)
    assert bounce.status_code == 200
    assert '<meta http-equiv="refresh" content="0; url=/p/program/?x=%3Cb%3E%22">' in bounce.text
    assert browser.get("/p/program/", headers=OURS).status_code == 303
    enter(browser, secret)
    assert "refresh" not in browser.get("/p/program/", headers=strange).text


def test_pages_state_what_they_may_do(browser, secret):
    enter(browser, secret)
    for path in ("/", "/login", "/p/program/"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "form-action 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "private, no-cache"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["vary"] == "Cookie"


def test_a_browser_that_has_a_page_gets_it_once(services, browser, secret):
    enter(browser, secret)
    for path in ("/", "/p/program/", "/assets/site.css"):
        tag = browser.get(path).headers["etag"]
        for stated in (tag, f'"x", W/{tag}', "*"):
            again = browser.get(path, headers={"If-None-Match": stated})
            assert (again.status_code, again.content) == (304, b"")
        assert browser.get(path, headers={"If-None-Match": '"x"'}).status_code == 200
    # Whoever is somebody else gets another page.
    tag = browser.get("/").headers["etag"]
    enter(browser, token(services, None))
    assert browser.get("/", headers={"If-None-Match": tag}).status_code == 200


def test_a_database_that_is_away_is_said_so(services, browser, secret, tmp_path):
    enter(browser, secret)
    services.database.close()
    (tmp_path / "statera.db").rename(tmp_path / "away.db")
    (tmp_path / "statera.db").mkdir()
    answer = browser.get("/p/program/")
    (tmp_path / "statera.db").rmdir()
    (tmp_path / "away.db").rename(tmp_path / "statera.db")
    assert answer.status_code == 503
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["retry-after"]
    assert browser.get("/p/program/").status_code == 200


def test_a_field_that_is_too_long_is_refused(browser):
    for data in ({"secret": "x" * 500}, {"next": "x" * 5000}):
        answer = browser.post("/login", data=data, headers=OURS)
        assert (answer.status_code, answer.headers["content-type"]) == (422, "text/html; charset=utf-8"), data
        assert "x" * 50 not in answer.text
