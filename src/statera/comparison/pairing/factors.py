"""Factors that the files do not contain: stated for each label, in a manifest, or in file names."""

from __future__ import annotations

import os
from itertools import pairwise

from statera.support.errors import Stop, unreadable
from statera.support.files.names import as_text
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from typing import Any

    from statera.reading.observations import Context, Source


_FIELD = r"\{([A-Za-z_]\w*)(?::([^{}]+))?\}"
# What ends the name of a file of results, possibly of a compressed one.
_ENDING = r"(\.[A-Za-z][A-Za-z0-9]{0,9})?(\.(gz|zst|xz|bz2))?$"
_DATE = r"\d{4}-\d{2}-\d{2}(?:[T_ -]\d{2}[-:.]?\d{2}(?:[-:.]?\d{2})?Z?)?"

_HOW = "--factor takes LABEL:KEY=VALUE, for instance new:ghc=9.6.2"
_WHOSE = ("file", "label")


class NamePattern(NamedTuple):
    """A pattern of file names, compiled."""

    text: str  # as the user wrote it
    short: re.Pattern[str]  # compiled so that each field takes as little as it can
    long: re.Pattern[str]  # the same, as much as it can: where both divide a name alike, there is one way to divide it

    def values(self, path: str) -> dict[str, str]:
        """Return the factors in a file's name, or in its path if the pattern has a slash; empty if it does not fit.

        Raises ``Stop`` if there are several ways to divide the name.
        """
        name = path if "/" in self.text else os.path.basename(path)
        if self.text.endswith("}"):
            import re  # noqa: PLC0415 - it loads as much as a small comparison, and few name files by a pattern

            name = re.sub(_ENDING, "", name, count=1)
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
                f"--name-pattern {self.text}: {name} can be divided in several ways: {ways}. Write more of the "
                f"text around a factor, or say what it looks like, as in {{{field}:[^-]+}}",
            )
        return short.groupdict()


def fields(pattern: str) -> list[str]:
    """Return the names of the factors of a pattern."""
    import re  # noqa: PLC0415 - as above

    return [name for name, _ in re.findall(_FIELD, pattern)]


def compiled(pattern: str) -> NamePattern:
    """Compile a pattern. A field takes what stands between the texts around it, or what its own expression fits.

    Raises ``Stop`` if it has no field, one twice, two without a text between them, or an expression that is none.
    """
    import re  # noqa: PLC0415 - as above

    found = list(re.finditer(_FIELD, pattern))
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
    import re  # noqa: PLC0415 - as above

    text, end = "", 0
    for field in re.finditer(_FIELD, pattern):
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


class Factors(NamedTuple):
    """The factors that the user stated."""

    of_label: tuple[tuple[str, str, str], ...] = ()  # (label, key, value) of each ``--factor``
    # (pattern of a file's path, key, value) of each cell of a manifest; a pattern is a path or a glob
    of_file: tuple[tuple[str, str, str], ...] = ()
    of_name: tuple[str, ...] = ()  # patterns of file names such as ``{rev}-{ghc}-from``
    files: tuple[str, ...] = ()  # the files that a manifest names without a wildcard, in order
    # (label, key, value) of each fact of a machine; an empty label stands for all of them. They are no factors: they
    # fill in what a file does not state.
    of_machine: tuple[tuple[str, str, str], ...] = ()

    @property
    def keys(self) -> list[str]:
        """Return the names of the factors, in the order in which they were stated."""
        named = [key for pattern in self.of_name for key in fields(pattern)]
        given = [key for _, key, _ in (*self.of_label, *self.of_file)]
        return list(dict.fromkeys([*given, *named]))


def parse_factor(word: str) -> list[tuple[str, str, str]]:
    """Read ``LABEL:KEY=VALUE[,KEY=VALUE…]``."""
    label, colon, rest = word.partition(":")
    pairs = [part.partition("=") for part in rest.split(",")]
    if not colon or not label or any(not key or not equals or not value for key, equals, value in pairs):
        raise Stop("bad-option", f"--factor {word}: {_HOW}")
    return [(label, key, value) for key, _, value in pairs]


def load_machine(word: str) -> list[tuple[str, str, str]]:
    """Read ``[LABEL=]FILE``, a file that ``statera machine -o`` wrote.

    Raises ``Stop`` if the file cannot be read, or is no such file.
    """
    import json  # noqa: PLC0415 - as above

    from statera.reading.formats import keys_that  # noqa: PLC0415 - as above

    label, _, path = word.rpartition("=") if not os.path.exists(word) else ("", "", word)
    try:
        document = json.loads(_opened(path))
    except (ValueError, RecursionError):
        document = None
    facts = document.get("machine") if isinstance(document, dict) else None
    if (
        not isinstance(facts, dict)
        or not facts
        or not facts.keys() <= keys_that(lambda key: key.role == "environment")
        or not all(isinstance(value, str) and value for value in facts.values())
    ):
        raise Stop("bad-manifest", f"{path}: not what `statera machine -o FILE` writes. Write it on that machine.")
    return [(label, key, value) for key, value in facts.items()]


