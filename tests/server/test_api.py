"""The routes of the API: what they show is what the history holds."""

import json
import shutil

import pytest
from histories import add, commit, folder
from serving import answering, bearer, brought, client, token

from statera.history import catalog
from statera.history.alerts import alerts
from statera.history.analysis import analyse
from statera.server import audit
from statera.server.access import Role
from statera.server.api import comparisons

API = "/api/v1/projects"


@pytest.fixture
def shown(services, shown_example, example):
    """The example on a server, and a client with the role write."""
    project = shown_example
    with answering(services) as address, client(f"{address}{API}", headers=bearer(token(services, project))) as found:
        yield Shown(services, project, found, example)


class Shown:
    def __init__(self, services, project, client, held):
        self.services, self.project, self.client, self.held = services, project, client, held

    def ask(self, path, status=200, method="GET", **options):
        answer = self.client.request(method, f"/{self.project.name}{path}", **options)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"].endswith("json") else answer

    def pages(self, path, limit, **query):
        """Give the items of all pages."""
        found, cursor = [], {}
        while True:
            page = self.ask(path, params={**query, "limit": limit, **cursor})
            assert len(page["items"]) <= limit
            found += page["items"]
            if page["next"] is None:
                return found
            cursor = {"cursor": page["next"]}

    @property
    def analysis(self):
        return analyse(catalog.read(self.held, self.services.limits), self.held.about.lane)


def test_a_project_and_its_commits(shown):
    about = shown.ask("")
    assert (about["name"], about["lane"], about["analysed"]) == (shown.project.name, ["cpu", "runner"], True)
    held = catalog.read(shown.held, shown.services.limits).held
    found = shown.pages("/commits", 7)
    assert {each["commit"] for each in found} == {each.job.commit for each in held}
    assert sum(each["jobs"] for each in found) == len(held)
    assert shown.ask("/commits", params={"branch": "none"})["items"] == []
    assert shown.client.get(f"{shown.client.base_url}".rstrip("/")).json()["items"] == [about]


def test_series_with_their_values(shown):
    analysis = shown.analysis
    found = shown.pages("/series", 5)
    assert {each["key"] for each in found} == {track.series.id for track in analysis.tracks}
    track = max(analysis.tracks, key=lambda track: len(track.found))
    values = []
    cursor = {}
    while True:
        one = shown.ask(f"/series/{track.series.id}", params={"limit": 10, **cursor})
        values += one["values"]["items"]
        if one["values"]["next"] is None:
            break
        cursor = {"cursor": one["values"]["next"]}
    assert one["series"]["benchmark"] == track.series.benchmark
    own = [each for each in values if each["branch"] == track.line.branch and each["lane"] == dict(track.line.lane)]
    of_jobs = {each["job"]: each["median"] for each in own}
    expected = zip(track.jobs(analysis.catalog), track.found.values, strict=True)
    assert {each.id: value for each, value in expected} == of_jobs
    assert all(each["least"] <= each["median"] <= each["largest"] and each["n"] > 0 for each in own)


def test_series_are_found_by_words(shown):
    names = {each["benchmark"] for each in shown.ask("/series", params={"q": "MATR"})["items"]}
    assert names == {"matrix"}
    for nothing in ("%", "_", "' or 1=1 --", "<script>"):
        assert shown.ask("/series", params={"q": nothing})["items"] == []


def test_points_and_alerts(shown):
    analysis = shown.analysis
    changes = [(track, change) for track in analysis.tracks for change in track.changes]
    found = shown.pages("/points", 2)
    assert sorted((each["series"], each["place"], each["size"]) for each in found) == sorted(
        (track.series.id, track.order.commits[change.place], change.size) for track, change in changes
    )
    expected = alerts(analysis)
    found = shown.pages("/alerts", 1)
    assert [each["id"] for each in found] == [each.id for each in expected]
    assert [each["worse"] for each in found] == [each.worse for each in expected]
    one = shown.ask(f"/alerts/{expected[0].id}")
    assert one["alert"] == found[0]
    assert len(one["document"]["changes"]) == len(expected[0].parts)
    shown.ask("/alerts/00000000", 404)


