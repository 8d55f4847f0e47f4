"""Requests to servers of others: an API of JSON, limits, retries, and a token that appears in no message."""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from urllib import request
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

from statera import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from email.message import Message
    from http.client import HTTPMessage
    from typing import IO

    from statera.support.errors import Stop

_LARGEST: Final = 8 << 20
_SECONDS: Final = 30.0
_ATTEMPTS: Final = 5
_SAID: Final = 200
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
# GET and the like may be repeated whatever became of them; POST only if it certainly did nothing.
_REPEATABLE: Final = frozenset({"GET", "PATCH", "PUT", "DELETE"})
_EMPTY: Final = 204
_NEXT: Final = re.compile(r"""\brel\s*=\s*(?:next\b|"[^"]*\bnext\b)""")
_NONE: Final = MappingProxyType[str, str]({})
SUCCESS: Final = range(200, 300)
REDIRECTION: Final = range(300, 400)
# Too many requests, and the status with which GitHub also says that.
_LIMITED: Final = 429
_FORBIDDEN: Final = 403
_UNAVAILABLE: Final = 503
_FIRST: Final = 0.5
# A limit whose end nobody states.
_UNSTATED: Final = 60.0
# The clocks of two machines differ.
_MARGIN: Final = 1.0


# Whatever JSON holds.
Document: TypeAlias = Any


class Refused(Exception):
    """The API refused a request for good: it is not allowed, or its object does not exist."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Unsure(Exception):
    """Nobody knows whether a request that creates something took effect."""


class Reply(NamedTuple):
    """A complete answer: its status, its headers, and its document; a body that is not JSON has none."""

    status: int
    headers: Mapping[str, str]
    document: Document
    complete: bool


class Unanswered(Exception):
    """A server did not answer with a document."""


def is_safe(address: str) -> bool:
    """Return whether nobody on the way reads what is sent to an address: https, or a server on this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK))


def fetched(address: str, *, seconds: float, most: int) -> Document:
    """Return the document at an address, asked for once and without a token.

    It has ``most`` bytes at most. Each step of the connection has so many seconds, and so has the whole body.

    Raises ``Unanswered`` if there is none, or it is not JSON, too large or too slow.
    """
    if not is_safe(address):
        raise Unanswered(f"{address} does not begin with https://")
    headers = {"User-Agent": f"statera/{__version__}", "Accept": "application/json"}
    asked = request.Request(address, headers=headers)  # noqa: S310 - checked above
    end = time.monotonic() + seconds
    try:
        with request.build_opener(_SameHost).open(asked, timeout=seconds) as answer:
            content = b""
            while len(content) <= most and (piece := answer.read1(most + 1 - len(content))):
                content += piece
                if time.monotonic() > end:
                    raise Unanswered(f"{address} takes more than {seconds:g} seconds")
    except (OSError, HTTPException) as error:
        raise Unanswered(f"{address}: {getattr(error, 'reason', None) or error or type(error).__name__}") from None
    if len(content) > most:
        raise Unanswered(f"{address} has more than {most:,} bytes")
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise Unanswered(f"{address} is no JSON") from None


