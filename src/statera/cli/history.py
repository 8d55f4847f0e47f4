"""What ``statera history`` shows: series, changes, commits to measure, a badge, pages, a table, issues."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from statera._native import p_value, printable
from statera.cli import arguments, history_changes, history_place, output
from statera.history import documents, export, issues, site, wording
from statera.history.alerts import LINK, STATES, bisect, named
from statera.history.answers import Answers
from statera.history.cases import cases
from statera.history.check import ended, sentence, stopped, without_gone
from statera.history.check import gone as found_gone
from statera.history.checkout import FULL, here
from statera.history.documents import pointed, shown
from statera.history.job import lane_name
from statera.history.material import Fact, gather
from statera.history.site import rendering
from statera.output.forge.forge import here as this_run
from statera.output.views.tables import aligned
from statera.support import stages
from statera.support.errors import Stop
from statera.support.files.csv_json import document
from statera.support.http import Refused
from statera.support.patterns import chosen
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Bisection
    from statera.history.analysis import Analysis
    from statera.history.folder import Folder
    from statera.history.issues import Done
    from statera.history.track import Track

_LEAST, _MOST = 8, 48
# So many series are shown with all changes, if a benchmark is named.
_IN_FULL = 4
# What stands beside the sparkline of a row.
_BESIDE = 76


def show(options: argparse.Namespace) -> None:
    """Show the series."""
    opened, analysis = history_place.analysed(options)
    tracks = _chosen(analysis, options.benchmark, options.metric)
    if history_place.is_json(options):
        output.write(document(shown(opened.about.project, analysis, tracks)), None)
        return
    if options.benchmark and len(tracks) <= _IN_FULL:
        output.write("\n".join(_one(track) for track in tracks), None)
        return
    output.write("\n".join([_table(tracks), *([] if options.benchmark else _ended(analysis))]), None)


def _ended(analysis: Analysis) -> list[str]:
    """Say which series ended."""
    gone = found_gone(analysis)
    lines = (ended(without_gone(stopped(analysis), gone)), sentence(gone))
    return [f"{line}\n" for line in lines if line]


def _chosen(analysis: Analysis, benchmark: str | None, metric: str | None) -> list[Track]:
    tracks = analysis.tracks
    if benchmark and (now := analysis.catalog.names.get(benchmark)):
        arguments.say(f"statera: {printable(benchmark)} is now called {printable(now)}")
        benchmark = now
    if metric:
        taken = chosen([track.series.metric for track in tracks], [metric], "--metric")
        tracks = [track for track, is_taken in zip(tracks, taken, strict=True) if is_taken]
    else:
        tracks = [track for track in tracks if track.is_watched] or tracks
    if benchmark:
        taken = chosen([track.series.benchmark for track in tracks], [benchmark], "BENCHMARK")
        tracks = [track for track, is_taken in zip(tracks, taken, strict=True) if is_taken]
    return sorted(tracks, key=_key)


def _key(track: Track) -> tuple[str, str, str, object]:
    return track.name, track.series.metric, track.line.branch, track.line.lane


def _table(tracks: list[Track]) -> str:
    width = shutil.get_terminal_size().columns
    names = wording.names([track.name for track in tracks])
    bars = min(max(width - _BESIDE - max(map(len, names), default=0), _LEAST), _MOST)
    columns = {
        "metric": [track.series.metric for track in tracks],
        "branch": [track.line.branch for track in tracks],
        "machine": [lane_name(track.line.lane) for track in tracks],
    }
    differing = {name: wording.names(texts) for name, texts in columns.items() if len(set(texts)) > 1}
    head = ("benchmark", *differing)
    rows = [(*head, "course", "level", "noise", "jobs", "last change")]
    for track, *own in zip(tracks, names, *differing.values(), strict=True):
        course = wording.sparkline(track.found.values, bars)
        level = wording.amount(track, wording.current_level(track))
        rows.append((*own, course, level, wording.noise(track), str(len(track.found)), _last(track)))
    told = sum(bool(track.changes) for track in tracks)
    summary = f"{counted(len(tracks), 'series', 'series')}, {told} with changes"
    return f"{summary}\n\n{aligned(rows, left=len(head) + 1)}"


def _last(track: Track) -> str:
    if not track.changes:
        return "suspect" if track.suspect else "-"
    last = track.changes[-1]
    return f"{wording.size(track, last)} at {wording.short(track.order.commits[last.place])}"


def _one(track: Track) -> str:
    level = wording.amount(track, wording.current_level(track))
    names = (track.name, track.series.metric, track.line.branch)
    lines = [
        " · ".join((*map(printable, names), wording.lane(track))),
        wording.sparkline(track.found.values, min(shutil.get_terminal_size().columns - 2, 120)),
        (
            f"level {level}, noise {'unknown' if track.noise is None else wording.noise(track)}, "
            f"{counted(len(track.found), 'job')}"
        ),
        "",
    ]
    rows = [("change at", "may begin", "size", "interval", "from", "to", "p")]
    commits = track.order.commits
    for change in reversed(track.changes):
        old, new = wording.levels(track, change)
        rows.append(
            (
                wording.short(commits[change.place]),
                wording.began(track.order, change.first, change.last),
                wording.size(track, change) + (" (weak)" if change.weak else ""),
                wording.interval(track, change),
                wording.amount(track, old),
                wording.amount(track, new),
                "exact" if change.p is None else p_value(change.p),
            )
        )
    text = "\n".join(lines) + (aligned(rows, left=2) if track.changes else "No change of level.\n")
    if track.spikes:
        places = track.positions
        spiked = listed([wording.short(commits[places[at]]) for at, _ in track.spikes], 8)
        text += f"{counted(len(track.spikes), 'spike')}, after which the level returned: {spiked}\n"
    return text


def points(options: argparse.Namespace) -> None:
    """List the alerts."""
    opened, analysis = history_place.analysed(options)

    if options.state and options.state not in STATES:
        raise Stop("bad-option", f"--state {options.state}: the states are {', '.join(STATES)}")
    found = cases(analysis)
    shown = [
        case for case in found if (case.state.word == options.state if options.state else options.all or case.is_open)
    ]
    if history_place.is_json(options):
        output.write(document(pointed(opened.about.project, analysis, [case.alert for case in shown])), None)
        return
    hidden = len(found) - len(shown)
    rows = [("alert", "begins at", "what changed", "state")]
    rows += [
        (
            case.alert.id,
            wording.commits(case.alert, analysis),
            wording.headline(case.alert),
            wording.state(case.word, case.state.reason),
        )
        for case in shown
    ]
    none = f"No alert is {options.state}.\n" if options.state else "No change of level.\n"
    text = aligned(rows, left=4) if shown else none
    if hidden and not options.state:
        text += f"{counted(hidden, 'alert')} not shown, because of decisions or margins; --all lists all\n"
    output.write(text, None)


_ENDING = ".svg"


def list_commits(options: argparse.Namespace) -> None:
    """List the commits to measure to find the beginning of a change."""
    folder, analysis = history_place.analysed(options)
    alert = named(options.alert, analysis)
    found = bisect(alert, analysis)
    lines = [f"{wording.headline(alert)}, from {wording.commits(alert, analysis)}."]
    if not found.commits:
        measured = counted(found.measured, "commit")
        every = f"Every commit that it may begin at was measured ({measured}); more jobs of each would say which."
        lines.append("It begins at no other commit." if alert.first == alert.last else every)
        output.write("\n".join(lines) + "\n", None)
        return
    jobs = counted(found.jobs, "job")
    lines.append(f"{counted(len(found.commits), 'commit')} not measured; {jobs} of each tell on which side it is:")
    lines += [f"  {line}" for line in history_place.with_subjects(found.commits)]
    if options.experiment:
        lines += ["", "Measure them in this order, and ask again after each:"]
        lines += [f"  {command}" for command in _commands(options.experiment, found, folder.name)]
    output.write("\n".join(lines) + "\n", None)


def _commands(experiment: str, found: Bisection, place: str) -> list[str]:
    """Return the commands that measure the first commit in a checkout of its own."""
    commit = found.commits[0]
    if not FULL.fullmatch(commit):
        raise Stop("no-commit", f"{commit}: is not the name of a git commit, so no command can check it out")
    tree = f"../bisect-{commit[:12]}"
    folder = Path(place)
    history = quote(str(folder.resolve()) if folder.is_dir() else place)
    runs = [f"run-{number + 1}" for number in range(found.jobs)]
    return [
        f"git worktree add --detach {tree} {commit} && cd {tree}",
        *(f"statera run {quote(experiment)} -o {run} && statera history add {run} --history {history}" for run in runs),
    ]


def draw_badge(options: argparse.Namespace) -> None:
    """Draw the open alerts as a badge."""
    if not options.output.endswith(_ENDING):
        raise Stop("bad-option", f"-o {options.output}: the badge is an SVG. Name a file that ends with {_ENDING}")
    output.check(options.output)
    _, analysis = history_place.analysed(options)
    found = cases(analysis)
    open_ones = [case.alert for case in found if case.is_open]
    text = documents.badge([alert.worse > 0 for alert in open_ones])
    output.write(text, options.output)
    arguments.say(f"statera: {options.output}: {counted(len(open_ones), 'open alert')} of {len(found):,}")


def write_site(options: argparse.Namespace) -> None:
    """Write the history as pages."""
    target = Path(output.folder(options.output))
    rendering.check()
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    opened = history_place.folder(options, settings)
    url = options.commit_url or settings.history.commit_url
    answers = Answers(opened, "site", settings, url, options.branch, options.lane, target.resolve())
    if answers.last and answers.last["site"] == site.state(target):
        written = site.Written(answers.last["files"], 0, 0)
    else:
        held = history_place.catalog_of(opened, settings)
        analysis = history_place.analysis_of(options, settings, opened, held)
        written = site.write(gather(opened.about.project, analysis, _known(analysis), url), target)
        answers.keep(analysis, {"site": site.state(target), "files": written.files})
    removed = f", {counted(written.removed, 'file')} of earlier pages removed" if written.removed else ""
    files = counted(written.files, "file")
    arguments.say(f"statera: {target / 'index.html'}: {files}, {written.changed} of them written{removed}")


def _known(analysis: Analysis) -> dict[str, Fact]:
    """Return what the repository of the current folder knows of the commits of all branches."""
    repository = here()
    found: dict[str, Fact] = {}
    for order in analysis.orders.values() if repository else ():
        tip = order.commits[-1]
        if repository and repository.resolve(tip) == tip:
            found |= {each.sha: Fact(each.subject, each.committed) for each in repository.line(tip)}
    return found


_ENDINGS = (".parquet", ".csv")


def write_table(options: argparse.Namespace) -> None:
    """Write the history as a table."""
    ending = os.path.splitext(options.output or "")[1].lower()
    if options.output is not None and ending not in _ENDINGS:
        raise Stop("bad-option", f"-o {options.output}: the ending must be one of {', '.join(_ENDINGS)}")
    if options.raw_csv and ending != ".csv":
        raise Stop("bad-option", "--raw-csv only changes CSV. Name a file .csv with -o")
    output.check(options.output)
    folder = Path(output.folder(options.lake)) if options.output is None else None
    opened, analysis = history_place.analysed(options)
    if folder is None:
        written = export.write(options.output, analysis, opened.about.project, raw=options.raw_csv)
        arguments.say(f"statera: {printable(options.output)}: {counted(written.rows, 'row')}")
        return
    written = export.write_lake(folder, analysis, opened.about.project)
    removed = f", {counted(written.removed, 'file')} removed" if written.removed else ""
    files = f"{counted(written.files, 'file')}, {written.changed} of them written{removed}"
    arguments.say(f"statera: {printable(os.fspath(folder))}: {counted(written.rows, 'row')} in {files}")


def open_issues(options: argparse.Namespace) -> None:
    """Open an issue for each new alert, and close it when its level returns."""
    if not options.label or "," in options.label:
        raise Stop("bad-option", "--label takes one label without a comma")
    where = this_run()
    folder, analysis = history_place.analysed(options)
    if where.forge is None:
        arguments.say(f"statera: there is no token in {where.lacks}, so no issue is opened")
        return
    try:
        stages.enter("asking the forge")
        done = issues.update(where.forge, analysis, cases(analysis), label=options.label, most=options.most)
    except Refused as refused:
        arguments.say(f"statera: the token may not write issues ({refused})")
        return
    except (KeyError, TypeError, ValueError) as error:
        raise Stop("forge-failed", f"the API gave an unexpected answer ({error!r}). Check its address") from None
    _link(folder, analysis, done)


def _link(folder: Folder, analysis: Analysis, done: Done) -> None:
    """Record the pages of issues in the history, and say what happened."""
    for alert, issue in done.linked:
        history_changes.record(folder, analysis, alert, kind=LINK, url=issue.url)
        arguments.say(f"statera: alert {alert.id} is issue {issue.url}")
    for issue in done.closed:
        arguments.say(f"statera: closed {issue.url}")
    if done.waiting:
        arguments.say(
            f"statera: {counted(done.waiting, 'more alert waits', 'more alerts wait')} for the next time (--most)"
        )
