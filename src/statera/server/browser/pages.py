"""Projects, the pages and settings of one, and the form that decides about an alert. It works without scripts."""

import re
from functools import partial
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from statera.history.alerts import STATES, WITH_REASON
from statera.history.material import web
from statera.history.site import rendering
from statera.server import audit, margins, projects, tables, triage
from statera.server.access import Role
from statera.server.browser import frame
from statera.server.browser.frame import PageRoute
from statera.server.browser.session import Denied, Visitor, readable, refuse_foreign, refuse_unproved, visitor
from statera.server.projects import Project
from statera.support.errors import Stop
from statera.support.wording import conjoined

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_LONGEST_MARGINS: Final = 100_000


@ROUTER.api_route("/p/{name}/settings", methods=["GET", "HEAD"])
def show_settings(request: Request, name: str, *, saved: bool = False) -> Response:
    """Show the margins of a project."""
    who = visitor(request)
    project = readable(who, name)
    return _settings(request, who, project, margins.to_text(project.margins), saved=saved)


@ROUTER.post("/p/{name}/settings")
def change_settings(
    request: Request,
    name: str,
    *,
    proof: Annotated[str, Form(max_length=200)] = "",
    stated: Annotated[str, Form(max_length=_LONGEST_MARGINS, alias="margins")] = "",
) -> Response:
    """Take the margins, and show them again."""
    who = visitor(request)
    project = readable(who, name)
    refuse_foreign(request, who.services)
    refuse_unproved(who, proof)
    if not who.may(project, Role.ADMIN):
        raise HTTPException(403, "The token of this login may not change the settings.")
    try:
        found = margins.from_text(stated, project.name)
        with who.services.database.writing() as connection:
            changed = projects.change(connection, project.name, margins=found)
            noted = partial(audit.note, identity=who.identity, project_id=project.id, address=who.address)
            noted(connection, "project-changed", detail=f"margins {margins.in_line(changed.margins)}")
    except Stop as stop:
        if stop.code != margins.CODE:
            raise
        return _settings(request, who, project, stated, problem=str(stop))
    return RedirectResponse(f"/p/{project.name}/settings?saved=true", 303)


def _settings(
    request: Request, who: Visitor, project: Project, text: str, *, saved: bool = False, problem: str = ""
) -> Response:
    return frame.own(
        request,
        who,
        "settings.html.j2",
        422 if problem else 200,
        title=f"{'Not saved: s' if problem else 'S'}ettings of {project.name}",
        project=project.name,
        margins=rendering.lines(text),
        rows=max(text.count("\n") + 2, 5),
        may=who.may(project, Role.ADMIN),
        proof=who.proof,
        saved=saved,
        waits=project.changed > project.analysed,
        problem=problem,
        longest=_LONGEST_MARGINS,
    )


_READ: Final = ["GET", "HEAD"]
_FIRST: Final = "index.html"
_ALERT: Final = re.compile(r"[0-9a-f]{8}")
_PAGE_OF_ALERT: Final = re.compile(rf"alerts/({_ALERT.pattern})\.html")
_MEANINGS: Final = {
    "new": "nobody looked at it yet",
    "acknowledged": "somebody knows of it",
    "fixed": "a later commit repairs it",
    "wontfix": "it stays as it is",
    "noise": "the program did not change",
    "expected": "it was made on purpose",
}
_LONGEST: Final = 2000
# How long a decision waits for the analysis, so that the page shows it, in seconds.
_PATIENCE: Final = 3.0


@ROUTER.api_route("/", methods=_READ)
def overview(request: Request) -> Response:
    """Show the projects that the visitor may read."""
    who = visitor(request)
    with who.services.database.reading() as connection:
        known = [each for each in projects.listed(connection) if who.may(each, Role.READ)]
        columns = tables.alert.c
        counting = select(columns.project_id, func.count()).where(columns.is_open).group_by(columns.project_id)
        numbers = {row[0]: row[1] for row in connection.execute(counting)}
    if not known and not who.identity:
        raise Denied
    rows: list[dict[str, Any]] = [
        {"name": each.name, "is_public": each.is_public, "open": numbers.get(each.id, 0)} for each in known
    ]
    return frame.own(request, who, "projects.html.j2", title="Projects", projects=rows)


