"""Factors in the names of files: patterns such as ``{rev}-{ghc}-from``."""

from __future__ import annotations

import os
import re
from itertools import pairwise

from statera.support.errors import Stop
from statera.support.typed import NamedTuple

_FIELD = re.compile(r"\{([A-Za-z_]\w*)(?::([^{}]+))?\}")
# What ends the name of a file of results, possibly of a compressed one.
_ENDING = re.compile(r"(\.[A-Za-z][A-Za-z0-9]{0,9})?(\.(gz|zst|xz|bz2))?$")
_DATE = r"\d{4}-\d{2}-\d{2}(?:[T_ -]\d{2}[-:.]?\d{2}(?:[-:.]?\d{2})?Z?)?"


class NamePattern(NamedTuple):
    """A pattern of file names, compiled.

    Attributes:
        text: as the user wrote it.
        short: compiled so that each field takes as little as it can.
        long: the same, as much as it can: where both divide a name alike, there is one way to divide it.

    """

    text: str
    short: re.Pattern[str]
    long: re.Pattern[str]

    def values(self, path: str) -> dict[str, str]:
        """Return the factors in a file's name, or in its path if the pattern has a slash; empty if it does not fit.

        Raises:
            Stop: there are several ways to divide the name.

        """
        name = path if "/" in self.text else os.path.basename(path)  # noqa: PTH119
        if self.text.endswith("}"):
            name = _ENDING.sub("", name, count=1)
        short, long = self.short.search(name), self.long.search(name)
        if short is None or long is None:
            return {}
        if short.groups() != long.groups():
            ways = "; or ".join(
                ", ".join(f"{key}={value}" for key, value in each.groupdict().items()) for each in (short, long)
            )
            field = next(iter(short.groupdict()))
            raise Stop(
                "bad-option",
                f"--name-pattern {self.text}: {name} can be divided in several ways: {ways}; write more of the "
                f"text around a factor, or say what it looks like, as in {{{field}:[^-]+}}",
            )
        return short.groupdict()


def fields(pattern: str) -> list[str]:
    """Return the names of the factors of a pattern."""
    return [name for name, _ in _FIELD.findall(pattern)]


def compiled(pattern: str) -> NamePattern:
    """Compile a pattern. A field takes what stands between the texts around it, or what its own expression fits.

    Raises:
        Stop: it has no field, one twice, two without a text between them, or an expression that is none.

    """
    found = list(_FIELD.finditer(pattern))
    names = fields(pattern)
    if not names or len(set(names)) < len(names):
        raise Stop("bad-option", f"--name-pattern {pattern}: write each factor once in braces, as in {{rev}}-{{ghc}}")
    if any(one.end() == next_one.start() for one, next_one in pairwise(found)):
        raise Stop(
            "bad-option", f"--name-pattern {pattern}: write some text between two factors, as in {{rev}}-{{ghc}}"
        )
    try:
        return NamePattern(pattern, re.compile(_expression(pattern, "?")), re.compile(_expression(pattern, "")))
    except re.error as error:
        raise Stop("bad-option", f"--name-pattern {pattern}: not a regular expression: {error}") from None


def _expression(pattern: str, most: str) -> str:
    text, end = "", 0
    for field in _FIELD.finditer(pattern):
        name, own = field.groups()
        text += re.escape(pattern[end : field.start()])
        # A date has hyphens of its own.
        form = own or (f"{_DATE}|[^/]+{most}" if name == "date" else f"[^/]+{most}")
        text += f"(?P<{name}>{form})"
        end = field.end()
    text += re.escape(pattern[end:])
    begin = "" if not pattern.startswith("{") else "(?:^|/)" if "/" in pattern else "^"
    # A path is matched from its end: the last part of the pattern is the file.
    close = "$" if pattern.endswith("}") else "[^/]*$" if "/" in pattern else ""
    return begin + text + close
