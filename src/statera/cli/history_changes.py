"""What changes a history: results, decisions, names, and the care for its files."""

from __future__ import annotations

import getpass
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statera._native import printable
from statera.cli import arguments, ending, history_place
from statera.history import batch, branch, catalog, checkout, job, place, remote, sync, upload
from statera.history.alerts import EXPECT, LINK, STATE, event_on, expectation, named
from statera.history.analysis import analyse
from statera.history.batch import Wanted
from statera.history.catalog import renaming
from statera.history.checkout import FULL, here
from statera.history.compact import compact
from statera.history.job import lane_name, lane_of
from statera.history.upload import Stated, project_of
from statera.history.verify import verify
from statera.history.wording import short
from statera.reading import observations
from statera.reading.store.named import resolved
from statera.support import stages
from statera.support.environment import origin
from statera.support.errors import Stop
from statera.support.wording import counted, form, listed

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis
    from statera.history.batch import Imported
    from statera.history.branch import Branch
    from statera.history.compact import Compacted
    from statera.history.folder import Folder
    from statera.history.upload import Added
    from statera.reading.observations import Observations
    from statera.support.settings.file import Settings
    from statera.support.settings.limits import Limits


def add(options: argparse.Namespace) -> int:
    """Add the results of one job."""
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    stated = _stated(options, settings.history.project, settings.history.branch)
    where = history_place.place(options, settings)
    pushed = _branch_of(where) if options.push else None
    inputs, _ = resolved([(None, word) for word in options.inputs])
    read = arguments.with_columns(
        lambda roles: observations.read(
            [path for _, path in inputs], format=options.format, columns=roles, limits=settings.limits
        ),
        options,
        settings,
    )
    if len(read) == 0:
        raise observations.nothing_read(read)
    stages.enter("adding")
    repository = checkout.here()
    project = project_of(stated.project, repository, origin())
    folder, new = place.receiver(where, project)
    if remote.is_remote(where) and stated.project is None:
        # The address names the project.
        stated = stated._replace(project=folder.about.project)
    with place.used(folder, new=new):
        added = upload.add(
            folder,
            read,
            stated,
            repository,
            variant=options.variant,
            new_unit=options.new_unit,
            limits=settings.limits,
        )
    if new:
        arguments.say(f"statera: a new history of {project} in {folder.name}")
    history_place.say_left_out(read)
    for remark in added.remarks:
        arguments.say(f"statera: {remark}")
    arguments.say(_added(added, folder.about.lane, folder.name))
    if pushed:
        _synced(pushed, settings.limits)
    return arguments.left_out(options, read)


def _added(added: Added, lane: tuple[str, ...], name: str) -> str:
    job = added.job
    what = f"{counted(added.series, 'series', 'series')} of commit {short(job.commit)} on {job.branch}"
    machine = lane_name(lane_of(job.environment, lane))
    if not added.new:
        return f"statera: {name} has these results already: {what} ({machine})"
    return f"statera: added {what} ({machine}) to {name}"


def _stated(options: argparse.Namespace, project: str, branch: str) -> Stated:
    line = _line(options.line) if options.line else None
    return Stated(
        project=options.project or project or None,
        branch=options.branch or branch or None,
        commit=options.commit or (line[0] if line else None),
        line=line,
        started=_time(options.started) if options.started else None,
        url=options.url,
        environment=history_place.facts(options.environment),
        foreign=options.foreign,
    )


def _line(name: str) -> tuple[str, ...]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop("missing-file", f"--line {name}: {error}") from None
    commits = tuple(text.split())
    if not commits:
        raise Stop("bad-option", f"--line {name}: it names no commit; git rev-list --first-parent COMMIT writes them")
    return commits


def _time(text: str) -> str:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Stop("bad-option", f"--started {text}: write ISO 8601, such as 2026-11-21T08:00:00+00:00") from None
    return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC).isoformat(timespec="seconds")


def import_results(options: argparse.Namespace) -> int:
    """Add the results of many commits."""
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    read = arguments.with_columns(
        lambda roles: observations.read(options.inputs, format=options.format, columns=roles, limits=settings.limits),
        options,
        settings,
    )
    if len(read) == 0:
        raise observations.nothing_read(read)
    where, found = _brought(options, settings, read)
    history_place.say_left_out(read)
    for line in _imported(found, where):
        arguments.say(f"statera: {line}")
    return arguments.left_out(options, read)


