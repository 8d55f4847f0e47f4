"""The bodies of uploads: read as a stream into a file, expanded, and limited in bytes and in time."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import time
import zlib
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import zstandard
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from statera.errors import Stop
from statera.history.job import is_hash

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import IO

    from starlette.requests import Request

_PREFIX: Final = "body-"
# What a killed server left behind is this old at least, in seconds.
_ABANDONED: Final = 3600
# A block of zstd has at most 128 KiB and takes 4 bytes at least, so that a piece expands to 8 MiB at most.
_PIECE: Final = 256
_READ: Final = 1 << 16
_WINDOW: Final = 1 << 27


class Bounds(NamedTuple):
    """How much a client may send, and how slowly.

    Attributes:
        received: bytes of the body of an upload.
        expanded: bytes of the upload itself, when it is not compressed any longer.
        document: bytes of any other body.
        idle: seconds between two pieces of a body.
        whole: seconds for a whole body.

    """

    received: int = 64 << 20
    expanded: int = 512 << 20
    document: int = 1 << 20
    idle: float = 20.0
    whole: float = 300.0


class Body(NamedTuple):
    """A body that was received: its file, and the SHA-256 of its content."""

    path: Path
    hash: str


@asynccontextmanager
async def received(request: Request, folder: Path, bounds: Bounds) -> AsyncIterator[Body]:
    """Yield the body of a request as a file, which vanishes afterwards.

    Args:
        request: the request. ``Content-Encoding`` may be gzip or zstd; ``Idempotency-Key`` may be the SHA-256 of the
            content.
        folder: where the file is made.
        bounds: how much is read.

    Raises:
        Stop: the body is too large, too slow, damaged or cut off, or has another content than was announced.

    """
    stated = request.headers.get("idempotency-key", "").strip('"').lower()
    if stated and not is_hash(stated):
        raise _other("the header Idempotency-Key is no SHA-256 of 64 hexadecimal digits")
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in _EXPANDERS:
        raise Stop("bad-encoding", f"Content-Encoding {encoding}: send gzip, zstd, or the file as it is")
    sent, whole = await run_in_threadpool(_files, folder)
    try:
        await _receive(request, sent, bounds)
        hash_ = await run_in_threadpool(_expand, sent, whole, encoding, bounds.expanded)
        if stated and stated != hash_:
            raise _other(f"the header Idempotency-Key announces {stated}, and the content is {hash_}")
        yield Body(whole, hash_)
    finally:
        sent.unlink(missing_ok=True)
        whole.unlink(missing_ok=True)


def refuse_announced(length: str | None, most: int) -> None:
    """Refuse a body by its header ``Content-Length``.

    Raises:
        Stop: it is larger than this.

    """
    if length is not None and length.isdecimal() and int(length) > most:
        raise too_large(most)


def too_large(most: int) -> Stop:
    """Return the error for a body of more bytes than this."""
    return Stop("too-large", f"the body has more than {most:,} bytes; send less at once")


def too_slow(seconds: float) -> Stop:
    """Return the error for a body that takes longer than this."""
    return Stop("slow-body", f"the body did not arrive within {seconds:,.0f} seconds; send it again")


def sweep(folder: Path) -> None:
    """Remove what a killed server left behind."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_PREFIX) and time.time() - entry.stat().st_mtime > _ABANDONED:
                Path(entry.path).unlink(missing_ok=True)


def _files(folder: Path) -> tuple[Path, Path]:
    """Make the file of a body as it is sent, and that of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    return _file(folder), _file(folder)


def _file(folder: Path) -> Path:
    handle, name = tempfile.mkstemp(prefix=_PREFIX, dir=folder)
    os.close(handle)
    return Path(name)


async def _receive(request: Request, path: Path, bounds: Bounds) -> None:
    refuse_announced(request.headers.get("content-length"), bounds.received)
    size = 0
    pieces = request.stream().__aiter__()
    with path.open("wb") as file:
        try:
            async with asyncio.timeout(bounds.whole):
                while True:
                    try:
                        piece = await asyncio.wait_for(anext(pieces), bounds.idle)
                    except StopAsyncIteration:
                        return
                    size += len(piece)
                    if size > bounds.received:
                        raise too_large(bounds.received)
                    file.write(piece)
        except TimeoutError:
            raise too_slow(bounds.whole) from None
        except ClientDisconnect:
            raise Stop("bad-body", "the body ended before it was complete; send it again") from None


def _expand(sent: Path, whole: Path, encoding: str, most: int) -> str:
    """Write the content of a body; return its SHA-256."""
    digest = hashlib.sha256()
    size = 0
    with sent.open("rb") as source, whole.open("wb") as target:
        try:
            for piece in _EXPANDERS[encoding](source):
                size += len(piece)
                if size > most:
                    raise Stop("too-large", f"the body expands to more than {most:,} bytes; send less at once")
                digest.update(piece)
                target.write(piece)
        except (zlib.error, zstandard.ZstdError) as error:
            raise Stop("bad-body", f"the body is damaged: it is no {encoding} ({error}); send it again") from None
    return digest.hexdigest()


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
    return Stop("bad-body", "the body is cut off: what was compressed has no end; send it again")


def _other(why: str) -> Stop:
    return Stop("other-content", f"{why}; state the SHA-256 of what is sent, before it is compressed")
