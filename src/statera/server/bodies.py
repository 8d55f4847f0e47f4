"""The bodies of uploads: read as a stream into a file, expanded, and limited in bytes and in time."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import time
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import zstandard
from starlette.requests import ClientDisconnect

from statera.history.job import is_hash
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from starlette.requests import Request

_PREFIX: Final = "body-"
# What a killed server left behind is this old at least, in seconds.
_ABANDONED: Final = 3600
# A block of zstd has at most 128 KiB and takes 4 bytes at least, so that a piece expands to 8 MiB at most.
_PIECE: Final = 256
_READ: Final = 1 << 16
_SMALL: Final = 1 << 16
_DIGITS: Final = 18
# Smaller bodies need no file before they are expanded.
_IN_MEMORY: Final = 1 << 20
_WINDOW: Final = 1 << 27


class Bounds(NamedTuple):
    """How much a client may send, and how slowly."""

    received: int = 64 << 20  # bytes of the body of an upload
    expanded: int = 512 << 20  # bytes of the upload itself, when it is not compressed any longer
    document: int = 1 << 20  # bytes of any other body
    idle: float = 20.0  # seconds between two pieces of a body
    whole: float = 300.0  # seconds for a whole body


class Body:
    """A body as it was sent: in memory, or in a file if it is large."""

    def __init__(self, request: Request, folder: Path) -> None:
        """Read what is announced of the body of a request, which files in a folder will hold.

        ``Content-Encoding`` may be gzip or zstd; ``Idempotency-Key`` may be the SHA-256 of the content.

        Raises ``Stop`` if it is announced wrongly.
        """
        # the SHA-256 that the client announces; empty without one
        self.stated = request.headers.get("idempotency-key", "").strip('"').lower()
        if self.stated and not is_hash(self.stated):
            raise _other("the header Idempotency-Key is not a SHA-256 of 64 hexadecimal digits")
        self.encoding = request.headers.get("content-encoding", "identity").strip().lower()  # how it is compressed
        if self.encoding not in _EXPANDERS:
            raise Stop("bad-encoding", f"Content-Encoding {self.encoding}: send gzip, zstd, or the file as it is")
        length = request.headers.get("content-length", "")
        # whether the client announces so few bytes that they may be read from anybody
        self.is_small = length.isdecimal() and len(length) <= _DIGITS and int(length) <= _SMALL
        self._folder = folder
        self._sent = _spooled(folder)

    async def receive(self, request: Request, bounds: Bounds) -> None:
        """Read the body. Raises ``Stop`` if it is too large, too slow, or ends too early."""
        refuse_announced(request.headers.get("content-length"), bounds.received)
        size = 0
        pieces = request.stream().__aiter__()
        try:
            async with asyncio.timeout(bounds.whole):
                while True:
                    try:
                        async with asyncio.timeout(bounds.idle):
                            piece = await anext(pieces)
                    except StopAsyncIteration:
                        return
                    size += len(piece)
                    if size > bounds.received:
                        raise too_large(bounds.received)
                    self._sent.write(piece)
        except TimeoutError:
            raise too_slow(bounds) from None
        except ClientDisconnect:
            raise Stop("bad-body", "the body ended before it was complete. Send it again") from None

    @contextmanager
    def expanded(self, most: int) -> Iterator[Path]:
        """Yield the content as a file, which vanishes afterwards.

        Raises ``Stop`` if it has more than ``most`` bytes, is damaged, or is not what was announced.
        """
        self._sent.seek(0)
        with tempfile.NamedTemporaryFile(prefix=_PREFIX, dir=self._folder) as target:
            hash_ = self._expand(target, most)
            target.flush()
            if self.stated and self.stated != hash_:
                raise _other(f"the header Idempotency-Key announces {self.stated}, and the content is {hash_}")
            yield Path(target.name)

    def close(self) -> None:
        """Let go of what was sent."""
        self._sent.close()

    def _expand(self, target: IO[bytes], most: int) -> str:
        """Write the content; return its SHA-256."""
        digest = hashlib.sha256()
        size = 0
        try:
            for piece in _EXPANDERS[self.encoding](self._sent):
                size += len(piece)
                if size > most:
                    raise Stop("too-large", f"the body expands to more than {most:,} bytes. Send less at once")
                digest.update(piece)
                target.write(piece)
        except (zlib.error, zstandard.ZstdError) as error:
            raise Stop("bad-body", f"the body is damaged: it is not {self.encoding} ({error}). Send it again") from None
        return digest.hexdigest()


def _spooled(folder: Path) -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+b", prefix=_PREFIX, dir=os.fspath(folder))


def refuse_announced(length: str | None, most: int) -> None:
    """Refuse a body whose header ``Content-Length`` says that it is larger."""
    if length is not None and length.isdecimal() and int(length) > most:
        raise too_large(most)


def too_large(most: int) -> Stop:
    """Return the error for a body of more bytes than this."""
    return Stop("too-large", f"the body has more than {most:,} bytes. Send less at once")


def too_slow(bounds: Bounds) -> Stop:
    """Return the error for a body that takes longer than this."""
    return Stop(
        "slow-body",
        f"the body paused for {bounds.idle:g} seconds, or took more than {bounds.whole:g} in all. Send it again",
    )


def sweep(folder: Path) -> None:
    """Make the folder of bodies, and remove what a killed server left behind."""
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_PREFIX) and time.time() - entry.stat().st_mtime > _ABANDONED:
                Path(entry.path).unlink(missing_ok=True)


def _plain(source: IO[bytes]) -> Iterator[bytes]:
    while piece := source.read(_READ):
        yield piece


def _gzip(source: IO[bytes]) -> Iterator[bytes]:
    expander = zlib.decompressobj(wbits=31)
    while piece := source.read(_READ):
        rest = piece
        while rest:
            if expander.eof:
                expander = zlib.decompressobj(wbits=31)
            yield expander.decompress(rest, _READ)
            rest = expander.unused_data if expander.eof else expander.unconsumed_tail
    if not expander.eof:
        raise _cut_off()


def _zstd(source: IO[bytes]) -> Iterator[bytes]:
    made = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    expander = made.decompressobj()
    while piece := source.read(_PIECE):
        rest = piece
        while rest:
            if expander.eof:
                expander = made.decompressobj()
            yield expander.decompress(rest)
            rest = expander.unused_data if expander.eof else b""
    if not expander.eof:
        raise _cut_off()


_EXPANDERS: Final = {"identity": _plain, "gzip": _gzip, "zstd": _zstd}


def _cut_off() -> Stop:
    return Stop("bad-body", "the body is cut off: what was compressed has no end. Send it again")


def _other(why: str) -> Stop:
    return Stop("other-content", f"{why}. State the SHA-256 of what is sent, before it is compressed")
