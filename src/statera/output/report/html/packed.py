"""Data inside a page: compressed, and written so that nothing in it can end an element."""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from statera.output.report.model import Attachment

# Larger attachments are compressed.
_PLAIN: Final = 50_000
# Higher levels take three times as long for two per cent.
_LEVEL: Final = 6


class Link(NamedTuple):
    """The link that downloads an attachment."""

    name: str
    url: str
    size: str


def packed(content: bytes) -> str:
    """Compress bytes and write them as text; the same bytes become the same text."""
    return base64.b64encode(_compressed(content)).decode()


def packed_json(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Write a value as compressed JSON."""
    return packed(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())


def link(attachment: Attachment) -> Link:
    """Write an attachment as a data URL."""
    content, name, kind = attachment.content, attachment.name, attachment.media_type
    if len(content) > _PLAIN:
        content, name, kind = _compressed(content), f"{name}.gz", "application/gzip"
    data = base64.b64encode(content).decode()
    size = f"{len(attachment.content) / 1e3:,.1f} kB"
    return Link(name, f"data:{kind};base64,{data}", size)


def _compressed(content: bytes) -> bytes:
    # A timestamp of compression would make every report different.
    return gzip.compress(content, _LEVEL, mtime=0)
