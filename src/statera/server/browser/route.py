"""Routes of pages: whatever goes wrong, a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from statera.server import problems
from statera.server.asking import services_of
from statera.server.browser import frame
from statera.server.browser.visitor import Denied, Visitor, here
from statera.server.database import is_away
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.requests import Request
    from starlette.responses import Response


class PageRoute(APIRoute):
    """A route whose errors are pages, and which leads to the login where it must."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def answering(request: Request) -> Response:
            try:
                return await answer(request)
            except Denied:
                return _denied(request)
            except HTTPException as error:
                return _message(request, error.status_code, "This was refused", str(error.detail))
            except RequestValidationError:
                return _message(request, 422, "This was refused", "A field is missing, or is too long.")
            except Stop as stop:
                if stop.code in problems.INTERNAL:
                    raise
                return _message(request, problems.status_of(stop.code), "This was refused", str(stop))
            except SQLAlchemyError as error:
                if not is_away(error):
                    raise
                return _message(request, 503, "The database does not answer", "Load the page again in a moment.")

        return answering


def _denied(request: Request) -> Response:
    address = here(request)
    if request.method == "GET" and request.headers.get("sec-fetch-site") == "cross-site":
        return frame.own(request, _nobody(request), "bounce.html.j2", title="One moment", address=address)
    return RedirectResponse(f"/login?next={quote(address, safe='')}", 303, {"Cache-Control": "no-store"})


def _message(request: Request, status: int, title: str, what: str) -> Response:
    back = {"back": "/", "back_to": "To the projects"}
    answer = frame.own(request, _nobody(request), "message.html.j2", status, title=title, what=what, **back)
    if status == 503:  # noqa: PLR2004 - not available
        answer.headers["Retry-After"] = "5"
    return answer


def _nobody(request: Request) -> Visitor:
    """Return a visitor of whom nothing is known: to ask the database is what may have failed."""
    return Visitor(services_of(request), "", "", None)
