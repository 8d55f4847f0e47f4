"""What other programs read has every number of the analysis, and is JSON or Atom whatever the names are."""

import json
import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest
from sites import commit, job_of, make, steady, written

from statera.history import folder, upload, wording
from statera.history.material import day, gather, line_id, web
from statera.reading import observations
from statera.support.errors import Stop
from support import ROOT

ATOM = "{http://www.w3.org/2005/Atom}"
NAME = "a]]><b>&amp;\x07\u202e"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site")
    series = {"Parse": steady(1e-3, (40, 1.1)), "Emit": steady(2e-6, (40, 1.2), seed=2), "Calm": steady(5, seed=3)}
    made = make(place / "h", 80, series)
    return written(made, place / "out", "https://example.com/c/{commit}")


def read(site, name):
    return json.loads((site.folder / name).read_text())


def text_of(path):
    return unescape(re.sub(r"<[^>]*>", " ", path.read_text()))


def test_a_document_of_a_series_has_its_values_and_changes(site):
    for track in site.material.analysis.tracks:
        document = read(site, f"series/{track.series.id}.json")
        [found] = document["tracks"]
        assert document["benchmark"] == track.series.benchmark
        assert found["values"] == track.found.values
        assert found["positions"] == track.positions
        assert found["noise"] == track.noise
        assert found["level"] == wording.current_level(track)
        assert len(found["changes"]) == len(track.changes)
        for stated, change in zip(found["changes"], track.changes, strict=True):
            names = ("size", "low", "high", "p", "returns", "weak")
            assert [stated[name] for name in names] == [getattr(change, name) for name in names]
            assert stated["commit"] == track.order.commits[change.place]
            assert [stated["from"], stated["to"]] == list(wording.levels(track, change))


def test_an_alert_has_one_page_for_all_its_series(site):
    [case] = site.material.cases
    document = read(site, f"alerts/{case.alert.id}.json")
    assert [each["benchmark"] for each in document["changes"]] == ["Emit", "Parse"]
    assert document["commits"][-1] == {
        "commit": commit(40),
        "subject": "Tidy the parser",
        "committed": "2026-02-13T08:00:00+00:00",
    }
    page = text_of(site.folder / f"alerts/{case.alert.id}.html")
    assert "How to find the commit" not in page
    assert wording.headline(case.alert) in page
    assert "Nobody decided about it yet." in page


def test_what_finds_the_commit_of_an_alert_depends_on_what_was_measured(tmp_path):
    for every in (1, 4):
        value = steady(1e-3, (70 * every, 1.03))
        series = {"Parse": lambda number, every=every, value=value: None if number % every else value(number)}
        site = written(make(tmp_path / f"h{every}", 100 * every, series), tmp_path / f"out{every}")
        [case] = site.material.cases
        page = (site.folder / f"alerts/{case.alert.id}.html").read_text()
        assert (f"statera history bisect {case.alert.id}" in page) == (every > 1)
        assert ("More jobs of each would say which." in page) == (every == 1)


def test_long_names_stay_short_and_apart_in_sentences_and_on_the_first_page(tmp_path):
    names = [f"{'x' * 5000}{end}" for end in "ab"]
    site = written(make(tmp_path / "h", 60, {name: steady(1e-3, (40, 1.3)) for name in names}), tmp_path / "out")
    [case] = site.material.cases
    assert len(wording.headline(case.alert)) < 100
    assert len(set(wording.names(names))) == len(names)


def test_the_index_leads_to_every_page(site):
    index = read(site, "index.json")
    for each in (*index["series"], *index["alerts"]):
        assert (site.folder / each["page"]).is_file()
        assert read(site, each["document"])["id"] == each["id"]
    assert [each["id"] for each in index["lines"]] == [line_id(line) for line in site.material.analysis.lines]
    jobs = read(site, index["lines"][0]["document"])["jobs"]
    assert [job["commit"] for job in jobs] == [commit(number) for number in range(80)]


def test_a_decision_is_on_the_page_and_closes_the_alert(tmp_path):
    made = make(tmp_path / "h", 60, {"Parse": steady(1e-3, (40, 1.3))})
    [case] = written(made, tmp_path / "out").material.cases
    event = {"branch": "main", "commits": [commit(40)], "series": [case.alert.parts[0].track.series.id]}
    made.record(
        {**event, "kind": "state", "state": "wontfix", "reason": "worth it", "who": "ann", "when": "2026-05-01"}
    )
    made.record({**event, "kind": "link", "url": "javascript:alert(1)", "who": "eve", "when": "2026-05-02"})
    site = written(made, tmp_path / "out")
    page = (site.folder / f"alerts/{case.alert.id}.html").read_text()
    assert "worth it" in page
    assert "javascript" not in page
    assert "Nothing is open in 1 series." in text_of(site.folder / "index.html")
    assert [each["state"] for each in read(site, f"alerts/{case.alert.id}.json")["decisions"]] == ["wontfix", ""]