@ROUTER.api_route("/assets/{name}", methods=_READ)
def asset(request: Request, name: str) -> Response:
    """Return a file that pages share."""
    if name not in frame.assets():
        raise HTTPException(404, "There is no such page.")
    return frame.text(request, *frame.assets()[name])


@ROUTER.api_route("/p/{name}", methods=_READ)
def of_project(name: str) -> Response:
    """Lead to the first page of a project: addresses on it are relative."""
    return RedirectResponse(f"/p/{quote(name, safe='')}/", 303)


@ROUTER.api_route("/p/{name}/{path:path}", methods=_READ)
def page(request: Request, name: str, path: str, *, saved: bool = False) -> Response:
    """Show a page or document of a project."""
    who = visitor(request)
    project = readable(who, name)
    path = path or _FIRST
    content = None if "\0" in path else who.services.renderer.content(project, path)
    if content is None:
        return _missing(request, who, project, path)
    if not content.media_type.startswith("text/html"):
        return frame.text(request, content.text, content.media_type)
    html = content.text
    if found := _PAGE_OF_ALERT.fullmatch(path):
        html = frame.with_panel(html, _panel(who, project, found[1], saved=saved))
    if project.margins or who.may(project, Role.ADMIN):
        html = frame.with_settings(html, f"/p/{project.name}/settings")
    return frame.page(request, who, html, of_project=True)


def _missing(request: Request, who: Visitor, project: Project, path: str) -> Response:
    if path == _FIRST:
        waits = project.changed > project.analysed
        address = who.services.address
        return frame.own(request, who, "empty.html.j2", title=project.name, waits=waits, address=address)
    what, title = "An alert whose changes were withdrawn has none.", "There is no such page"
    back, back_to = f"/p/{project.name}/", f"To {project.name}"
    return frame.own(request, who, "message.html.j2", 404, title=title, what=what, back=back, back_to=back_to)


class _Filled(NamedTuple):
    """What somebody wrote into the form."""

    state: str
    reason: str
    url: str


def _panel(
    who: Visitor,
    project: Project,
    alert: str,
    *,
    saved: bool = False,
    filled: _Filled | None = None,
    problems: dict[str, str] | None = None,
) -> str:
    """Return the form for whoever may decide; nothing for others.

    ``saved`` says that a decision was made right now; otherwise the form may show again what was written into it and
    not taken, and what is wrong with it, by field.
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
        reason=rendering.lines(written.reason),
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
        html = frame.with_panel(page.text, _panel(who, project, alert, filled=filled, problems=wrong))
        html = html.replace("<title>", "<title>Not saved: ", 1)
        return frame.page(request, who, html, status=422, of_project=True)
    _record(who, project, alert, filled, current)
    projects.caught_up(who.services.database, project.id, _PATIENCE)
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
    noted = partial(audit.note, identity=who.identity, project_id=project.id, address=who.address)
    with who.services.database.writing() as connection:
        if filled.state != current or filled.reason:
            words = {"state": filled.state, "reason": filled.reason}
            triage.decide(connection, project, alert, **words, who=who.who)
            noted(connection, "triage", detail=f"{alert}: {filled.state}")
        if filled.url:
            triage.link(connection, project, alert, url=filled.url, who=who.who)
            noted(connection, "link", detail=f"{alert}: {filled.url}")


def _state(who: Visitor, project: Project, alert: str) -> str | None:
    if not _ALERT.fullmatch(alert):
        return None
    columns = tables.alert.c
    wanted = select(columns.state).where(columns.project_id == project.id, columns.id == alert)
    with who.services.database.reading() as connection:
        found: str | None = connection.execute(wanted).scalar_one_or_none()
    return found
