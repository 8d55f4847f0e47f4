"""A mapping from a look at some lines: their form, their time, what can be a duration, and what can tell them apart."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path

from statera import _native
from statera.reading import logs
from statera.reading.logs import mapping as mappings
from statera.support.errors import Stop, unreadable
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, Final


Record = dict[str, str]

# The share of lines that must have a form.
MOST: Final = 0.8
# Follows a unit that is a guess.
GUESS: Final = "?"
# A field of fewer lines is none that a run is measured by.
_SOME: Final = 0.02
_ENOUGH: Final = 5
# The most values of a field that tells lines apart, and the most of such fields.
_FEW: Final = 12
_KEYS: Final = 3
_SHORT: Final = 80
# Years of numeric times: 2001 to 2100.
_SECONDS: Final = (978_307_200, 4_102_444_800)
_NUMBERS: Final = re.compile("[0-9]+")
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WITH_UNIT: Final = re.compile(r"(?:[0-9.]+\s?(?:h|m|min|ns|us|µs|ms|s))+")
_ENDINGS: Final = {
    "_ns": "ns", "_us": "us", "_ms": "ms", "_s": "s", "_sec": "s", "_seconds": "s", "ms": "ms", "millis": "ms",
    "micros": "us", "nanos": "ns",
}  # fmt: skip
_DURATIONS: Final = re.compile(
    r"took|elapsed|duration|latency|runtime|response_?time|request_?time|time_?taken", re.IGNORECASE
)
_ENDS: Final = re.compile(r"end|finish|complet|stop", re.IGNORECASE)
_BEGINS: Final = re.compile(r"start|begin|launch|submi|creat", re.IGNORECASE)
# Names of what tells lines apart come first; sizes and numbers of processes do not.
_TELLING: Final = re.compile(
    r"route|method|command|cmd|op\b|operation|type|kind|call|api|verb|stage|service", re.IGNORECASE
)
_NOT_TELLING: Final = re.compile(
    r"(?:pid|tid|thread|bytes|size|len|length|count|index|port|line|seq|vxid|session|caller|remote)(?:_?id)?$",
    re.IGNORECASE,
)
_STATUS: Final = re.compile(r"(?:^|[_.])(?:status|code|status_?code)$", re.IGNORECASE)
# Ids are many, and several lines have the same one.
_IDS: Final = 10
_MESSAGES: Final = 40


class Between(NamedTuple):
    """Two messages of the same ids: the fields of message and id, and the messages."""

    message: str
    key: str
    first: str
    second: str


class Looks:
    """What the fields of records look like."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        names = dict.fromkeys(name for one in records for name in one)
        self.values = {name: [one[name] for one in records if name in one] for name in names}
        times = [(name, unit) for name in names if (unit := _time_unit(self.values[name])) is not None]
        # fields that are times, with the unit of numbers, those of most lines first
        self.times = sorted(times, key=lambda one: (-len(self.values[one[0]]), one[0].count(".")))
        known = dict(times)
        least = max(_ENOUGH, _SOME * len(records)) if len(records) > _ENOUGH * _FEW else 1
        common = [name for name in names if name not in known and len(self.values[name]) >= least]
        # fields that are durations, with the unit of numbers without one
        self.durations = [
            (name, unit) for name in common if (unit := _duration_unit(name, self.values[name])) is not None
        ]
        # pairs of times, a later and an earlier one, with their unit
        self.spans = [
            (end, start, unit)
            for end, unit in times
            for start, other in times
            if unit == other and _is_span(end, start) and len(self.values[end]) >= least
        ]

    def lacks(self, name: str) -> bool:
        """Whether some record lacks a field."""
        return len(self.values[name]) < len(self.records)

    def has_zeros(self, name: str) -> bool:
        """Whether a time is zero in some record, which means that there is none."""
        return "0" in self.values[name]

    def keys(self, of: str | None = None) -> list[tuple[str, bool]]:
        """Return fields that tell records with ``of`` apart, each with whether only without its numbers."""
        among = [one for one in self.records if of is None or one.get(of)]
        known = {*dict(self.times), *dict(self.durations)}
        found = [
            (name, has_numbers)
            for name in self.values
            if name not in known and not _NOT_TELLING.search(name) and not self.is_status(name)
            if (has_numbers := _tells_apart([one[name] for one in among if name in one], len(among))) is not None
        ]
        return sorted(found, key=lambda one: not _TELLING.search(one[0]))[:_KEYS]

    def is_status(self, name: str) -> bool:
        """Whether a field has the status of HTTP."""
        return bool(_STATUS.search(name)) and all(re.fullmatch("[1-5][0-9]{2}", one) for one in self.values[name])

    def status(self, of: str) -> str | None:
        """Return the field with the status of HTTP, of records that have the field ``of``."""
        return next(
            (name for name in self.values if self.is_status(name) and any(of in one for one in self.records)), None
        )

    def between(self) -> list[Between]:
        """Find a message that most ids have, and the messages that follow it."""
        fields = {name: (of, set(of)) for name, of in self.values.items() if name not in dict(self.times)}
        messages = [name for name, (_, texts) in fields.items() if 1 < len(texts) <= _MESSAGES and _are_said(texts)]
        ids = [name for name, (of, texts) in fields.items() if _IDS <= len(texts) <= len(of) * 2 / 3]
        found = [self._following(message, key) for key in ids for message in messages if message != key]
        return max(found, key=lambda one: (one[0], len(one[1])), default=(0, []))[1]

    def _following(self, message: str, key: str) -> tuple[int, list[Between]]:
        """Return in how many ids the most frequent first message is, and what follows it in most of them."""
        of_ids: dict[str, list[str]] = defaultdict(list)
        for one in self.records:
            if key in one and message in one and one[message] not in of_ids[one[key]]:
                of_ids[one[key]].append(one[message])
        if len(of_ids) < _IDS:
            return 0, []
        [(first, count)] = Counter(said[0] for said in of_ids.values()).most_common(1)
        follow = Counter(later for said in of_ids.values() if said[0] == first for later in said[1:])
        most = [later for later, times in follow.most_common(_KEYS) if times >= MOST * len(of_ids)]
        return (count, [Between(message, key, first, later) for later in most]) if most else (0, [])


