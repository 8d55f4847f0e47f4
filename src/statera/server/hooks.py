"""Hooks: addresses of other programs that are told of a project's alerts.

A POST goes to the very address that was checked before, once, and takes ten seconds at most.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
import ssl
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import delete, insert, select

from statera.server import tables
from statera.server.projects import hold
from statera.server.tables import now
from statera.support.errors import Stop
from statera.support.http import LOOPBACK, REDIRECTION, SUCCESS, asked_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, RowMapping

FORMS: Final = ("json", "slack")
# So many a project may have: each alert is sent to all of them.
_MOST: Final = 20
_SHAPE: Final = re.compile(r"https?://[!-~]{1,2000}")
# For how long a request may take.
_SECONDS: Final = 10.0
# Nobody reads what a receiver answers; a little is taken, so that it can end its answer.
_LARGEST: Final = 64 << 10
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

    Raises ``Stop`` if the address cannot be used, or the project has too many hooks.
    """
    checked(url)
    if form not in FORMS:
        raise Stop("bad-hook", f"{form}: the form of a hook is json or slack")
    hold(connection, project_id)
    if len(listed(connection, project_id)) >= _MOST:
        raise Stop("bad-hook", f"the project has {_MOST} hooks. Remove one first")
    secret = f"statera_hook_{secrets.token_urlsafe(32)}"
    created = now()
    values = {"project_id": project_id, "url": url, "form": form, "secret": secret, "created": created}
    made = connection.execute(insert(tables.hook).values(**values).returning(tables.hook.c.id))
    return Hook(made.scalar_one(), url, form, created), secret


def listed(connection: Connection, project_id: int) -> list[Hook]:
    """Return the hooks of a project, the oldest first."""
    columns = tables.hook.c
    wanted = select(tables.hook).where(columns.project_id == project_id).order_by(columns.id)
    return [_hook(row) for row in connection.execute(wanted).mappings()]


def named(connection: Connection, project_id: int, number: int) -> Hook:
    """Return a hook of a project. Raises ``Stop`` if the project has none of this number."""
    columns = tables.hook.c
    wanted = select(tables.hook).where(columns.project_id == project_id, columns.id == number)
    row = connection.execute(wanted).mappings().one_or_none()
    if row is None:
        raise Stop("no-hook", f"{number}: the project has no such hook")
    return _hook(row)


def remove(connection: Connection, project_id: int, number: int) -> None:
    """Remove a hook with its deliveries. Raises ``Stop`` if the project has none of this number."""
    named(connection, project_id, number)
    connection.execute(delete(tables.hook).where(tables.hook.c.id == number))


def checked(url: str) -> SplitResult:
    """Return the parts of an address that a hook can have.

    Raises ``Stop`` if it is none, holds a password, or is not encrypted.
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
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Stop("bad-hook", f"{url}: write https://; http:// reaches only programs on the server's machine")
    return parts


def target(url: str, *, allow_private: bool) -> Target:
    """Resolve the address of a hook.

    The request then goes to the addresses that were checked here: a name that changes its address in between leads
    nowhere else.

    Raises ``Stop`` if it has no address, or one that the server may not reach.
    """
    parts = checked(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Stop("bad-hook", f"{host}: no address of this name is known. Check it") from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not allow_private and not all(map(_is_public, addresses)):
        raise Stop(
            "bad-hook",
            f"{host}: it is a machine of the server's own network, which hooks do not reach. Allow it with "
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


def _hook(row: RowMapping) -> Hook:
    return Hook(*(row[name] for name in Hook._fields))


class Answer(NamedTuple):
    """What a receiver answered: the status, what is wrong (None on success), and for how long it asks to wait."""

    status: int | None
    problem: str | None
    wait: float | None = None


class _Pinned(HTTPConnection):
    """A connection to one of the addresses of a target, with the name of its host in the request.

    Each wait of a socket is limited by itself; a receiver that sends a byte now and then would hold the thread for
    ever. Therefore ``cut`` ends the connection from outside.
    """

    def __init__(self, target: Target, seconds: float) -> None:
        super().__init__(target.host, target.port, timeout=seconds)
        # The header Host names any other port.
        self.default_port = 443 if target.parts.scheme == "https" else 80
        self._target = target
        self._seconds = seconds
        self.is_cut = False

    def connect(self) -> None:
        """Connect to the first address that answers."""
        target = self._target
        for place, address in enumerate(target.addresses):
            try:
                connected = socket.create_connection((address, target.port), self._seconds / len(target.addresses))
                break
            except OSError:
                if place + 1 == len(target.addresses):
                    raise
        connected.settimeout(self._seconds)
        if target.parts.scheme == "https":
            connected = self.sock = ssl.create_default_context().wrap_socket(
                connected, server_hostname=target.host, do_handshake_on_connect=False
            )
            connected.do_handshake()
        self.sock = connected
        if self.is_cut:
            raise TimeoutError

    def cut(self) -> None:
        """End the connection, whatever it waits for."""
        self.is_cut = True
        with suppress(OSError):
            if self.sock is not None:
                # The method of the base class: that of TLS would take from the other thread what it reads from.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def post(target: Target, body: bytes, headers: Mapping[str, str], seconds: float = _SECONDS) -> Answer:
    """Send a body; everything may take so many seconds.

    Redirections are not followed: they would lead to an address that nobody checked.
    """
    connection = _Pinned(target, seconds)
    clock = threading.Timer(seconds, connection.cut)
    clock.daemon = True
    clock.start()
    path = (target.parts.path or "/") + (f"?{target.parts.query}" if target.parts.query else "")
    try:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        if connection.is_cut:
            raise TimeoutError
        with suppress(OSError, HTTPException):
            answer.read(_LARGEST)
    except (OSError, HTTPException) as error:
        return Answer(None, _why(error, cut=connection.is_cut, seconds=seconds))
    finally:
        clock.cancel()
        connection.close()
    if answer.status in SUCCESS:
        return Answer(answer.status, None)
    more = "; redirections are not followed" if answer.status in REDIRECTION else ""
    lower = {name.lower(): value for name, value in answer.getheaders()}
    return Answer(answer.status, f"it answered {answer.status}{more}", asked_for(answer.status, lower))


def _why(error: OSError | HTTPException, *, cut: bool, seconds: float) -> str:
    """Say what went wrong. The words of an answer are not repeated: whoever may add hooks would read other machines."""
    if cut or isinstance(error, TimeoutError):
        return f"it did not answer within {seconds:g} seconds"
    if isinstance(error, ssl.SSLError):
        return f"the connection is not safe: {error.reason or 'no TLS'}"
    if isinstance(error, HTTPException):
        return "it answered something that is not HTTP"
    return f"no connection: {error.strerror or type(error).__name__}"
