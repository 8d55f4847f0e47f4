"""The language of mappings: which lines a log has, and what of them is measured. One TOML file per system."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from statera import _native
from statera.support.errors import Stop
from statera.support.files import toml
from statera.support.patterns import nearest
from statera.support.settings import Limits
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn

CODE: Final = "event-mapping"
_BUILT_IN: Final = Path(__file__).parent / "mappings"
_LONGEST: Final = 80
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_CONDITIONED: Final = ("where", "failed", "from", "to")
# A text that a condition compares as it is, not a pattern, an expression or a comparison.
_NAMES: Final = re.compile(r"[^*?/<>=!\[\]]+")
_PER: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|min|h)")
FORMS: Final = ("json", "logfmt", "csv", "regex")
UNITS: Final = ("s", "ms", "us", "ns")


class Mapping(NamedTuple):
    """A mapping that was checked."""

    path: str  # where it stands
    name: str  # what it is called
    title: str  # what it reads, in words
    plan: str  # its content as JSON, for the compiled part
    files: tuple[str, ...]  # patterns of the names of logs in a folder; empty for all that can be logs
    lines: tuple[str, ...]  # the names of its kinds of lines
    samples: tuple[str, ...]  # the names of its samples


class Kind(NamedTuple):
    """The values that a field takes: in words, and as a test."""

    words: str
    fits: Callable[[Any], bool]


def is_text(value: object) -> bool:
    """Return whether a value is a text that is not empty."""
    return isinstance(value, str) and bool(value.strip())


def _is_list(value: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(map(fits, value))


def _is_word(value: object) -> bool:
    return isinstance(value, str | int | float)


def _is_condition(value: object) -> bool:
    return _is_word(value) or _is_list(value, _is_word)


def _are_conditions(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_is_condition, value.values()))


def _is_replacement(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)  # noqa: PLR2004


def _is_key(value: object) -> bool:
    if isinstance(value, dict):
        allowed = set(value) <= {"name", "field", "replace"} and is_text(value.get("field", ""))
        return allowed and is_text(value.get("name", "x")) and all(map(_is_replacement, value.get("replace", [])))
    return is_text(value)


_TEXT: Final = Kind("a text", is_text)
_TEXTS: Final = Kind('a list of texts such as ["route"]', lambda value: _is_list(value, is_text))
_ONE_OR_MORE: Final = Kind("a field, or a list of fields", lambda value: is_text(value) or _is_list(value, is_text))
_YES: Final = Kind("true or false", lambda value: isinstance(value, bool))
_CONDITIONS: Final = Kind(
    'conditions such as { status = ">=500", method = ["GET", "HEAD"], path = "/^.api/" }', _are_conditions
)
_TABLE: Final = Kind("a table", lambda value: isinstance(value, dict))

_LINES: Final = {
    "name": _TEXT,
    "form": Kind(f"one of {', '.join(FORMS)}", lambda value: value in FORMS),
    "pattern": _TEXT,
    "columns": _TEXTS,
    "separator": Kind('one character, such as "," or "\\t"', lambda value: isinstance(value, str) and len(value) == 1),
    "header": _YES,
    "time": _TEXT,
    "unit": Kind(f"the unit of numeric times: {', '.join(UNITS)}", lambda value: value in UNITS),
    "year": Kind("the year of times that are written without one", lambda value: type(value) is int),
    "each": Kind("the path of an array", lambda value: isinstance(value, str)),
    "whole": _YES,
    "inside": _TEXT,
    "inner": _TABLE,
}
_SAMPLES: Final = {
    "name": _TEXT,
    "metric": _TEXT,
    "where": _CONDITIONS,
    "value": _ONE_OR_MORE,
    "minus": _TEXT,
    "unit": _TEXT,
    "per": Kind('a length of time such as "1s"', lambda value: isinstance(value, str) and bool(_PER.fullmatch(value))),
    "failed": _CONDITIONS,
    "keys": Kind(
        'a list such as ["method", { name = "route", field = "path", replace = [["[0-9]+", "N"]] }]',
        lambda value: _is_list(value, _is_key),
    ),
    "better": Kind("lower, higher or none", lambda value: value in {"lower", "higher", "none"}),
    "from": _CONDITIONS,
    "to": _CONDITIONS,
    "key": _ONE_OR_MORE,
    "hosts": _TEXTS,
}
_TOP: Final = {
    "title": _TEXT,
    "files": _TEXTS,
    "lines": Kind("[[lines]]", lambda value: _is_list(value, lambda one: isinstance(one, dict))),
    "samples": Kind("[[samples]]", lambda value: _is_list(value, lambda one: isinstance(one, dict))),
}
_AS_STATED: Final = ("name", "metric", "minus", "unit", "hosts", "better")
_OF_EVENTS: Final = ("from", "to", "key", "hosts")
_OF_VALUES: Final = ("value", "minus", "unit", "per", "failed")
# What each form needs, and what only it takes.
_OF_FORM: Final = {
    "json": ((), ("each", "whole")),
    "logfmt": ((), ()),
    "csv": ((), ("columns", "separator", "header")),
    "regex": (("pattern",), ("pattern",)),
}


def built_in() -> dict[str, str]:
    """Return the built-in mappings, each with its title."""
    documents = {path.stem: toml.load(path, CODE)[0] for path in sorted(_BUILT_IN.glob("*.toml"))}
    return {name: str(document.get("title", name)) for name, document in documents.items()}


def text_of(name: str) -> str:
    """Return the text of a built-in mapping."""
    return (_BUILT_IN / f"{name}.toml").read_text(encoding="utf-8")


def is_named(name: str) -> bool:
    """Whether a name is that of a built-in mapping or of a file of one."""
    return name.endswith(".toml") or (_BUILT_IN / f"{name}.toml").is_file()


def named(name: str | os.PathLike[str]) -> Mapping:
    """Load a built-in mapping by its name, or any from its file.

    Raises ``Stop`` if there is none, or it is invalid; the text names file, line and field.
    """
    text = os.fspath(name)
    own = _BUILT_IN / f"{text}.toml"
    is_own = re.fullmatch("[a-z0-9-]+", text) is not None and own.is_file()
    path = own if is_own else Path(text)
    try:
        document, written = toml.load(path, CODE)
    except OSError:
        near = nearest(text, list(built_in()))
        raise Stop(CODE, f"{text}: is neither a file nor a built-in mapping; the nearest: {near}") from None
    return _Reader(text if is_own else str(path), written, document).mapping(path.stem)


class _Reader:
    """A mapping that is being checked; a fault is told with its line."""

    def __init__(self, path: str, written: str, document: dict[str, Any]) -> None:
        self.path, self.written, self.document = path, written, document

    def mapping(self, name: str) -> Mapping:
        document = self.document
        self.check([], document, _TOP, ("lines", "samples"), "the mapping")
        lines = [self.lines(["lines", place], one) for place, one in enumerate(document["lines"])]
        samples = [self.sample(["samples", place], one) for place, one in enumerate(document["samples"])]
        self._check_kinds(lines)
        plan = json.dumps({"lines": lines, "samples": samples}, ensure_ascii=False)
        try:
            # Reading nothing shows whether the compiled part accepts it.
            _native.gather_logs(plan, [], Limits())
        except ValueError as error:
            raise Stop(CODE, f"{self.path}: {error}") from None
        names = [one["name"] for one in samples]
        for place, each in enumerate(names):
            if each in names[:place]:
                self.refuse(["samples", place, "name"], f"two samples have the name {each!r}")
        return Mapping(
            self.path,
            name,
            str(document.get("title", name)),
            plan,
            tuple(document.get("files", ())),
            tuple(one["name"] for one in lines),
            tuple(names),
        )

    def _check_kinds(self, lines: list[dict[str, Any]]) -> None:
        """Refuse a condition on a kind of lines that there is not: it would never hold, and nothing would say so."""
        known = [each["name"] for one in lines for each in (one, one.get("inner", one))]
        for place, sample in enumerate(self.document["samples"]):
            for key in _CONDITIONED:
                stated = sample.get(key, {}).get("lines", [])
                for word in map(_word, stated if isinstance(stated, list) else [stated]):
                    named = word.removeprefix("!")
                    if _NAMES.fullmatch(named) and named not in known:
                        kinds = ", ".join(dict.fromkeys(known))
                        why = f"{sample['name']}: no [[lines]] is named {named!r}. Their names: {kinds}"
                        self.refuse(["samples", place, key], why)

    def check(
        self, place: list[str | int], stated: dict[str, Any], form: dict[str, Kind], needed: tuple[str, ...], what: str
    ) -> None:
        for field, value in stated.items():
            if field not in form:
                self.refuse([*place, field], f"{what} has no field {field!r}. Its fields are {', '.join(form)}")
            if not form[field].fits(value):
                shown = _native.shortened(repr(value), _LONGEST)
                self.refuse([*place, field], f"{field} takes {form[field].words}, not {shown}")
        for field in needed:
            if field not in stated:
                self.refuse(place, f"{what} lacks {field}, which takes {form[field].words}")

    def refuse(self, place: list[str | int], why: str) -> NoReturn:
        line = 0
        while place and not line:
            line = toml.line_of(self.written, place)
            place = place[:-1]
        raise Stop(CODE, f"{self.path}{f':{line}' if line else ''}: {why}")

    def lines(self, place: list[str | int], stated: dict[str, Any]) -> dict[str, Any]:
        which = "inner" if place[-1] == "inner" else f"{int(place[1]) + 1}"
        what = f"[[lines]] {stated.get('name') or which}"
        self.check(place, stated, _LINES, ("form",), what)
        form = stated["form"]
        needed, _ = _OF_FORM[form]
        for field in needed:
            if field not in stated:
                self.refuse(place, f"{what} lacks {field}, which the form {form} needs")
        for other, (_, own) in _OF_FORM.items():
            for field in own:
                if field in stated and other != form:
                    self.refuse([*place, field], f"{what}: {field} belongs to the form {other}, not to {form}")
        if form == "csv" and ("columns" in stated) == bool(stated.get("header")):
            self.refuse(place, f"{what}: CSV takes either columns, a list of their names, or header = true")
        if ("inside" in stated) != ("inner" in stated):
            self.refuse(place, f"{what}: inside names the field that is a line itself, and [lines.inner] its form")
        made = {"name": str(stated.get("name", form))} | {key: value for key, value in stated.items() if key != "name"}
        if "inner" in stated:
            made["inner"] = self.lines([*place, "inner"], stated["inner"])
        return made

    def sample(self, place: list[str | int], stated: dict[str, Any]) -> dict[str, Any]:
        what = f"[[samples]] {stated.get('name', int(place[1]) + 1)}"
        self.check(place, stated, _SAMPLES, ("name",), what)
        self._check_measure(place, stated, what)
        made: dict[str, Any] = {key: stated[key] for key in _AS_STATED if key in stated}
        for key in _CONDITIONED:
            if key in stated:
                made[key] = {field: _words(value) for field, value in stated[key].items()}
        if "value" in stated:
            made["value"] = _listed(stated["value"])
        if "key" in stated:
            made["join"] = _listed(stated["key"])
        if "per" in stated:
            made["per"] = self._seconds(place, stated["per"])
        made["keys"] = [_key(one) for one in stated.get("keys", [])]
        return made

    def _check_measure(self, place: list[str | int], stated: dict[str, Any], what: str) -> None:
        """Refuse a sample that measures nothing, or two things."""
        is_timed = "from" in stated or "to" in stated
        if is_timed and not {"from", "to", "key"} <= set(stated):
            self.refuse(place, f"{what}: the time between two events takes from, to and key")
        for field in _OF_VALUES if is_timed else _OF_EVENTS:
            if field in stated:
                self.refuse([*place, field], f"{what}: {field} does not go with {'from' if is_timed else 'a value'}")
        if not is_timed and not {"value", "per"} & set(stated):
            self.refuse(place, f"{what} measures nothing. Give it value, or per, or from, to and key")
        if "failed" in stated and "per" in stated:
            self.refuse([*place, "failed"], f"{what}: failed goes with single values. Count failures with where")

    def _seconds(self, place: list[str | int], text: str) -> float:
        found = _PER.fullmatch(text)
        seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
        if not _SECONDS["ms"] <= seconds <= 24 * _SECONDS["h"]:
            self.refuse([*place, "per"], f"per takes 1ms to 24h, not {text}")
        return seconds


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _words(value: object) -> str | list[str]:
    return [_word(one) for one in value] if isinstance(value, list) else _word(value)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key(value: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(value, str):
        return {"name": value, "field": value}
    return {"name": value.get("name", value["field"]), "field": value["field"], "replace": value.get("replace", [])}
