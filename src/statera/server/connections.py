"""A connection that closes when the headers of a request take too long; ``bodies.py`` limits the time of bodies."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

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
