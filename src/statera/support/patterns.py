"""Patterns by which benchmarks, metrics and configurations are selected."""

from __future__ import annotations

from statera import _native
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Sequence
    from typing import Final

# Characters of a pattern that a message shows.
_SHOWN: Final = 80
# As many of the nearest names are listed.
_NEAREST: Final = 5


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


def exactly(name: str) -> str:
    """Return a pattern that only this name fits."""
    # A class of one character is not a wildcard; ``[!]`` would exclude, and ! or / at the beginning have a meaning.
    escaped = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)
    return f"?{escaped[1:]}" if escaped[:1] in {"!", "/"} else escaped


def without_threads(name: str) -> str:
    """Return the name of a benchmark without the number of threads that Go puts at its end: ``Div-8`` is ``Div``."""
    base, dash, threads = name.rpartition("-")
    return base if dash and threads.isdigit() else name


def _is_regex(pattern: str) -> bool:
    return len(pattern) > 1 and pattern.startswith("/") and pattern.endswith("/")


def _compiled(pattern: str) -> re.Pattern[str] | _native.Pattern:
    if _is_regex(pattern):
        try:
            # Python's own may take for ever over a name, and names are from strangers.
            return _native.Pattern(pattern[1:-1])
        except ValueError as error:
            shown = _native.shortened(pattern, _SHOWN)
            raise Stop("bad-option", f"{shown} is not a regular expression: {error}") from None
    import re  # noqa: PLC0415 - a comparison without filters needs no expressions, which load as much as it does
    from fnmatch import translate  # noqa: PLC0415

    return re.compile(r"\A" + translate(pattern))


def chosen(names: Sequence[str], patterns: Sequence[str], option: str) -> list[bool]:
    """Return which names patterns select. A text without wildcards that no name equals means a part of the names.

    Raises ``Stop`` if no name is selected; the message lists the nearest names.
    """
    known = set(names)
    fits = matcher([_as_part(pattern, known) for pattern in patterns])
    found = [fits(name) for name in names]
    if names and not any(found):
        raise Stop("nothing-to-compare", f"{option} {' '.join(patterns)}: {_none_of(names, patterns)}")
    return found


def selects(pattern: str, names: Sequence[str]) -> bool:
    """Return whether a pattern fits a name, or excludes one."""
    fits = matcher([_as_part(pattern, set(names)).removeprefix("!")])
    return any(map(fits, names))


def _as_part(pattern: str, names: Collection[str]) -> str:
    """Turn a text without wildcards into a pattern of the names that contain it; a name stands for itself alone."""
    sign, text = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    if text in names:
        import re  # noqa: PLC0415 - as above

        return sign + re.sub(r"([*?[])", r"[\1]", text)
    if not text or _is_regex(text) or any(mark in text for mark in "*?["):
        return pattern
    return f"{sign}*{text}*"


def _none_of(names: Sequence[str], patterns: Sequence[str]) -> str:
    """Say that no name is selected, and which names are the nearest."""
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    if not wanted:
        return f"every one of the {len(names):,} names is excluded"
    near = nearest(wanted[0].strip("/*"), names)
    return f"no benchmark has such a name; the nearest are: {near}"


def nearest(text: str, names: Sequence[str]) -> str:
    """List the names nearest to a text, five at most."""
    found = _native.nearest(text, list(names), _NEAREST)
    return ", ".join(_native.shortened(_native.printable(name), _SHOWN) for name in found)


def tidy_metric(pattern: str) -> str:
    """Turn the units that Go prints into the metrics they become: ``ns/op`` to ``sec/op``, ``MB/s`` to ``B/s``."""
    head, slash, tail = pattern.partition("/")
    tidied = {"ns": "sec", "MB": "B"}
    return "-".join(tidied.get(word, word) for word in head.split("-")) + slash + tail
