"""Login with a token, and logout.

Wrong tokens make the next attempt of an address wait, each twice as long as the one before.
"""

import time
from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from statera.server import access, audit
from statera.server.browser import frame, session
from statera.server.browser.frame import PageRoute
from statera.server.browser.session import Visitor, forget, keep, refuse_foreign, refuse_unproved, visitor, within
from statera.server.requests import ByNetwork, network_of

ROUTER: Final = APIRouter(route_class=PageRoute, include_in_schema=False)
_TITLE: Final = "Log in"
# So many are free; people paste the wrong thing.
_FREE: Final = 5
_LONGEST: Final = 300.0
# An address that was quiet for so long begins anew, in seconds.
_FORGOTTEN: Final = 3600.0


class Attempts:
    """The wrong tokens of each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any."""
        self._clock = clock
        self._of = ByNetwork[tuple[int, float]]()
        self._lock = Lock()

    def wait(self, address: str) -> float:
        """Return for how many seconds an address has to wait."""
        with self._lock:
            count, last = self._of.get(network_of(address), (0, 0.0))
        pause = min(2.0 ** (count - _FREE), _LONGEST) if count >= _FREE else 0.0
        return max(last + pause - self._clock(), 0.0)

    def failed(self, address: str) -> None:
        """Count a wrong token."""
        network, at = network_of(address), self._clock()
        with self._lock:
            count, last = self._of.get(network, (0, at))
            self._of.keep(network, (count + 1 if at - last < _FORGOTTEN else 1, at))


@ROUTER.get("/login")
def show(request: Request, following: Annotated[str, Query(alias="next")] = "/") -> Response:
    """Show the form."""
    who = visitor(request)
    problem = ""
    if who.identity and within(following) != "/":
        problem = "There is no such page, or it needs another token than that of this login."
    return _form(request, who, following, problem)


@ROUTER.post("/login")
def enter(
    request: Request,
    secret: Annotated[str, Form(max_length=200)] = "",
    following: Annotated[str, Form(alias="next", max_length=2000)] = "/",
) -> Response:
    """Take a token, and begin a session."""
    who = visitor(request)
    refuse_foreign(request, who.services)
    attempts = _attempts(request)
    wait = attempts.wait(who.address)
    if wait:
        answer = _form(request, who, following, f"Too many wrong tokens: wait {ceil(wait)} s, and try again.", 429)
        answer.headers["Retry-After"] = str(ceil(wait))
        return answer
    identity = access.admitted(who.services.database, secret.strip())
    if identity is None or identity.token_id is None:
        attempts.failed(who.address)
        with who.services.database.writing() as connection:
            audit.note(connection, "refused", address=who.address, detail="POST /login")
        return _form(request, who, following, "The token is unknown, has expired or was revoked.", 403)
    with who.services.database.writing() as connection:
        # Whoever knew the cookie before knows none afterwards.
        if who.secret:
            session.end(connection, who.secret)
        made = session.begin(connection, identity.token_id)
        audit.note(connection, "login", identity=identity, project_id=identity.project_id, address=who.address)
    answer = RedirectResponse(within(following), 303, {"Cache-Control": "no-store"})
    keep(answer, who.services, made)
    return answer


@ROUTER.post("/logout")
def leave(request: Request, proof: Annotated[str, Form(max_length=200)] = "") -> Response:
    """End the session."""
    who = visitor(request)
    refuse_foreign(request, who.services)
    if who.identity:
        refuse_unproved(who, proof)
        with who.services.database.writing() as connection:
            session.end(connection, who.secret)
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
