"""What the fields of some lines look like: times, durations, what tells lines apart, and events of the same key."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from statera import _native
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

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
NUMBERS: Final = re.compile("[0-9]+")
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
    """What the fields of records look like.

    Attributes:
        times: fields that are times, with the unit of numbers, those of most lines first.
        durations: fields that are durations, with the unit of numbers without one.
        spans: pairs of times, a later and an earlier one, with their unit.

    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        names = dict.fromkeys(name for one in records for name in one)
        self.values = {name: [one[name] for one in records if name in one] for name in names}
        times = [(name, unit) for name in names if (unit := _time_unit(self.values[name])) is not None]
        self.times = sorted(times, key=lambda one: (-len(self.values[one[0]]), one[0].count(".")))
        known = dict(times)
        least = max(_ENOUGH, _SOME * len(records)) if len(records) > _ENOUGH * _FEW else 1
        common = [name for name in names if name not in known and len(self.values[name]) >= least]
        self.durations = [
            (name, unit) for name in common if (unit := _duration_unit(name, self.values[name])) is not None
        ]
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
        """Return fields that tell records apart, among those that have ``of``, and whether only without their numbers."""
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
        different = {NUMBERS.sub("N", value) if has_numbers else value for value in values}
        if 1 < len(different) <= min(_FEW, total / 2) and all(len(value) <= _SHORT for value in different):
            return has_numbers
    return None
