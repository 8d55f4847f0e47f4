"""The folder of what can be made again. It may be deleted at any time."""

from __future__ import annotations

import os
from pathlib import Path


def cache() -> Path:
    """Return the folder of the cache: ``$XDG_CACHE_HOME/statera``, by default ``~/.cache/statera``."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    # The convention ignores a relative path.
    return (Path(stated) if os.path.isabs(stated) else Path.home() / ".cache") / "statera"  # noqa: PTH117 - of a text
