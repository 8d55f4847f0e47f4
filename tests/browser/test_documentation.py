"""The site of the documentation: it is built without a warning, and its pages ask no network."""

import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from support import ROOT
from waiting import FOREVER


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    # A link that leads nowhere, a heading that is not there and a page that no list names are warnings.
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_page_is_on_the_site(site):
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert not [path for path in pages if not (site / path).is_file()]


def test_pages_ask_for_nothing_but_files_of_the_site(site):
    asked = re.compile(r'<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="?([^"\s>]+)')
    found = {each for path in site.rglob("*.html") for each in asked.findall(path.read_text())}
    assert len(found) > 10
    assert not [each for each in found if re.match(r"(https?:)?//", each)]


def test_the_search_finds_a_word_from_the_disk(browser, site):
    page = browser.new_context(offline=True, viewport={"width": 390, "height": 844}).new_page()
    complaints = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((site / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("f")
    page.keyboard.type("autocorrelation")
    expect(page.locator(".md-search-result__item a").first).to_be_visible(timeout=1000 * FOREVER)
    assert not complaints
