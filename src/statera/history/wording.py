"""Numbers, names and sentences on histories, for terminals and Markdown."""

from __future__ import annotations

import statistics
from collections import Counter
from math import isinf
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.history.job import lane_name
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.alerts import Alert, Part
    from statera.history.analysis import Analysis
    from statera.history.order import Order
    from statera.history.track import Change, Track

# Values on either side of a change whose median is shown as the level.
_AROUND: Final = 64
_BARS: Final = "▁▂▃▄▅▆▇█"
SHORT: Final = 8
# Columns of a name in a table or a sentence; a longer one loses what it shares with others, and its middle.
_NAME: Final = 60


def amount(track: Track, value: float, like: float | None = None) -> str:
    """Write a value of a series with its unit, or with that which suits another value."""
    return _native.series_amount(track.series.quantity, track.series.unit, value, value if like is None else like)


def size(track: Track, change: Change) -> str:
    """Write how large a change is, with its sign."""
    return _native.percent(change.size) if change.is_ratio else _difference(track, change.size)


def interval(track: Track, change: Change) -> str:
    """Write the interval of a size."""
    if change.low == change.high:
        return "exact"
    if change.is_ratio:
        low, high = _native.percent_ends(change.low, change.high)
        return f"{low} to {high}"
    return f"{_difference(track, change.low)} to {_difference(track, change.high)}"


def noise(track: Track) -> str:
    """Write how much a value differs from its level: a share where sizes are shares; a dash if nobody knows."""
    if track.noise is None:
        return "-"
    return _native.percent(track.noise).lstrip("+") if track.found.ratio else amount(track, track.noise)


def _difference(track: Track, value: float) -> str:
    text = amount(track, value)
    return text if value < 0 else f"+{text}"


def levels(track: Track, change: Change) -> tuple[float, float]:
    """Return the levels before and after a change: medians of the values up to its neighbours, at most 64."""
    found = track.found
    at = found.since(change.place)
    begins = [found.since(each.place) for each in track.changes]
    before = max((begin for begin in begins if begin < at), default=0)
    after = min((begin for begin in begins if begin > at), default=len(found))
    level = found.median(at, min(after, at + _AROUND))
    if before == at:
        # It was carried over from another machine.
        return level / (1 + change.size) if change.is_ratio else level - change.size, level
    return found.median(max(before, at - _AROUND), at), level


def middle(values: Sequence[float]) -> float:
    """Return the median, also of values whose sum is beyond all numbers."""
    found = statistics.median(values)
    return 2 * statistics.median([value / 2 for value in values]) if isinf(found) else found


def current_level(track: Track) -> float:
    """Return the level at the end: the median of the values since the last change, at most 64."""
    found = track.found
    begin = found.since(track.changes[-1].place) if track.changes else 0
    return found.median(max(begin, len(found) - _AROUND), len(found))


def headline(alert: Alert) -> str:
    """Describe an alert in a line: how many series, which way, and the worst."""
    worst = alert.parts[0]
    (name,) = names([worst.track.name])
    if alert.scope:
        return f"{reached(alert)}, the worst {name} {size(worst.track, worst.change)} ({counts(alert.parts)})"
    more = f", {counted(len(alert.parts) - 1, 'other')}" if len(alert.parts) > 1 else ""
    return f"{name} {size(worst.track, worst.change)}{more} ({counts(alert.parts)})"


def reached(alert: Alert) -> str:
    """Say how many series a change of the suite or of a machine reached."""
    number = f"all {alert.reached:,}" if alert.changed == alert.reached else f"{alert.changed:,} of {alert.reached:,}"
    where = f" on {lane(alert.parts[0].track)} alone" if alert.scope == "machine" else " at once"
    return f"{number} series{where}"


def counts(parts: Iterable[Part]) -> str:
    """Count changes by the words for them, those for the worse first: ``2 slower, 1 more, 3 faster``."""
    by_gravity = sorted(parts, key=lambda part: part.gravity)
    return ", ".join(f"{number:,} {word}" for word, number in Counter(part.word for part in by_gravity).items())


def names(texts: Sequence[str]) -> list[str]:
    """Write names from strangers for a column of a table: printable, short, and apart from each other."""
    shown = [_native.printable(text) for text in texts]
    different = list(dict.fromkeys(shown))
    forms = dict(zip(different, _native.apart(different, _NAME), strict=True))
    return [forms[text] for text in shown]


def commits(alert: Alert, analysis: Analysis) -> str:
    """Write the commits that the changes of an alert may begin at."""
    return began(analysis.orders[alert.branch], alert.first, alert.last)


def began(order: Order, first: int, last: int) -> str:
    """Write a range of commits as ``git log`` takes it, from the commit before it, and how many there are.

    A single commit is named alone.
    """
    count = last - first + 1
    if count == 1:
        return short(order.commits[last])
    before = short(order.commits[first - 1]) if first else ""
    return f"{before}..{short(order.commits[last])} ({counted(count, 'commit')})"


def short(commit: str) -> str:
    """Return the beginning of a commit's name, which is enough for people."""
    return _native.printable(commit[:SHORT])


def lane(track: Track) -> str:
    """Return the name of a track's machines."""
    return _native.printable(lane_name(track.line.lane))


def state(word: str, reason: str) -> str:
    """Write the state of an alert with its reason."""
    return f"{word} ({_native.printable(reason)})" if reason else word


def sparkline(values: Sequence[float], most: int) -> str:
    """Draw the last values as bars, each the median of as many as it takes; one height if all are equal."""
    if not values:
        return ""
    step = -(-len(values) // most)
    grouped = [middle(values[at : at + step]) for at in range(len(values) % step, len(values), step)]
    low, high = min(grouped), max(grouped)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * scale)] if scale else _BARS[3] for value in grouped)
