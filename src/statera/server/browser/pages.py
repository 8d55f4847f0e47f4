"""Projects, and the pages of one."""

import re
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from statera.server import projects, tables
from statera.server.access import Role
from statera.server.browser import deciding, frame
from statera.server.browser.route import PageRoute
from statera.server.browser.visitor import Denied, Visitor, readable, visitor
from statera.server.projects import Project

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_READ: Final = ["GET", "HEAD"]
_FIRST: Final = "index.html"
_ALERT: Final = re.compile(r"alerts/([0-9a-f]{8})\.html")


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
    if found := _ALERT.fullmatch(path):
        html = frame.with_panel(html, deciding.panel(who, project, found[1], saved=saved))
    return frame.page(request, who, html, of_project=True)


def _missing(request: Request, who: Visitor, project: Project, path: str) -> Response:
    if path == _FIRST:
        waits = project.changed > project.analysed
        address = who.services.address
        return frame.own(request, who, "empty.html.j2", title=project.name, waits=waits, address=address)
    what, title = "An alert whose changes were withdrawn has none.", "There is no such page"
    back, back_to = f"/p/{project.name}/", f"To {project.name}"
    return frame.own(request, who, "message.html.j2", 404, title=title, what=what, back=back, back_to=back_to)