def load_manifest(path: str) -> Factors:
    """Read a table of variants, CSV (with a header line) or TOML (``[[variants]]`` tables).

    A row has a ``file`` (a path relative to the manifest, or a pattern) or a ``label``; every other column is a
    factor. An empty cell is ignored, so that one row can state the compiler and another the branch.
    """
    rows = _toml(path) if path.lower().endswith(".toml") else _csv(path)
    folder = os.path.dirname(path)
    found = Factors()
    for where, row in rows:
        whose = [name for name in _WHOSE if row.get(name)]
        if len(whose) != 1:
            raise Stop("bad-manifest", f"{where}: a row must name one file or one label")
        given = row[whose[0]]
        cells = [(key, value) for key, value in row.items() if key not in _WHOSE and value]
        if whose[0] == "label":
            found = found._replace(of_label=(*found.of_label, *((given, key, value) for key, value in cells)))
            continue
        # A pattern without a folder matches names of files in any folder.
        pattern = given if _is_pattern(given) and "/" not in given else os.path.join(folder, given)
        found = found._replace(of_file=(*found.of_file, *((as_text(pattern), key, value) for key, value in cells)))
        if not _is_pattern(given):
            found = found._replace(files=(*found.files, pattern))
    if not found.keys:
        raise Stop("bad-manifest", f"{path}: no factor. Add a column besides file or label, for instance compiler")
    return found._replace(files=tuple(dict.fromkeys(found.files)))


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _opened(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Stop("bad-manifest", unreadable(path, error)) from None


def _csv(path: str) -> list[tuple[str, dict[str, str]]]:
    import csv  # noqa: PLC0415 - only where there is a manifest

    try:
        text = _opened(path).decode("utf-8-sig")
        lines = list(csv.reader(text.splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise Stop("bad-manifest", f"{path}: not a table of comma-separated values: {error}") from None
    if not lines or not set(lines[0]) & set(_WHOSE):
        raise Stop("bad-manifest", f"{path}:1: the header line names no column file or label")
    head = [name.strip() for name in lines[0]]
    if len(set(head)) < len(head) or not all(head):
        raise Stop("bad-manifest", f"{path}:1: a column has no name, or two have the same")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in line):
            continue
        if len(line) != len(head):
            raise Stop("bad-manifest", f"{path}:{number}: {len(line)} cells, but the header has {len(head)}")
        rows.append((f"{path}:{number}", dict(zip(head, (cell.strip() for cell in line), strict=True))))
    return rows


def _toml(path: str) -> list[tuple[str, dict[str, str]]]:
    from statera.support.files import toml  # noqa: PLC0415 - only where there is a manifest

    try:
        document, _ = toml.load(path, "bad-manifest")
    except OSError as error:
        raise Stop("bad-manifest", unreadable(path, error)) from None
    tables: Any = document.get("variants")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise Stop("bad-manifest", f"{path}: write one [[variants]] table for each file or label")
    rows = []
    for number, table in enumerate(tables, 1):
        where = f"{path}: [[variants]] {number}"
        for key, value in table.items():
            if not isinstance(value, str):
                raise Stop("bad-manifest", f"{where}: {key} is a text in quotes, not {value!r}")
        rows.append((where, table))
    return rows


def factored(contexts: list[Context], sources: list[Source], labels: Sequence[str], factors: Factors) -> list[Context]:
    """Add to each configuration the factors of its file; a factor must not contradict the file."""
    names = [compiled(pattern) for pattern in factors.of_name]
    if not factors.keys and not factors.of_machine:
        return contexts
    _check_labels(factors, labels)
    of_source = [_of_source(source, labels[source.argument], factors, names) for source in sources]
    if factors.keys and not any(of_source):
        raise Stop("bad-manifest", _fits_nothing(sources[0].name, factors))
    machines = {
        label: {key: value for whose, key, value in factors.of_machine if whose in {"", label}} for label in labels
    }
    found = []
    for context in contexts:
        given = of_source[context.source]
        for key, value in given.items():
            stated = context.keys.get(key, value)
            if stated != value:
                name = sources[context.source].name
                raise Stop("factor-contradicts", f"{name}: {key} is given as {value!r}, but the file states {stated!r}")
        machine = machines[labels[sources[context.source].argument]]
        found.append(context._replace(keys={**machine, **context.keys, **given}))
    return found


def _fits_nothing(path: str, factors: Factors) -> str:
    name = os.path.basename(path)
    where = "; a pattern with a / is compared with the path, another one with the name of the file"
    return (
        f"no factor fits any file; the first is {name} in {path}{where if factors.of_name or factors.of_file else ''}"
    )


def _check_labels(factors: Factors, labels: Sequence[str]) -> None:
    machines = (each for each in factors.of_machine if each[0])
    for label, key, value in (*factors.of_label, *machines):
        if label not in labels:
            known = ", ".join(dict.fromkeys(labels))
            raise Stop(
                "bad-option",
                f"{key}={value} is stated of the label {label!r}, which no file has; there are: {known}",
            )


def _of_source(source: Source, label: str, factors: Factors, names: list[NamePattern]) -> dict[str, str]:
    given: dict[str, str] = {}
    said = [(key, value) for pattern, key, value in factors.of_file if _fits(source.name, pattern)]
    said += [(key, value) for whose, key, value in factors.of_label if whose == label]
    for pattern in names:
        said += [(key, value) for key, value in pattern.values(source.name).items() if value]
    for key, value in said:
        if given.setdefault(key, value) != value:
            raise Stop("factor-contradicts", f"{source.name}: {key} is given as {given[key]!r} and as {value!r}")
    return given


def _fits(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a file: its path, a glob of paths, or a glob of names."""
    from fnmatch import fnmatchcase  # noqa: PLC0415 - as above

    if _is_pattern(pattern) and "/" not in pattern:
        return fnmatchcase(os.path.basename(name), pattern)
    path, wanted = os.path.normpath(name), os.path.normpath(pattern)
    return path == wanted or (_is_pattern(pattern) and fnmatchcase(path, wanted))
