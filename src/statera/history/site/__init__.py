"""A history as pages that need no server: they are read from a disk, or from any host of files, below any address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native, stages
from statera.history.site import alert_page, documents, overview_page, rendering, series_page
from statera.history.site.courses import courses, line_id, stretch
from statera.history.site.feed import feed
from statera.history.site.material import day
from statera.history.site.own_files import OwnFiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from statera.history.analysis import Line
    from statera.history.site.courses import Course, Stretch
    from statera.history.site.material import Material

_PAGES = ("index.html", "index.json", "feed.xml")


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
    of_series: dict[str, list[Stretch]] = {}
    for track in material.analysis.tracks:
        if len(track.found):
            of_series.setdefault(track.series.id, []).append(stretch(track, material.analysis))
    assets = rendering.assets()
    paths = [*_PAGES, *assets]
    paths += [f"series/{name}.{ending}" for name in of_series for ending in ("html", "json", "js")]
    paths += [f"alerts/{case.alert.id}.{ending}" for case in material.cases for ending in ("html", "json")]
    paths += [f"lines/{line_id(line)}.{ending}" for line in material.analysis.lines for ending in ("json", "js")]
    files = OwnFiles(folder, paths)
    files.write_all(_contents(of_series, assets, material))
    return Written(len(paths), files.written, files.removed)


def _contents(
    of_series: dict[str, list[Stretch]], assets: dict[str, str], material: Material
) -> Iterator[tuple[str, str]]:
    """Yield the files; the first page comes last, when all that it leads to is there."""
    yield from assets.items()
    for line in material.analysis.lines:
        yield f"lines/{line_id(line)}.json", _json(documents.line(line, material))
        yield f"lines/{line_id(line)}.js", _script(_jobs(line, material))
    others = _metrics(of_series)
    places: dict[int, tuple[Stretch, Course]] = {}
    for name, stretches in of_series.items():
        of_courses = courses(stretches, material.following)
        for course in of_courses:
            places |= {id(each.track): (each, course) for each in course.stretches}
        own = stretches[0].track.series
        beside = [(metric, other) for metric, other in others[own.benchmark, own.factors] if other != name]
        yield f"series/{name}.js", _script(series_page.data(of_courses, name))
        yield f"series/{name}.json", _json(documents.series(stretches, material))
        yield f"series/{name}.html", series_page.page(of_courses, beside, material)
    for case in material.cases:
        yield f"alerts/{case.alert.id}.json", _json(documents.alert(case, material))
        yield f"alerts/{case.alert.id}.html", alert_page.page(case, places, material)
    yield "feed.xml", feed(material)
    yield "index.json", _json(documents.index(of_series.values(), material))
    yield "index.html", overview_page.page((each for found in of_series.values() for each in found), material)


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
