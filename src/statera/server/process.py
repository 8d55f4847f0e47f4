"""A server from its start to its end: the database, the threads and processes beside it, and the socket."""

from __future__ import annotations

import logging
import signal
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

import uvicorn
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError

from statera.server import app, browser, migrations
from statera.server.analyst import Analyst
from statera.server.bodies import Bounds
from statera.server.connections import Connection, allow_many
from statera.server.database import Database
from statera.server.deliveries import Sender
from statera.server.examination import Examiner
from statera.server.histories import Writer
from statera.server.requests import Services
from statera.server.site import Renderer
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from statera.support.settings.limits import Limits

# Requests that are under way when the server ends have so many seconds.
_GRACE: Final = 30
_BACKLOG: Final = 1024


class Options(NamedTuple):
    """How a server runs.

    Attributes:
        database: the address of the database.
        data: a folder of this machine, for copies of uploads and bodies in transit; it may be lost.
        host: the name or address that it listens on.
        port: the port; 0 for any that is free.
        address: where browsers find it; empty for the socket itself.
        limits: how much is read of an upload.
        received, expanded: bytes of an upload as it is sent, and when it is not compressed any longer.
        allow_private: whether hooks may be machines of the server's own network.
        open_metrics: whether clients on this machine may read the counts without a token.

    """

    database: str
    data: Path
    host: str
    port: int
    address: str
    limits: Limits
    received: int
    expanded: int
    allow_private: bool
    open_metrics: bool


def serve(options: Options, say: Callable[[str], None]) -> None:
    """Serve until a signal ends it: requests that are under way are answered, and what waits is stored.

    Raises:
        Stop: the database cannot be used, or the socket is taken.

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