def _brought(options: argparse.Namespace, settings: Settings, read: Observations) -> tuple[str, Imported]:
    repository = checkout.here()
    project = options.project or settings.history.project
    where = place.place_of(options.history, settings.history)
    folder, new = place.opened_or_made(where, project_of(project, repository, origin()))
    stated = Stated(
        project=project or None,
        branch=options.branch,
        url=options.url,
        environment=history_place.facts(options.environment),
    )
    wanted = Wanted(options.variant, tuple(options.within), tuple(options.pool))
    with place.used(folder, new=new):
        brought = batch.bring(folder, read, stated, wanted, repository, branch=settings.history.branch)
    if new:
        arguments.say(f"statera: a new history of {folder.about.project} in {folder.name}")
    return folder.name, brought


def _imported(found: Imported, place: str) -> list[str]:
    jobs = counted(found.jobs, "job")
    what = f"{jobs} of {counted(found.commits, 'commit')} on {listed(found.branches)}"
    known = found.jobs - found.new
    news = (
        f"imported {what} into {place}"
        if not known
        else f"{what}: {found.new:,} imported into {place}, {known:,} known"
    )
    lines = [news, f"the order of the commits comes from {found.order}"]
    if found.other:
        jobs = f"{counted(found.other, 'job')} {form(found.other, 'is', 'are')}"
        lines.append(f"{jobs} known with other values, which count beside the new ones")
    if found.unknown:
        lines.append(
            f"{counted(found.unknown, 'commit')} unknown to the repository: nothing connects "
            f"{form(found.unknown, 'it', 'them')} with the others"
        )
    if found.mended:
        lines.append("this order also connects jobs that the history had before")
    if found.apart:
        lines.append(
            f"{counted(found.apart, 'commit')} of the history: neither dates nor commits say where "
            f"{form(found.apart, 'it stands', 'they stand')} among these. Import the results of all commits together"
        )
    if found.without_commit:
        lines.append(f"{counted(found.without_commit, 'value')} without a commit left out")
    if found.of_commits:
        keys = listed(found.of_commits)
        lines.append(
            f"{keys} {form(len(found.of_commits), 'has', 'have')} one value at each commit, and each value has "
            f"separate series. --pool {found.of_commits[0]} joins them"
        )
    return lines


def ack(options: argparse.Namespace) -> None:
    """Acknowledge an alert."""
    _state(options, "acknowledged", options.reason)


def ignore(options: argparse.Namespace) -> None:
    """Close an alert."""
    if not options.reason.strip():
        raise Stop("bad-option", "--reason is empty. Say why nothing is to be done")
    _state(options, options.word, options.reason)


def _state(options: argparse.Namespace, word: str, reason: str) -> None:
    folder, analysis, alert = _alert(options)
    record(folder, analysis, alert, kind=STATE, state=word, reason=reason)
    arguments.say(f"statera: alert {alert.id} is {word}")


def link(options: argparse.Namespace) -> None:
    """Link an alert to a page."""
    if not options.url.startswith(("https://", "http://")):
        raise Stop("bad-option", f"{options.url}: write the address of a page, beginning with https://")
    folder, analysis, alert = _alert(options)
    record(folder, analysis, alert, kind=LINK, url=options.url)
    arguments.say(f"statera: alert {alert.id} is linked with {options.url}")


def expect(options: argparse.Namespace) -> None:
    """Announce a change."""
    commits = _commits(options.commit)
    expectation(commits, options.text)
    folder = history_place.folder(options, arguments.reading(options))
    event = {"kind": EXPECT, "commits": commits, "text": options.text, "who": _who(), "when": job.now("milliseconds")}
    folder.record(event)
    arguments.say(f"statera: announced for {options.commit}: {options.text}")


def rename(options: argparse.Namespace) -> None:
    """Record that a benchmark has another name."""
    folder, held = history_place.read(options, arguments.reading(options))
    event = renaming(held, options.old, options.new)
    folder.record({**event, "reason": options.reason, "who": _who()})
    old, new = printable(options.old), printable(options.new)
    taken_back = f"{old} has its own name again, and nothing else belongs to it"
    arguments.say(
        f"statera: {taken_back if old == new else f'{old} is now called {new}; its series continue under this name'}"
    )


