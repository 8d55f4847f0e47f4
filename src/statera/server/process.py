"""A server from its start to its end: the database, the threads and processes beside it, and the socket.

A connection closes when the headers of a request take too long; ``bodies.py`` limits the time of bodies.
"""

from __future__ import annotations

import logging
import signal
import socket
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import uvicorn
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from statera.server import app, browser, migrations
from statera.server.analyst import Analyst
from statera.server.bodies import Bounds
from statera.server.database import Database
from statera.server.deliveries import Sender
from statera.server.examination import Examiner
from statera.server.histories import Writer
from statera.server.requests import Services
from statera.server.site import Renderer
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from statera.support.settings.limits import Limits

# Requests that are under way when the server ends have so many seconds.
_GRACE: Final = 30
_BACKLOG: Final = 1024


class Options(NamedTuple):
    """How a server runs."""

    database: str  # the address of the database
    data: Path  # a folder of this machine, for copies of uploads and bodies in transit; it may be lost
    host: str  # the name or address that it listens on
    port: int  # the port; 0 for any that is free
    address: str  # where browsers find it; empty for the socket itself
    limits: Limits  # how much is read of an upload
    # received, expanded: bytes of an upload as it is sent, and when it is not compressed any longer
    received: int
    expanded: int
    allow_private: bool  # whether hooks may be machines of the server's own network
    open_metrics: bool  # whether clients on this machine may read the counts without a token


def serve(options: Options, say: Callable[[str], None]) -> None:
    """Serve until a signal ends it: requests that are under way are answered, and what waits is stored.

    Raises ``Stop`` if the database cannot be used, or the socket is taken.
    """
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    allow_many()
    listening = _listening(options.host, options.port)
    port = listening.getsockname()[1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = options.address.rstrip("/") or f"http://{host}:{port}"
    with listening, _working(options, address) as services:
        bounds = Bounds(received=options.received, expanded=options.expanded)
        application = app.build(services, routers=browser.ROUTERS, bounds=bounds, open_metrics=options.open_metrics)
        config = uvicorn.Config(
            application,
            http=Connection,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            # Whoever stands before the server states the client's address; only one on this machine is believed.
            proxy_headers=True,
            forwarded_allow_ips="127.0.0.1,::1",
            timeout_graceful_shutdown=_GRACE,
            backlog=_BACKLOG,
        )
        say(f"serving {services.database.url} on {address}")
        if not (options.host == "localhost" or app.is_loopback(options.host)) and not address.startswith("https://"):
            say(
                "tokens are sent unencrypted: put a proxy with TLS in front of the server, and state its --address https://…"
            )
        _Server(config).run(sockets=[listening])
    say("ended; everything that was answered is stored")


class _Server(uvicorn.Server):
    """A server that a signal ends without ending the process: what waits is still to be stored."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that ask for the end, and give them back to whoever had them."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _working(options: Options, address: str) -> Iterator[Services]:
    """Yield what requests need, while uploads are stored, projects analysed and hooks told."""
    try:
        # Copies of uploads are as private as the projects.
        options.data.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise outputs.failure(options.data, error) from None
    database = Database(options.database)
    with ExitStack() as ending:
        ending.callback(database.close)
        _prepare(database)
        writer = Writer(database)
        parts = (
            writer,
            Analyst(options.database, options.data),
            Sender(database, address, allow_private=options.allow_private),
        )
        for part in parts:
            part.start()
            ending.callback(part.stop)
        examiner = Examiner()
        ending.callback(examiner.stop)
        renderer = Renderer(database)
        yield Services(
            database, writer, options.data, options.limits, renderer, examiner, address, options.allow_private
        )


def _prepare(database: Database) -> None:
    """Make the tables of an empty database; those of an older statera are upgraded on purpose only."""
    try:
        if not inspect(database.engine).get_table_names():
            migrations.upgrade(database)
        migrations.check(database)
    except DBAPIError as error:
        raise Stop("bad-database", f"{database.url}: {error.orig}") from None


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise Stop("cannot-listen", f"{host}:{port}: {error.strerror}. State another --host or --port") from None


# Seconds from the first byte of a request, or from the connection, to the end of its headers.
PATIENCE: Final = 10.0
# So many connections may wait for that at the same time, if the system allows it.
_MOST: Final = 1 << 16


class Connection(HttpToolsProtocol):
    """A connection of uvicorn, which by itself closes those alone that rest between two requests."""

    patience = PATIENCE
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for headers."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._unset()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; empty lines before a request begin none, and count too."""
        super().data_received(data)
        if not self._is_answering:
            self._wait()

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of a request."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """Wait no longer: the application decides."""
        self._unset()
        super().on_headers_complete()

    @property
    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        if self._closing is None:
            self._closing = self.loop.call_later(self.patience, self._close)

    def _unset(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _close(self) -> None:
        self._closing = None
        # Whoever sent the next request early may not be heard before the answer is complete.
        if self._is_answering:
            self._wait()
        else:
            self.transport.close()


def allow_many() -> None:
    """Let this process have as many connections as the system allows it: 1,024 that wait would leave none to others."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not everywhere

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
