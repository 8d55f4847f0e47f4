"""One issue for each alert of a history: opened when it is new, closed when its level returns or somebody decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history import wording
from statera.output.views import comment
from statera.output.views.tables import markdown as table
from statera.support.errors import Stop
from statera.support.http import Unsure
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.history.alerts import Alert, Part, State
    from statera.history.analysis import Analysis
    from statera.history.cases import Case
    from statera.output.forge.forge import Forge, Issue

_MOST_ROWS: Final = 20


class Done(NamedTuple):
    """What happened."""

    linked: list[tuple[Alert, Issue]]  # alerts that no link led from, each with its issue, which is new or was found
    closed: list[Issue]
    waiting: int  # how many alerts wait for the next time


def update(forge: Forge, analysis: Analysis, found: Iterable[Case], *, label: str, most: int) -> Done:
    """Open and close issues with a label, for alerts with what was decided about each; at most so many are opened.

    Raises ``Refused`` if the token may not, and ``Stop`` if the API does not answer.
    """
    author = forge.author().lower()
    known = [issue for issue in forge.issues(label) if issue.author.lower() == author]
    done, opened, waiting = Done([], [], 0), 0, 0
    for case in found:
        alert, state = case.alert, case.state
        # The id of an alert can change, when a benchmark is renamed or an older commit measured: its link stays.
        own = next((issue for issue in known if _is_of(issue, alert, state)), None)
        over = has_returned(alert)
        if own is not None and own.is_open and (over or not case.is_open):
            decided = f"Decided: {state.word}." if state.is_quiet else f"It is {case.word}."
            _close(forge, own, "The level returned." if over else decided)
            done.closed.append(own)
        if own is not None and not state.url:
            done.linked.append((alert, own))
        if own is None and alert.worse and not over and case.is_open and not state.url:
            if opened < most:
                done.linked.append((alert, _opened(forge, analysis, alert, label)))
                opened += 1
            else:
                waiting += 1
    return done._replace(waiting=waiting)


def mark(alert: Alert) -> str:
    """Return the hidden first line of the issue of an alert."""
    return f"<!-- statera alert {alert.id} -->\n"


def has_returned(alert: Alert) -> bool:
    """Return whether every change for the worse was undone by the next change of its series."""
    worse = [part for part in alert.parts if part.is_worse]
    return bool(worse) and all(map(_is_undone, worse))


def _is_undone(part: Part) -> bool:
    changes = part.track.changes
    after = changes.index(part.change) + 1
    return after < len(changes) and changes[after].returns


def _is_of(issue: Issue, alert: Alert, state: State) -> bool:
    return bool(state.url and issue.url == state.url) or issue.body.startswith(mark(alert))


def _close(forge: Forge, issue: Issue, why: str) -> None:
    try:
        forge.close_issue(issue, why)
    except Unsure as unsure:
        raise Stop("forge-failed", f"{unsure}; the issue is closed, and may lack the reason: {why}") from None


def _opened(forge: Forge, analysis: Analysis, alert: Alert, label: str) -> Issue:
    # A title cannot be escaped: it holds no name.
    title = f"Performance alert {alert.id}: {wording.counts(part for part in alert.parts if part.is_worse)}"
    try:
        return forge.open_issue(title, body(analysis, alert), label)
    except Unsure as unsure:
        raise Stop("forge-failed", f"{unsure}. Run the command again, which finds the issue if it is there") from None


def body(analysis: Analysis, alert: Alert) -> str:
    """Write the text of an issue."""
    rows = [["benchmark", "change", "interval"]]
    for part in alert.parts[:_MOST_ROWS]:
        cells = wording.size(part.track, part.change), wording.interval(part.track, part.change)
        rows.append([comment.name(part.track.name, in_table=True), *map(_native.markdown_text, cells)])
    more = len(alert.parts) - len(rows) + 1
    left = f"\nand {counted(more, 'more series', 'more series')}\n" if more > 0 else ""
    where = f"On {comment.name(alert.branch)}, at commit {comment.name(wording.commits(alert, analysis))}:"
    decide = f"`statera history ack {alert.id}` and `statera history ignore {alert.id}` state what is known."
    return f"{mark(alert)}{where}\n\n{table(rows)}{left}\n{decide}\n"
