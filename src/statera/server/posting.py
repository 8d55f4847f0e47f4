"""A POST to a host that was checked before: to the very address that was checked, once, and for ten seconds at most."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.http.waiting import asked_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.server.hooks import Target

SECONDS: Final = 10.0
# Nobody reads what a receiver answers; a little is taken, so that it can end its answer.
_LARGEST: Final = 64 << 10


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


def post(target: Target, body: bytes, headers: Mapping[str, str], seconds: float = SECONDS) -> Answer:
    """Send a body. Redirections are not followed: they would lead to an address that nobody checked.

    Args:
        target: where it goes.
        body: what is sent.
        headers: of the request.
        seconds: for how long everything may take.

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
    if 200 <= answer.status < 300:  # noqa: PLR2004 - success
        return Answer(answer.status, None)
    more = "; redirections are not followed" if 300 <= answer.status < 400 else ""  # noqa: PLR2004
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