def test_exact_values_have_an_exact_change(tmp_path):
    made = folder.create(tmp_path / "h", folder.About("acme/parser"))
    results = tmp_path / "results.txt"
    for number in range(30):
        results.write_text(f"BenchmarkParse 1000 {64 if number < 20 else 80} B/op\n" * 2)
        upload.store(made, observations.read([str(results)]), ["{}"], job_of(number))
    site = written(made, tmp_path / "out")
    [track] = site.material.analysis.tracks
    page = text_of(site.folder / f"series/{track.series.id}.html")
    assert "every commit with another value is a change" in page
    assert re.search(r"\+25\.0%\s+exact\s+64 B\s+80 B\s+exact", page)


def test_every_key_of_the_documents_is_described(site):
    page = (ROOT / "docs/history/site.md").read_text()
    described = set(re.findall(r"`([a-z_]+)`", page))
    documents = [read(site, str(path.relative_to(site.folder))) for path in site.folder.rglob("*.json")]
    assert len(documents) == 7
    assert set().union(*map(keys, documents)) <= described | {"cpu", "runner"}


def keys(value):
    if isinstance(value, list):
        return set().union(*map(keys, value)) if value else set()
    return set(value).union(*map(keys, value.values())) if isinstance(value, dict) else set()


def test_changes_of_secondary_metrics_are_shown_and_raise_no_alert(tmp_path):
    made = folder.create(tmp_path / "h", folder.About("acme/parser"))
    value_of = steady(1e-3, (40, 1.3))
    for number in range(80):
        value = value_of(number)
        rows = ["benchmark,metric,unit,value,traits", f"a,time,s,{value},", f"a,aside,s,{value * 2},secondary"]
        (tmp_path / "out.csv").write_text("\n".join(rows) + "\n")
        results = observations.read([tmp_path / "out.csv"])
        upload.store(made, results, ["{}"] * len(results.contexts), job_of(number))
    found = written(made, tmp_path / "out", "")
    alerts = {}
    for track in found.material.analysis.tracks:
        document = read(found, f"series/{track.series.id}.json")
        alerts[track.series.metric] = [change["alert"] for change in document["tracks"][0]["changes"]]
    assert [len(ids) for ids in alerts.values()] == [1, 1]
    assert alerts["time"][0] is not None
    assert alerts["aside"] == [None]


@pytest.fixture
def history(tmp_path):
    return make(tmp_path / "h", 60, {NAME: steady(1e-3, (40, 1.3))})


def entries(site):
    return ET.parse(site.folder / "feed.xml").getroot().iter(f"{ATOM}entry")  # noqa: S314 - our own


def test_an_entry_is_an_alert_and_changes_with_its_decisions(history, tmp_path):
    site = written(history, tmp_path / "out")
    [case] = site.material.cases
    [entry] = entries(site)
    assert "a]]><b>&amp;" in entry.findtext(f"{ATOM}title")
    assert entry.find(f"{ATOM}link").get("href") == f"alerts/{case.alert.id}.html"
    raised = case.alert.raised
    assert entry.findtext(f"{ATOM}updated") == f"2026-{1 + raised // 28:02}-{1 + raised % 28:02}T08:00:00+00:00"
    event = {"branch": "main", "commits": [commit(40)], "series": [case.alert.parts[0].track.series.id]}
    history.record({**event, "kind": "state", "state": "fixed", "when": "2027-01-01T12:00:00+02:00"})
    [entry] = entries(written(history, tmp_path / "out"))
    assert entry.findtext(f"{ATOM}updated") == "2027-01-01T10:00:00+00:00"
    assert entry.find(f"{ATOM}category").get("term") == "fixed"


def test_an_address_of_commits_is_of_the_web_and_names_the_commit(site):
    for url in ("javascript:{commit}", "https://example.com/", "https://a b/{commit}", "file:///{commit}"):
        with pytest.raises(Stop, match="write the address of a commit's page"):
            gather("p", site.material.analysis, {}, url)


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
