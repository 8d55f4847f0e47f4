"""The form that decides about an alert. It works without scripts."""

import re
from functools import partial
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Form, Request
from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from statera.history.alerts import STATES, WITH_REASON
from statera.history.material import web
from statera.server import audit, rendered, tables, triage
from statera.server.access import Role
from statera.server.browser import frame
from statera.server.browser.route import PageRoute
from statera.server.browser.visitor import Visitor, readable, refuse_foreign, refuse_unproved, visitor
from statera.server.projects import Project
from statera.support.wording import conjoined

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_MEANINGS: Final = {
    "new": "nobody looked at it yet",
    "acknowledged": "somebody knows of it",
    "fixed": "a later commit repairs it",
    "wontfix": "it stays as it is",
    "noise": "the program did not change",
    "expected": "it was made on purpose",
}
_ALERT: Final = re.compile(r"[0-9a-f]{8}")
_LONGEST: Final = 2000
# How long a decision waits for the analysis, so that the page shows it, in seconds.
_PATIENCE: Final = 3.0


class _Filled(NamedTuple):
    """What somebody wrote into the form."""

    state: str
    reason: str
    url: str


def panel(
    who: Visitor,
    project: Project,
    alert: str,
    *,
    saved: bool = False,
    filled: _Filled | None = None,
    problems: dict[str, str] | None = None,
) -> str:
    """Return the form for whoever may decide; nothing for others.

    Args:
        who: the visitor.
        project: the project.
        alert: the id of the alert.
        saved: whether a decision was made right now.
        filled: what was written into the form and not taken.
        problems: what is wrong with it, by field.

    """
    current = _state(who, project, alert)
    if current is None or not who.may(project, Role.WRITE):
        return ""
    written = filled or _Filled(current, "", "")
    return frame.rendered(
        "decide.html.j2",
        address=f"/p/{project.name}/alerts/{alert}.html",
        proof=who.proof,
        states=[(word, _MEANINGS[word]) for word in STATES],
        chosen=written.state,
        reason=written.reason,
        url=written.url,
        current=current,
        saved=saved,
        waits=saved and project.changed > project.analysed,
        problems={"state": "", "reason": "", "url": "", **(problems or {})},
        needing=conjoined(sorted(WITH_REASON)).capitalize(),
        longest=_LONGEST,
    )


@ROUTER.post("/p/{name}/alerts/{alert}.html")
def decide(
    request: Request,
    name: str,
    alert: str,
    *,
    proof: Annotated[str, Form(max_length=200)] = "",
    state: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=_LONGEST)] = "",
    url: Annotated[str, Form(max_length=_LONGEST)] = "",
) -> Response:
    """Take a decision, and show the page again."""
    who = visitor(request)
    project = readable(who, name)
    refuse_foreign(request, who.services)
    refuse_unproved(who, proof)
    if not who.may(project, Role.WRITE):
        raise HTTPException(403, "The token of this login may read, and not decide.")
    filled = _Filled(state, reason.strip(), url.strip())
    current = _state(who, project, alert)
    page = None if current is None else who.services.renderer.content(project, f"alerts/{alert}.html")
    if current is None or page is None:
        raise HTTPException(404, "There is no such alert any more.")
    wrong = _wrong(filled, current)
    if wrong:
        html = frame.with_panel(page.text, panel(who, project, alert, filled=filled, problems=wrong))
        html = html.replace("<title>", "<title>Not saved: ", 1)
        return frame.page(request, who, html, status=422, of_project=True)
    _record(who, project, alert, filled, current)
    rendered.caught_up(who.services.database, project.id, _PATIENCE)
    return RedirectResponse(f"/p/{project.name}/alerts/{alert}.html?saved=true#decide", 303)


def _wrong(filled: _Filled, current: str) -> dict[str, str]:
    """Say what is wrong, by field."""
    found = {}
    if filled.state not in STATES:
        found["state"] = "Choose a state."
    elif filled == (current, "", ""):
        found["state"] = "Choose another state, or write a reason or the address of an issue."
    if filled.state in WITH_REASON and filled.state != current and not filled.reason:
        found["reason"] = f"Write why: others will ask why it is {filled.state}."
    if filled.url and not web(filled.url):
        found["url"] = "Write the address of a page, beginning with https://"
    return found


def _record(who: Visitor, project: Project, alert: str, filled: _Filled, current: str) -> None:
    """Write down what was decided, and who did it, together."""
    database = who.services.database
    noted = partial(audit.note, identity=who.identity, project_id=project.id, address=who.address)
    with database.writing() as connection:
        if filled.state != current or filled.reason:
            words = {"state": filled.state, "reason": filled.reason}
            triage.decide(database, connection, project, alert, **words, who=who.who)
            noted(connection, "triage", detail=f"{alert}: {filled.state}")
        if filled.url:
            triage.link(database, connection, project, alert, url=filled.url, who=who.who)
            noted(connection, "link", detail=f"{alert}: {filled.url}")


def _state(who: Visitor, project: Project, alert: str) -> str | None:
    if not _ALERT.fullmatch(alert):
        return None
    columns = tables.alert.c
    wanted = select(columns.state).where(columns.project_id == project.id, columns.id == alert)
    with who.services.database.reading() as connection:
        found: str | None = connection.execute(wanted).scalar_one_or_none()
    return found
