"""Short forms of several names that stay apart: what all share is cut and said once, and no two become alike."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARTS = "/\\ .:|·"  # separate parts of names; a common end stops at one of these if it can,
_SEPARATORS = _PARTS + ",;=_-()[]{}"  # or else at one of these
_ENDS = "/\\ .:|·,;_-)]}"  # of lines: a key and its value stay on one, and so do a bracket and what it opens
_LEAST = 4  # a shorter common end is not worth a sentence
_QUOTED = 48  # columns of a common end in a sentence
_NARROWEST = 6  # narrower forms cannot stay apart


class Apart(NamedTuple):
    """Names in short forms, in the order of the names.

    ``said`` is a sentence on what all of them leave out, if any; ``cut`` is whether parts of single names are missing.
    """

    names: list[str]
    said: list[str]
    cut: bool


def apart(names: Iterable[str], most: int) -> Apart:
    """Shorten names to ``most`` columns: names that differ have short forms that differ.

    If a name is too long, the beginning and the end that all names share are cut, at separators. What is still too
    long loses other words that it shares with the others, and then its middle.
    """
    whole = [_native.printable(each) for each in names]
    distinct = list(dict.fromkeys(whole))
    if len(distinct) <= 1 or _fit(distinct, most):
        return Apart([_native.apart([each], most)[0] for each in whole], [], not _fit(distinct, most))
    beginning, rest, end = _without_common(distinct, most)
    short = dict(zip(distinct, _native.apart(rest, max(most, _NARROWEST)), strict=True))
    return Apart([short[each] for each in whole], _said(beginning, end), not _fit(rest, most))


def shortened(names: Iterable[str], most: int) -> dict[str, str]:
    """Return the short form of each printable name that has more than ``most`` columns; no two forms are the same.

    An ellipsis stands for all that is cut, also for a beginning or an end that the long names share.
    """
    every = [*dict.fromkeys(names)]
    forms = zip(every, _native.apart(every, max(most, _NARROWEST)), strict=True)
    return {name: form for name, form in forms if name != form}


def _without_common(names: Sequence[str], most: int) -> tuple[str, list[str], str]:
    """Return the beginning and the end that all names share, and between them what is left of each."""
    beginning = _beginning(names)
    rest = [each[len(beginning) :] for each in names]
    end = "" if _fit(rest, most) else _beginning([each[::-1] for each in rest])[::-1]
    return beginning, [each[: len(each) - len(end)] for each in rest], end


def _fit(names: Iterable[str], most: int) -> bool:
    return all(_native.columns(each) <= most for each in names)


def _said(beginning: str, end: str) -> list[str]:
    parts = [("beginning", beginning), ("end", end)]
    words = [f"common {what} “{_native.shortened(text, _QUOTED).strip()}”" for what, text in parts if text]
    return [f"names leave out their {' and their '.join(words)}"] if words else []


def _beginning(names: Sequence[str]) -> str:
    """Return what all names begin with, up to a separator; empty if it is short, or if nothing would be left."""
    common = _common(names)
    if len(common) == min(map(len, names)):
        common = common[:-1]
    for separators in (_PARTS, _SEPARATORS):
        stop = max(common.rfind(each) for each in separators) + 1
        if stop >= _LEAST:
            return common[:stop]
    return ""


def _common(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    first, last = min(names), max(names)
    apart_at = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return first[: next(apart_at, len(first))]


def broken(text: str, most: int) -> list[str]:
    """Break a name into lines of ``most`` columns, after separators where they are near the end of a line."""
    lines = []
    while _native.columns(text) > most:
        stop = most
        while stop > 1 and _native.columns(text[:stop]) > most:
            stop -= 1
        near = max(text.rfind(each, int(0.6 * stop), stop) for each in _ENDS) + 1
        lines.append(text[: near or stop].rstrip())
        text = text[near or stop :].lstrip()
    return [*lines, text]


BREAKABLE = 16
"""A longer word may need a second line."""
_LONG = 24  # a longer part may fill a line
_HUMP = r"(?<=[^\W\d_A-Z])(?=[A-Z])"


def pieces(word: str) -> list[str]:
    """Return the parts of a long word, between which a line may end: after separators; long ones before capitals."""
    if len(word) <= BREAKABLE:
        return [word]
    import re  # noqa: PLC0415 - most words are short

    ends = re.escape(_ENDS)
    parts = re.findall(rf"[^{ends}]*[{ends}]+|.+", word, re.DOTALL)
    return [piece for part in parts for piece in (re.split(_HUMP, part) if len(part) > _LONG else [part])]


TWO_LINES = 1.6
"""Names of so many lines' columns fit on two lines: ``broken`` leaves at most 40% of the first line empty."""
