"""A mapping from a look at some lines: their form, their time, what can be a duration, and what can tell them apart."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from statera import _native
from statera.reading import logs
from statera.reading.logs import mapping as mappings
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Final

_LINES: Final = 2000
# The share of lines that must have a form.
_MOST: Final = 0.8
_SOME: Final = 0.02
# The most values of a field that tells lines apart.
_FEW: Final = 12
_SHORT: Final = 40
_ALL: Final = (
    '{"lines":[{"name":"all","form":"regex","pattern":"^(?P<text>.*)$"}],"samples":[{"name":"all","value":["text"]}]}'
)
_UNIT: Final = r"(?:ns|us|µs|ms|s)"
_ENDINGS: Final = {
    "_ns": "ns",
    "_us": "us",
    "_ms": "ms",
    "_s": "s",
    "_sec": "s",
    "_seconds": "s",
    "ms": "ms",
    "millis": "ms",
}
_DURATIONS: Final = re.compile(
    r"took|elapsed|duration|latency|runtime|response_?time|request_?time|time_?taken", re.IGNORECASE
)
_LEVEL: Final = r"TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL"
# Years of numeric times: 2001 to 2100.
_SECONDS: Final = (978_307_200, 4_102_444_800)


class Proposal(NamedTuple):
    """A proposed mapping as TOML, and what was found, in a sentence."""

    text: str
    found: str


def propose(path: str) -> Proposal:
    """Propose a mapping for a log.

    Raises:
        Stop: the file cannot be read, or its lines have no form that is known.

    """
    lines = _first(path)
    if not lines:
        raise Stop("empty-file", f"{path}: holds no line")
    return _built_in(path, len(lines)) or _json(lines) or _logfmt(lines) or _csv(lines) or _text(path, lines)


def _first(path: str) -> list[str]:
    try:
        traced = _native.trace_logs(_ALL, path, "host", _LINES)
    except OSError as error:
        raise Stop("missing-file", f"{path}: {error.strerror or error}") from None
    return [dict(one["fields"]).get("text", "") for one in traced if one["text"].strip()]


def _built_in(path: str, count: int) -> Proposal | None:
    best: tuple[int, str] = (0, "")
    for name in mappings.built_in():
        traced = logs.trace(path, mappings.named(name), _LINES)
        used = sum(bool(one.kind and one.at is not None) for one in traced)
        has_value = any(words != "no usable value" for one in traced for _, words in one.samples)
        best = max(best, (used if has_value else 0, name))
    fitting, name = best
    if fitting < _MOST * count:
        return None
    return Proposal(
        mappings.text_of(name), f"the built-in mapping {name} reads {fitting} of {count} lines: --mapping {name}"
    )


def _json(lines: Sequence[str]) -> Proposal | None:
    records = [record for line in lines if (record := _object(line)) is not None]
    if len(records) < _MOST * len(lines):
        return None
    flat = [dict(_flat(record)) for record in records]
    found = f"{len(records)} of {len(lines)} lines are JSON objects"
    for name in dict.fromkeys(name for one in flat for name in one):
        texts = [one[name].strip() for one in flat if name in one]
        for form, of in (("json", _objects(texts)), ("logfmt", _pairs(texts))):
            if len(of) >= _MOST * len(texts) and len(texts) >= _MOST * len(flat):
                head = f'form = "json"\ninside = {_quoted(name)}\n[lines.inner]\nform = "{form}"'
                return _of_fields(of, head, f"{found}, each with a line of {form} in {name}")
    return _of_fields(flat, 'form = "json"', found)


def _objects(texts: Sequence[str]) -> list[dict[str, str]]:
    return [dict(_flat(record)) for text in texts if (record := _object(text)) is not None]


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _flat(record: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        path = f"{above}{key.replace('.', chr(92) + '.')}"
        if isinstance(value, dict):
            yield from _flat(value, f"{path}.")
        elif isinstance(value, bool):
            yield path, str(value).lower()
        elif isinstance(value, str | int | float):
            yield path, str(value)


_PAIR: Final = re.compile(r'([A-Za-z_][\w.\-]*)=("(?:[^"\\]|\\.)*"|\S*)')
_PAIRS: Final = 2


def _logfmt(lines: Sequence[str]) -> Proposal | None:
    flat = _pairs(lines)
    if len(flat) < _MOST * len(lines):
        return None
    return _of_fields(flat, 'form = "logfmt"', f"{len(flat)} of {len(lines)} lines are pairs key=value")


def _pairs(lines: Sequence[str]) -> list[dict[str, str]]:
    found = [{key: value.strip('"') for key, value in _PAIR.findall(line)} for line in lines if _PAIR.match(line)]
    return [one for one in found if len(one) >= _PAIRS]


_COLUMNS: Final = 3


def _csv(lines: Sequence[str]) -> Proposal | None:
    """Propose a mapping for lines with as many cells each; the first may name the columns."""
    for separator in (",", "\t", ";", "|"):
        rows = [*csv.reader(lines, delimiter=separator)]
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if width < _COLUMNS or count < _MOST * len(rows):
            continue
        head, *rest = [row for row in rows if len(row) == width]
        is_named = len(set(head)) == width and all(re.fullmatch(r"[A-Za-z_][\w .-]*", cell) for cell in head)
        names = head if is_named else [f"column{place}" for place in range(1, width + 1)]
        flat = [
            {name: cell for name, cell in zip(names, row, strict=True) if cell}
            for row in (rest if is_named else [head, *rest])
        ]
        columns = "header = true" if is_named else f"columns = [{', '.join(map(_quoted, names))}]"
        form = [f'form = "csv"\n{columns}', *([f"separator = {_quoted(separator)}"] if separator != "," else [])]
        return _of_fields(flat, "\n".join(form), f"{count} of {len(lines)} lines have {width} cells")
    return None


def _of_fields(flat: Sequence[dict[str, str]], form: str, found: str) -> Proposal:
    """Propose a mapping for lines whose fields have names."""
    names = list(dict.fromkeys(name for one in flat for name in one))
    values = {name: [one[name] for one in flat if name in one] for name in names}
    times = [(name, unit) for name in names if (unit := _time_unit(values[name])) is not None]
    timed = max(times, key=lambda one: len(values[one[0]]), default=None)
    durations = [(name, unit) for name in names if (unit := _duration_unit(name, values[name])) is not None]
    durations = [one for one in durations if one not in times]
    no_keys = dict(times) | dict(durations)
    keys = [name for name in names if _tells_apart(values[name], len(flat)) and name not in no_keys]
    head = ["[[lines]]", form]
    if timed:
        head += [f"time = {_quoted(timed[0])}", *([f'unit = "{timed[1]}"'] if timed[1] else [])]
    else:
        head.append('# time = "..."   # no field looks like a time')
    return Proposal("\n".join([*_title(), *head, *_samples(durations, keys)]) + "\n", _said(found, durations))


def _said(found: str, durations: Sequence[tuple[str, str]]) -> str:
    if durations:
        return f"{found}; durations are in {', '.join(name for name, _ in durations)}"
    return f"{found}; no field looks like a duration: the lines are counted"


def _title() -> list[str]:
    return ['title = "What these logs are"', ""]


def _samples(durations: Sequence[tuple[str, str]], keys: Sequence[str]) -> list[str]:
    written = []
    told = [f"keys = [{', '.join(map(_quoted, keys))}]"] if keys else []
    for name, unit in durations:
        plain = re.sub(r"\W+", " ", name).strip()
        unit_line = [f'unit = "{unit}"'] if unit else []
        written += ["", "[[samples]]", f"name = {_quoted(plain)}", f"value = {_quoted(name)}", *unit_line, *told]
    if not durations:
        written += ["", "[[samples]]", 'name = "lines"', 'per = "1s"', *told]
        written += ["", "# The time between two lines with the same key:", "# [[samples]]", '# name = "answer"']
        written += ['# from = { msg = "received" }', '# to = { msg = "answered" }', '# key = "id"']
    return written


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _time_unit(values: Sequence[str]) -> str | None:
    """Return the unit of numeric times, nothing for texts that are times, None for anything else."""
    if all(_native.log_moment(value, 1972) is not None for value in values):
        return ""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return None
    for unit, times in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if all(_SECONDS[0] * times <= number <= _SECONDS[1] * times for number in numbers):
            return unit
    return None


def _duration_unit(name: str, values: Sequence[str]) -> str | None:
    """Return the unit of durations, nothing where the values have it, None where they are no durations."""
    if all(re.fullmatch(rf"(?:[0-9.]+\s?(?:h|m|min|{_UNIT}))+", value) for value in values):
        return ""
    if not all(re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", value) for value in values):
        return None
    last = name.rpartition(".")[2].lower()
    for ending, unit in _ENDINGS.items():
        if last.endswith(ending) and (ending.startswith("_") or _DURATIONS.search(last)):
            return unit
    # Without a word for the unit, seconds have decimals and milliseconds do not.
    if _DURATIONS.search(last):
        return "s" if any("." in value for value in values) else "ms"
    return None


def _tells_apart(values: Sequence[str], total: int) -> bool:
    different = Counter(values)
    is_short = all(len(value) <= _SHORT for value in different)
    return 1 < len(different) <= _FEW and len(values) > _MOST * total and is_short


def _text(path: str, lines: Sequence[str]) -> Proposal:
    """Propose a mapping for lines of text: a time, perhaps a level, and durations behind a word."""
    pattern, year = _time_pattern(path, lines)
    if pattern is None:
        raise Stop(
            "unknown-format",
            f"{path}: its lines are neither JSON, key=value nor CSV, and begin with no known time. "
            "Write a mapping by hand",
        )
    level = rf"(?:.*?\b(?P<level>{_LEVEL})\b)?"
    words = Counter(
        found[1] for line in lines for found in [re.search(rf"([A-Za-z_]+)[ =:]+[0-9.]+ ?{_UNIT}\b", line)] if found
    )
    durations = [word for word, count in words.most_common(3) if count >= _SOME * len(lines)]
    written = _title()
    for word in durations:
        with_it = rf"^{pattern}{level}.*?\b{word}[ =:]+(?P<{word}>[0-9.]+ ?{_UNIT})\b"
        written += ["[[lines]]", f"name = {_quoted(word)}", *_expression(with_it, year), ""]
    written += ["[[lines]]", 'name = "other"', *_expression(rf"^{pattern}{level}(?P<message>.*)$", year)]
    found = [(word, "") for word in durations]
    fitting = sum(bool(re.match(pattern, line)) for line in lines)
    text = "\n".join([*written, *_samples(found, [])]) + "\n"
    return Proposal(text, _said(f"{fitting} of {len(lines)} lines begin with a time", found))


def _expression(pattern: str, year: Sequence[str]) -> list[str]:
    return ['form = "regex"', f"pattern = '''{pattern}'''", 'time = "time"', *year]


_TIMES: Final = (
    r"\[?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)\]?",
    r"\[(?P<time>\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\]",
    r"(?P<time>\d\d/\d\d/\d\d \d\d:\d\d:\d\d)",
    r"(?P<time>\w{3} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?)",
    r"(?P<time>[IWEF]\d{4,6} \d\d:\d\d:\d\d(?:\.\d+)?)",
    r"(?P<time>\d{6} \d{6})",
    r".*?\[(?P<time>\d\d-\d\d\|\d\d:\d\d:\d\d(?:\.\d+)?)\]",
)


def _time_pattern(path: str, lines: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the expression of the time that most lines begin with, and the line with the year where times lack it."""
    for pattern in _TIMES:
        found = [match["time"] for line in lines if (match := re.match(pattern, line))]
        if len(found) >= _MOST * len(lines):
            needs_year = _native.log_moment(found[0], None) is None
            changed = datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
            return pattern, [f"year = {changed.year}   # the times have none"] if needs_year else []
    return None, []
