"""``statera history show`` and ``points``: the series with their levels, and the alerts."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli import output
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    import argparse

    from statera.history.analysis import Analysis, Track

_LEAST, _MOST = 8, 48
# So many series are shown with all changes, if a benchmark is named.
_IN_FULL = 4
# What stands beside the sparkline of a row.
_BESIDE = 76


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    showing = verbs.add_parser(
        "show",
        help="show the series: course, level, noise and last change",
        description="Show the course, present level, noise and last change of each series. If BENCHMARK names a few "
        "series, show all of their changes.",
    )
    showing.add_argument("benchmark", nargs="?", metavar="BENCHMARK", help="a pattern of names (all)")
    showing.add_argument("--metric", metavar="NAME", help="only this metric (the primary ones)")
    shared.add_format(showing)
    shared.add_analysis(showing)
    showing.set_defaults(run=_show)
    points = verbs.add_parser(
        "points",
        help="list the changes of level, newest first",
        description="List the alerts: changes of level that begin at the same commits, newest first.",
    )
    points.add_argument("--all", action="store_true", help="also list decided and announced alerts")
    points.add_argument("--state", metavar="STATE", help="only alerts in this state: new, acknowledged, noise …")
    shared.add_format(points)
    shared.add_analysis(points)
    points.set_defaults(run=_points)


def _show(options: argparse.Namespace) -> int:
    from statera.history.check import gone as found_gone  # noqa: PLC0415
    from statera.history.check import sentence  # noqa: PLC0415
    from statera.history.documents import shown  # noqa: PLC0415
    from statera.support.files.csv_json import document  # noqa: PLC0415 - --help does without

    opened, analysis = shared.analysed(options)
    tracks = _chosen(analysis, options.benchmark, options.metric)
    if shared.is_json(options):
        output.write(document(shown(opened.about.project, analysis, tracks)), None)
        return 0
    if options.benchmark and len(tracks) <= _IN_FULL:
        output.write("\n".join(_one(analysis, track) for track in tracks), None)
        return 0
    gone = sentence(found_gone(analysis)) if not options.benchmark else ""
    output.write(_table(analysis, tracks) + (f"\n{gone}\n" if gone else ""), None)
    return 0


def _chosen(analysis: Analysis, benchmark: str | None, metric: str | None) -> list[Track]:
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.support.patterns import chosen  # noqa: PLC0415

    tracks = analysis.tracks
    if benchmark and (now := analysis.catalog.names.get(benchmark)):
        common.say(f"statera: {printable(benchmark)} is now called {printable(now)}")
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


def _table(analysis: Analysis, tracks: list[Track]) -> str:
    from statera.history import wording  # noqa: PLC0415 - --help does without
    from statera.history.job import lane_name  # noqa: PLC0415
    from statera.output.views.tables import aligned  # noqa: PLC0415

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
        level = wording.amount(track, wording.current_level(analysis, track))
        rows.append((*own, course, level, wording.noise(track), str(len(track.found)), _last(track)))
    told = sum(bool(track.changes) for track in tracks)
    summary = f"{counted(len(tracks), 'series', 'series')}, {told} with changes"
    return f"{summary}\n\n{aligned(rows, left=len(head) + 1)}"


def _last(track: Track) -> str:
    from statera.history import wording  # noqa: PLC0415 - --help does without

    if not track.changes:
        return "suspect" if track.suspect else "-"
    last = track.changes[-1]
    return f"{wording.size(track, last)} at {wording.short(track.order.commits[last.place])}"


def _one(analysis: Analysis, track: Track) -> str:
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.history import wording  # noqa: PLC0415
    from statera.output.views.tables import aligned  # noqa: PLC0415

    level = wording.amount(track, wording.current_level(analysis, track))
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
        old, new = wording.levels(analysis, track, change)
        first, last = wording.short(commits[change.first]), wording.short(commits[change.last])
        rows.append(
            (
                wording.short(commits[change.place]),
                first if first == last else f"{first}..{last}",
                wording.size(track, change) + (" (weak)" if change.weak else ""),
                wording.interval(track, change),
                wording.amount(track, old),
                wording.amount(track, new),
                "exact" if change.p is None else _p(change.p),
            )
        )
    text = "\n".join(lines) + (aligned(rows, left=2) if track.changes else "No change of level.\n")
    if track.spikes:
        places = track.positions(analysis.catalog)
        spiked = listed([wording.short(commits[places[at]]) for at, _ in track.spikes], 8)
        text += f"{counted(len(track.spikes), 'spike')}, after which the level returned: {spiked}\n"
    return text


def _p(p: float) -> str:
    from statera._native import p_value  # noqa: PLC0415 - --help does without

    return p_value(p)


def _points(options: argparse.Namespace) -> int:
    opened, analysis = shared.analysed(options)
    from statera.history import wording  # noqa: PLC0415
    from statera.history.alerts import STATES, alerts, expectations, state_of  # noqa: PLC0415
    from statera.history.documents import pointed  # noqa: PLC0415
    from statera.output.views.tables import aligned  # noqa: PLC0415
    from statera.support.files.csv_json import document  # noqa: PLC0415 - --help does without

    if options.state and options.state not in STATES:
        raise Stop("bad-option", f"--state {options.state}: the states are {', '.join(STATES)}")
    announced = expectations(analysis.catalog)
    found = [
        (alert, state_of(alert, analysis.orders[alert.branch], analysis.catalog, announced))
        for alert in alerts(analysis)
    ]
    shown = [
        (alert, state)
        for alert, state in found
        if (state.word == options.state if options.state else options.all or not state.is_quiet)
    ]
    if shared.is_json(options):
        output.write(document(pointed(opened.about.project, analysis, [alert for alert, _ in shown])), None)
        return 0
    hidden = len(found) - len(shown)
    rows = [("alert", "begins at", "what changed", "state")]
    rows += [
        (alert.id, wording.commits(alert, analysis), wording.headline(alert), wording.state(state))
        for alert, state in shown
    ]
    none = f"No alert is {options.state}.\n" if options.state else "No change of level.\n"
    text = aligned(rows, left=4) if shown else none
    if hidden and not options.state:
        text += f"{counted(hidden, 'alert')} not shown, because of what was decided; --all lists all\n"
    output.write(text, None)
    return 0
