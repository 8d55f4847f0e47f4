"""All jobs and series of a history, without the values of the jobs, under the names that benchmarks have now.

What a benchmark was called before counts for the name that it has now. The last word on each name counts. To rename a
name to itself takes its renaming back.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera import _native
from statera.history import kept as keeping
from statera.history.job import Stored, from_json
from statera.history.series import Series
from statera.support import stages
from statera.support.errors import Problem, Stop
from statera.support.wording import counted, form

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from statera.support.settings.limits import Limits

_ROWS: Final = 100_000_000
# How often uploads are read again, because others took their place.
_READINGS: Final = 10
RENAME: Final = "rename"
_WILD: Final = frozenset("*?[]")
Events = list[tuple[str, dict[str, Any]]]


class Readable(Protocol):
    """A place whose history is read."""

    def uploads(self) -> list[tuple[str, Path]]:
        """Return the hash and the file of each upload, in the order of the hashes."""

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events with their hashes, in the order of these."""

    def lost(self) -> list[Path]:
        """Return the files that it had and that are gone, without those that others replaced."""


class Catalog(NamedTuple):
    """What a history holds."""

    read: _native.Catalog  # the summaries of the values, under the names that the files have for benchmarks
    native: _native.Catalog  # the same, under the names that count
    jobs: list[Stored | None]  # the jobs by their numbers; None for one that counts already, from another file
    series: list[Series]  # the series by their numbers
    files: list[Path]  # the files of the uploads, by number
    problems: list[Problem]  # files that cannot be read or are gone
    events: Events  # what was decided about alerts, with the hash of each event
    names: dict[str, str]  # the present names of benchmarks that were renamed, by their former ones
    kept: keeping.Kept | None = None  # where results of the analysis are kept; None if nowhere

    @property
    def held(self) -> list[Stored]:
        """Return the jobs, each once."""
        return [each for each in self.jobs if each]


def most(limits: Limits) -> tuple[int, int]:
    """Return how many bytes and rows an upload may hold."""
    return limits.bytes, min(limits.values, _ROWS)


def read(folder: Readable, limits: Limits, kept: keeping.Kept | None = None) -> Catalog:
    """Read the jobs and summaries of all uploads; with ``kept``, only those that it does not have."""
    stages.enter("reading")
    files, native = _read(folder, limits, kept)
    jobs: list[Stored | None] = []
    why = dict(native.refused)
    seen: set[str] = set()
    for number, (path, text) in enumerate(zip(files, native.jobs, strict=True)):
        if number in why:
            continue
        try:
            listed = from_json(text, path.name)
        except Stop as stop:
            why[number] = str(stop)
            # It is a list: the compiled part has counted it.
            jobs += [None] * len(json.loads(text))
            continue
        for place, (id_, job) in enumerate(listed):
            stored = Stored(id_ or path.stem, job, number, place)
            jobs.append(None if stored.id in seen else stored)
            seen.add(stored.id)
    problems = [
        Problem("bad-upload", str(files[number]), 0, what, "remove it, or restore it from another copy of the history")
        for number, what in sorted(why.items())
    ]
    problems += [
        Problem("bad-upload", str(path), 0, "it is missing", "restore it from another copy of the history")
        for path in folder.lost()
    ]
    return assembled(native, jobs, files, problems, folder.events())._replace(kept=kept)


def series_of(native: _native.Catalog) -> list[Series]:
    """Return the series of summaries, under the names that their files have for benchmarks."""
    return [Series(*each) for each in native.series]


def _read(folder: Readable, limits: Limits, kept: keeping.Kept | None) -> tuple[list[Path], _native.Catalog]:
    """Read the uploads. Those that another command replaced by a merged file meanwhile are read from that one."""
    for _ in range(_READINGS):
        # A job that stands in two files, because a command was killed between writing one and removing the other,
        # counts once: no list of what was replaced is needed.
        files = [path for _, path in folder.uploads()]
        native = _native_of(files, limits, kept)
        if all(files[number].exists() for number, _ in native.refused):
            break
    return files, native


def _native_of(files: list[Path], limits: Limits, kept: keeping.Kept | None) -> _native.Catalog:
    if kept is None or not kept.is_own:
        return _native.Catalog.read(files, most(limits))
    native, now = _native.Catalog.read_again(files, most(limits), kept.path(keeping.UPLOADS), kept.version)
    kept.write(keeping.UPLOADS, now)
    return native


