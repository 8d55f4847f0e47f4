"""Errors as answers: ``application/problem+json`` (RFC 9457) with statera's code, what is wrong and how to mend it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from statera.comparison.verdicts.catalogue import CATALOGUE
from statera.server.database import is_away
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

MEDIA: Final = "application/problem+json"
# The status of each code; any other error of a request has the one below.
STATUS: Final = {
    "bad-body": 400,
    "no-token": 401,
    "not-allowed": 403,
    "no-alert": 404,
    "no-commit": 404,
    "no-hook": 404,
    "no-page": 404,
    "no-project": 404,
    "no-series": 404,
    "no-such-token": 404,
    "bad-method": 405,
    "slow-body": 408,
    "other-project": 409,
    "other-unit": 409,
    "too-large": 413,
    "bad-encoding": 415,
    "server-defect": 500,
    "database-away": 503,
    "issuer-away": 503,
    "server-busy": 503,
}
_UNPROCESSABLE: Final = 422
# What the server itself lacks is nothing that the client could mend, and names files of the server.
INTERNAL: Final = frozenset({"bad-history", "cannot-write", "disk-full", "no-history"})
# How to try again, by status.
_HEADERS: Final[dict[int, dict[str, str]]] = {
    401: {"WWW-Authenticate": 'Bearer realm="statera"'},
    408: {"Connection": "close"},
    413: {"Connection": "close"},
    503: {"Retry-After": "5"},
}
# The codes of errors that have a status alone.
OF_STATUS: Final = {
    400: "bad-body",
    401: "no-token",
    403: "not-allowed",
    404: "no-page",
    405: "bad-method",
    408: "slow-body",
    413: "too-large",
}
_LONGEST: Final = 1000
_log: Final = logging.getLogger("statera.server")


def status_of(code: str) -> int:
    """Return the status of an error."""
    return STATUS.get(code, _UNPROCESSABLE)


def problem(code: str, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer for an error with a code of statera; the detail says what is wrong with this request."""
    status = status_of(code)
    entry = CATALOGUE[code]
    document = {
        "type": f"urn:statera:problem:{code}",
        "title": entry.meaning,
        "status": status,
        "detail": detail[:_LONGEST],
        "code": code,
        "mend": entry.what_to_do,
    }
    return JSONResponse(document, status, {**_HEADERS.get(status, {}), **(headers or {})}, MEDIA)


def of(error: Exception) -> Response:
    """Return the answer for an exception; of one that nobody expected, the log alone has the details."""
    if isinstance(error, Stop) and error.code not in INTERNAL:
        return problem(error.code, str(error))
    if isinstance(error, HTTPException) and error.status_code in OF_STATUS:
        return problem(OF_STATUS[error.status_code], str(error.detail), error.headers)
    if isinstance(error, RequestValidationError):
        return problem("bad-request", _said(error))
    if is_away(error):
        _log.warning("the database is away: %s", getattr(error, "orig", error))
        return problem("database-away", "the database does not answer. Try again later")
    _log.error("a request failed", exc_info=error)
    return problem("server-defect", "the server failed; its log says why")


def install(app: FastAPI) -> None:
    """Answer the errors of an application so."""

    async def answer(_: Request, error: Exception) -> Response:
        return of(error)

    for kind in (Stop, HTTPException, RequestValidationError, DBAPIError):
        app.add_exception_handler(kind, answer)


def _said(error: RequestValidationError) -> str:
    """Say which fields are wrong, without repeating what a stranger wrote there."""
    wrong = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return "; ".join(wrong)
