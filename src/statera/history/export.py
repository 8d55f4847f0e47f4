"""A history as a table: a row for each job and series, for other tools."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, suppress
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from statera import _native
from statera.history.alerts import alerts
from statera.history.documents import finite
from statera.history.job import lane_of, time_of
from statera.history.material import line_id, stretch
from statera.support import stages
from statera.support.files import outputs
from statera.support.files.csv_json import comma_separated
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.history.analysis import Analysis
    from statera.history.track import Change, Track

# The columns with their kinds: texts, whole numbers, numbers.
COLUMNS: Final = {
    "project": "t",
    "branch": "t",
    "commit": "t",
    "position": "w",
    "committed": "t",
    "started": "t",
    "lane": "t",
    "benchmark": "t",
    "metric": "t",
    "unit": "t",
    "factors": "t",
    "n": "w",
    "median": "n",
    "mad": "n",
    "least": "n",
    "largest": "n",
    "level": "n",
    "change": "n",
    "change_low": "n",
    "change_high": "n",
    "change_as": "t",
    "alert": "t",
    "job": "t",
    "series": "t",
}
# In a folder by project and month, the path says the project.
_IN_LAKE: Final = {name: kind for name, kind in COLUMNS.items() if name != "project"}
FILE: Final = "statera.parquet"
# The month of a job whose time nobody knows, as such folders call what is missing.
_NO_MONTH: Final = "__HIVE_DEFAULT_PARTITION__"
_ROWS: Final = 16_384

Row = tuple[str | int | float | None, ...]


class Written(NamedTuple):
    """How many rows and files there are, how many files differ from before, and how many were removed."""

    rows: int
    files: int = 1
    changed: int = 1
    removed: int = 0


class _Place(NamedTuple):
    """What the analysis knows of a value: its level, and what begins at it."""

    level: float
    change: Change | None
    alert: str | None


def write(target: str, analysis: Analysis, project: str, *, raw: bool = False) -> Written:
    """Write one file, Parquet or CSV by its ending; raw CSV keeps texts that a spreadsheet would run as formulas."""
    stages.enter("writing")
    count = 0
    with outputs.writing(target) as part, ExitStack() as closing:
        table = _Table(Path(part), COLUMNS) if target.lower().endswith(".parquet") else _Text(Path(part), raw=raw)
        closing.callback(table.close)
        rows = _rows(analysis)
        while together := [(project, *row) for _, row in islice(rows, _ROWS)]:
            table.write(together)
            count += len(together)
    return Written(count)


def write_lake(folder: Path, analysis: Analysis, project: str) -> Written:
    """Write a file for each month, in folders that say the project and the month; what is the same stays untouched."""
    stages.enter("writing")
    home = folder / f"project={quote(project, safe='')}"
    count = changed = 0
    try:
        with tempfile.TemporaryDirectory(prefix="statera-") as work:
            parts = _by_month(Path(work), _rows(analysis))
            for month, (part, rows) in parts.items():
                count += rows
                changed += _replaced(home / f"month={month}" / FILE, part.read_bytes())
        old = [path for path in home.glob(f"month=*/{FILE}") if path.parent.name.removeprefix("month=") not in parts]
        for path in old:
            path.unlink()
            with suppress(OSError):
                path.parent.rmdir()
    except OSError as error:
        raise outputs.failure(error.filename or home, error) from None
    return Written(count, len(parts), changed, len(old))


class _Table:
    """A Parquet file."""

    def __init__(self, path: Path, columns: dict[str, str]) -> None:
        self._export = _native.Export(path, list(columns.items()))

    def write(self, rows: Sequence[Row]) -> None:
        self._export.write(list(zip(*rows, strict=True)))

    def close(self) -> None:
        self._export.close()


class _Text:
    """A CSV file."""

    def __init__(self, path: Path, *, raw: bool) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._raw = raw
        self.write([tuple(COLUMNS)])

    def write(self, rows: Sequence[Row]) -> None:
        self._file.write(comma_separated(rows, raw=self._raw))

    def close(self) -> None:
        self._file.close()


def _by_month(work: Path, rows: Iterable[tuple[str, Row]]) -> dict[str, tuple[Path, int]]:
    """Write the rows of each month into a file of its own; return the files with their numbers of rows."""
    tables: dict[str, _Table] = {}
    waiting: dict[str, list[Row]] = {}
    counts: dict[str, int] = {}
    paths: dict[str, Path] = {}
    for month, row in rows:
        if month not in tables:
            paths[month] = work / f"{len(paths)}.parquet"
            paths[month].touch()
            tables[month], waiting[month], counts[month] = _Table(paths[month], _IN_LAKE), [], 0
        own = waiting[month]
        own.append(row)
        counts[month] += 1
        if len(own) == _ROWS:
            tables[month].write(own)
            own.clear()
    for month, table in tables.items():
        if waiting[month]:
            table.write(waiting[month])
        table.close()
    return {month: (paths[month], counts[month]) for month in sorted(paths)}


def _replaced(target: Path, content: bytes) -> bool:
    """Write a file unless it is the same already; return whether it was written."""
    with suppress(OSError):
        if target.read_bytes() == content:
            return False
    target.parent.mkdir(parents=True, exist_ok=True)
    outputs.write(target, content)
    return True


def _rows(analysis: Analysis) -> Iterator[tuple[str, Row]]:
    """Yield the rows without the project, each with its month: series after series, in the order of commits."""
    catalog = analysis.catalog
    keys = [key for key, _ in analysis.lines[0].lane]
    tracks: dict[str, list[Track]] = {}
    for track in analysis.tracks:
        tracks.setdefault(track.series.id, []).append(track)
    told = {
        (part.track.series.id, line_id(part.track.line), part.change.place): alert.id
        for alert in alerts(analysis)
        for part in alert.parts
    }
    order = sorted(range(len(catalog.series)), key=lambda number: (*map(str, catalog.series[number]), number))
    for number in order:
        series = catalog.series[number]
        places: dict[str, _Place] = {}
        for track in tracks.get(series.id, []) if catalog.native.held_by[number] == number else []:
            places |= _places(track, analysis, told)
        found = []
        for job, *summary in catalog.native.summaries(number):
            stored = catalog.jobs[job]
            branch = analysis.orders.get(stored.job.branch) if stored else None
            if stored and branch:
                found.append((stored, branch.position.get(stored.job.commit), summary))
        found.sort(key=lambda each: (each[0].job.branch, _last(each[1]), each[0].job.started, each[0].id))
        for stored, position, summary in found:
            when = time_of(stored)
            lane = " · ".join(value for _, value in lane_of(stored.job.environment, keys) if value)
            yield (
                f"{when:%Y-%m}" if when else _NO_MONTH,
                (
                    as_text(stored.job.branch),
                    as_text(stored.job.commit),
                    position,
                    as_text(stored.job.committed) or None,
                    as_text(stored.job.started) or None,
                    as_text(lane) or None,
                    series.benchmark,
                    series.metric,
                    series.unit,
                    series.factors,
                    *map(finite, summary),
                    *_analysed(places.get(stored.id)),
                    stored.id,
                    series.id,
                ),
            )


def _places(track: Track, analysis: Analysis, told: dict[tuple[str, str, int], str]) -> dict[str, _Place]:
    """Return what the analysis knows of each value of a series on a line, by its job."""
    own = stretch(track)
    jobs = track.jobs(analysis.catalog)
    # A change that was carried over from another machine begins with the first level.
    before = () if len(own.levels) == len(track.changes) else (None,)
    changes = (*before, *track.changes)
    found = {}
    for level, change in zip(own.levels, changes, strict=True):
        alert = told.get((track.series.id, line_id(track.line), change.place)) if change else None
        for at in range(level.begin, level.end):
            begins = at == level.begin
            found[jobs[at].id] = _Place(level.value, change if begins else None, alert if begins else None)
    return found


def _analysed(place: _Place | None) -> Row:
    if place is None:
        return None, None, None, None, None, None
    change = place.change
    if change is None:
        return finite(place.level), None, None, None, None, None
    sizes = map(finite, (change.size, change.low, change.high))
    return finite(place.level), *sizes, "share" if change.is_ratio else "difference", place.alert


def _last(position: int | None) -> float:
    return inf if position is None else position
