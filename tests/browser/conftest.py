"""A browser that opens a file and tells all that the page does: what it asks for, what it complains of."""

import os
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright
from reports import make

from waiting import FOREVER

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "chromium is missing (on Debian: apt-get install chromium)"


def program():
    """Find the browser: STATERA_BROWSER names it, or says `absent` where there is to be none."""
    asked = os.environ.get("STATERA_BROWSER", "")
    found = asked or next(filter(None, map(shutil.which, PROGRAMS)), "absent")
    if found != "absent":
        return found
    if os.environ.get("CI") == "true" and asked != "absent":
        pytest.fail(f"{MISSING}; STATERA_BROWSER=absent says that this is meant", pytrace=False)
    pytest.skip(f"{MISSING}: the browser tests are skipped")


@pytest.fixture(scope="module")
def browser():
    # Of a module, not of the session: while it runs, nothing else can have an event loop of its own.
    path = program()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path)
        yield started
        started.close()


# In what state the pictures are: a stage that is not live yet is a drawing that Vega has not ended.
STATES = """() => [matchMedia("(prefers-color-scheme: dark)").matches, document.visibilityState,
  ...Array.from(document.querySelectorAll(".picture .canvas"), (place) =>
    `${place.dataset.drawn} ${Array.from(place.children, (each) => each.className).join("+")}`)].join("; ")"""


class Opened:
    """A page, and what happened on it."""

    def __init__(self, page, path):
        self.page = page
        self.url = path.resolve().as_uri()
        self.requests = []
        self.complaints = []
        page.on("request", self._request)
        page.on("console", lambda said: self.complaints.append(said.text) if said.type in {"error", "warning"} else 0)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("popup", lambda popup: self.complaints.append(f"popup: {popup.url}"))

    def _request(self, request):
        if request.url.split("#")[0] != self.url and not request.url.startswith(("data:", "blob:")):
            self.requests.append(request.url)

    def draw(self):
        """Unfold all, bring every picture near, so that it is drawn, and wait for it; give how many there are."""
        self.page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        places = self.page.locator(".picture .canvas")
        for place in places.all():
            place.scroll_into_view_if_needed()
        self.wait_drawn()
        return places.count()

    def wait_drawn(self, scheme=""):
        """Wait until every picture is drawn, in a scheme if it is given."""
        drawn = f"[data-drawn={scheme}]" if scheme else "[data-drawn]"
        # Chromium tells a page of another scheme when it draws a frame, and of a page behind others it draws none.
        self.page.bring_to_front()
        try:
            expect(self.page.locator(f".picture .canvas:not({drawn})")).to_have_count(0, timeout=1000 * FOREVER)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.page.evaluate(STATES)}") from None

    def scrolls_sideways(self):
        """Tell whether the page is wider than the window, and by how many pixels."""
        root = "document.documentElement"
        return self.page.evaluate(f"Math.max({root}.scrollWidth, document.body.scrollWidth) - {root}.clientWidth")


@pytest.fixture(scope="module")
def opened(browser):
    """Open a file; at the end nothing may have been fetched, complained of or run that was data."""

    @contextmanager
    def opening(path, *, scheme="light", width=1280, height=900):
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
        found = Opened(page, path)
        page.goto(found.url)
        yield found
        assert page.evaluate("window.__pwned") is None
        assert found.requests == []
        assert found.complaints == []
        context.close()

    return opening


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """Give the HTML report of a name in MADE; each is made once."""
    folder = tmp_path_factory.mktemp("reports")
    found = {}

    def made(name):
        if name not in found:
            found[name] = make(name, folder / name)
        return found[name]

    return made
