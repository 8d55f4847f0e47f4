"""What the pages of a site are made of: the analysis, the alerts with what was decided, and facts about commits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from statera.history.alerts import alerts
from statera.history.site.courses import line_id, successors
from statera.history.states import decisions, expectations, is_expected, state_of
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis, Change, Track
    from statera.history.states import State

_WEB: Final = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_COMMIT: Final = "{commit}"


class Fact(NamedTuple):
    """What is known of a commit: the first line of its message, and when it was made, ISO 8601."""

    subject: str = ""
    committed: str = ""


class Case(NamedTuple):
    """An alert, what was decided about it, which of its changes were announced, and whether somebody has to look."""

    alert: Alert
    state: State
    events: list[dict[str, Any]]
    expected: frozenset[int]
    is_open: bool


class Material(NamedTuple):
    """What the pages of a site show.

    Attributes:
        project: the name of the project.
        analysis: the analysis.
        cases: the alerts, the newest first.
        alert_of: the alert of each change, by series, line and place.
        following: for each line the one of the machine that replaced it.
        facts: what is known of commits.
        commit_url: the page of a commit, with ``{commit}`` for its name; empty without one.

    """

    project: str
    analysis: Analysis
    cases: list[Case]
    alert_of: dict[tuple[str, str, int], Case]
    following: dict[str, str]
    facts: dict[str, Fact]
    commit_url: str

    def fact(self, commit: str) -> Fact:
        """Return what is known of a commit."""
        return self.facts.get(commit, Fact())

    def case(self, track: Track, change: Change) -> Case | None:
        """Return the alert of a change; None if changes of its series raise none."""
        return self.alert_of.get((track.series.id, line_id(track.line), change.place))

    def page_of(self, commit: str) -> str:
        """Return the address of the page of a commit; empty if there is none."""
        return self.commit_url.replace(_COMMIT, quote(commit, safe=""))


def gather(project: str, analysis: Analysis, known: Mapping[str, Fact], commit_url: str) -> Material:
    """Return the material of a site.

    Args:
        project: the name of the project.
        analysis: the analysis.
        known: what a repository knows of commits; jobs know the commits that they measured.
        commit_url: the page of a commit, with ``{commit}`` for its name; empty without one.

    Raises:
        Stop: the address is none.

    """
    if commit_url and not (web(commit_url) and _COMMIT in commit_url):
        raise Stop(
            "bad-option",
            f"{commit_url}: write the address of a commit's page with {_COMMIT} in the place of its name, such as "
            f"https://github.com/OWNER/NAME/commit/{_COMMIT}",
        )
    announced = expectations(analysis.catalog)
    cases = []
    alert_of = {}
    for alert in alerts(analysis):
        order = analysis.orders[alert.branch]
        state = state_of(alert, order, analysis.catalog, announced)
        expected = frozenset(n for n, part in enumerate(alert.parts) if is_expected(part, order, announced))
        is_open = not state.is_quiet and len(expected) < len(alert.parts)
        case = Case(alert, state, decisions(alert, order, analysis.catalog), expected, is_open)
        cases.append(case)
        for part in alert.parts:
            alert_of[part.track.series.id, line_id(part.track.line), part.change.place] = case
    facts = {each.job.commit: Fact(each.job.subject, each.job.committed) for each in analysis.catalog.held}
    return Material(project, analysis, cases, alert_of, successors(analysis), {**facts, **known}, commit_url)


def web(url: str) -> str:
    """Return an address if a browser may follow it: of the web, without blanks; otherwise an empty text."""
    return url if _WEB.fullmatch(url) else ""


def day(*moments: str) -> str:
    """Return the day of the first moment that is one (ISO 8601); empty if none is."""
    return next((found[0] for moment in moments if (found := _DAY.match(moment))), "")
