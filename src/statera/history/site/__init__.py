"""A history as pages that need no server: they are read from a disk, or from any host of files, below any address."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.history import documents
from statera.history.answers import state_of
from statera.history.documents import feed
from statera.history.material import courses, day, line_id, stretch
from statera.history.site import pages, rendering
from statera.support import stages
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from statera.history.material import Course, Material, Stretch
    from statera.history.track import Line

LIST: Final = "files.json"
_KEY: Final = "history-files/1"
# Whatever the list of a site says: nothing else in its folder can be its own.
_OWN: Final = re.compile(
    r"(series|alerts|lines)/[0-9a-f]{8,16}\.(html|json|js)|(index|feed|first|site|chart|overview)\.(html|json|js|css|xml)"
)


class OwnFiles:
    """The folder of a site while it is written."""

    def __init__(self, folder: Path, paths: Iterable[str]) -> None:
        """Claim the files that the site will have, whose paths are relative to the folder."""
        self.folder = folder
        self.written = 0  # how many files differed from what they are now
        self.removed = 0  # how many files were removed
        self._paths = sorted(paths)
        self._before = _listed(folder)
        strange = next((path for path in self._paths if path not in self._before and (folder / path).exists()), None)
        if strange:
            raise Stop(
                "cannot-write",
                f"{folder / strange}: this command did not write this file. Name another folder with -o",
            )
        try:
            for part in {(folder / path).parent for path in self._paths}:
                part.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise outputs.failure(error.filename or folder, error) from None
        # Files of a site whose writing is cut short are its own as well.
        self._record({*self._before, *self._paths})

    def write_all(self, contents: Iterable[tuple[str, str]]) -> None:
        """Write files; one that is the same already stays untouched."""
        outputs.forget(self.folder)
        self.written += outputs.renew(self.folder, ((path, text.encode()) for path, text in contents))
        self._remove()

    def _remove(self) -> None:
        """Remove the files of earlier pages, and list those that are left."""
        for path in sorted(self._before - set(self._paths)):
            with suppress(FileNotFoundError):
                (self.folder / path).unlink()
                self.removed += 1
        self._record(set(self._paths))

    def _record(self, paths: set[str]) -> None:
        text = json.dumps({"statera": _KEY, "files": sorted(paths)}, indent=1) + "\n"
        path = self.folder / LIST
        if not path.exists() or path.read_text("utf-8") != text:
            outputs.write(path, text)


def _listed(folder: Path) -> set[str]:
    """Return the files that an earlier site wrote."""
    path = folder / LIST
    try:
        document = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("statera") != _KEY:
        raise Stop(
            "cannot-write",
            f"{path}: it is not a list of the files of a site. Remove it, or name another folder with -o",
        )
    files = document.get("files")
    names = files if isinstance(files, list) else []
    return {name for name in names if isinstance(name, str) and _OWN.fullmatch(name)}


class Written(NamedTuple):
    """What became of a site: its files, how many of them are new or differ, and how many earlier ones were removed."""

    files: int
    changed: int
    removed: int


def state(folder: Path) -> str:
    """Return a text that differs if a file of a site was changed or removed; an empty one without a site."""
    try:
        return state_of([folder / LIST, *(folder / name for name in sorted(_listed(folder)))])
    except (OSError, Stop):
        return ""


def write(material: Material, folder: Path) -> Written:
    """Write a site to a folder, or bring one up to date; other files in the folder stay as they are."""
    stages.enter("writing")
    assets, made = rendering.assets(), files(material)
    own = OwnFiles(folder, [*assets, *made])
    own.write_all(chain(assets.items(), ((path, content()) for path, content in made.items())))
    return Written(len(assets) + len(made), own.written, own.removed)


def files(
    material: Material, metrics: Mapping[tuple[str, str], list[tuple[str, str]]] | None = None
) -> dict[str, Callable[[], str]]:
    """Return the files of a site by their paths, each with what writes it; the first page comes last.

    ``metrics`` has for each benchmark and its factors the metrics, each with the id of its series; by default those of
    the material.
    """
    of_series: dict[str, list[Stretch]] = {}
    for track in material.analysis.tracks:
        if len(track.found):
            of_series.setdefault(track.series.id, []).append(stretch(track))
    found: dict[str, Callable[[], str]] = {}
    for line in material.analysis.lines:
        found[f"lines/{line_id(line)}.json"] = partial(_json, documents.line, line, material)
        found[f"lines/{line_id(line)}.js"] = partial(_script, _jobs, line, material)
    others = _metrics(of_series) if metrics is None else metrics
    places: dict[int, tuple[Stretch, Course]] = {}
    for name, stretches in of_series.items():
        of_courses = courses(stretches, material.following)
        for course in of_courses:
            places |= {id(each.track): (each, course) for each in course.stretches}
        own = stretches[0].track.series
        beside = [(metric, other) for metric, other in others.get((own.benchmark, own.factors), []) if other != name]
        found[f"series/{name}.js"] = partial(_script, pages.chart_data, of_courses, name)
        found[f"series/{name}.json"] = partial(_json, documents.series, stretches, material)
        found[f"series/{name}.html"] = partial(pages.series_page, of_courses, beside, material)
    for case in material.cases:
        found[f"alerts/{case.alert.id}.json"] = partial(_json, documents.alert, case, material)
        found[f"alerts/{case.alert.id}.html"] = partial(pages.alert_page, case, places, material)
    found["feed.xml"] = partial(feed, material)
    found["index.json"] = partial(_json, documents.index, of_series.values(), material)
    found["index.html"] = partial(pages.overview_page, list(chain.from_iterable(of_series.values())), material)
    return found


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


def _json(document: Callable[..., dict[str, Any]], *words: object) -> str:
    return documents.text(document(*words))


def _script(data: Callable[..., dict[str, Any]], *words: object) -> str:
    """Write data as a script: from a disk, a browser loads scripts and nothing else."""
    return f"(self.stateraData ??= []).push({_json(data, *words).rstrip()});\n"
