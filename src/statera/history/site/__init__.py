"""A history as pages that need no server: they are read from a disk, or from any host of files, below any address."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.history.site import alert_page, documents, overview_page, rendering, series_page
from statera.history.site.courses import courses, line_id, stretch
from statera.history.site.feed import feed
from statera.history.site.material import day
from statera.history.site.own_files import OwnFiles
from statera.support import stages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from statera.history.analysis import Line
    from statera.history.site.courses import Course, Stretch
    from statera.history.site.material import Case, Material


class Written(NamedTuple):
    """What became of a site: its files, how many of them are new or differ, and how many earlier ones were removed."""

    files: int
    changed: int
    removed: int


def write(material: Material, folder: Path) -> Written:
    """Write a site, or bring one up to date.

    Args:
        material: what it shows.
        folder: where it stands; other files in it stay as they are.

    Raises:
        Stop: a file cannot be written, or one of these names is not of a site.

    """
    stages.enter("writing")
    assets, made = rendering.assets(), files(material)
    own = OwnFiles(folder, [*assets, *made])
    own.write_all(chain(assets.items(), ((path, content()) for path, content in made.items())))
    return Written(len(assets) + len(made), own.written, own.removed)


def files(
    material: Material, metrics: Mapping[tuple[str, str], list[tuple[str, str]]] | None = None
) -> dict[str, Callable[[], str]]:
    """Return the files of a site by their paths, each with what writes it; the first page comes last.

    Args:
        material: what it shows.
        metrics: for each benchmark and its factors the metrics, each with the id of its series; None for those of the
            material.

    """
    of_series: dict[str, list[Stretch]] = {}
    for track in material.analysis.tracks:
        if len(track.found):
            of_series.setdefault(track.series.id, []).append(stretch(track, material.analysis))
    found: dict[str, Callable[[], str]] = {}
    for line in material.analysis.lines:
        found[f"lines/{line_id(line)}.json"] = partial(_of_line, line, material)
        found[f"lines/{line_id(line)}.js"] = partial(_jobs_of_line, line, material)
    others = _metrics(of_series) if metrics is None else metrics
    places: dict[int, tuple[Stretch, Course]] = {}
    for name, stretches in of_series.items():
        of_courses = courses(stretches, material.following)
        for course in of_courses:
            places |= {id(each.track): (each, course) for each in course.stretches}
        own = stretches[0].track.series
        beside = [(metric, other) for metric, other in others.get((own.benchmark, own.factors), []) if other != name]
        found[f"series/{name}.js"] = partial(_data, of_courses, name)
        found[f"series/{name}.json"] = partial(_of_series, stretches, material)
        found[f"series/{name}.html"] = partial(series_page.page, of_courses, beside, material)
    for case in material.cases:
        found[f"alerts/{case.alert.id}.json"] = partial(_of_alert, case, material)
        found[f"alerts/{case.alert.id}.html"] = partial(alert_page.page, case, places, material)
    found["feed.xml"] = partial(feed, material)
    found["index.json"] = partial(_index, of_series, material)
    found["index.html"] = partial(_first_page, of_series, material)
    return found


def _of_line(line: Line, material: Material) -> str:
    return _json(documents.line(line, material))


def _jobs_of_line(line: Line, material: Material) -> str:
    return _script(_jobs(line, material))


def _data(of_courses: list[Course], name: str) -> str:
    return _script(series_page.data(of_courses, name))


def _of_series(stretches: list[Stretch], material: Material) -> str:
    return _json(documents.series(stretches, material))


def _of_alert(case: Case, material: Material) -> str:
    return _json(documents.alert(case, material))


def _index(of_series: dict[str, list[Stretch]], material: Material) -> str:
    return _json(documents.index(of_series.values(), material))


def _first_page(of_series: dict[str, list[Stretch]], material: Material) -> str:
    return overview_page.page((each for found in of_series.values() for each in found), material)


def _metrics(of_series: dict[str, list[Stretch]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return for each benchmark its metrics, each with the id of the series."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, stretches in of_series.items():
        own = stretches[0].track.series
        found.setdefault((own.benchmark, own.factors), []).append((own.metric, name))
    return {key: sorted(metrics) for key, metrics in found.items()}


def _jobs(line: Line, material: Material) -> dict[str, Sequence[Any] | str]:
    """Return what the script of the charts shows of the jobs of a line, as columns."""
    document = documents.line(line, material)
    jobs = document["jobs"]
    return {
        "line": document["id"],
        "position": [job["position"] for job in jobs],
        "commit": [_native.printable(job["commit"]) for job in jobs],
        "page": [material.page_of(job["commit"]) for job in jobs] if material.commit_url else [],
        "subject": [_native.printable(job["subject"]) for job in jobs],
        "day": [day(job["committed"], job["started"]) for job in jobs],
        "run": [job["url"] for job in jobs] if any(job["url"] for job in jobs) else [],
    }


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, allow_nan=False, separators=(",", ":")) + "\n"


def _script(data: dict[str, Any]) -> str:
    """Write data as a script: from a disk, a browser loads scripts and nothing else."""
    return f"(self.stateraData ??= []).push({_json(data).rstrip()});\n"