def test_decisions(shown):
    first, second, *_ = shown.ask("/alerts", params={"open": True})["items"]
    path = f"/alerts/{first['id']}/state"
    shown.ask(path, 422, "POST", json={"state": "noise"})
    shown.ask(path, 422, "POST", json={"state": "gone"})
    assert shown.ask("/alerts", params={"open": True})["items"][0] == first
    decided = shown.ask(
        path, 200, "POST", json={"state": "noise", "reason": "<b>shared</b>", "url": "https://x.test/1"}
    )
    assert (decided["alert"]["state"], decided["alert"]["open"]) == ("noise", False)
    shown.ask(f"/alerts/{second['id']}/link", 200, "POST", json={"url": "https://x.test/2"})
    shown.ask(f"/alerts/{second['id']}/link", 422, "POST", json={"url": "javascript:alert(1)"})
    assert [each["id"] for each in shown.ask("/alerts", params={"state": "noise"})["items"]] == [first["id"]]
    with shown.services.database.reading() as connection:
        record = [(each.action, each.detail) for each in audit.listed(connection, shown.project.id)]
    assert record == [
        ("link", f"{second['id']}: https://x.test/2"), ("link", f"{first['id']}: https://x.test/1"),
        ("triage", f"{first['id']}: noise"),
    ]  # fmt: skip
    events = [event for _, event in shown.services.store(shown.project).events()]
    stated = [(each["kind"], each.get("state", each.get("url")), each["who"]) for each in events]
    who = f"write of {shown.project.name}"
    assert sorted(stated)[-3:] == [
        ("link", "https://x.test/1", who), ("link", "https://x.test/2", who), ("state", "noise", who)
    ]  # fmt: skip


def test_a_comparison_copies_the_uploads_of_its_commits_alone(services, tmp_path):
    held = folder(tmp_path / "h")
    for number in range(5):
        add(held, number, {"Parse": [1.0 + number / 10, 1.0, 1.1, 1.2]})
    project = brought(services, held)
    shutil.rmtree(services.data / "copies")
    assert json.loads(comparisons._compared(services, project, commit(1), commit(3), None))["rows"]
    assert len(list((services.data / "copies").rglob("*.parquet"))) == 2


def test_comparisons_leave_room_for_others(shown, monkeypatch):
    monkeypatch.setattr(comparisons, "_PATIENCE", 0.1)
    # Both were measured on the same machine.
    words = {"base": "5b175825", "head": "91052ef0"}
    with comparisons._FREE, comparisons._FREE:
        assert shown.ask("/compare", 503, params=words)["code"] == "server-busy"
    shown.ask("/compare", 200, params=words)


def test_announcements(shown):
    body = {"commits": [commit(1)], "text": "Parse/* +5%..+15% checks the input"}
    assert shown.ask("/expectations", 201, "POST", json=body) == body
    for wrong in ({"text": "Parse"}, {"commits": []}, {"commits": ["a\0b"]}, {"text": "P +9%..+1% why"}):
        shown.ask("/expectations", 422, "POST", json=body | wrong)
    events = [event for _, event in shown.services.store(shown.project).events() if event["kind"] == "expect"]
    assert [(each["commits"], each["text"]) for each in events] == [(body["commits"], body["text"])]


def test_a_comparison_is_that_of_the_command(shown, run):
    old, new = "5b175825", "91052ef0"
    found = shown.ask("/compare", params={"base": old, "head": new})
    place = str(shown.held.path)
    command = json.loads(run("history", "compare", f"{old}..{new}", "--history", place, "-f", "json").out)
    assert found["labels"] == [old, new]
    assert found["rows"] == command["rows"]
    assert found["answer"] == command["answer"]
    assert str(shown.services.data) not in json.dumps(found)
    shown.ask("/compare", 404, params={"base": old, "head": "%%%%"})
    shown.ask("/compare", 422, params={"base": old, "head": old})
    shown.ask("/compare", 404, params={"base": old, "head": new, "branch": "none"})


def test_the_badge_is_that_of_the_command(shown, run, tmp_path):
    answer = shown.ask("/badge.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    target = tmp_path / "badge.svg"
    run("history", "badge", "-o", str(target), "--history", str(shown.held.path))
    assert answer.text == target.read_text()


def test_tokens_are_made_rotated_and_revoked(shown):
    admin = bearer(token(shown.services, shown.project, Role.ADMIN))

    def ask(method, path, status, **options):
        return shown.ask(path, status, method, headers=admin, **options)

    made = ask("POST", "/tokens", 201, json={"name": "ci", "role": "write", "days": 7})
    path = f"/tokens/{made['token']['id']}"
    shown.ask("", 200, headers=bearer(made["secret"]))
    fresh = ask("POST", f"{path}/rotate", 201)
    assert fresh["token"]["expires"] == made["token"]["expires"]
    shown.ask("", 401, headers=bearer(made["secret"]))
    shown.ask("", 200, headers=bearer(fresh["secret"]))
    ask("POST", f"{path}/rotate", 404)
    answer = shown.client.delete(f"/{shown.project.name}/tokens/{fresh['token']['id']}", headers=admin)
    assert answer.status_code == 204
    shown.ask("", 401, headers=bearer(fresh["secret"]))
    listed = ask("GET", "/tokens", 200)["items"]
    assert made["secret"] not in json.dumps(listed)
    assert fresh["secret"] not in json.dumps(listed)
    actions = [each["action"] for each in ask("GET", "/audit", 200)["items"]]
    assert actions == ["token-revoked", "token-rotated", "token-added"]
    assert ask("GET", "/audit", 200, params={"limit": 1})["next"] is not None
