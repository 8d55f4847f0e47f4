"""The settings of a project: its margins, which everybody reads who may read it, and its administrators change."""

from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from statera.history.site import rendering
from statera.server import audit, margins, projects
from statera.server.access import Role
from statera.server.browser import frame
from statera.server.browser.frame import PageRoute
from statera.server.browser.session import Visitor, readable, refuse_foreign, refuse_unproved, visitor
from statera.server.projects import Project
from statera.support.errors import Stop

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_LONGEST: Final = 100_000


@ROUTER.api_route("/p/{name}/settings", methods=["GET", "HEAD"])
def show(request: Request, name: str, *, saved: bool = False) -> Response:
    """Show the margins of a project."""
    who = visitor(request)
    project = readable(who, name)
    return _page(request, who, project, margins.to_text(project.margins), saved=saved)


@ROUTER.post("/p/{name}/settings")
def change(
    request: Request,
    name: str,
    *,
    proof: Annotated[str, Form(max_length=200)] = "",
    stated: Annotated[str, Form(max_length=_LONGEST, alias="margins")] = "",
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
        return _page(request, who, project, stated, problem=str(stop))
    return RedirectResponse(f"/p/{project.name}/settings?saved=true", 303)


def _page(
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
        longest=_LONGEST,
    )
