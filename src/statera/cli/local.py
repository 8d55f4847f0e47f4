"""Where results may go: to this machine's file systems."""

from __future__ import annotations

import re
from typing import Final

from statera.errors import Stop

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def refuse_scheme(word: str | None, option: str = "-o") -> None:
    """Refuse an address of another system, which would become a directory called ``hdfs:``.

    Raises:
        Stop: the word begins with ``scheme://``.

    """
    found = _SCHEME.match(word or "")
    if found:
        raise Stop(
            "bad-option",
            f"{option} {word}: results are written to this machine, not to {found[1]}://; name a path, and copy what "
            f"stands there; a directory that is called {found[1]}: is written ./{found[1]}:/",
        )
