"""How to see that a service serves: at a port, at an address of HTTP, in what it prints, or by a command."""

from __future__ import annotations

import http.client
import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from statera import _native
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TCP: Final = "tcp:"
_LOG: Final = "log:"
_HTTP: Final = ("http://", "https://")
HERE: Final = "127.0.0.1"
FORMS: Final = "tcp:PORT, tcp:HOST:PORT, http://ADDRESS or log:REGULAR-EXPRESSION"
# Seconds for one question, and the first status of HTTP that is no answer.
_ANSWER: Final = 2.0
_BAD_STATUS: Final = 400
_MOST_PORT: Final = 65535
# So much of a log is searched at once.
_PIECE: Final = 1 << 20


def fault(ready: str) -> str:
    """Say what is wrong with a statement of readiness in which placeholders are replaced; nothing if it can be used."""
    if ready.startswith(_HTTP):
        return "" if _address(ready) else f"{ready!r} names no host"
    if ready.startswith(_TCP):
        return "" if _address(ready) else f"{ready!r} names no port. Write tcp:6379 or tcp:HOST:6379"
    if not ready.startswith(_LOG):
        return f"{ready!r} is none of {FORMS}"
    try:
        _native.Pattern(ready.removeprefix(_LOG))
    except ValueError as error:
        return f"{ready!r} is not a regular expression: {error}"
    return ""


def is_form(text: str) -> bool:
    """Return whether a text states a port, an address or a line of the output, and not a command."""
    return text.startswith((_TCP, _LOG, *_HTTP))


def taken(ready: str | None) -> str:
    """Name the port of an address at which something answers already; nothing if nothing does."""
    address = _address(ready or "")
    return f"port {address[1]}" if address and _accepts(address) else ""


def asked(ready: str, log: Path) -> Callable[[], bool]:
    """Return what asks once whether a service is ready.

    Raises:
        Stop: the statement cannot be used.

    """
    why = fault(ready)
    if why:
        raise Stop("bad-option", f"ready: {why}")
    if ready.startswith(_LOG):
        return _Log(ready.removeprefix(_LOG), log).has_line
    if ready.startswith(_HTTP):
        return lambda: _answers(ready)
    address = _address(ready)
    return lambda: address is not None and _accepts(address)


def _address(ready: str) -> tuple[str, int] | None:
    """Return host and port; None if a statement names none."""
    try:
        parts = urlsplit(ready.replace(_TCP, "tcp://", 1) if ready.startswith(_TCP) else ready)
        if ready.startswith(_TCP):
            port = parts.port if parts.port is not None else int(ready.removeprefix(_TCP))
            host = parts.hostname if parts.port is not None else HERE
        else:
            host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
    return (host, port) if host and 0 < port <= _MOST_PORT and ready.startswith((_TCP, *_HTTP)) else None


def _accepts(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, _ANSWER).close()
    except OSError:
        return False
    return True


def _answers(url: str) -> bool:
    # A proxy of the environment would answer for the service.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_ANSWER) as answer:
            return bool(answer.status < _BAD_STATUS)
    except (OSError, http.client.HTTPException, ValueError):
        return False


class _Log:
    """Searches what a service prints for a line; what was searched once is not searched again."""

    def __init__(self, expression: str, path: Path) -> None:
        self._pattern, self._path = _native.Pattern(expression), path
        self._at, self._rest = 0, b""

    def has_line(self) -> bool:
        """Return whether a line fits that came since the last question."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                new = file.read(_PIECE)
        except OSError:
            return False
        self._at += len(new)
        # A line may still lack its end, or never get one.
        *_, self._rest = lines = (self._rest + new).split(b"\n")
        return any(self._pattern.search(line.decode(errors="replace")) for line in lines)
