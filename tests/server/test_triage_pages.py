"""The form on the page of an alert, over HTTP and without scripts."""

import html
import re
import shutil

import httpx
import pytest
from serving import answering, client, created, sharing, token
from test_sessions import OURS, enter, proof
from test_triage import Server, stepped

from statera.history.alerts import STATES, WITH_REASON
from statera.server import audit, tables
from statera.server.access import Role
from statera.server.browser import ROUTERS, frame
from statera.server.database import Database


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A project with an alert, made once: its history, and the file of the database."""
    place = tmp_path_factory.mktemp("prepared")
    database = Database(f"sqlite:///{place / 'statera.db'}")
    tables.metadata.create_all(database.engine)
    with sharing(database, place) as services:
        server = Server(services, stepped(place / "h", 60))
    database.close()
    return server.held, place / "statera.db"


@pytest.fixture
def database(prepared, tmp_path):
    shutil.copy(prepared[1], tmp_path / "statera.db")
    made = Database(f"sqlite:///{tmp_path / 'statera.db'}")
    yield made
    made.close()


@pytest.fixture
def server(services, prepared):
    found = object.__new__(Server)
    found.services, found.held, found.told = services, prepared[0], []
    return found


@pytest.fixture
def browser(services):
    with answering(services, routers=ROUTERS) as address, client(address) as found:
        yield found


@pytest.fixture
def alert(server):
    return server.alerts()[0].id


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No analysis runs beside these tests: nobody waits for one."""
    monkeypatch.setattr("statera.server.browser.pages._PATIENCE", 0.0)


def where(alert):
    return f"/p/p/alerts/{alert}.html"


def decide(browser, alert, **fields):
    return browser.post(where(alert), data={"proof": proof(browser), **fields}, headers=OURS)


def field(page, name):
    """Give what a field of the form holds."""
    if name == "state":
        found = re.findall(r'name="state" value="(\w+)" checked', page)
        return found[0] if len(found) == 1 else found
    if name == "reason":
        return html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1])
    return html.unescape(re.search(r'name="url"[^>]* value="([^"]*)"', page)[1])


def test_a_decision_stands_on_the_page_in_the_history_and_in_the_record(services, server, browser, alert):
    enter(browser, token(services, server.project))
    before = browser.get(where(alert)).text
    assert field(before, "state") == "new"
    assert "statera history ack" not in before
    words = {"state": "noise", "reason": "the machine was busy", "url": "https://example.org/issues/7"}
    answer = decide(browser, alert, **words)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{where(alert)}?saved=true#decide"
    after = browser.get(answer.headers["location"]).text
    assert "Saved: the alert is noise. The rest of this page follows in a moment." in after
    assert field(after, "state") == "noise"
    server.analyse()
    page = browser.get(where(alert)).text
    assert '<span class="chip">noise</span>' in page
    assert "the machine was busy" in page
    assert 'href="https://example.org/issues/7"' in page
    assert "write of p" in page
    assert "Saved" not in page
    with services.database.reading() as connection:
        rows = audit.listed(connection, server.project.id)
    noted = [(row.action, row.who, row.detail) for row in rows if row.action in {"triage", "link"}]
    assert noted == [
        ("link", "write of p", f"{alert}: https://example.org/issues/7"),
        ("triage", "write of p", f"{alert}: noise"),
    ]


def test_each_state_can_be_chosen(services, server, browser, alert):
    enter(browser, token(services, server.project))
    for state in STATES:
        decide(browser, alert, state="fixed" if state == "new" else "new", reason="before")
        assert decide(browser, alert, state=state, reason="because").status_code == 303, state
        assert server.alerts()[0].state == state


def test_a_missing_reason_is_said_at_its_field_and_the_rest_is_kept(services, server, browser, alert):
    enter(browser, token(services, server.project))
    for state in sorted(WITH_REASON):
        answer = decide(browser, alert, state=state, reason="  ", url="https://example.org/1")
        assert answer.status_code == 422
        page = answer.text
        assert (field(page, "state"), field(page, "url")) == (state, "https://example.org/1")
        area = re.search(r"<textarea[^>]*>", page)[0]
        assert 'aria-invalid="true"' in area
        assert "autofocus" in area
        assert 'aria-describedby="reason-hint reason-problem"' in area
        assert f"Write why: others will ask why it is {state}." in page
        assert "<title>Not saved: Alert" in page
    assert server.alerts()[0].state == "new"