class Client(ABC):
    """The API at an address, with the right of a token."""

    # Nothing else that the client sends would be taken either.
    refused = frozenset({400, 401, 403, 404, 410, 422})

    def __init__(
        self, base: str, headers: Mapping[str, str], token: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Take the address of the API, and the headers of every request, the one with the token among them.

        The token is stated again so that no message repeats it. ``sleep`` waits so many seconds.

        Raises ``Stop`` if the address cannot be used, or the token holds what no header can.
        """
        if not is_safe(base):
            raise self.bad(f"the address is {base}; it must begin with https://")
        if not _TOKEN.fullmatch(token):
            raise self.bad("the token is empty or holds spaces or line breaks. Copy it again")
        self._base, self._token, self._sleep = base.rstrip("/"), token, sleep
        self._headers = {"User-Agent": f"statera/{__version__}", "Accept": "application/json", **headers}
        self._opener = request.build_opener(_SameHost)

    @abstractmethod
    def bad(self, what: str) -> Stop:
        """Return the error for an address or a token that cannot be used."""

    @abstractmethod
    def failed(self, what: str) -> Stop:
        """Return the error for a server that does not answer."""

    def get(self, path: str, **query: str | int) -> Document:
        """Return a document."""
        return self._answered("GET", f"{path}?{urlencode(query)}" if query else path, None).document

    def page(self, path: str, **query: str | int) -> tuple[Document, bool | None]:
        """Return a page of a list, and whether another one follows; None if the answer does not say."""
        reply = self._answered("GET", f"{path}?{urlencode(query)}", None)
        link = reply.headers.get("link")
        return reply.document, None if link is None else bool(_NEXT.search(link))

    def remove(self, path: str) -> None:
        """Remove something."""
        self._answered("DELETE", path, None)

    def send(self, method: str, path: str, **fields: object) -> Document:
        """Create or change something, and return the answer's document."""
        headers = {"Content-Type": "application/json"}
        return self._answered(method, path, json.dumps(fields).encode(), headers).document

    def put(self, path: str, content: bytes, headers: Mapping[str, str]) -> Document:
        """Send a file by POST to where the same file twice counts once, and return the answer's document."""
        return self._answered("POST", path, content, headers, is_repeatable=True).document

    def _answered(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str] = _NONE,
        *,
        is_repeatable: bool = False,
    ) -> Reply:
        """Send a request until it is answered.

        Raises ``Refused`` if that is for good, ``Unsure`` of what was to be created, and ``Stop`` if the API does not
        answer.
        """
        why = ""
        for attempt in range(_ATTEMPTS):
            reply, why = self._once(method, path, body, headers)
            if reply and reply.complete and reply.status < SUCCESS.stop:
                return reply
            limited = reply is not None and asked_for(reply.status, reply.headers, _message(reply)) is not None
            if reply and reply.status in self.refused and not limited:
                raise Refused(reply.status, why)
            if reply and reply.status in REDIRECTION:
                raise self.failed(f"{why}: it leads to another place, where nothing is sent")
            if method not in _REPEATABLE and not is_repeatable and not limited:
                raise Unsure(why)
            if attempt + 1 < _ATTEMPTS:
                self._wait(reply, attempt, why)
        raise self.failed(f"{why}, after {_ATTEMPTS} attempts. Run the job again later")

    def _wait(self, reply: Reply | None, attempt: int, why: str) -> None:
        seconds = _after_failure(attempt) if reply is None else asked_for(reply.status, reply.headers, _message(reply))
        seconds = _after_failure(attempt) if seconds is None else seconds
        if seconds > _SECONDS * 4:
            raise self.failed(f"{why}: it asks to wait {seconds:,.0f} seconds. Run the job again then")
        self._sleep(seconds)

    def _once(self, method: str, path: str, body: bytes | None, more: Mapping[str, str]) -> tuple[Reply | None, str]:
        """Send a request once; return the answer, if there is one, and what to say if it is not a success."""
        where = f"{method} {self._base}{path.partition('?')[0]}"
        headers = {**self._headers, **more}
        sent = request.Request(f"{self._base}{path}", body, headers, method=method)  # noqa: S310 - checked above
        try:
            with self._opener.open(sent, timeout=_SECONDS) as answer:
                reply = _reply(answer.status, answer.headers, answer)
        except HTTPError as error:
            with error:
                reply = _reply(error.code, error.headers, error)
        except (OSError, HTTPException) as error:
            return None, self._safe(f"{where}: {getattr(error, 'reason', None) or error or type(error).__name__}")
        if reply.status < SUCCESS.stop:
            return reply, f"{where}: the answer is cut off or no JSON"
        message = _message(reply)
        return reply, self._safe(f"{where}: {reply.status}{f' {message}'[:_SAID] if message else ''}")

    def _safe(self, text: str) -> str:
        return text.replace(self._token, "***")


def _message(reply: Reply) -> str:
    """Return what an answer says of itself; an empty text if nothing."""
    said = reply.document if isinstance(reply.document, dict) else {}
    return str(said.get("message") or said.get("detail") or "")


def _reply(status: int, headers: Message, body: IO[bytes]) -> Reply:
    """Read an answer, of which a server may send less than it announced, or more than anybody wants."""
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        content = body.read(_LARGEST + 1)
        announced = int(lower.get("content-length") or len(content))
        document = json.loads(content) if content and len(content) <= _LARGEST else None
    except (OSError, HTTPException, ValueError, RecursionError):
        return Reply(status, lower, None, complete=False)
    whole = (document is not None or status == _EMPTY) and len(content) >= announced
    return Reply(status, lower, document, complete=whole)


class _SameHost(request.HTTPRedirectHandler):
    """Follows a redirection to the same host only: another one would get the token.

    Only what is read is sought elsewhere: the library would turn a POST into a GET, whose success means nothing.
    """

    def redirect_request(  # noqa: PLR0917 - as the standard library calls it
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> request.Request | None:
        """Return the request that follows; None refuses."""
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if req.get_method() != "GET" or (old.scheme, old.netloc) != (new.scheme, new.netloc):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def asked_for(status: int, headers: Mapping[str, str], said: str = "") -> float | None:
    """Return the seconds that an answer asks to wait because of a limit; None if it is about something else.

    Such a request has had no effect. The names of the headers are in lower case; GitHub names some limits in the
    message alone, ``said``.
    """
    if status not in {_LIMITED, _FORBIDDEN, _UNAVAILABLE}:
        return None
    if (after := headers.get("retry-after")) is not None:
        return _seconds(after)
    if headers.get("x-ratelimit-remaining", headers.get("ratelimit-remaining")) == "0":
        return _until(headers.get("x-ratelimit-reset", headers.get("ratelimit-reset", "")))
    named = status == _FORBIDDEN and "rate limit" in said.lower()
    return _UNSTATED if status == _LIMITED or named else None


def _after_failure(attempt: int) -> float:
    """Return the seconds to wait after a failure, twice as many each time."""
    return float(_FIRST * 2**attempt)


def _seconds(stated: str) -> float:
    """Read Retry-After: seconds, or a date."""
    if stated.strip().isdecimal():
        return float(stated)
    try:
        return max((parsedate_to_datetime(stated) - datetime.now(tz=UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return _UNSTATED


def _until(stated: str) -> float:
    """Read the second at which a limit ends."""
    return max(float(stated) - time.time(), 0.0) + _MARGIN if stated.isdecimal() else _UNSTATED
