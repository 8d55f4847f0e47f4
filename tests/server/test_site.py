"""A server's pages are those of the static site, byte for byte."""

import json

import pytest
from clusters import both
from histories import FAILS, HALVED, NEW, THROUGHPUT, TIME, add, commit, failing, folder, suite
from serving import current, record, sent

from statera.history import catalog, site
from statera.history.analysis import analyse
from statera.history.material import gather
from statera.server import projects
from statera.server.analyst import analyse_one
from statera.support.settings.limits import Limits

LIMITS = Limits()


@pytest.fixture
def serving(services):
    """Give a function that brings what a folder has to the server, and returns its project."""

    def serve(held, *, analysed=True):
        database = services.database
        with database.writing() as connection:
            if not any(each.name == held.about.project for each in projects.listed(connection)):
                projects.create(connection, held.about)
            project = projects.named(connection, held.about.project)
        sent(services, project, held)
        store = services.store(project)
        for _, event in held.events():
            record(store, event)
        project = current(services, project.name)
        if analysed:
            analyse_one(database, project, services.data, LIMITS)
        return project

    return serve


def same(services, project, held):
    """Compare every file of the static site with what the server gives; return how many there are."""
    analysis = analyse(catalog.read(held, LIMITS), held.about.lane)
    files = site.files(gather(project.name, analysis, {}, ""))
    for path, written in files.items():
        found = services.renderer.content(project, path)
        assert found, path
        assert found.text == written(), path
    return len(files)


def test_of_the_example(services, serving, example):
    assert same(services, serving(example), example) > 90


def test_failures_are_judged_as_in_a_folder(services, serving, tmp_path):
    held = failing(tmp_path, FAILS, HALVED)
    assert same(services, serving(held), held) > 3


def two_machines(path, count):
    """A history of two series on two machines, with a change and an odd name."""
    held = folder(path)
    for number in range(count):
        level = 1.0 if number < 30 else 1.3
        values = {"Parse": [level + number % 7 / 100], "<b>'\"; drop table value": [level, level + 0.01]}
        machine = "old" if number < 44 else "new"
        add(held, number, values, environment={"cpu": machine, "runner": "r"})
    return held


def test_of_machines_that_follow_each_other_and_names_of_strangers(services, serving, tmp_path):
    held = two_machines(tmp_path / "h", 60)
    project = serving(held)
    assert same(services, project, held) > 10
    analysis = analyse(catalog.read(held, LIMITS), held.about.lane)
    assert any(track.changes for track in analysis.tracks)


def test_of_a_change_with_a_new_machine(services, serving, tmp_path):
    held = suite(tmp_path / "h", {"b3": 19}, after=20, noise=0.005)
    for number in range(40, 60):
        add(held, number, {"b3": [4e-3 * 0.8 * (1 + number % 5 / 1000)]}, environment=NEW)
    analysis = analyse(catalog.read(held, LIMITS), held.about.lane)
    [track] = [track for track in analysis.tracks if track.name == "b3" and track.line.jobs[0].job.commit == commit(20)]
    assert [(change.place, change.returns) for change in track.changes] == [(19, False), (40, True)]
    assert same(services, serving(held), held) > 30


def test_a_series_shows_a_job_at_once_and_the_first_page_after_the_analysis(services, serving, tmp_path):
    held = two_machines(tmp_path / "h", 40)
    project = serving(held)
    key = analyse(catalog.read(held, LIMITS), held.about.lane).tracks[0].series.id
    page, first = f"series/{key}.html", "index.html"
    before = {path: services.renderer.content(project, path).text for path in (page, first)}
    add(held, 40, {"Parse": [1.31]}, environment={"cpu": "old", "runner": "r"})
    project = serving(held, analysed=False)
    document = json.loads(services.renderer.content(project, page.replace("html", "json")).text)
    assert [len(track["values"]) for track in document["tracks"]] == [41]
    assert document["tracks"][0]["values"][-1] == 1.31
    assert services.renderer.content(project, page).text != before[page]
    assert services.renderer.content(project, first).text == before[first]
    serving(held)
    assert same(services, project, held)


@both
def test_of_a_renamed_benchmark_with_two_metrics(services, serving, tmp_path):
    held = folder(tmp_path / "h")
    for number in range(40):
        name = "Parse" if number < 20 else "Read" if number < 30 else "Load"
        for metric in (TIME, THROUGHPUT):
            add(held, number, {name: [1.0 + number % 7 / 100], "Sum": [2.0]}, metric)
    for at, (old, new) in enumerate((("Parse", "Read"), ("Read", "Load"))):
        held.record({"kind": "rename", "from": old, "to": new, "when": f"2026-02-0{at + 1}T00:00:00"})
    held.record({"kind": "state", "reason": 'not a "kind":"rename"', "from": "Sum", "to": "Load"})
    assert same(services, serving(held), held) > 8


def test_of_results_that_were_imported_in_portions(services, serving, tmp_path):
    held = folder(tmp_path / "h")
    for number in range(30):
        add(held, number, {"Parse": [1.0 + number % 7 / 100]}, line=(commit(number),))
    analysis = analyse(catalog.read(held, LIMITS), held.about.lane)
    assert len(analysis.orders["main"].unconnected) == 29
    assert same(services, serving(held), held) == 8
    held.record({"kind": "order", "commits": [commit(number) for number in range(29, -1, -1)], "when": "", "who": ""})
    assert same(services, serving(held), held) == 8
    assert len(analyse(catalog.read(held, LIMITS), held.about.lane).orders["main"].commits) == 30


def test_what_is_not_there(services, serving, tmp_path):
    project = serving(two_machines(tmp_path / "h", 12))
    for path in (
        "series/0123456789abcdef.html",
        "alerts/00000000.html",
        "../x",
        "series/",
        "",
        "index.html/..",
        "a.js",
    ):
        assert services.renderer.content(project, path) is None, path
    assert services.renderer.content(project, "site.css").media_type.startswith("text/css")


def test_a_reader_that_began_before_a_job_came_forgets_none(services, serving, tmp_path):
    held = two_machines(tmp_path / "h", 40)
    project = serving(held)
    key = analyse(catalog.read(held, LIMITS), held.about.lane).tracks[0].series.id
    with services.database.reading() as early:
        projects.named(early, project.name)
        add(held, 40, {"Parse": [1.31]}, environment={"cpu": "old", "runner": "r"})
        serving(held, analysed=False)
        services.renderer.content(project, f"series/{key}.html")
        known = services.renderer._jobs[project.id]
        assert len(known.stored) == 41
        assert len(services.renderer.catalog(early, project, key).held) == 41
        assert services.renderer._jobs[project.id] is known
