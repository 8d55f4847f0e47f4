"""Requests to an API of JSON: limits, retries, and a token that appears in no message."""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from http.client import HTTPException
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib import request
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

from statera import __version__
from statera.support.http.waiting import after_failure, asked_for

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
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
# GET and the like may be repeated whatever became of them; POST only if it certainly did nothing.
_REPEATABLE: Final = frozenset({"GET", "PATCH", "PUT", "DELETE"})
_EMPTY: Final = 204
_NEXT: Final = re.compile(r"""\brel\s*=\s*(?:next\b|"[^"]*\bnext\b)""")
_NONE: Final = MappingProxyType[str, str]({})


class Refused(Exception):  # noqa: N818 - an answer, not an error of the program
    """The API refused a request for good: it is not allowed, or its object does not exist."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Unsure(Exception):  # noqa: N818 - as above
    """Nobody knows whether a request that creates something took effect."""


class Reply(NamedTuple):
    """A complete answer: its status, its headers, and its document; a body that is not JSON has none."""

    status: int
    headers: Mapping[str, str]
    document: Any
    complete: bool


class Client(ABC):
    """The API at an address, with the right of a token."""

    # Nothing else that the client sends would be taken either.
    refused = frozenset({400, 401, 403, 404, 410, 422})

    def __init__(
        self, base: str, headers: Mapping[str, str], token: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Check the address and the token.

        Args:
            base: the address of the API.
            headers: headers of every request, the one with the token among them.
            token: the token, so that no message repeats it.
            sleep: waits so many seconds.

        Raises:
            Stop: the address cannot be used, or the token holds what no header can.

        """
        parts = urlsplit(base)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise self.bad(f"the address is {base}; it must begin with https://")
        if not _TOKEN.fullmatch(token):
            raise self.bad("the token is empty or holds spaces or line breaks; copy it again")
        self._base, self._token, self._sleep = base.rstrip("/"), token, sleep
        self._headers = {"User-Agent": f"statera/{__version__}", "Accept": "application/json", **headers}
        self._opener = request.build_opener(_SameHost)

    @abstractmethod
    def bad(self, what: str) -> Stop:
        """Return the error for an address or a token that cannot be used."""

    @abstractmethod
    def failed(self, what: str) -> Stop:
        """Return the error for a server that does not answer."""

    def get(self, path: str, **query: str | int) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Return a document."""
        return self._answered("GET", f"{path}?{urlencode(query)}" if query else path, None).document

    def page(self, path: str, **query: str | int) -> tuple[Any, bool | None]:
        """Return a page of a list, and whether another one follows; None if the answer does not say."""
        reply = self._answered("GET", f"{path}?{urlencode(query)}", None)
        link = reply.headers.get("link")
        return reply.document, None if link is None else bool(_NEXT.search(link))

    def remove(self, path: str) -> None:
        """Remove something."""
        self._answered("DELETE", path, None)

    def send(self, method: str, path: str, **fields: object) -> Any:  # noqa: ANN401 - as above
        """Create or change something, and return the answer's document."""
        headers = {"Content-Type": "application/json"}
        return self._answered(method, path, json.dumps(fields).encode(), headers).document

    def put(self, path: str, content: bytes, headers: Mapping[str, str]) -> Any:  # noqa: ANN401 - as above
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

        Raises:
            Refused: for good. Unsure: of what was to be created. Stop: the API does not answer.

        """
        why = ""
        for attempt in range(_ATTEMPTS):
            reply, why = self._once(method, path, body, headers)
            if reply and reply.complete and reply.status < 300:  # noqa: PLR2004 - success
                return reply
            limited = reply is not None and asked_for(reply.status, reply.headers, _message(reply)) is not None
            if reply and reply.status in self.refused and not limited:
                raise Refused(reply.status, why)
            if reply and 300 <= reply.status < 400:  # noqa: PLR2004 - a redirection
                raise self.failed(f"{why}: it leads to another place, where nothing is sent")
            if method not in _REPEATABLE and not is_repeatable and not limited:
                raise Unsure(why)
            if attempt + 1 < _ATTEMPTS:
                self._wait(reply, attempt, why)
        raise self.failed(f"{why}, after {_ATTEMPTS} attempts; run the job again later")

    def _wait(self, reply: Reply | None, attempt: int, why: str) -> None:
        seconds = after_failure(attempt) if reply is None else asked_for(reply.status, reply.headers, _message(reply))
        seconds = after_failure(attempt) if seconds is None else seconds
        if seconds > _SECONDS * 4:
            raise self.failed(f"{why}: it asks to wait {seconds:,.0f} seconds; run the job again then")
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
        if reply.status < 300:  # noqa: PLR2004 - success
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