HOSTILE = '</textarea><script>window.__pwned=1</script>"\u202e<!--/decide-->'


def test_an_address_that_is_none_changes_nothing(services, server, browser, alert):
    enter(browser, token(services, server.project))
    for url in ("javascript:alert(1)", "example.org", "https://", 'https://x"onclick="y z', HOSTILE):
        answer = decide(browser, alert, state="fixed", reason=HOSTILE, url=url)
        assert answer.status_code == 422, url
        assert 'aria-describedby="url-problem"' in answer.text, url
        assert "<script>window" not in answer.text, url
        assert "onclick=" not in answer.text.replace("onclick=&#34;", ""), url
        assert field(answer.text, "reason").startswith("</textarea><script>"), url
    assert server.alerts()[0].state == "new"


def test_a_hostile_reason_is_text_on_the_page(services, server, browser, alert):
    enter(browser, token(services, server.project))
    assert decide(browser, alert, state="fixed", reason=HOSTILE).status_code == 303
    server.analyse()
    page = browser.get(where(alert)).text
    assert "<script>window" not in page
    assert "\u202e" not in page
    assert page.count('<form class="form decide"') == 1


def test_nothing_changed_and_no_state_are_said(services, server, browser, alert):
    enter(browser, token(services, server.project))
    assert "Choose another state" in decide(browser, alert, state="new").text
    for state in ("", "done"):
        answer = decide(browser, alert, state=state)
        assert answer.status_code == 422
        assert "Choose a state." in answer.text
    assert decide(browser, alert, state="new", url="https://example.org/2").status_code == 303
    assert server.alerts()[0].state == "new"


def test_who_may_only_read_has_no_form_and_no_way_around_it(services, server, browser, alert):
    with services.database.writing() as connection:
        connection.execute(tables.project.update().values(is_public=True))
    assert "<textarea" not in browser.get(where(alert)).text
    assert "statera history ack" not in browser.get(where(alert)).text
    assert browser.post(where(alert), data={"state": "fixed"}, headers=OURS).status_code == 403
    enter(browser, token(services, server.project, Role.READ))
    assert "<textarea" not in browser.get(where(alert)).text
    assert decide(browser, alert, state="fixed").status_code == 403
    assert server.alerts()[0].state == "new"


def test_a_token_of_another_project_decides_nothing(services, server, browser, alert):
    other = created(services.database)
    enter(browser, token(services, other, Role.ADMIN))
    assert decide(browser, alert, state="fixed").headers["location"].startswith("/login")
    assert server.alerts()[0].state == "new"


def test_an_alert_that_is_none_is_said_so(services, server, browser):
    enter(browser, token(services, server.project))
    for name in ("ffffffff", "x", "%00"):
        answer = decide(browser, name, state="fixed")
        assert answer.status_code == 404, name
        assert answer.headers["content-type"].startswith("text/html"), name
        assert browser.get(where(name)).status_code == 404, name


def test_every_page_has_the_frame_and_every_asset_is_there(services, server, browser, alert):
    enter(browser, token(services, server.project))
    index = browser.get("/p/p/index.json").json()
    paths = ["/p/p/", where(alert), f"/p/p/{index['series'][0]['page']}", "/", "/login"]
    for path in paths:
        page = browser.get(path).text
        assert "Logged in as</span> <b>write of p</b>" in page
        assert 'content="same-origin"' in page
        assert re.findall('form-action [^;"]*', html.unescape(page)) == ["form-action 'self'"]
        assert '<a href="/">Projects</a> / ' in page or not path.startswith("/p/")
        for link in re.findall(r'(?:src|href)="([^"#][^"]*\.(?:css|js|svg|xml|json)[^"]*)"', page):
            answer = browser.get(httpx.URL(path).join(link))
            assert answer.status_code == 200, link
            assert "html" not in answer.headers["content-type"]
    assert browser.get("/p/p").headers["location"] == "/p/p/"
    assert browser.head("/p/p/").status_code == 200
    assert browser.get("/assets/../server.py").status_code == 404


def test_commands_that_read_files_are_not_on_the_pages_of_a_server():
    assert frame.with_panel("a<!--files-->statera history bisect<!--/files-->c", "") == "ac"
