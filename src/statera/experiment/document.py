"""An experiment file as it is written: its form is checked, and each error names the file, the line and the remedy."""

from __future__ import annotations

import re
import tomllib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, cast

from statera import _native
from statera.experiment.file_keys import LEVEL, LEVELS, TABLES, Key, Kind
from statera.experiment.placeholders import literal, names, template, templates
from statera.experiment.plan import Command
from statera.support.errors import Stop
from statera.support.files import toml
from statera.support.wording import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from statera.experiment.placeholders import Value

# Errors of a value, to which its place is added.
_OF_VALUES: Final = frozenset({"bad-placeholder", "bad-source"})
_LONGEST: Final = 80
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# What statera itself fills in, and the keys that results have anyway.
_TAKEN: Final = frozenset(
    {"build", "source", "out", "round"}
    | {"variant", "benchmark", "metric", "value", "unit", "order", "program", "block", "process", "alpha_share"}
)
# The tables that a file may have several of.
_REPEATED: Final = ("service", "benchmark")
Place = tuple[str | int, ...]
SHELL: Final = "/bin/sh"


class Document(NamedTuple):
    """A file.

    Attributes:
        path: the file, as it was named. text: its content. content: the same, parsed; options replace its keys.
        written: whether there is such a file.

    """

    path: Path
    text: str
    content: dict[str, Any]
    written: bool = True

    @property
    def folder(self) -> Path:
        """The folder of the file, from which its paths start."""
        return self.path.parent.absolute()

    def table(self, *place: str | int) -> Table:
        """Return the table at a place, such as ``("benchmark", 0)``."""
        return Table(self, place)

    def refuse(self, place: Sequence[str | int], why: str) -> NoReturn:
        """Stop, and name the line of a value, or of the table that should hold it."""
        found = (toml.line_of(self.text, place[:length]) for length in range(len(place), 0, -1))
        line = next(filter(None, found), 0)
        if not self.written:
            where = f"line {line} of " * bool(line)
            raise Stop("bad-experiment", f"--across, {where}the file that statera run --init writes: {why}")
        raise Stop("bad-experiment", f"{self.path}:{line}: {why}" if line else f"{self.path}: {why}")


