"""Margins of a project: what is below them is open nowhere, and whoever states one that is none hears why."""

import json
import re

import pytest
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from histories import THROUGHPUT, add
from serving import answering, bearer, client, token
from test_sessions import OURS, enter, proof
from test_triage import Server, stepped

from statera.server import audit, margins, projects
from statera.server.access import Role
from statera.server.browser import ROUTERS
from statera.support.errors import Stop
from support import every


@pytest.fixture
def server(services, tmp_path):
    """A project with one change, of about 40 %."""
    return Server(services, stepped(tmp_path / "h", 60))


@pytest.fixture
def browser(services):
    with answering(services, routers=ROUTERS) as address, client(address) as found:
        yield found


def state(server, stated):
    with server.services.database.writing() as connection:
        return projects.change(connection, server.project.name, margins=stated)


def test_a_change_below_its_margin_is_open_nowhere(server, browser, run, tmp_path):
    admin = bearer(token(server.services, server.project, Role.ADMIN))
    [alert] = server.alerts()
    path = "/api/v1/projects/p"

    def said():
        server.analyse()
        found = browser.get(f"{path}/alerts", headers=admin).json()["items"]
        pages = {name: browser.get(f"/p/p/{name}", headers=admin).text for name in ("", f"alerts/{alert.id}.html")}
        series = re.search(r"series/[0-9a-f]+\.html", pages[""])[0]
        pages["series"] = browser.get(f"/p/p/{series}", headers=admin).text
        badge = browser.get(f"{path}/badge.svg", headers=admin).text
        return [each["open"] for each in found], pages, badge

    is_open, pages, badge = said()
    assert (is_open, "1 worse" in badge) == ([True], True)
    assert "1 alert open" in pages[""]
    assert not any("below its margin" in text for text in pages.values())
    about = browser.patch(path, json={"margins": {"time": "60%"}}, headers=admin).json()
    assert (about["margins"], about["analysed"]) == ({"time": "60%"}, False)
    is_open, pages, badge = said()
    assert (is_open, "no open change" in badge) == ([False], True)
    assert "Nothing is open" in pages[""]
    assert all("below its margin" in text for text in pages.values())
    # The command says the same of the same history.
    (tmp_path / "statera.toml").write_text('margin = { "time" = "60%" }')
    listed = run("history", "points", "--history", str(server.held.path), cwd=tmp_path)
    assert listed.out == "No change of level.\n1 alert not shown, because of decisions or margins; --all lists all\n"
    assert run("history", "points", "--all", "--history", str(server.held.path), cwd=tmp_path).out.count(
        "below its margin"
    )
    document = json.loads(server.alerts()[0].document)
    assert [each["below_margin"] for each in document["changes"]] == [True]
    # Whoever takes a decision back does not open it.
    browser.post(f"{path}/alerts/{alert.id}/state", json={"state": "new"}, headers=admin)
    assert not server.alerts()[0].is_open
    # A comparison of two commits has the same margins.
    compared = browser.get(
        f"{path}/compare", params={"base": document["first"], "head": document["raised"]}, headers=admin
    )
    assert compared.json()["policy"]["margins"] == [{"metrics": "time", "margin": 0.6}]
    assert server.told == []


def test_what_was_below_its_margin_is_told_when_it_opens(services, tmp_path):
    held = stepped(tmp_path / "h", 25)
    server = Server(services, held)
    state(server, {"Parse": "60%"})
    for number in range(25, 45):
        add(held, number, {"Parse": [(1.0 if number < 30 else 1.4) + number * 7 % 10 / 200]})
    server.upload()
    [alert] = server.alerts()
    assert (alert.is_open, server.told) == (False, [])
    state(server, {"Parse": "300ms"})
    server.analyse()
    server.analyse()
    [alert] = server.alerts()
    assert (alert.is_open, server.told) == (True, [(alert.id, "new")])


def test_what_is_no_margin_is_refused_with_its_place(server):
    @every(
        "stated, says",
        [
            (
                {"time": "5"},
                "margins of p: margin.time: 5 could be per cent or a factor. Write 5% or a fraction below 1",
            ),
            ({"Parse": "many"}, "margin.Parse: 'many' is no margin. Write 2%"),
            ({"time": "16B"}, "margins of p: margin time: 16B is no amount of time, whose values are in s"),
            ({"time": "noise"}, "margin.time: a server measures no noise. Write 2%"),
            ({"time": {"a": 1}}, "margin.time"),
            ({"a\0": "5%"}, "without NUL, and amounts"),
            ({"a" * 1001: "5%"}, "patterns of up to 1,000 characters"),
            ({str(n): "5%" for n in range(1001)}, "up to 1,000 margins"),
        ],
    )
    def refused(stated, says):
        with pytest.raises(Stop, match=re.escape(says)) as stop:
            state(server, stated)
        assert stop.value.code == "bad-settings"

    refused()
    assert server.project.margins == {}


def test_a_unit_that_comes_later_takes_no_alert_out_of_sight(services, tmp_path, caplog):
    server = Server(services, stepped(tmp_path / "h", 40))
    state(server, {"time": "60%", "rate": "1ms"})
    add(server.held, 40, {"Parse": [1.4]}, THROUGHPUT)
    server.upload()
    assert server.alerts()[0].is_open
    assert (
        "the margins of p do not count: margin rate: 1ms is no amount of rate, whose values are in 1/s" in caplog.text
    )


def test_the_page_of_settings(server, browser):
    page, services = "/p/p/settings", server.services
    enter(browser, token(services, server.project, Role.ADMIN))
    assert f'href="{page}">Settings</a>' in browser.get("/p/p/").text
    body = {"proof": proof(browser)}
    wrong = browser.post(page, data={**body, "margins": '"time" = "<5"'}, headers=OURS)
    assert wrong.status_code == 422
    assert "margin.time: &#39;&lt;5&#39; is no margin. Write 2%" in wrong.text
    assert "&quot;time&quot; = &quot;&lt;5&quot;</textarea>" in wrong.text
    assert 'aria-invalid="true"' in wrong.text
    done = browser.post(page, data={**body, "margins": '"time" = "60%"\r\nParse = 0.02'}, headers=OURS)
    assert (done.status_code, done.headers["location"]) == (303, f"{page}?saved=true")
    assert "Saved. Alerts and pages follow in a moment." in browser.get(done.headers["location"]).text
    assert server.project.margins == {"time": "60%", "Parse": 0.02}
    assert server.project.changed > server.project.analysed
    with services.database.reading() as connection:
        noted = audit.listed(connection, server.project.id)[0]
    assert (noted.action, noted.who, noted.detail) == ("project-changed", "admin of p", "margins time=60%, Parse=0.02")
    assert browser.post(page, data={**body, "margins": ""}).status_code == 403
    browser.cookies.clear()
    enter(browser, token(services, server.project, Role.WRITE))
    assert "readonly" in browser.get(page).text
    refused = browser.post(page, data={"proof": proof(browser), "margins": ""}, headers=OURS)
    assert (refused.status_code, len(server.project.margins)) == (403, 2)


def test_margins_are_written_as_they_are_read():
    odd = {'a "quoted"\n': "5%", "b\\\x7f": 0.02, "é😀*": "1ms", "\x1b[31m": "16B"}
    assert margins.from_text(margins.to_text(odd), "p") == odd
    with pytest.raises(Stop, match="margins of p: not TOML"):
        margins.from_text("time: 5%", "p")