def _commits(name: str) -> list[str]:
    """Return the full names of a commit, or of those after FIRST up to LAST, with FIRST."""
    repository = here()
    first, dots, last = name.partition("..")
    found = [repository.resolve(each) if repository else None for each in ([first, last] if dots else [first])]
    if not dots and (found[0] or FULL.fullmatch(name)):
        return [found[0] or name]
    if not repository or None in found:
        raise Stop("no-commit", f"{name}: the repository of this folder has no such commit. Write its full name")
    line = [commit.sha for commit in repository.line(str(found[1]))]
    if found[0] not in line:
        raise Stop("no-commit", f"{name}: {first} is not on the first-parent line of {last}")
    return line[: line.index(str(found[0])) + 1]


def _alert(options: argparse.Namespace) -> tuple[Folder, Analysis, Alert]:
    folder, analysis = history_place.analysed(options)
    return folder, analysis, named(options.alert, analysis)


def record(folder: Folder, analysis: Analysis, alert: Alert, **words: Any) -> None:
    """Record an event about an alert."""
    event = event_on(alert, analysis.orders[alert.branch], **words, who=_who(), when=job.now("milliseconds"))
    folder.record(event)


def _who() -> str:
    try:
        return origin().who or getpass.getuser()
    except (OSError, KeyError):
        return ""


def _branch_of(place: str) -> Branch:
    """Return the branch of a history. Raises ``Stop`` if the place is a folder."""
    if found := branch.found(place):
        return found
    raise Stop("bad-option", f"{place}: is a folder, and only a history in a branch is pushed. Name one as git:BRANCH")


def _synced(branch: Branch, limits: Limits) -> None:
    """Fetch and push, and report it. Raises ``Stop`` if fetching or pushing fails."""
    stages.enter("fetching and pushing")
    done = sync.sync(branch, limits)
    for problem in done.refused:
        arguments.say(f"statera: refused: {problem}")
    arguments.say(f"statera: {branch.place}: {sync.words(done)}")


def sync_branch(options: argparse.Namespace) -> None:
    """Fetch and push a history in a branch."""
    settings = arguments.reading(options)
    _synced(_branch_of(history_place.place(options, settings)), settings.limits)


_MOST_DAYS = 36_500


def verify_files(options: argparse.Namespace) -> int:
    """Check every file of a history."""
    settings = arguments.reading(options)
    folder = history_place.folder(options, settings)
    repository = checkout.here()
    commits = folder.commits() if repository else ()
    found = verify(folder, settings.limits, repository.first_parents(commits) if repository else None)
    history_place.say_orders(found.orders)
    if found.files and not folder.is_listed:
        arguments.say(
            f"statera: {folder.name}: this copy has no list of its files, so nothing can say whether one is missing. "
            "The next file that is added makes the list"
        )
    for problem in found.problems:
        arguments.say(f"  {problem}")
    wrong = f"{counted(len(found.problems), 'problem')}" if found.problems else "nothing is wrong"
    arguments.say(
        f"statera: {folder.name}: {counted(found.files, 'file')} with {counted(found.jobs, 'job')} checked, {wrong}"
    )
    return ending.COULD_NOT if found.problems else 0


def compact_months(options: argparse.Namespace) -> None:
    """Merge the uploads of past months."""
    refuse_older(options.older)
    settings = arguments.reading(options)
    folder = history_place.folder(options, settings)
    held = catalog.read(folder, settings.limits)
    repository = checkout.here()
    parents = repository.first_parents({each.job.commit for each in held.held}) if repository else {}
    analysis = analyse(held, folder.about.lane, parents=parents)
    history_place.say_orders(analysis.orders)
    done = compact(folder, analysis, settings.limits, options.older, dry=options.dry_run)
    for problem in held.problems:
        arguments.say(f"statera: not merged: {problem}")
    say_compacted(folder.name, done, options)


def refuse_older(days: int) -> None:
    """Refuse a number of days that is negative or too large."""
    if not 0 <= days <= _MOST_DAYS:
        raise Stop("bad-option", f"--older takes a number of days up to {_MOST_DAYS}, not {days}")


def say_compacted(name: str, done: Compacted, options: argparse.Namespace) -> None:
    """Say what was merged, or would be."""
    for problem in done.problems:
        arguments.say(f"statera: not merged: {problem}")
    would = " would be" if options.dry_run else ""
    if done.replaced:
        months = f" ({', '.join(done.months)})" if done.months else ""
        arguments.say(
            f"statera: {name}: {counted(len(done.replaced), 'upload')}{would} replaced by "
            f"{counted(len(done.months), 'merged file')}{months}"
        )
    else:
        arguments.say(f"statera: {name}: nothing to merge in months that ended {counted(options.older, 'day')} ago")