class Table(NamedTuple):
    """A table of a file.

    Attributes:
        document: the file. place: the keys that lead to the table.

    """

    document: Document
    place: Place

    @property
    def content(self) -> dict[str, Any]:
        """Its keys and values; none if it is not there."""
        found: Any = self.document.content
        for step in self.place:
            found = found.get(step, {}) if isinstance(found, dict) else found[step]
        return cast("dict[str, Any]", found)

    def refuse(self, key: str, why: str) -> NoReturn:
        """Stop, and name the line of a key."""
        self.document.refuse((*self.place, key), why)

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Name the line of a key in front of what is said of its value."""
        try:
            yield
        except Stop as stop:
            if stop.code not in _OF_VALUES:
                raise
            self.refuse(key, f"{key}: {stop}")


def load(
    path: Path, options: Mapping[str, object], levels: Mapping[str, Sequence[str]], text: str | None = None
) -> Document:
    """Read a file and check its form.

    Args:
        path: the file.
        text: what it would hold; absent: it is read.
        options: keys outside of tables that replace those of the file.
        levels: levels of factors that replace those of the file.

    Raises:
        Stop: it cannot be read, or its form is wrong.

    """
    try:
        content, found = toml.load(path, "bad-experiment") if text is None else (tomllib.loads(text), text)
    except OSError as error:
        raise Stop("bad-experiment", f"{path}: {error.strerror}. Name an experiment file (TOML)") from None
    document = Document(path, found, content, written=text is None)
    _check_document(document)
    for name, value in options.items():
        kind = TABLES[""][name].kind
        if not kind.fits(value):
            raise Stop("bad-option", f"{name} takes {kind.words}, not {_short(value)}")
    return _with_levels(document._replace(content={**content, **options}), levels)


def _with_levels(document: Document, levels: Mapping[str, Sequence[str]]) -> Document:
    """Replace levels of factors."""
    factors = document.content.get("factors", {})
    for name in levels:
        if name not in factors:
            known = suggestion(name, factors) or (f"; it has {', '.join(factors)}" if factors else "")
            raise Stop("bad-option", f"-L {name}: {document.path} has no factor of this name in [factors]{known}")
    if not levels:
        return document
    replaced = {name: [*levels.get(name, stated)] for name, stated in factors.items()}
    return document._replace(content={**document.content, "factors": replaced})


def _check_document(document: Document) -> None:
    content = document.content
    _check(document, (), "", content)
    for table in ("source", "build"):
        if table in content:
            _check(document, (table,), table, content[table])
    for name in _REPEATED:
        for number, table in enumerate(content.get(name, [])):
            _check(document, (name, number), name, table)
    if "factors" in content and "variant" in content:
        document.refuse(
            ("variant",),
            "[factors] makes variants of all combinations, and [[variant]] names them one by "
            "one. Leave one of them out",
        )
    for name, levels in content.get("factors", {}).items():
        _check_factor(document, ("factors", name), LEVELS, levels)
    for number, variant in enumerate(content.get("variant", [])):
        for name, level in variant.items():
            _check_factor(document, ("variant", number, name), LEVEL, level)


def _check(document: Document, place: Place, table: str, stated: dict[str, Any]) -> None:
    known = TABLES[table]
    for name, value in stated.items():
        if name not in known:
            document.refuse((*place, name), f"there is no key {name!r}{_place_in_words(table)}{_remedy(name, known)}")
        _check_value(document, (*place, name), known[name].kind, value)
    for name, key in known.items():
        if key.required and name not in stated:
            head = "[[benchmark]] is missing: name what is measured" if not table else f"{name} is missing"
            document.refuse(place, f"{head}{_place_in_words(table)}; it takes {key.kind.words}")


def _remedy(name: str, known: Mapping[str, Key]) -> str:
    elsewhere = [_place_in_words(table)[4:] for table, keys in TABLES.items() if table and name in keys]
    if elsewhere and known is TABLES[""]:
        return f"; it belongs into {' or '.join(elsewhere)}"
    if name in TABLES[""]:
        return "; it stands at the beginning of the file, before all tables"
    return suggestion(name, known) or f"; the keys are {', '.join(known)}"


def _place_in_words(table: str) -> str:
    return f" in [[{table}]]" if table in _REPEATED else f" in [{table}]" if table else ""


def _check_value(document: Document, place: Place, kind: Kind, value: object) -> None:
    if not kind.fits(value):
        document.refuse(place, f"{place[-1]} takes {kind.words}, not {_short(value)}")


def _check_factor(document: Document, place: Place, kind: Kind, value: object) -> None:
    name = str(place[-1])
    if not _NAME.fullmatch(name):
        document.refuse(place, f"{name!r} cannot name a factor: use letters, digits, _ and -, a letter first")
    if name in _TAKEN:
        document.refuse(place, f"{name!r} cannot name a factor: statera uses the word itself. Choose another")
    _check_value(document, place, kind, value)


def _short(value: object) -> str:
    return _native.shortened(repr(value), _LONGEST)


def command_of(
    table: Table,
    key: str,
    directory: str,
    values: Mapping[str, Value],
    *,
    later: Collection[str] = (),
    dropped: Collection[str] = (),
) -> Command:
    """Return the command of a key of a table, with the table's ``env``.

    Placeholders of a shell's text are variables (``$rev``): a value can never become part of the program.

    Args:
        table: the table.
        key: the key of the command.
        directory: where it runs.
        values: what placeholders stand for.
        later: placeholders that stay.
        dropped: a variable of ``env`` that names one of these placeholders is left out.

    Raises:
        Stop: a placeholder is wrong.

    """
    stated, variables = table.content[key], table.content.get("env", {})
    with table.at("env"):
        environment = [
            (name, template(text, values, later)) for name, text in variables.items() if not names(text) & set(dropped)
        ]
    if isinstance(stated, dict):
        environment += _variables(stated["shell"], values, later)
        return Command((SHELL, "-c", literal(stated["shell"])), directory, tuple(environment))
    with table.at(key):
        return Command(templates(stated, values, later), directory, tuple(environment))


def _variables(text: str, values: Mapping[str, Value], later: Collection[str]) -> Iterable[tuple[str, str]]:
    """Return the variables that a text for a shell names."""
    for name in (*values, *later):
        if re.search(rf"\$\{{?{re.escape(name)}(?![A-Za-z0-9_])", text):
            yield name, template(f"{{{name}}}", values, later)
