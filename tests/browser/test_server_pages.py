"""The pages of a server in a browser: by keys, without scripts, narrow and wide, light and dark, hostile names."""

import functools
import random
import re
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
from histories import add
from looked import FOCUSED, LOW_CONTRAST
from playwright.sync_api import expect
from reports import HOSTILE
from serving import brought, created, listening, sharing, token
from sqlalchemy import select
from test_accessibility import AXE, VIOLATIONS

from statera._native import printable
from statera.history.folder import About, create
from statera.server import migrations, projects, tables
from statera.server.access import Role
from statera.server.analyst import Analyst
from statera.server.app import build
from statera.server.browser import ROUTERS
from statera.server.database import Database

# A server refuses names with NUL.
NAMES = [name for name in HOSTILE if len(name) < 400 and "\0" not in name]


def changing(place, name, benchmarks, count=50, at=32):
    """A history in which most benchmarks change, each by its share."""
    made = create(place / name, About(name))
    noise = random.Random(1)
    for number in range(count):
        values = {
            benchmark: [1e-3 * noise.gauss(1, 0.01) * (factor if number >= at else 1)]
            for benchmark, factor in benchmarks.items()
        }
        facts = {"branch": HOSTILE[0], "subject": NAMES[number % len(NAMES)]} if name == "hostile" else {}
        add(made, number, values, project=name, **facts)
    return made


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a project, one with hostile names, one that everybody may read, and one without results."""
    place = tmp_path_factory.mktemp("server")
    url = f"sqlite:///{place / 'statera.db'}"
    database = Database(url)
    migrations.upgrade(database)
    analyst = Analyst(url, place / "data")
    with sharing(database, place) as services:
        parts = {"Parse/json": 1.2, "Parse/xml": 1.12, "Scan": 0.9, "Sum": 1}
        calm = brought(services, changing(place, "parser", parts))
        brought(services, changing(place, "hostile", dict.fromkeys(NAMES, 1.3)))
        brought(services, changing(place, "open", {"Sum": 1.2}), is_public=True)
        created(database, "empty")
        analyst.start()
        secrets = {
            "server": token(services, None),
            "write": token(services, calm),
            "read": token(services, calm, Role.READ),
        }
        with listening(build(services, routers=ROUTERS)) as address:
            yield SimpleNamespace(address=address, services=services, secrets=secrets, place=place)
        analyst.stop()
    database.close()


def alert_of(server, name):
    with server.services.database.reading() as connection:
        project = projects.named(connection, name)
        wanted = select(tables.alert.c.id).where(tables.alert.c.project_id == project.id)
        return connection.execute(wanted.order_by(tables.alert.c.number)).scalars().first()


class Visited:
    """A page of the server, and what it complained of."""

    def __init__(self, page, server):
        self.page, self.server = page, server
        self.complaints, self.strange = [], []
        page.on("console", lambda said: self.complaints.append(said.text) if said.type in {"error", "warning"} else 0)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", self._request)

    def _request(self, request):
        if not request.url.startswith((f"{self.server.address}/", "data:")):
            self.strange.append(request.url)

    def go(self, path):
        return self.page.goto(f"{self.server.address}{path}")

    def log_in(self, who="write", path="/"):
        self.go(f"/login?next={path}")
        self.page.get_by_label("Token").fill(self.server.secrets[who])
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page.get_by_role("button", name="Log out")).to_be_visible()

    def tab_to(self, locator):
        """Press Tab until something has the focus, which has to be seen on the way."""
        wanted = locator.first.element_handle()
        for _ in range(200):
            self.page.keyboard.press("Tab")
            at = self.page.evaluate(FOCUSED)
            assert at["tag"] == "BODY" or at["outline"] != "none", at
            if self.page.evaluate("(wanted) => wanted === document.activeElement", wanted):
                return
        raise AssertionError("no key leads there")

    def scrolls_sideways(self):
        # A script draws charts again for another width, a frame later.
        return self.page.evaluate(
            """async () => {
                for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
                return document.documentElement.scrollWidth - document.documentElement.clientWidth;
            }"""
        )

    def refused(self):
        """Forget that the browser remarks on a status of refusal, which was meant."""
        self.complaints[:] = [each for each in self.complaints if "the server responded with a status of 4" not in each]


@pytest.fixture
def visit(browser, server):
    @contextmanager
    def visiting(*, width=1280, scheme="light", scripts=True):
        context = browser.new_context(
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
            java_script_enabled=scripts,
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        found = Visited(page, server)
        yield found
        if scripts:
            assert page.evaluate("window.__pwned") is None
        assert found.strange == []
        assert found.complaints == []
        context.close()

    return visiting


def test_by_keys_alone_one_logs_in_opens_an_alert_decides_and_sees_the_state(visit, server):
    alert = alert_of(server, "parser")
    with visit() as found:
        page, keys = found.page, found.page.keyboard
        found.go("/p/parser/")
        expect(page.get_by_label("Token")).to_be_focused()
        keys.type(server.secrets["write"])
        keys.press("Enter")
        found.tab_to(page.locator(".alerts a"))
        keys.press("Enter")
        page.wait_for_url(f"**/p/parser/alerts/{alert}.html")
        found.tab_to(page.get_by_role("radio", name="new"))
        for _ in range(4):
            keys.press("ArrowDown")
        expect(page.get_by_role("radio", name="noise")).to_be_checked()
        found.tab_to(page.get_by_role("button", name="Save"))
        keys.press("Enter")
        reason = page.get_by_label("Reason")
        expect(reason).to_be_focused()
        expect(reason).to_have_accessible_description(re.compile("Write why: others will ask why it is noise"))
        expect(page.get_by_role("radio", name="noise")).to_be_checked()
        found.refused()
        keys.type("the machine was busy")
        found.tab_to(page.get_by_label("Issue"))
        keys.type("https://example.org/issues/7")
        keys.press("Enter")
        expect(page.get_by_role("status")).to_have_text("Saved: the alert is noise.")
        expect(page.locator(".verdict .chip")).to_have_text("noise")
        expect(page.locator(".decisions li").first).to_contain_text("noise: the machine was busy write of parser")
        expect(page.locator(".decisions li").last.get_by_role("link")).to_have_text("https://example.org/issues/7")
        assert page.locator("#decide").bounding_box()["y"] < 900
        found.tab_to(page.get_by_role("button", name="Log out"))
        keys.press("Enter")
        page.wait_for_url("**/login")
        found.go("/p/parser/")
        page.wait_for_url("**/login?next=%2Fp%2Fparser%2F")


def test_without_scripts_a_decision_is_made_too(visit, server):
    alert = alert_of(server, "parser")
    with visit(scripts=False, width=390) as found:
        found.log_in(path=f"/p/parser/alerts/{alert}.html")
        page = found.page
        page.get_by_text("wontfix", exact=True).click()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Write why")).to_be_visible()
        found.refused()
        page.get_by_label("Reason").fill("worth it")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_have_text("Saved: the alert is wontfix.")
        expect(page.locator(".verdict .chip")).to_have_text("wontfix")


def test_who_may_only_read_sees_no_form(visit, server):
    alert = alert_of(server, "parser")
    with visit() as found:
        found.log_in("read", f"/p/parser/alerts/{alert}.html")
        expect(found.page.get_by_role("heading", name="Decisions")).to_be_visible()
        assert found.page.get_by_role("radio").count() == 0
        assert found.page.get_by_text("statera history ack").count() == 0


def paths(server):
    """Give the pages that look different."""
    with server.services.database.reading() as connection:
        series = connection.execute(select(tables.series.c.key)).scalars().first()
    alert = alert_of(server, "parser")
    return {
        "login": "/login",
        "projects": "/",
        "overview": "/p/parser/",
        "alert": f"/p/parser/alerts/{alert}.html?saved=true",
        "wrong": f"/p/parser/alerts/{alert}.html",
        "series": f"/p/parser/series/{series}.html",
        "settings": "/p/parser/settings?saved=true",
        "margins": "/p/parser/settings",
        "missing": "/p/parser/nothing.html",
        "empty": "/p/empty/",
    }


PAGES = ("login", "projects", "overview", "alert", "wrong", "series", "settings", "margins", "missing", "empty")


def shown(found, server, name):
    """Open a page; one of them with a form that was refused."""
    found.go(paths(server)[name])
    if name == "margins":
        found.page.get_by_label("Margins").fill('"time" = "5%"\n"Parse/*" = "much"')
        found.page.get_by_role("button", name="Save").click()
        expect(found.page.locator(".problem")).to_contain_text("margin.Parse/*: 'much' is no margin")
        expect(found.page.get_by_label("Margins")).to_have_value('"time" = "5%"\n"Parse/*" = "much"')
    if name == "wrong":
        found.page.get_by_role("radio", name="expected").check()
        found.page.get_by_label("Reason").fill("")
        found.page.get_by_label("Issue").fill("no address")
        found.page.get_by_role("button", name="Save").click()
        expect(found.page.locator(".problem")).to_have_count(2)
    found.refused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_every_width_and_can_be_read_by_everybody(visit, server, scheme):
    with visit(scheme=scheme) as found:
        found.go("/login")
        for entered in (False, True):
            if entered:
                found.log_in("server")
            for name in PAGES if entered else ("login",):
                shown(found, server, name)
                found.page.evaluate(AXE)
                for width in (390, 1440):
                    found.page.set_viewport_size({"width": width, "height": 900})
                    assert found.scrolls_sideways() <= 0, name
                    assert found.page.evaluate(VIOLATIONS) == [], name
                assert found.page.evaluate(LOW_CONTRAST) == [], name


def test_hostile_names_are_text(visit, server):
    alert = alert_of(server, "hostile")
    with visit(width=390) as found:
        page = found.page
        found.log_in("server", "/p/hostile/")
        for path in ("/p/hostile/", f"/p/hostile/alerts/{alert}.html"):
            found.go(path)
            assert page.locator("img, iframe, object, embed, base, main script, svg image, svg script").count() == 0
            assert page.locator("form").count() == (2 if "alerts" in path else 1)
            text = re.sub(r"\s+", " ", page.locator("main").inner_text())
            assert re.sub(r"\s+", " ", printable(HOSTILE[0])) in text
            assert not re.search(r"[\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)
            assert found.scrolls_sideways() <= 0
        for reason in NAMES[:5]:
            page.get_by_role("radio", name="fixed").check()
            page.get_by_label("Reason").fill(reason)
            page.get_by_role("button", name="Save").click()
            expect(page.locator(".verdict .chip")).to_have_text("fixed")
            assert page.locator(".decisions li").count() > 0
            assert page.locator("form").count() == 2


def test_an_injected_form_and_script_do_nothing(visit, server):
    with visit() as found:
        found.log_in("server", "/p/parser/")
        found.page.evaluate(
            "() => { const made = document.createElement('script'); made.textContent = 'window.__pwned = 1';"
            " document.body.append(made); document.body.setAttribute('onclick', 'window.__pwned = 1'); }"
        )
        found.page.locator("h1").click()
        found.page.evaluate(
            "() => { const form = document.createElement('form'); form.action = 'https://example.invalid/';"
            " document.body.append(form); form.submit(); }"
        )
        found.page.wait_for_timeout(200)
        assert found.page.evaluate("window.__pwned") is None
        assert found.page.url.startswith(server.address)
        assert sum("Content Security Policy" in each for each in found.complaints) >= 3
        found.complaints.clear()


@contextmanager
def another_site(folder, content):
    """Serve a page under another name, which makes it another site."""
    (folder / "index.html").write_text(content)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://localhost:{served.server_port}/index.html"
    finally:
        served.shutdown()
        thread.join()
        served.server_close()


def test_a_link_of_a_chat_leads_to_the_page_and_a_form_of_another_site_to_nothing(visit, server, tmp_path):
    alert = alert_of(server, "parser")
    target = f"{server.address}/p/parser/alerts/{alert}.html"
    content = (
        f'<!DOCTYPE html><html lang="en"><title>chat</title><link rel="icon" href="data:,"><a href="{target}">alert</a>'
        f'<form method="post" action="{target}"><input name="state" value="fixed"><button>go</button></form>'
        f'<form method="post" action="{server.address}/logout"><button>out</button></form>'
    )
    with another_site(tmp_path, content) as elsewhere, visit() as found:
        found.log_in("write")
        found.page.goto(elsewhere)
        found.page.get_by_role("link", name="alert").click()
        expect(found.page.get_by_role("heading", name="Decisions")).to_be_visible()
        assert found.page.url == target
        for name in ("go", "out"):
            found.page.goto(elsewhere)
            found.page.get_by_role("button", name=name).click()
            page = found.page
            expect(page.get_by_role("heading", name="This was refused").or_(page.get_by_label("Token"))).to_be_visible()
        found.go("/")
        expect(found.page.get_by_role("button", name="Log out")).to_be_visible()
        found.refused()
        found.strange[:] = [each for each in found.strange if each != elsewhere]
