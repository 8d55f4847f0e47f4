"""What people decide about alerts on a server: events, as in a folder; an alert shows them at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from statera.history import job
from statera.history.alerts import EXPECT, LINK, QUIET, STATE, STATES, WITH_REASON, expectation
from statera.history.material import web
from statera.server import tables
from statera.server.histories import record
from statera.server.projects import hold
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from statera.server.projects import Project


def decide(connection: Connection, project: Project, alert: str, *, state: str, reason: str, who: str) -> None:
    """Give an alert a state, with a reason, which some states need.

    Raises ``Stop`` if there is no such alert or state, or a reason is missing.
    """
    if state not in STATES:
        raise Stop("bad-state", f"{state}: there is no such state. Write one of: {', '.join(STATES)}")
    if state in WITH_REASON and not reason.strip():
        raise Stop("bad-state", f"{state} needs a reason, so that others know why")
    about = _subject(connection, project, alert)
    own = (tables.alert.c.project_id == project.id, tables.alert.c.id == alert)
    document = json.loads(connection.execute(select(tables.alert.c.document).where(*own)).scalar_one())
    known = all(change["expected"] or change.get("below_margin") for change in document["changes"])
    event = {**about, "kind": STATE, "state": state, "reason": reason, **_signed(who)}
    record(connection, project.id, event)
    is_open = state not in QUIET and not known
    connection.execute(update(tables.alert).where(*own).values(state=state, is_open=is_open))


def link(connection: Connection, project: Project, alert: str, *, url: str, who: str) -> None:
    """Link an alert with the page of an issue. Raises ``Stop`` if there is no such alert, or it is not an address."""
    if not web(url):
        raise Stop("bad-state", f"{url}: write the address of a page, beginning with https://")
    about = _subject(connection, project, alert)
    record(connection, project.id, {**about, "kind": LINK, "url": url, **_signed(who)})


def expect(connection: Connection, project: Project, commits: Sequence[str], *, text: str, who: str) -> None:
    """Announce a change: ``PATTERN LOW..HIGH REASON`` for commits. Raises ``Stop`` if it is written in another way."""
    expectation(commits, text)
    event = {"kind": EXPECT, "commits": list(commits), "text": text, **_signed(who)}
    record(connection, project.id, event)


def _subject(connection: Connection, project: Project, alert: str) -> dict[str, Any]:
    """Return what an event about an alert names."""
    # An analysis may be about to replace the alert.
    hold(connection, project.id)
    wanted = select(tables.alert.c.subject).where(tables.alert.c.project_id == project.id, tables.alert.c.id == alert)
    text = connection.execute(wanted).scalar_one_or_none()
    if text is None:
        raise Stop("no-alert", f"{alert}: there is no such alert")
    found: dict[str, Any] = json.loads(text)
    return found


def _signed(who: str) -> dict[str, str]:
    return {"who": who, "when": job.now("milliseconds")}
