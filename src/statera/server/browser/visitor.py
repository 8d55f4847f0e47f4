"""Who looks: the session of a request, its project, and whether a form comes from our own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, urlsplit

from starlette.exceptions import HTTPException

from statera.server import access, projects
from statera.server.access import Role
from statera.server.asking import address_of, services_of
from statera.server.browser import sessions
from statera.support.errors import Stop

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from statera.server.access import Identity
    from statera.server.projects import Project
    from statera.server.services import Services

_COOKIE: Final = "statera"


class Denied(Exception):  # noqa: N818 - an answer: the way to the login
    """The visitor may not read this, or there is no such project; nobody is told which."""


class Visitor(NamedTuple):
    """Whoever looks.

    Attributes:
        services: what requests share.
        address: of the client.
        secret: of the session; empty without one.
        identity: whose token it is; None without a session.

    """

    services: Services
    address: str
    secret: str
    identity: Identity | None

    @property
    def who(self) -> str:
        """Return the name of the token; empty without one."""
        return self.identity.name if self.identity else ""

    @property
    def proof(self) -> str:
        """Return what forms of this session hold."""
        return sessions.proof(self.secret) if self.secret else ""

    def may(self, project: Project, role: Role) -> bool:
        """Return whether the visitor may do in a project what a role may."""
        if role == Role.READ and project.is_public:
            return True
        return self.identity is not None and self.identity.may(project.id, role)


def visitor(request: Request) -> Visitor:
    """Return who looks: by the session, or by a token in the header, as programs that read documents state it."""
    services, address = services_of(request), address_of(request)
    secret = request.cookies.get(cookie(services), "")
    if not secret:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            return Visitor(services, address, "", None)
        return Visitor(services, address, "", access.admitted(services.database, token.strip()))
    with services.database.reading() as connection:
        identity = sessions.identity(connection, secret)
    return Visitor(services, address, secret, identity)


def readable(who: Visitor, name: str) -> Project:
    """Return a project that a visitor may read.

    Raises:
        Denied: there is none, or the visitor may not read it.

    """
    # PostgreSQL takes no such text.
    if "\0" in name:
        raise Denied
    with who.services.database.reading() as connection:
        try:
            project = projects.named(connection, name)
        except Stop:
            raise Denied from None
    if not who.may(project, Role.READ):
        raise Denied
    return project


def refuse_foreign(request: Request, services: Services) -> None:
    """Refuse a form that another site sent, as browsers say of it.

    Raises:
        HTTPException: it did.

    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site != "same-origin":
            raise HTTPException(403, "The form was sent by another site.")
        return
    scheme = urlsplit(services.address).scheme
    if request.headers.get("origin") != f"{scheme}://{request.headers.get('host', '')}":
        raise HTTPException(403, "The form was sent by another site.")


def refuse_unproved(who: Visitor, stated: str) -> None:
    """Refuse a form that is not of the visitor's session.

    Raises:
        HTTPException: it is not.

    """
    if not who.secret or not who.identity or not sessions.is_proof(who.secret, stated):
        raise HTTPException(403, "The form is of an earlier login. Load the page again, and send it from there.")


def here(request: Request) -> str:
    """Return the path of a request with its query, as an address within the server."""
    query = request.url.query
    return quote(request.scope["path"]) + (f"?{query}" if query else "")


def within(address: str) -> str:
    """Return an address if it leads to a page of this server, otherwise that of the first page."""
    # A browser reads // and /\ as the beginning of another host, and leaves out tabs and line breaks.
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours and address.isascii() and address.isprintable() else "/"


def cookie(services: Services) -> str:
    """Return the name of the cookie; with this beginning, browsers take it from this host alone, and encrypted."""
    return f"__Host-{_COOKIE}" if _is_secure(services) else _COOKIE


def keep(response: Response, services: Services, secret: str) -> None:
    """Give the browser the secret of a session."""
    response.set_cookie(
        cookie(services),
        secret,
        max_age=sessions.SECONDS,
        path="/",
        secure=_is_secure(services),
        httponly=True,
        samesite="strict",
    )


def forget(response: Response, services: Services) -> None:
    """Take the secret of a session from the browser."""
    response.delete_cookie(cookie(services), path="/", secure=_is_secure(services), httponly=True, samesite="strict")


def _is_secure(services: Services) -> bool:
    return services.address.startswith("https://")
