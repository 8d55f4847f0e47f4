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
from statera.reading.logs.looks import GUESS, MOST, NUMBERS, Looks
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Final

    from statera.reading.logs.looks import Between, Record

_LINES: Final = 2000
# A text that is one JSON value is read as a whole up to this size.
_WHOLE: Final = 64 << 20
_ALL: Final = (
    '{"lines":[{"name":"all","form":"regex","pattern":"^(?P<text>.*)$"}],"samples":[{"name":"all","value":["text"]}]}'
)
_UNIT: Final = r"(?:ns|us|µs|ms|s)"
_LEVEL: Final = r"TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL"


class Proposal(NamedTuple):
    """A proposed mapping as TOML, and what was found, in a sentence."""

    text: str
    found: str


class _Kind(NamedTuple):
    """A kind of lines.

    Attributes:
        head: how it is written in a mapping, without its time.
        records: its fields; found: what was found, in words.
        inner: how the line within a field is written; of: reads the fields of such a line.
        year: what is written where times have no year.

    """

    head: list[str]
    records: Sequence[Record]
    found: str
    inner: Sequence[str] = ()
    of: Callable[[str], Record] = lambda _: {}
    year: Sequence[str] = ()


def propose(path: str) -> Proposal:
    """Propose a mapping for a log.

    Raises:
        Stop: the file cannot be read, or its lines have no form that is known.

    """
    lines = _first(path)
    if not lines:
        raise Stop("empty-file", f"{path}: holds no line")
    found = _built_in(path, len(lines))
    if found is not None:
        return found
    kind = _whole(path, lines[0]) or _behind_prefix(lines) or _json(lines) or _logfmt(lines) or _csv(lines)
    kind = kind or _text(path, lines)
    if kind is None:
        raise Stop(
            "unknown-format",
            f"{path}: its lines are neither JSON, key=value nor CSV, and have no known time near their beginning. "
            "Write a mapping by hand",
        )
    return _written(kind)


def _first(path: str) -> list[str]:
    try:
        traced = _native.trace_logs(_ALL, path, "host", _LINES)
    except OSError as error:
        raise Stop("missing-file", f"{path}: {error.strerror or error}") from None
    return [dict(one["fields"]).get("text", "") for one in traced if one["text"].strip()]


def _built_in(path: str, count: int) -> Proposal | None:
    """Return the built-in mapping that finds values in most lines, if one does."""
    best: tuple[int, int, str] = (0, 0, "")
    for name in mappings.built_in():
        found = mappings.named(name)
        # Any lines can be counted.
        counts = {sample["name"] for sample in json.loads(found.plan)["samples"] if "per" in sample}
        traced = logs.trace(path, found, _LINES)
        fitting = sum(bool(one.kind) for one in traced)
        valued = sum(
            any(sample not in counts and words not in {"", "no usable value"} for sample, words in one.samples)
            for one in traced
        )
        best = max(best, (valued, fitting, name))
    valued, fitting, name = best
    if not valued or fitting < MOST * count:
        return None
    return Proposal(
        mappings.text_of(name), f"the built-in mapping {name} reads {fitting} of {count} lines: --mapping {name}"
    )


# JSON


def _json(lines: Sequence[str]) -> _Kind | None:
    records = [record for line in lines if (record := _object(line)) is not None]
    if len(records) < MOST * len(lines):
        return None
    flat = [dict(_flat(record)) for record in records]
    found = f"{len(records)} of {len(lines)} lines are JSON objects"
    own = _Kind(['form = "json"'], flat, found, of=_fields)
    return _inside(own) or _elements(records, [], found) or own


def _fields(text: str) -> Record:
    return dict(_flat(_object(text) or {}))


