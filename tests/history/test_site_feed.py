"""The feed of alerts is Atom, and names of strangers are text in it."""

from xml.etree import ElementTree as ET

import pytest
from sites import commit, make, steady, written

from statera.history.material import day, gather, web
from statera.support.errors import Stop

ATOM = "{http://www.w3.org/2005/Atom}"
NAME = "a]]><b>&amp;\x07\u202e"


@pytest.fixture
def history(tmp_path):
    return make(tmp_path / "h", 60, {NAME: steady(1e-3, (40, 1.3))})


def test_an_entry_is_an_alert_and_changes_with_its_decisions(history, tmp_path):
    site = written(history, tmp_path / "out")
    [case] = site.material.cases
    [entry] = ET.parse(site.folder / "feed.xml").getroot().iter(f"{ATOM}entry")  # noqa: S314 - our own
    assert "a]]><b>&amp;" in entry.findtext(f"{ATOM}title")
    assert entry.find(f"{ATOM}link").get("href") == f"alerts/{case.alert.id}.html"
    raised = case.alert.raised
    assert entry.findtext(f"{ATOM}updated") == f"2026-{1 + raised // 28:02}-{1 + raised % 28:02}T08:00:00+00:00"
    event = {"branch": "main", "commits": [commit(40)], "series": [case.alert.parts[0].track.series.id]}
    history.record({**event, "kind": "state", "state": "fixed", "when": "2027-01-01T12:00:00+02:00"})
    [entry] = ET.parse(written(history, tmp_path / "out").folder / "feed.xml").getroot().iter(f"{ATOM}entry")  # noqa: S314
    assert entry.findtext(f"{ATOM}updated") == "2027-01-01T10:00:00+00:00"
    assert entry.find(f"{ATOM}category").get("term") == "fixed"


@pytest.mark.parametrize(
    "url", ["javascript:{commit}", "https://example.com/", "https://a b/{commit}", "file:///{commit}"]
)
def test_an_address_of_commits_is_of_the_web_and_names_the_commit(history, tmp_path, url):
    material = written(history, tmp_path / "out").material
    with pytest.raises(Stop, match="write the address of a commit's page"):
        gather("p", material.analysis, {}, url)


def test_only_addresses_of_the_web_are_links():
    assert web("https://example.com/a?b=c#d") == "https://example.com/a?b=c#d"
    assert [web(each) for each in ("javascript:1", " https://a", "https://a b", "https://a\n", "data:text/html,1")] == [
        ""
    ] * 5
    assert day("", "2026-01-02T03:04:05Z") == "2026-01-02"
    assert day("<b>", "today") == ""


def test_the_command_writes_a_site(history, tmp_path, run):
    done = run("history", "site", "--history", tmp_path / "h", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert "index.html: 15 files, 15 of them written" in done.err
    assert (tmp_path / "out/index.html").is_file()
    again = run("history", "site", "--history", tmp_path / "h", "-o", tmp_path / "out")
    assert "15 files, 0 of them written" in again.err
    assert history.about.project in (tmp_path / "out/index.html").read_text()