def _are_said(texts: Iterable[str]) -> bool:
    return all(re.search("[A-Za-z]{3}", text) for text in texts)


def _time_unit(values: Sequence[str]) -> str | None:
    """Return the unit of numeric times, nothing for texts that are times, None for anything else."""
    stated = [value for value in values if value != "0"]
    if not stated:
        return None
    try:
        numbers = [float(value) for value in stated]
    except ValueError:
        return "" if all(_native.log_moment(value, 1972) is not None for value in stated) else None
    for unit, times in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if all(_SECONDS[0] * times <= number <= _SECONDS[1] * times for number in numbers):
            return unit
    return None


def _duration_unit(name: str, values: Sequence[str]) -> str | None:
    """Return the unit of durations, nothing where the values have it, None where they are no durations.

    A unit that nothing states ends with ``GUESS``.
    """
    if all(_WITH_UNIT.fullmatch(value) for value in values):
        return ""
    if not all(_NUMBER.fullmatch(value) for value in values):
        return None
    last = name.rpartition(".")[2].lower()
    for ending, unit in _ENDINGS.items():
        if last.endswith(ending) and (ending.startswith("_") or _DURATIONS.search(last)):
            return unit
    # Without a word for the unit, seconds have decimals and milliseconds do not.
    if _DURATIONS.search(last):
        return ("s" if any(re.search("[.e]", value) for value in values) else "ms") + GUESS
    return None


def _is_span(end: str, start: str) -> bool:
    """Whether two times are the end and the beginning of the same."""
    above, _, last = end.rpartition(".")
    other, _, first = start.rpartition(".")
    return above == other and bool(_ENDS.search(last)) and bool(_BEGINS.search(first))


def _tells_apart(values: Sequence[str], total: int) -> bool | None:
    """Return whether a field tells records apart only without the numbers in it; None if it does not."""
    if len(values) <= MOST * total or any(re.fullmatch(r"-?\d+\.\d+", value) for value in values):
        return None
    for has_numbers in (False, True):
        different = {_NUMBERS.sub("N", value) if has_numbers else value for value in values}
        if 1 < len(different) <= min(_FEW, total / 2) and all(len(value) <= _SHORT for value in different):
            return has_numbers
    return None


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
    """A kind of lines."""

    head: list[str]  # how it is written in a mapping, without its time
    records: Sequence[Record]  # its fields
    found: str  # what was found, in words
    inner: Sequence[str] = ()  # how the line within a field is written
    of: Callable[[str], Record] = lambda _: {}  # reads the fields of such a line
    year: Sequence[str] = ()  # what is written where times have no year


def propose(path: str) -> Proposal:
    """Propose a mapping for a log.

    Raises ``Stop`` if the file cannot be read, or its lines have no form that is known.
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
        raise Stop("missing-file", unreadable(path, error)) from None
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
            any(sample not in counts and words != "no usable value" for sample, _, words in one.samples)
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
_TOOK: Final = rf"\S*\s+(?P<what>\S.*?)[ (=:]{{1,3}}(?P<took>[0-9]+(?:\.[0-9]+)? ?{_UNIT})\)?\.?$"
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
    without = f'replace = [["{_NUMBERS.pattern}", "N"]]'
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