def _inside(outer: _Kind) -> _Kind | None:
    """Find a field that has a line of its own in most records; in a text only durations are looked for."""
    is_measured = bool(Looks(outer.records).durations)
    for name in dict.fromkeys(name for one in outer.records for name in one):
        texts = [one[name].strip() for one in outer.records if one.get(name, "").strip()]
        if len(texts) < MOST * len(outer.records):
            continue
        inner = _json(texts) or _logfmt(texts) or (None if is_measured else _durations_in(texts))
        if inner is not None and not inner.inner:
            records = [
                inner.of(one[name].strip()) | {key: value for key, value in one.items() if key != name}
                for one in outer.records
                if one.get(name, "").strip()
            ]
            head = [*outer.head, f"inside = {_quoted(name)}"]
            return _Kind(head, records, f"{outer.found}, each with a line in {name}", inner.head)
    return None


def _elements(records: Sequence[Any], head: list[str], found: str) -> _Kind | None:
    """Find an array whose elements have times, where the records themselves have none."""
    if Looks([dict(_flat(one)) for one in records if isinstance(one, dict)]).times:
        return None
    paths = Counter(path for one in records for path, _ in _arrays(one))
    for path, _ in sorted(paths.items(), key=lambda one: -one[1]):
        flat = [dict(_flat(each)) for one in records for at, each in _arrays(one) if at == path]
        if Looks(flat).times:
            words = f"{found} with {len(flat)} records in {path or 'an array'}"
            return _Kind(['form = "json"', *head, f"each = {_quoted(path)}"], flat, words)
    return None


