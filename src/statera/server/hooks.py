"""Hooks: addresses of other programs that are told of a project's alerts."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import delete, insert, select

from statera.server import tables
from statera.server.moments import now
from statera.server.projects import hold
from statera.support.errors import Stop

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

FORMS: Final = ("json", "slack")
# So many a project may have: each alert is sent to all of them.
_MOST: Final = 20
_SHAPE: Final = re.compile(r"https?://[!-~]{1,2000}")
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
# IPv4 addresses within addresses of IPv6, which a translator on the way would send on.
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")


class Hook(NamedTuple):
    """A hook, without its secret."""

    id: int
    url: str
    form: str
    created: str


class Target(NamedTuple):
    """Where a request goes: the parts of the address, the port, and the addresses of the host, all of them allowed."""

    parts: SplitResult
    host: str
    port: int
    addresses: list[str]


def add(connection: Connection, project_id: int, url: str, form: str) -> tuple[Hook, str]:
    """Add a hook to a project; return it with its secret, which is shown this once.

    Raises:
        Stop: the address cannot be used, or the project has too many hooks.

    """
    checked(url)
    if form not in FORMS:
        raise Stop("bad-hook", f"{form}: the form of a hook is json or slack")
    hold(connection, project_id)
    if len(listed(connection, project_id)) >= _MOST:
        raise Stop("bad-hook", f"the project has {_MOST} hooks; remove one first")
    secret = f"statera_hook_{secrets.token_urlsafe(32)}"
    created = now()
    values = {"project_id": project_id, "url": url, "form": form, "secret": secret, "created": created}
    made = connection.execute(insert(tables.hook).values(**values).returning(tables.hook.c.id))
    return Hook(made.scalar_one(), url, form, created), secret


def listed(connection: Connection, project_id: int) -> list[Hook]:
    """Return the hooks of a project, the oldest first."""
    columns = tables.hook.c
    wanted = select(tables.hook).where(columns.project_id == project_id).order_by(columns.id)
    return [_hook(row) for row in connection.execute(wanted)]


def named(connection: Connection, project_id: int, number: int) -> Hook:
    """Return a hook of a project.

    Raises:
        Stop: the project has none of this number.

    """
    columns = tables.hook.c
    wanted = select(tables.hook).where(columns.project_id == project_id, columns.id == number)
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise Stop("no-hook", f"{number}: the project has no such hook")
    return _hook(row)


def remove(connection: Connection, project_id: int, number: int) -> None:
    """Remove a hook with its deliveries.

    Raises:
        Stop: the project has none of this number.

    """
    named(connection, project_id, number)
    connection.execute(delete(tables.hook).where(tables.hook.c.id == number))


def checked(url: str) -> SplitResult:
    """Return the parts of an address that a hook can have.

    Raises:
        Stop: it is none, holds a password, or is not encrypted.

    """
    try:
        parts = urlsplit(url) if _SHAPE.fullmatch(url) else None
        port = parts.port if parts else None
    except ValueError:
        parts = port = None
    if parts is None or not parts.hostname or port == 0 or parts.fragment:
        raise Stop("bad-hook", f"{url}: write the address of a hook, such as https://example.com/alerts")
    if "@" in parts.netloc:
        raise Stop("bad-hook", "the address of a hook may not hold a name or password; the signature proves the sender")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise Stop("bad-hook", f"{url}: write https://; http:// reaches only programs on the server's machine")
    return parts


def target(url: str, *, allow_private: bool) -> Target:
    """Resolve the address of a hook.

    The request then goes to the addresses that were checked here: a name that changes its address in between leads
    nowhere else.

    Raises:
        Stop: it has no address, or one that the server may not reach.

    """
    parts = checked(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Stop("bad-hook", f"{host}: no address of this name is known; check it") from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not allow_private and not all(map(_is_public, addresses)):
        raise Stop(
            "bad-hook",
            f"{host}: it is a machine of the server's own network, which hooks do not reach; allow it with "
            "--allow-private-hooks where the server is started",
        )
    return Target(parts, host, port, addresses)


def _is_public(text: str) -> bool:
    """Return whether an address is one of the open internet, also of the machine that a translated one leads to."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_site_local:
            return False
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(str(inner))
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _hook(row: Row[tuple[object, ...]]) -> Hook:
    known = row._mapping  # noqa: SLF001 - the name of SQLAlchemy's public attribute
    return Hook(known["id"], known["url"], known["form"], known["created"])
