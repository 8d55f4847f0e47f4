"""Whole files of the site of a small history that has a change, another machine, a spike and a young series.

They are beside this file, under `whole`; pages without their markup. STATERA_ACCEPT=1 writes them; read the diff.
"""

import re
from html import unescape
from math import inf
from pathlib import Path
from types import SimpleNamespace

import histories as made
import pytest
from sites import make, steady, written

from statera.history import documents
from statera.history.alerts import Part, State
from statera.history.check import Told
from statera.history.material import courses, stretch
from statera.history.order import first_parents
from statera.history.series import Series
from statera.history.site.chart import STEPS, scale
from statera.history.site.pages import beyond
from statera.history.track import Change
from statera.history.verify import _wrong_content
from statera.support.environment import Origin, origin
from support import accepted

WHOLE = Path(__file__).with_name("whole")


def without_markup(page):
    """The words of a page, a line for each element that has some."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    lines = (re.sub(r"\s+", " ", line).strip() for line in re.sub(r"<[^>]*>", "\n", bare).splitlines())
    return "".join(unescape(line) + "\n" for line in lines if line)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("whole")
    slower, spike = steady(1e-3, (34, 1.5)), steady(2e-6, seed=2)
    series = {
        "Parse/size=1": slower,
        "Emit": lambda number: [spike(number) * (3 if number == 9 else 1), spike(number + 100)],
        "Young": lambda number: steady(5, seed=3)(number) if number > 56 else None,
        "Gone": lambda number: steady(7, seed=4)(number) if number < 20 else None,
    }
    facts = {"cpu": lambda number: "Xeon" if number < 54 else "Epyc", "subject": lambda number: f"Work <{number}>"}
    return written(make(place / "h", 60, series, **facts), place / "out", "https://example.com/c/{commit}")


def test_files_of_a_site(site):
    found = {str(path.relative_to(site.folder)): path for path in sorted(site.folder.rglob("*")) if path.is_file()}
    own = {name: path for name, path in found.items() if re.match(r"(alerts|series|lines)/|index|feed", name)}
    texts = [f"=== {Path(name).parent}{path.suffix}\n{shown(path)}" for name, path in own.items()]
    assert len(texts) > 8
    accepted(WHOLE / "site.txt", "".join(texts))


def shown(path):
    text = path.read_text()
    if path.suffix == ".html":
        charts = re.findall(r"<svg.*?</svg>\s*(?:<g.*?</svg>)?", text, flags=re.DOTALL)
        return without_markup(text) + "".join(f"{re.sub('><', '>|<', chart)}\n".replace("|", "\n") for chart in charts)
    return text.strip() + "\n"


def test_a_scale_has_the_unit_of_the_newest_level_and_counts_what_is_beyond(tmp_path):
    faster = written(make(tmp_path / "h", 60, {"Parse": steady(2e-3, (34, 0.25))}), tmp_path / "out")
    [track] = faster.material.analysis.tracks
    [course] = courses([stretch(track)], faster.material.following)
    assert [label.split()[1] for _, label in scale(course).ticks()] == ["µs"] * len(list(scale(course).ticks()))
    _, low, *_, high, _ = sorted(track.found.values)
    narrow = scale(course)._replace(low=low, high=high)
    assert [narrow.step(high), narrow.step(low)] == [0, STEPS]
    assert list(beyond(course, narrow)) == ["2 values beyond the scale: marks at its edge."]


def test_the_badge_counts_what_is_worse_or_else_what_changed():
    said = {(True, False, True): "2 worse", (False, False): "2 changed", (): "no open change"}
    assert [ones for ones, text in said.items() if text not in unescape(documents.badge(ones))] == []


def test_the_ci_says_where_results_come_from():
    github = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_SERVER_URL": "https://h",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_RUN_ID": "7",
        "GITHUB_SHA": "abc",
        "GITHUB_ACTOR": "me",
        "GITHUB_REF_NAME": "name",
    }
    page = "https://h/o/r/actions/runs/7"
    gitlab = {
        "GITLAB_CI": "true",
        "CI_PROJECT_PATH": "g/p",
        "CI_COMMIT_SHA": "abc",
        "CI_JOB_URL": "https://j",
        "GITLAB_USER_LOGIN": "me",
    }
    asked = [
        (github, Origin("o/r", "name", "abc", page, "me")),
        ({**github, "GITHUB_REF_TYPE": "tag"}, Origin("o/r", "", "abc", page, "me")),
        ({**github, "GITHUB_HEAD_REF": "topic"}, Origin("o/r", "topic", "abc", page, "me")),
        (gitlab, Origin("g/p", "", "abc", "https://j", "me")),
        ({**gitlab, "CI_COMMIT_BRANCH": "main"}, Origin("g/p", "main", "abc", "https://j", "me")),
        ({**gitlab, "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "mr"}, Origin("g/p", "mr", "abc", "https://j", "me")),
        ({"USER": "me", "GITHUB_SHA": "abc"}, Origin(who="me")),
        ({}, Origin()),
    ]
    assert [variables for variables, wanted in asked if origin(variables) != wanted] == []


def test_open_alerts_for_the_worse_stand_first_and_endless_changes_before_all():
    def told(*, is_open, better, size):
        series = Series("a", "time", "s", "time", better, None, "{}")
        change = Change(0, 0, 0, 0, size, size, size, is_ratio=True, p=None, returns=False, weak=False)
        part = Part(SimpleNamespace(series=series), change)
        return Told(part, None, State("new" if is_open else "fixed"), expected=False)

    ordered = [
        told(is_open=True, better="lower", size=inf),
        told(is_open=True, better="higher", size=-0.5),
        told(is_open=True, better="lower", size=0.1),
        told(is_open=True, better=None, size=9),
        told(is_open=True, better="higher", size=9),
        told(is_open=False, better="lower", size=9),
    ]
    backwards = ordered[::-1]
    assert sorted(backwards, key=lambda each: each.gravity) == ordered
    assert [each.part.word for each in ordered[2:5]] == ["slower", "changed", "higher"]


def test_jobs_state_the_first_parent_of_their_commit(tmp_path):
    alone = [made.job(2, parents=(made.commit(1), made.commit(9)), line=()), made.job(0, parents=(), line=())]
    assert first_parents(alone) == {made.commit(2): made.commit(1), made.commit(0): None}
    assert first_parents([made.job(2)]) == {made.commit(2): made.commit(1)}
    assert _wrong_content("a", tmp_path) == "it cannot be read: Is a directory"
