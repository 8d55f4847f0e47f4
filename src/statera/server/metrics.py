"""What a server counts, for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import func, select

from statera.server import tables

if TYPE_CHECKING:
    from statera.server.services import Services

MEDIA: Final = CONTENT_TYPE_LATEST
# Others are counted together: strangers choose them.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


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
        """Count a request.

        Args:
            method: its method.
            route: the template of its path, never the path itself: strangers choose that.
            status: the status of the answer.
            seconds: how long it took.

        """
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
