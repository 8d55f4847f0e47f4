"""Login with a token, and logout."""

from math import ceil
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from statera.server import access, audit
from statera.server.browser import frame, sessions
from statera.server.browser.attempts import Attempts
from statera.server.browser.route import PageRoute
from statera.server.browser.visitor import Visitor, forget, keep, refuse_foreign, refuse_unproved, visitor, within

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_TITLE: Final = "Log in"


@ROUTER.get("/login")
def show(request: Request, next: str = "/") -> Response:  # noqa: A002 - as the address names it
    """Show the form."""
    who = visitor(request)
    problem = ""
    if who.identity and within(next) != "/":
        problem = "There is no such page, or it needs another token than that of this login."
    return _form(request, who, next, problem)


@ROUTER.post("/login")
def enter(
    request: Request,
    secret: Annotated[str, Form(max_length=200)] = "",
    next: Annotated[str, Form(max_length=2000)] = "/",  # noqa: A002 - as the form names it
) -> Response:
    """Take a token, and begin a session."""
    who = visitor(request)
    refuse_foreign(request, who.services)
    attempts = _attempts(request)
    wait = attempts.wait(who.address)
    if wait:
        answer = _form(request, who, next, f"Too many wrong tokens: wait {ceil(wait)} s, and try again.", 429)
        answer.headers["Retry-After"] = str(ceil(wait))
        return answer
    identity = access.admitted(who.services.database, secret.strip())
    if identity is None:
        attempts.failed(who.address)
        with who.services.database.writing() as connection:
            audit.note(connection, "refused", address=who.address, detail="POST /login")
        return _form(request, who, next, "The token is unknown, has expired or was revoked.", 403)
    with who.services.database.writing() as connection:
        # Whoever knew the cookie before knows none afterwards.
        if who.secret:
            sessions.end(connection, who.secret)
        session = sessions.begin(connection, identity.token_id)
        audit.note(connection, "login", identity=identity, project_id=identity.project_id, address=who.address)
    answer = RedirectResponse(within(next), 303, {"Cache-Control": "no-store"})
    keep(answer, who.services, session)
    return answer


@ROUTER.post("/logout")
def leave(request: Request, proof: Annotated[str, Form(max_length=200)] = "") -> Response:
    """End the session."""
    who = visitor(request)
    refuse_foreign(request, who.services)
    if who.identity:
        refuse_unproved(who, proof)
        with who.services.database.writing() as connection:
            sessions.end(connection, who.secret)
    # Whoever sits down at the same browser next finds no page in its cache.
    answer = RedirectResponse("/login", 303, {"Cache-Control": "no-store", "Clear-Site-Data": '"cache"'})
    forget(answer, who.services)
    return answer


def _form(request: Request, who: Visitor, following: str, problem: str, status: int = 200) -> Response:
    return frame.own(request, who, "login.html.j2", status, title=_TITLE, next=within(following), problem=problem)


def _attempts(request: Request) -> Attempts:
    state = request.app.state
    if not hasattr(state, "logins"):
        state.logins = Attempts()
    found: Attempts = state.logins
    return found
