"""Pages as the server sends them: those of the site with who is logged in, and those of the server itself.

Whatever goes wrong with a page, a person reads it: errors are pages, too.

Both come from the same templates. What the server adds replaces marks of the page that stand before any text of
strangers, or that such a text cannot hold, because it is escaped.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from statera.history.site import rendering
from statera.server import problems
from statera.server.browser.session import Denied, Visitor, here, within
from statera.server.database import is_away
from statera.server.requests import services_of
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from markupsafe import Markup
    from starlette.requests import Request

_OWN: Final = Path(__file__).parent / "templates"
_NO_FORMS: Final = "form-action 'none'"
_FORMS: Final = "form-action 'self'"
_POLICY: Final = f"{rendering.POLICY.replace(_NO_FORMS, _FORMS)}; frame-ancestors 'none'"
_HTML: Final = "text/html; charset=utf-8"
_HEAD: Final = "</head>"
_REFERRER: Final = '<meta name="referrer" content="no-referrer">'
_WHERE: Final = '<p class="where">'
_TOOLS: Final = '<p class="tools">'
# Where the path of a page ends.
_END: Final = f"</p>\n{_TOOLS}"
_TO_DECIDE: Final = "<!--to-decide-->"
# Commands that read a history as files.
_FILES: Final = re.compile(r"<!--files-->.*?<!--/files-->", re.DOTALL)
_DECIDE: Final = re.compile(r"<!--decide-->.*?<!--/decide-->", re.DOTALL)
# Without the origin of a form nobody knows which site sent it.
_SAME: Final = '<meta name="referrer" content="same-origin">'
_LINKS: Final = (
    '<link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/server.css">'
)


def rendered(template: str, **values: object) -> str:
    """Render a template of the server."""
    found = rendering.environment(_OWN).get_template(template)
    return found.render(policy=rendering.POLICY, **values)


def own(request: Request, who: Visitor, template: str, status: int = 200, **values: object) -> Response:
    """Answer with a page of the server itself."""
    return page(request, who, rendered(template, **values), status=status)


def page(request: Request, who: Visitor, html: str, *, status: int = 200, of_project: bool = False) -> Response:
    """Answer with a page, framed by who is logged in."""
    html = (
        html.replace(_quoted(_NO_FORMS), _quoted(_FORMS), 1)
        .replace(_REFERRER, _SAME, 1)
        .replace(_HEAD, f"{_LINKS}{_HEAD}", 1)
    )
    if of_project:
        html = html.replace(_WHERE, f'{_WHERE}<a href="/">Projects</a> / ', 1)
    return text(request, html.replace(_TOOLS, f"{_who(request, who)}{_TOOLS}", 1), _HTML, status)


def with_settings(html: str, address: str) -> str:
    """Return a page of a project with a link to its settings."""
    return html.replace(_END, f' <a class="to-settings" href="{address}">Settings</a>{_END}', 1)


def with_panel(html: str, panel: str) -> str:
    """Return the page of an alert with a form in the place of commands."""
    link = '<a class="to-decide" href="#decide">Decide</a>' if panel else ""
    html = _FILES.sub("", html.replace(_TO_DECIDE, link, 1))
    return _DECIDE.sub(lambda _: panel, html, count=1)


def text(request: Request, content: str, media_type: str, status: int = 200) -> Response:
    """Answer with a text; a browser that has the same already keeps it."""
    data = content.encode()
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {
        "ETag": tag,
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie",
        "Content-Security-Policy": _POLICY,
        "Referrer-Policy": "same-origin",
    }
    if status == HTTPStatus.OK and _has(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(data, status, headers, media_type)


@cache
def assets() -> dict[str, tuple[str, str]]:
    """Return the files that pages of the server share, with their media types."""
    types = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
    files = {
        **rendering.assets(),
        "server.css": (_OWN / "css/server.css").read_text("utf-8"),
        "icon.svg": (_OWN / "icon.svg").read_text("utf-8"),
    }
    return {name: (content, types[name.rpartition(".")[2]]) for name, content in files.items()}


def _quoted(text: str) -> str:
    """Write a text as templates do."""
    return text.replace("'", "&#39;")


def _has(request: Request, tag: str) -> bool:
    stated = request.headers.get("if-none-match", "")
    return stated.strip() == "*" or tag in {each.strip().removeprefix("W/") for each in stated.split(",")}


def _who(request: Request, who: Visitor) -> Markup:
    address = "" if request.url.path == "/login" else within(here(request))
    values = {"who": who.who, "proof": who.proof, "login": f"/login?next={quote(address, safe='')}" if address else ""}
    return rendering.markup(rendered("who.html.j2", **values))


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
        return own(request, _nobody(request), "bounce.html.j2", title="One moment", address=address)
    return RedirectResponse(f"/login?next={quote(address, safe='')}", 303, {"Cache-Control": "no-store"})


def _message(request: Request, status: int, title: str, what: str) -> Response:
    back = {"back": "/", "back_to": "To the projects"}
    answer = own(request, _nobody(request), "message.html.j2", status, title=title, what=what, **back)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["Retry-After"] = "5"
    return answer


def _nobody(request: Request) -> Visitor:
    """Return a visitor of whom nothing is known: to ask the database is what may have failed."""
    return Visitor(services_of(request), "", "", None)
