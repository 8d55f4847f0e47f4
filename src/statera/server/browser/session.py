"""Who looks: sessions, of browsers that showed a token once and show a cookie since, and what a session may do."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, urlsplit

from sqlalchemy import delete, insert, select
from starlette.exceptions import HTTPException

from statera.server import access, tables
from statera.server.access import Role
from statera.server.requests import address_of, find, may, services_of
from statera.server.tables import now

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from statera.server.access import Identity
    from statera.server.projects import Project
    from statera.server.requests import Services

_COOKIE: Final = "statera"
SECONDS: Final = 12 * 3600
_BYTES: Final = 32


class Denied(Exception):
    """The visitor may not read this, or there is no such project; nobody is told which."""


class Visitor(NamedTuple):
    """Whoever looks."""

    services: Services  # what requests share
    address: str  # of the client
    secret: str  # of the session; empty without one
    identity: Identity | None  # whose token it is; None without a session

    @property
    def who(self) -> str:
        """Return the name of the token; empty without one."""
        return self.identity.name if self.identity else ""

    @property
    def proof(self) -> str:
        """Return what forms of this session hold."""
        return proof_of(self.secret) if self.secret else ""

    def may(self, project: Project, role: Role) -> bool:
        """Return whether the visitor may do in a project what a role may."""
        return may(self.identity, project, role)


def begin(connection: Connection, token_id: int) -> str:
    """Begin a session of a token; return its secret, which is stored nowhere."""
    secret = secrets.token_urlsafe(_BYTES)
    connection.execute(delete(tables.session).where(tables.session.c.expires <= now()))
    values = {"digest": access.digest_of(secret), "token_id": token_id, "created": now(), "expires": now(SECONDS)}
    connection.execute(insert(tables.session).values(**values))
    return secret


def identity_of(connection: Connection, secret: str) -> Identity | None:
    """Return whose session it is; None if it or its token has ended."""
    columns = tables.session.c
    wanted = select(columns.token_id).where(columns.digest == access.digest_of(secret), columns.expires > now())
    number = connection.execute(wanted).scalar_one_or_none()
    return None if number is None else access.numbered(connection, number)


def end(connection: Connection, secret: str) -> None:
    """End a session."""
    connection.execute(delete(tables.session).where(tables.session.c.digest == access.digest_of(secret)))


def proof_of(secret: str) -> str:
    """Return what a form of a session holds, so that no other site can send it."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def is_proof(secret: str, stated: str) -> bool:
    """Return whether a form is of a session."""
    return hmac.compare_digest(proof_of(secret).encode(), stated.encode())


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
        identity = identity_of(connection, secret)
    return Visitor(services, address, secret, identity)


def readable(who: Visitor, name: str) -> Project:
    """Return a project that a visitor may read. Raises ``Denied`` if there is none, or the visitor may not read it."""
    project = find(who.services, name)
    if project is None or not who.may(project, Role.READ):
        raise Denied
    return project


def refuse_foreign(request: Request, services: Services) -> None:
    """Refuse a form that another site sent, as browsers say of it."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site != "same-origin":
            raise HTTPException(403, "The form was sent by another site.")
        return
    scheme = urlsplit(services.address).scheme
    if request.headers.get("origin") != f"{scheme}://{request.headers.get('host', '')}":
        raise HTTPException(403, "The form was sent by another site.")


def refuse_unproved(who: Visitor, stated: str) -> None:
    """Refuse a form that is not of the visitor's session."""
    if not who.secret or not who.identity or not is_proof(who.secret, stated):
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
        max_age=SECONDS,
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