def _arrays(value: object, above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over the objects in arrays, each with the path of its array."""
    if isinstance(value, list):
        for one in value:
            if isinstance(one, dict):
                yield above, one
                yield from _arrays(one, above)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _arrays(one, f"{above}.{key}" if above else key)


def _whole(path: str, first: str) -> _Kind | None:
    """Find the records of a file that is one JSON text of several lines."""
    file = Path(path)
    if first.strip() not in {"{", "["} or file.stat().st_size > _WHOLE:
        return None
    try:
        document = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None
    return _elements([document], ["whole = true"], "the file is one JSON text")


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


# Pairs of keys and values

_PAIR: Final = re.compile(r'(?:^|(?<=\s))([A-Za-z_][\w.\-]*)=("(?:[^"\\]|\\.)*"|\S*)')
_PAIRS: Final = 2


def _logfmt(lines: Sequence[str]) -> _Kind | None:
    flat = _pairs([line for line in lines if _PAIR.match(line)])
    if len(flat) < MOST * len(lines):
        return None
    found = f"{len(flat)} of {len(lines)} lines are pairs key=value"
    return _Kind(['form = "logfmt"'], flat, found, of=_of_pairs)


def _of_pairs(text: str) -> Record:
    return {key: value.strip('"') for key, value in _PAIR.findall(text)}


def _pairs(lines: Sequence[str]) -> list[Record]:
    return [one for one in map(_of_pairs, lines) if len(one) >= _PAIRS]


# CSV

_COLUMNS: Final = 3


def _csv(lines: Sequence[str]) -> _Kind | None:
    """Find lines with as many cells each, of which one is a time; the first may name the columns."""
    for separator in (",", "\t", ";", "|"):
        rows = [*csv.reader(lines, delimiter=separator)]
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if width < _COLUMNS or count < MOST * len(rows):
            continue
        head, *rest = [row for row in rows if len(row) == width]
        is_named = len(set(head)) == width and all(re.fullmatch(r"[A-Za-z_][\w .-]*", cell) for cell in head)
        names = head if is_named else [f"column{place}" for place in range(1, width + 1)]
        flat = [
            {name: cell for name, cell in zip(names, row, strict=True) if cell}
            for row in (rest if is_named else [head, *rest])
        ]
        if not Looks(flat).times:
            continue
        columns = "header = true" if is_named else f"columns = [{', '.join(map(_quoted, names))}]"
        form = ['form = "csv"', columns, *([f"separator = {_quoted(separator)}"] if separator != "," else [])]
        own = _Kind(form, flat, f"{count} of {len(lines)} lines have {width} cells")
        return _inside(own) or own
    return None


# Text

# What containers write before each line.
_PREFIX: Final = r"^(?P<time>\S+) std(?:out|err) [FP] (?P<log>.*)$"
_TIMES: Final = (
    r"\[?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)\]?",
    r"\[?(?P<time>\d\d/\d\d/\d\d \d\d:\d\d:\d\d)\]?",
    r"(?P<time>(?:\w{3} )?\w{3} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?(?: \d{4})?)",
    r"(?P<time>[IWEF]\d{4,6} \d\d:\d\d:\d\d(?:\.\d+)?)",
    r"(?P<time>\d{6} \d{6})",
    r"(?P<time>1\d{9}(?:\.\d+)?)\b",
    r"(?P<time>1\d{12})\b",
    r"[^\[]{0,100}\[(?P<time>\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?)\]",
    r"[^\[]{0,100}\[(?P<time>\d\d-\d\d\|\d\d:\d\d:\d\d(?:\.\d+)?)\]",
    r"[^\[]{0,100}\[(?P<time>\w{3} \w{3} \d\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4})\]",
    r"\S+ (?P<time>\d\d? \w{3} \d{4} \d\d:\d\d:\d\d(?:\.\d+)?)",
    r"\D{0,40}?(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)",
)
_ONE_DURATION: Final = re.compile(rf'\b([A-Za-z_][\w-]*)[ =:]+"?[0-9.]+ ?{_UNIT}\b')
# The request and its status, as most servers of HTTP write them, and a number at the end of the line.
_REQUEST: Final = r'"(?P<method>[A-Z]+) (?P<path>[^ "]*)[^"]*" (?P<status>\d{3})\b'
_DURATION_AT_END: Final = r'.*[ "](?P<duration>\d+(?:\.\d+)?)$'
# What took so long, and a duration with its unit at the end of the line, as runtimes write their pauses.
_TOOK: Final = rf".*?\s(?P<what>[A-Za-z].*?)[ (=:]+(?P<took>[0-9]+(?:\.[0-9]+)? ?{_UNIT})\)?\.?$"
_WORDS: Final = 4
# What stands before the values of settings.
_NO_NAMES: Final = frozenset({"to", "of", "is", "than", "by", "every", "timeout", "interval"})


def _behind_prefix(lines: Sequence[str]) -> _Kind | None:
    """Find lines behind the prefix of a container's runtime."""
    matches = [match for line in lines if (match := re.match(_PREFIX, line))]
    if len(matches) < MOST * len(lines):
        return None
    records = [match.groupdict() for match in matches]
    found = f"{len(matches)} of {len(lines)} lines stand behind a time and a stream"
    return _inside(_Kind(_expression(_PREFIX), records, found))


def _text(path: str, lines: Sequence[str]) -> _Kind | None:
    """Find lines of text: a time, and behind it pairs, a request, or durations behind words."""
    for pattern in _TIMES:
        matches = [match for line in lines if (match := re.match(pattern, line))]
        if len(matches) < MOST * len(lines):
            continue
        times = [match["time"] for match in matches]
        year = []
        if not times[0].isdecimal() and "." not in times[0][:11] and _native.log_moment(times[0], None) is None:
            if _native.log_moment(times[0], 1972) is None:
                continue
            year = [f"year = {datetime.fromtimestamp(Path(path).stat().st_mtime, UTC).year}   # the times have none"]
        found = f"{len(matches)} of {len(lines)} lines begin with a time"
        rests = [match.string[match.end() :] for match in matches]
        return _described(pattern, times, rests, found, year)
    return None


def _described(pattern: str, times: Sequence[str], rests: Sequence[str], found: str, year: Sequence[str]) -> _Kind:
    pairs = [{"time": time, **one} for time, rest in zip(times, rests, strict=True) for one in _pairs([rest])]
    if len(pairs) >= MOST * len(rests):
        with_pairs = rf"^{pattern}.*?\s(?P<pairs>[A-Za-z_][\w.\-]*=.*)$"
        head = [*_expression(with_pairs), 'inside = "pairs"']
        return _Kind(head, pairs, f"{found}, and have pairs", ['form = "logfmt"'], year=year)
    requests = [re.search(_REQUEST, rest) for rest in rests]
    if sum(map(bool, requests)) >= MOST * len(rests):
        tail = f".*?{_REQUEST}"
        ended = [re.match(rf"{tail}{_DURATION_AT_END}", rest) for rest in rests]
        if sum(map(bool, ended)) >= MOST * len(rests):
            tail = rf"{tail}(?:{_DURATION_AT_END})?"
    else:
        tail = _behind_words(rests)
    taken = zip(times, map(_reader_of(tail), rests), strict=True)
    records = [{"time": time, **fields} for time, fields in taken if fields is not None]
    return _Kind(_expression(f"^{pattern}{tail}"), records, found, year=year)


def _behind_words(texts: Sequence[str]) -> str:
    """Return an expression for a level and for the durations that stand behind words."""
    seen = Counter(word for text in texts for word in dict.fromkeys(_ONE_DURATION.findall(text)))
    least = max(1, len(texts) // 50)
    level = rf"(?:.*?\b(?P<level>{_LEVEL})\b)?"
    took = sum(bool(re.match(_TOOK, text)) for text in texts)
    if took >= least and took > sum(seen.values()):
        return f"{level}(?:{_TOOK})?"
    words = [word for word, count in seen.most_common() if count >= least and word not in _NO_NAMES][:_WORDS]
    place = {word: sorted(text.find(word) for text in texts if word in text) for word in words}
    words.sort(key=lambda word: place[word][len(place[word]) // 2])
    names = [re.sub(r"\W", "_", "took" if word == "in" and "took" not in words else word) for word in words]
    parts = [
        rf'(?:.*?\b{re.escape(word)}[ =:]+"?(?P<{name}>[0-9.]+ ?{_UNIT})\b)?'
        for word, name in zip(words, names, strict=True)
        if names.count(name) == 1 and name not in {"time", "level"}
    ]
    return level + "".join(parts)


def _durations_in(texts: Sequence[str]) -> _Kind | None:
    """Find durations behind words in texts whose time stands elsewhere."""
    if sum(bool(_ONE_DURATION.search(text)) for text in texts) < max(1, len(texts) // 50):
        return None
    tail = _behind_words(texts)
    read = _reader_of(tail)

    def of(text: str) -> Record:
        return read(text) or {}

    return _Kind(_expression(f"^{tail}"), [*map(of, texts)], "durations", of=of)


def _reader_of(pattern: str) -> Callable[[str], Record | None]:
    """Return a function that reads the fields of a text; None if the expression does not match."""
    expression = re.compile(pattern)

    def read(text: str) -> Record | None:
        match = expression.match(text)
        return {name: value for name, value in match.groupdict().items() if value} if match else None

    return read


def _expression(pattern: str) -> list[str]:
    return ['form = "regex"', f"pattern = '''{pattern}'''"]


# The mapping


def _written(kind: _Kind) -> Proposal:
    looks = Looks(kind.records)
    between = looks.between() if looks.times else []
    measured = [name for name, _ in looks.durations] + [f"{end} minus {start}" for end, start, _ in looks.spans]
    said = []
    if measured:
        said.append(f"durations are in {', '.join(measured)}")
    if between:
        said.append(f"lines of the same {between[0].key} give the time between two events")
    said = said or ["no field looks like a duration: the lines are counted"]
    lines = [*_lines(kind, looks), *_samples(looks, between)]
    return Proposal("\n".join(['title = "What these logs are"', *lines]) + "\n", "; ".join([kind.found, *said]))


def _lines(kind: _Kind, looks: Looks) -> list[str]:
    """Write the kinds of lines: those with the most frequent time, those with another, and those without one."""
    inner = ["", "[lines.inner]", *kind.inner] if kind.inner else []
    written: list[str] = []
    left = kind.records
    for name, unit in looks.times:
        if not any(name in one for one in left):
            continue
        called = [f"name = {_quoted(name)}"] if written else []
        stated = [*kind.head, f"time = {_quoted(name)}", *_unit(unit), *kind.year]
        written += ["", "[[lines]]", *called, *stated, *inner]
        left = [one for one in left if name not in one]
    if left:
        told = "# Lines without a time:" if written else "# No field looks like a time."
        called = ['name = "timeless"'] if written else []
        written += ["", told, "[[lines]]", *called, *kind.head, *inner]
    return written


def _samples(looks: Looks, between: Sequence[Between]) -> list[str]:
    written: list[str] = []
    for name, unit in looks.durations:
        condition = [f'where = {{ {_key(name)} = "*" }}'] if looks.lacks(name) else []
        written += _sample(_plain(name), [f"value = {_quoted(name)}", *_unit(unit), *condition], looks, name)
    for end, start, unit in looks.spans:
        test = ">0" if looks.has_zeros(end) else "*"
        condition = [f'where = {{ {_key(end)} = "{test}" }}'] if looks.lacks(end) or test == ">0" else []
        stated = [
            'metric = "duration"',
            f"value = {_quoted(end)}",
            f"minus = {_quoted(start)}",
            *_unit(unit),
            *condition,
        ]
        written += _sample(_plain(end.rpartition(".")[0]) or "span", stated, looks, end)
    for one in between:
        message = _key(one.message)
        written += ["", "[[samples]]", f"name = {_quoted(f'{one.first} to {one.second}')}"]
        written += [f"from = {{ {message} = {_quoted(one.first)} }}", f"to = {{ {message} = {_quoted(one.second)} }}"]
        written += [f"key = {_quoted(one.key)}"]
    return written or _counted(looks)


def _counted(looks: Looks) -> list[str]:
    counted = ['name = "lines"', 'per = "1s"'] if looks.times else _first_number(looks)
    written = ["", "[[samples]]", *counted, *_listed(looks.keys())]
    written += ["", "# The time between two lines with the same key:", "# [[samples]]", '# name = "answer"']
    return [*written, '# from = { msg = "received" }', '# to = { msg = "answered" }', '# key = "id"']


def _first_number(looks: Looks) -> list[str]:
    """Without times there are no rates: write the first number, or the first field, as the value."""
    numbers = [name for name, of in looks.values.items() if all(re.fullmatch(r"-?\d+(\.\d+)?", one) for one in of)]
    name = next(iter([*numbers, *looks.values]), "value")
    return [f"name = {_quoted(_plain(name))}", f"value = {_quoted(name)}   # which field is measured?"]


def _sample(name: str, stated: Sequence[str], looks: Looks, of: str) -> list[str]:
    status = looks.status(of)
    failed = [f'failed = {{ {_key(status)} = ">=500" }}'] if status else []
    return ["", "[[samples]]", f"name = {_quoted(name)}", *stated, *_listed(looks.keys(of)), *failed]


def _listed(keys: Sequence[tuple[str, bool]]) -> list[str]:
    without = f'replace = [["{NUMBERS.pattern}", "N"]]'
    listed = [
        f"{{ name = {_quoted(name)}, field = {_quoted(name)}, {without} }}" if has_numbers else _quoted(name)
        for name, has_numbers in keys
    ]
    return [f"keys = [{', '.join(listed)}]"] if keys else []


def _unit(unit: str) -> list[str]:
    is_guess = unit.endswith(GUESS)
    return [f'unit = "{unit.removesuffix(GUESS)}"{"   # a guess" if is_guess else ""}'] if unit else []


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name).strip() or name


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
