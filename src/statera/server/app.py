"""The application: routes, and what surrounds every request: headers, limits on bodies, errors, and counts."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.openapi.utils import get_openapi
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import func, select
from starlette.datastructures import MutableHeaders

from statera import __version__
from statera.server import api, bodies, problems, tables
from statera.server.bodies import Bounds
from statera.server.requests import Caller, Refusals, address_of
from statera.server.trust import Issuers
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import APIRouter
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from statera.server.requests import Services

_OPENAPI: Final = "/api/v1/openapi.json"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
# A browser that somebody leads to an answer of the API keeps it as a file, and shows nothing of it.
_DISPOSITION: Final = ("Content-Disposition", 'attachment; filename="api.json"')
_HSTS: Final = ("Strict-Transport-Security", "max-age=31536000")

# Others are counted together: strangers choose them.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


def build(
    services: Services,
    *,
    routers: Sequence[APIRouter] = (),
    bounds: Bounds | None = None,
    open_metrics: bool = False,
) -> FastAPI:
    """Return the application, also with further routes, such as those of pages.

    With ``open_metrics``, clients on this machine may read the counts without a token.
    """
    # The pages of FastAPI's documentation load scripts from elsewhere.
    app = _Application(title="statera", version=__version__, docs_url=None, redoc_url=None, openapi_url=_OPENAPI)
    app.state.services = services
    app.state.bounds = bounds or Bounds()
    app.state.metrics = Metrics()
    app.state.refusals = Refusals()
    app.state.issuers = Issuers()
    app.state.open_metrics = open_metrics
    app.state.upload_readers = ThreadPoolExecutor(api.TOGETHER, "upload-reader")
    bodies.sweep(services.data)
    problems.install(app)
    for router in (*api.ROUTERS, *routers):
        app.include_router(router)
    _add_health(app)
    is_secure = services.address.startswith("https://")
    app.add_middleware(_Around, metrics=app.state.metrics, bounds=app.state.bounds, is_secure=is_secure)
    return app


def _add_health(app: FastAPI) -> None:
    @app.get("/health/live", tags=["health"], summary="Whether the process answers")
    async def live() -> dict[str, str]:
        return {"status": "alive"}

    @app.get("/health/ready", tags=["health"], summary="Whether the database answers")
    def ready(request: Request) -> dict[str, str]:
        with request.app.state.services.database.reading() as connection:
            connection.execute(select(1))
        return {"status": "ready"}

    @app.get("/metrics", tags=["health"], include_in_schema=False)
    def counts(request: Request, identity: Caller) -> Response:
        is_near = request.app.state.open_metrics and is_loopback(address_of(request))
        if not is_near and identity is None:
            raise Stop("no-token", "the counts need a token of the server")
        if not is_near and identity and not identity.is_servers:
            raise Stop("not-allowed", "the counts need a token of the server, and this one is of a project")
        return Response(request.app.state.metrics.text(request.app.state.services), media_type=CONTENT_TYPE_LATEST)


def is_loopback(address: str) -> bool:
    """Return whether an address is one of this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class _Application(FastAPI):
    """An application whose description says how errors look: the same for all routes."""

    def openapi(self) -> dict[str, Any]:
        """Return the description of the API."""
        if self.openapi_schema is None:
            found = get_openapi(title=self.title, version=self.version, routes=self.routes, description=_ABOUT)
            schemas = found["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas["Problem"] = _PROBLEM
            for operation in (each for path in found["paths"].values() for each in path.values()):
                operation["responses"].pop("422", None)
                operation["responses"] |= {"4XX": _error("refused"), "503": _error("not answered for a while")}
            self.openapi_schema = found
        return self.openapi_schema


_ABOUT: Final = "Histories of benchmarks. Lists come in pages: the key `next` of one is the `cursor` of the next."


def _error(what: str) -> dict[str, Any]:
    return {
        "description": f"The request is {what}.",
        "content": {problems.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


_TEXT: Final = {"type": "string"}
_PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Problem",
    "description": "An error, as RFC 9457 describes it.",
    "required": ["type", "title", "status", "detail", "code", "mend"],
    "properties": {
        **dict.fromkeys(("type", "title", "detail"), _TEXT),
        "status": {"type": "integer"},
        "code": {**_TEXT, "description": "What `statera explain CODE` explains."},
        "mend": {**_TEXT, "description": "What to do."},
    },
    "example": {
        "type": "urn:statera:problem:no-token",
        "title": "A request has no token, or none that is good.",
        "status": 401,
        "detail": "this needs a token, in a header Authorization: Bearer statera_…",
        "code": "no-token",
        "mend": "State a token that has not ended.",
    },
}


class _Around:
    """What surrounds every request: headers, counts, limits on bodies, and errors that nobody expected."""

    def __init__(self, app: ASGIApp, metrics: Metrics, bounds: Bounds, *, is_secure: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._bounds = bounds
        self._headers = {**_HEADERS, **(dict([_HSTS]) if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/") and "json" in headers.get("content-type", ""):
                    headers.setdefault(*_DISPOSITION)
            await send(message)

        try:
            bounded = self._bounded(scope, receive)
            await self._app(scope, bounded, sending)
        except Exception as error:
            # Whatever it is, the client gets an answer.
            answer = problems.of(error)
            if not status:
                await answer(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.answered(scope["method"], route, status, time.perf_counter() - began)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """Limit the bytes and the time of a body; that of an upload has limits of its own."""
        if scope["path"] == api.UPLOADS:
            return receive
        bounds = self._bounds
        for name, value in scope["headers"]:
            if name == b"content-length":
                bodies.refuse_announced(value.decode("latin-1"), bounds.document)
        end = time.monotonic() + bounds.whole
        size = 0
        whole = False

        async def receiving() -> Message:
            nonlocal size, whole
            # After the body, only the end of the connection can come, which nobody waits for in vain.
            if whole:
                return await receive()
            try:
                async with asyncio.timeout(min(bounds.idle, max(end - time.monotonic(), 0.0))):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, str(bodies.too_slow(bounds))) from None
            size += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if size > bounds.document:
                raise HTTPException(413, str(bodies.too_large(bounds.document)))
            return message

        return receiving


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self._registry = CollectorRegistry()
        labels = ("method", "route")
        self._requests = Counter(
            "statera_requests", "Requests that were answered.", (*labels, "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "statera_request_seconds", "How long answers took.", labels, buckets=_SECONDS, registry=self._registry
        )
        self._uploads = Counter(
            "statera_uploads", "Uploads that were stored, and those that were there.", ("new",), registry=self._registry
        )
        self._waiting = Gauge("statera_uploads_waiting", "Uploads that wait to be stored.", registry=self._registry)
        self._behind = Gauge(
            "statera_projects_behind", "Projects with uploads that were not analysed yet.", registry=self._registry
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by the template of its path, never by the path itself: strangers choose that."""
        method = method if method in _METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def uploaded(self, *, new: bool) -> None:
        """Count an upload."""
        self._uploads.labels("yes" if new else "no").inc()

    def text(self, services: Services) -> bytes:
        """Write all counts as OpenMetrics."""
        columns = tables.project.c
        with services.database.reading() as connection:
            behind = select(func.count()).select_from(tables.project).where(columns.analysed < columns.changed)
            self._behind.set(connection.execute(behind).scalar_one())
        self._waiting.set(services.writer.waiting)
        written: bytes = generate_latest(self._registry)  # type: ignore[no-untyped-call]
        return written
