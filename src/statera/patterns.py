"""Patterns by which benchmarks, metrics and configurations are selected."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Characters of a pattern that a message shows.
_SHOWN: Final = 80


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Build a test of names. A pattern is a shell pattern (``*link*``) for the whole name, or ``/regex/`` for a part.

    A leading ``!`` excludes. With exclusions alone everything else is meant; without patterns everything is.
    """
    wanted = [_compiled(pattern) for pattern in patterns if not pattern.startswith("!")]
    unwanted = [_compiled(pattern[1:]) for pattern in patterns if pattern.startswith("!")]

    def fits(name: str) -> bool:
        included = not wanted or any(regex.search(name) for regex in wanted)
        return included and not any(regex.search(name) for regex in unwanted)

    return fits


def _compiled(pattern: str) -> re.Pattern[str] | _native.Pattern:
    if len(pattern) > 1 and pattern.startswith("/") and pattern.endswith("/"):
        try:
            # Python's own may take for ever over a name, and names are from strangers.
            return _native.Pattern(pattern[1:-1])
        except ValueError as error:
            shown = _native.shortened(pattern, _SHOWN)
            raise Stop("bad-option", f"{shown} is not a regular expression: {error}") from None
    return re.compile(r"\A" + translate(pattern))


def tidy_metric(pattern: str) -> str:
    """Turn the units that Go prints into the metrics they become: ``ns/op`` to ``sec/op``, ``MB/s`` to ``B/s``."""
    head, slash, tail = pattern.partition("/")
    tidied = {"ns": "sec", "MB": "B"}
    return "-".join(tidied.get(word, word) for word in head.split("-")) + slash + tail