def names_now(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Return for each name that is no longer used the name that counts, in the order of the renamings."""
    then: dict[str, str] = {}
    for _, old, new in _renamings(events):
        # A name that something gets ends where it is: thus no renaming leads round in a circle.
        then.pop(new, None)
        if old != new:
            then[old] = new
    return {name: now for name in then if (now := _end(name, then)) != name}


def assembled(
    read: _native.Catalog, jobs: list[Stored | None], files: list[Path], problems: list[Problem], events: Events
) -> Catalog:
    """Put together what a history holds; the values of renamed benchmarks count for their new names.

    A series keeps the id that it had under its first name, so that what was decided about it, and its page, stay.
    """
    names = names_now(events)
    if not names:
        return Catalog(read, read, jobs, series_of(read), files, problems, events, names)
    # Of a job that has values under several names, those under the newest count.
    native = read.renamed([(old, names[old]) for old in reversed(names)])
    series = series_of(native)
    order = _first_mentions(events)
    held_by = native.held_by
    parts: dict[int, list[Series]] = {}
    for number, each in enumerate(series):
        if each.benchmark in names or each.benchmark in names.values():
            parts.setdefault(held_by[number], []).append(each)
    ids: dict[str, str] = {}
    for number, own in parts.items():
        now = series[number].benchmark
        called = [name for name in order if names.get(name) == now]
        measured = min(own, key=lambda each: order[each.benchmark])
        series[number] = series[number].called(now, called, measured.id)
        ids |= {series[number].under(name).id: measured.id for name in (*called, now)}
    now_events = [(hash_, _with_ids(event, ids)) for hash_, event in events]
    return Catalog(read, native, jobs, series, files, problems, now_events, names)


def renaming(catalog: Catalog, old: str, new: str) -> dict[str, Any]:
    """Return the event that renames a benchmark, without who and why."""
    known = {each.benchmark for each in catalog.series} | {*catalog.names, *catalog.names.values()}
    for name in (old, new):
        if name not in known and set(name) & _WILD:
            raise Stop("bad-option", f"{name}: renaming takes no patterns. Name one benchmark after the other")
    if not new:
        raise Stop("bad-option", "the new name is empty. Name what the benchmark is called now")
    if old not in known:
        raise Stop("no-benchmark", f"{old}: the history has no such benchmark; statera history show lists all")
    if old == new and old not in catalog.names:
        raise Stop("bad-option", f"{old}: both names are the same, and nothing renamed this benchmark")
    if old != new and (now := catalog.names.get(old)) is not None and now != new:
        raise Stop(
            "no-benchmark",
            f"{old}: is called {now}. Rename that one, or take this back first: statera history rename '{old}' '{old}'",
        )
    # Two renamings within a second have an order, too.
    event = {"kind": RENAME, "from": old, "to": new, "when": datetime.now(tz=UTC).isoformat()}
    _refuse_both(catalog, event)
    return event


def doubled(catalog: Catalog) -> str:
    """Say which values of renamed benchmarks are left out; an empty text if none are."""
    found = catalog.native.doubled
    if not found:
        return ""
    job, series = found[0]
    old = catalog.series[series].benchmark
    jobs = len({number for number, _ in found})
    commit = _commit(catalog, job)
    return (
        f"{counted(jobs, 'job')} {form(jobs, 'has', 'have')} values of {old} and of {catalog.names.get(old, old)}, "
        f"which it is called now, the first of commit {commit}: those of {old} are left out; "
        f"statera history rename '{old}' '{old}' tells them apart"
    )


def _refuse_both(catalog: Catalog, event: dict[str, Any]) -> None:
    if event["from"] == event["to"]:
        return
    events = [*catalog.events, ("", event)]
    after = assembled(catalog.read, catalog.jobs, catalog.files, catalog.problems, events)
    new = sorted({*after.native.doubled} - {*catalog.native.doubled})
    if new:
        jobs = counted(len({job for job, _ in new}), "job")
        commit = _commit(catalog, new[0][0])
        raise Stop(
            "both-measured",
            f"{event['from']} and {event['to']}: {jobs} measured both, the first that of commit {commit}: these are "
            "two benchmarks. Check the names",
        )


def _commit(catalog: Catalog, job: int) -> str:
    stored = catalog.jobs[job]
    return stored.job.commit[:12] if stored else "unknown"


def _renamings(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, str, str]]:
    """Return when, old and new name of each renaming, the oldest first."""
    found = []
    for hash_, event in events:
        old, new = event.get("from"), event.get("to")
        if event.get("kind") == RENAME and isinstance(old, str) and isinstance(new, str) and new:
            found.append((str(event.get("when", "")), hash_, old, new))
    return [(when, old, new) for when, _, old, new in sorted(found)]


def _end(name: str, then: Mapping[str, str]) -> str:
    while name in then:
        name = then[name]
    return name


def _first_mentions(events: Events) -> dict[str, int]:
    mentioned = dict.fromkeys(name for _, old, new in _renamings(events) for name in (old, new))
    return {name: number for number, name in enumerate(mentioned)}


def _with_ids(event: dict[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    """Return an event with the ids that its series have now."""
    stated: Sequence[Any] | None = event.get("series") if isinstance(event.get("series"), list) else None
    if not stated:
        return event
    return {**event, "series": [ids.get(each, each) if isinstance(each, str) else each for each in stated]}


def refuse_changed_units(folder: Readable, upload: Path, limits: Limits) -> None:
    """Refuse an upload with a series that the history knows in other units only. No values are read, only summaries."""
    held = read(folder, limits)
    refuse_other_units(held.series, series_of(_native.Catalog.read([upload], most(limits))), held.names)


def refuse_other_units(known: Iterable[Series], added: Iterable[Series], names: dict[str, str]) -> None:
    """Refuse series that are known in other units only; ``names`` has the present names of renamed benchmarks."""
    of_work: dict[tuple[str, str, str], set[str]] = {}
    for each in known:
        of_work.setdefault(_work(each, names), set()).add(each.unit)
    changed = [each for each in added if each.unit not in of_work.get(_work(each, names), {each.unit})]
    if changed:
        first = changed[0]
        others = _list(of_work[_work(first, names)])
        what = f"{_native.printable(first.benchmark)}, {_native.printable(first.metric)}"
        more = f" ({counted(len(changed), 'series', 'series')} in all)" if len(changed) > 1 else ""
        raise Stop(
            "other-unit",
            f"{what}: the results have the unit {_list([first.unit])}, and the history {others}{more}: values of two "
            "units have no common level. Convert the results, or accept new series with --new-unit",
        )


def _work(series: Series, names: dict[str, str]) -> tuple[str, str, str]:
    return names.get(series.benchmark, series.benchmark), series.metric, series.factors


def _list(units: Iterable[str]) -> str:
    return " and ".join(_native.printable(unit) or "none" for unit in sorted(units))
