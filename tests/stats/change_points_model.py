"""The detector of changes in a history, naively from its definition: every mean is a sum, every window a slice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp, floor, log, log2, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MEMORY, LONGEST = 1024, 256
FIRST_LOOK = 11
NORMAL_90, NORMAL_75 = 2.326174307353347, 0.6744897501960817
NORMAL_975 = 1.959963984540054
# So that 1.1 * 10 is 11.
ROUNDING = 1e-12
# Numbers closer than that are equal, so that the first of them counts whatever the order of the sums.
EQUAL = 1 + 1e-9


def quantile(values: Sequence[float], level: float) -> float:
    """Return a quantile of type 7."""
    ordered = sorted(values)
    at = level * (len(ordered) - 1)
    low = floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return quantile(values, 0.5)


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return sum(values) / len(values)


def squares(values: Sequence[float]) -> float:
    """Return the sum of squared deviations from the mean."""
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values)


def clamp(value: float, low: float, high: float) -> float:
    """Draw a value in to an interval."""
    return max(low, min(high, value))


def threshold(t: int) -> float:
    """Return the threshold of the evidence for t values."""
    return 2 * log(max(t, 200)) + 6.6


def reach(t: int) -> int:
    """Return the longest window for t values."""
    return max(3, min(LONGEST, floor(0.22 * t + ROUNDING)))


def local_median(x: Sequence[float], i: int, newest: int) -> float:
    """Return the median around i as it is known when ``newest`` has arrived."""
    i = min(i, newest - 5)
    return median(x[max(0, i - 5) : i + 6])


def drawn_in(x: Sequence[float], i: int, newest: int, clip: float) -> float:
    """Draw value i in to ``clip`` from its local median."""
    centre = local_median(x, i, newest)
    return centre + clamp(x[i] - centre, -clip, clip)


def best_split(y, stretch, span, longest, places):
    """Return the place in a range where the means differ most in their standard error."""
    (begin, end), best, at = stretch, 0.0, None
    for place in range(span[0], span[1] + 1):
        if place in places and begin < place < end:
            k, m = min(end - place, longest), min(place - begin, longest)
            gain = (mean(y[place : place + k]) - mean(y[place - m : place])) ** 2 / (1 / k + 1 / m)
            if gain > best * EQUAL:
                best, at = gain, place
    return at


@dataclass
class Noise:
    """The noise at a moment."""

    clip: float
    local: float
    flat: bool
    count: int
    begin: int
    variance: Callable[[int], float]


def look(x: Sequence[float], newest: int, points: Sequence[int], places: set[int], y: list[float]) -> Noise | None:
    """Estimate the noise from the memory, and draw its values in anew."""
    t = newest + 1
    n = min(t, MEMORY)
    w = t - n
    steps = [abs(x[i] - x[i - 1]) for i in range(w + 1, t)]
    sigma = quantile(steps, 0.9) / NORMAL_90 or sqrt(mean([step * step for step in steps]) / 2)
    if sigma == 0:
        return None
    far = sum(abs(x[i] - local_median(x, i, newest)) > 4 * sigma for i in range(w, t - 5))
    clip = sigma * (2.5 + 0.75 * max(0, 1 - (far + 1) / (n - 5 + 1) / 0.01))
    y[w:t] = [drawn_in(x, i, newest, clip) for i in range(w, t)]
    cuts = [w, *(point for point in points if w < point < t)]
    last = cuts[-1]
    if t - last >= 10:
        split = best_split(y, (last, t), (last + 2, t - 2), t, places)
        cuts += [] if split is None else [split]
    r = []
    for begin, end in zip(cuts, [*cuts[1:], t], strict=True):
        level = mean(y[begin:end])
        r += [value - level for value in y[begin:end]]
    near = quantile([abs(b - a) for a, b in pairwise(r)], 0.9)
    next_but_one = quantile([abs(b - a) for a, b in zip(r, r[2:], strict=False)], 0.9)
    varies = near > ROUNDING * sigma
    single, ratio = ((near / NORMAL_90) ** 2, (next_but_one / near) ** 2) if varies else (sigma**2, 1.0)
    phi = clamp(ratio - 1 + 0.5 / sqrt(n), 0, 0.9)

    def autoregressive(k: int) -> float:
        if phi == 0:
            return 1.0
        return ((1 + phi) / (1 - phi) - 2 * phi * (1 - phi**k) / (k * (1 - phi) ** 2)) / (1 - phi)

    f = {1: 1.0}
    measured, b = 1, 2
    while b <= LONGEST:
        if 5 * b <= n:
            apart = [abs(sum(r[i + b : i + 2 * b]) - sum(r[i : i + b])) for i in range(n - 2 * b + 1)]
            f[b] = max((median(apart) / NORMAL_75 / b) ** 2 * b / (2 * single), autoregressive(b), 1.0)
            measured = b
        else:
            power = clamp(log2(f[measured] / f[measured // 2]), 0.5, 2)
            f[b] = max(f[measured] * (b / measured) ** power, autoregressive(b))
        b *= 2

    def variance(k: int) -> float:
        k = min(k, LONGEST)
        low = max(power for power in f if power <= k)
        return single * (f[low] if low == k else f[low] + (f[2 * low] - f[low]) * (k - low) / low)

    length = min(30, n)
    windows = [squares(r[i : i + length]) / (length - 1) for i in range(0, n - length + 1, length // 2)]
    local = max(single / 10, mean(windows))
    return Noise(clip, local, f[measured] <= 1.25 * max(1, autoregressive(measured)), n, w, variance)


@dataclass
class Moment:
    """A series at a moment."""

    x: Sequence[float]
    y: Sequence[float]
    noise: Noise
    places: set[int]

    def evidence(self, place: int, m: int, k: int) -> float:
        """Return the squared step at a place in squared standard errors."""
        x, y, noise = self.x, self.y, self.noise
        level = mean(y[place - m : place])
        if k <= 10:
            step = mean([clamp(value - level, -noise.clip, noise.clip) for value in x[place : place + k]])
        else:
            step = mean(y[place : place + k]) - level
        variance = noise.variance(k) / k + noise.variance(m) / m
        if step * step > 9 * variance:
            after, before = min(k, 30), min(m, 30)
            around = squares(y[place : place + after]) + squares(y[place - before : place])
            surplus = (3 * noise.local + around) / (1 + after + before) / noise.local
            variance *= max(1, surplus) ** 1.5
        return step * step / variance

    def abrupt(self, place: int, m: int, k: int) -> bool:
        """Return whether a step explains more than a slope."""
        if min(m, k) < 12:
            return True
        part = self.y[place - m : place + k]
        step = (mean(part[m:]) - mean(part[:m])) ** 2 * m * k / (m + k)
        middle, level = (m + k - 1) / 2, mean(part)
        product = sum((i - middle) * (value - level) for i, value in enumerate(part))
        return step >= 1.2 * product**2 / sum((i - middle) ** 2 for i in range(m + k))

    def level_length(self, since: int, k: int, longest: int) -> int:
        """Return the number of values that make the level before a step."""
        most = min(since, min(LONGEST, floor(1.75 * longest)) if self.noise.flat else longest)
        lengths = [most]
        while lengths[-1] // 2 >= max(k, 8):
            lengths.append(lengths[-1] // 2)
        return min(lengths, key=lambda m: self.noise.variance(m) / m)

    def value(self, place: int, count: int, begin: int) -> float:
        """Return the standard deviation of a value beyond which others are clear."""
        before, after = self.x[begin:place], self.x[place : place + count]
        seen = sqrt(self.noise.variance(max(b for b in (1, 2, 4, 8) if 5 * b <= max(self.noise.count, 5))))
        young = min(1.0, max(0.0, 1 - (place - 12) / 244))
        own = sqrt((squares(before) + squares(after)) / (len(before) + count - 2))
        return seen + young * (own - seen) if own > ROUNDING * seen else seen

    def clear(self, place: int, count: int, begin: int) -> bool:
        """Return whether values stand clear of everything before."""
        if place < begin + 5 or place not in self.places:
            return False
        before, after = self.x[max(begin, place - 256) : place], self.x[place : place + count]
        value = self.value(place, count, begin)
        return _beyond(before, after) > 2 * value and abs(mean(after) - mean(before)) > 4.75 * value

    def enough(self, place: int, t: int, begin: int) -> bool:
        """Return whether enough values from a place on stand clear of all before to be told."""
        count = enough(place - begin)
        return t >= begin + 12 and place + count <= t and self.clear(place, count, begin)

    def lasts(self, place: int, end: int, begin: int) -> bool:
        """Return whether the level of the values after a place is still clear of all before."""
        before, level = self.x[max(begin, place - 256) : place], median(self.x[place:end])
        return _beyond(before, [level]) > 2 * self.value(place, enough(place - begin), begin)


def _beyond(before: Sequence[float], after: Sequence[float]) -> float:
    return max(min(after) - max(before), min(before) - max(after))


def enough(before: int) -> int:
    """Return how many values must stand clear of so many before."""
    return next((count for least, count in ((12, 3), (10, 4), (8, 5), (7, 6), (6, 7)) if before >= least), 8)


def moved(stretch: Sequence[float], values: Sequence[float]) -> bool:
    """Return whether most of some values are clear of most of the first quarter of a stretch."""
    first = stretch[: len(stretch) // 4]
    steps = [abs(after - before) for before, after in pairwise(stretch)]
    noise = quantile(steps, 0.9) / NORMAL_90 or sqrt(mean([step * step for step in steps]) / 2)
    lag = len(stretch) // 8
    bends = [abs(stretch[i] - (stretch[i - lag] + stretch[i + lag]) / 2) for i in range(lag, len(stretch) - lag)]
    noise = noise and max(noise, median(bends) / NORMAL_75 / sqrt(1.5))
    gaps = (
        quantile(values, 0.1) - quantile(first, 0.9),
        quantile(first, 0.1) - quantile(values, 0.9),
    )
    return noise > 0 and max(gaps) > 4 * noise


def climbs(stretch: Sequence[float]) -> bool:
    """Return whether a level moves in one direction without a step."""
    n, quarter = len(stretch), len(stretch) // 4
    if n < 28:
        return False
    begins = 0, quarter, n - 2 * quarter, n - quarter
    a, b, c, d = (median(stretch[begin : begin + quarter]) for begin in begins)
    rises, falls = a < c < d and b < c, a > c > d and b > c
    return (rises or falls) and moved(stretch, stretch[n - quarter :])


def alarms(x: Sequence[float], places: set[int]) -> list[tuple[int, int]]:
    """Return what is told, as (place, position of the value that raised it)."""
    begin, points, told = 0, [], []
    noise: Noise | None = None
    next_look = FIRST_LOOK
    y: list[float] = []
    for newest in range(len(x)):
        t = newest + 1
        y.append(x[newest])
        if noise is not None:
            y[newest - 5 :] = [drawn_in(x, i, newest, noise.clip) for i in range(newest - 5, t)]
        looked = t >= next_look
        if looked:
            noise = look(x, newest, points, places, y)
            next_look = t + 1 if noise is None else max(t + 1, floor(1.1 * t + ROUNDING))
        if noise is None:
            continue
        point = _told(Moment(x[:t], y, noise, places), t, begin, looked=looked)
        if point is not None:
            told.append((point, newest))
            points.append(point)
            begin, next_look = point, t + 1
    return told


def _windows(longest: int) -> Iterator[int]:
    k = 3
    while k <= longest:
        yield k
        k = max(k + 1, floor(1.1 * k + ROUNDING))


def _told(moment: Moment, t: int, begin: int, *, looked: bool) -> int | None:  # noqa: C901 - four rules in their order
    newest, longest = t - 1, reach(t)
    degrees = moment.noise.count / 2.5
    limit = degrees * (exp(threshold(t) / degrees) - 1)
    best, where = 0.0, (0, 0)

    def compare(place: int, k: int, level_for: int) -> None:
        nonlocal best, where
        m = moment.level_length(place - begin, level_for, longest)
        found = moment.evidence(place, m, k)
        if found > best * EQUAL and (found <= limit or moment.abrupt(place, m, k)):
            best, where = found, (place, k)

    for k in _windows(longest):
        if t - k >= begin + 3 and t - k in moment.places:
            compare(t - k, k, k)
    if best > limit:
        _, k = where
        span = max(begin + 1, t - 2 * k, t - longest), min(newest - 1, newest - k // 2)
        return best_split(moment.y, (begin, t), span, longest, moment.places)
    for count in range(3, 9):
        place = t - count
        if place > begin and enough(place - begin) == count and moment.enough(place, t, begin):
            return place
    if looked:
        for place in range(begin + 3, t - 2):
            if place in moment.places:
                k = min(t - place, longest)
                compare(place, k, min(k, 8))
        if best > limit:
            place, k = where
            span = max(begin + 1, place - k // 2), min(newest - 1, place + k // 2)
            return best_split(moment.y, (begin, t), span, longest, moment.places)
        begin = max(begin, t - 256)
        if climbs(moment.x[begin:t]):
            quarter = (t - begin) // 4
            return best_split(moment.y, (begin, t), (begin + quarter, t - quarter), t, moment.places)
    return None


@dataclass
class Point:
    """A point with hindsight."""

    place: int
    first: int
    last: int
    size: float
    low: float
    high: float
    p: float


def points(x: Sequence[float], places: set[int]) -> list[Point]:
    """Return the changes with hindsight."""
    kept = sorted(alarms(x, places))
    while True:
        judged = [_judged(x, kept, number, places) for number in range(len(kept))]
        weakest = min(judged, key=lambda each: each[0], default=None)
        if weakest is not None and weakest[0] < 0:
            kept.pop(judged.index(weakest))
            continue
        placed = _all_placed(x, kept, judged)
        none = next((number for number, point in enumerate(placed) if point.size == 0), None)
        if none is None:
            return placed
        kept.pop(none)


def _neighbours(x: Sequence[float], kept: list[tuple[int, int]], number: int) -> tuple[int, int]:
    return kept[number - 1][0] if number else 0, kept[number + 1][0] if number + 1 < len(kept) else len(x)


def _halves(length: int) -> list[int]:
    lengths = [length]
    while lengths[-1] // 2 >= 4:
        lengths.append(lengths[-1] // 2)
    return lengths


def _judged(
    x: Sequence[float], kept: list[tuple[int, int]], number: int, places: set[int]
) -> tuple[float, Moment, int | None]:
    n, (place, raised) = len(x), kept[number]
    t = min(n, max(place + MEMORY // 2, MEMORY))
    y = list(x[:t])
    noise = look(x[:t], t - 1, [each for each, _ in kept], places, y)
    assert noise is not None
    begin, end = _neighbours(x, kept, number)
    moment = Moment(x[:t], y, noise, places)
    k = min(end - place, reach(n), t - place)
    m = min(place - begin, reach(n), place - noise.begin)
    windows = [(before, after) for after in _halves(k) for before in _halves(m)]
    abrupt = [window for window in windows if moment.abrupt(place, *window)]
    most = max((moment.evidence(place, *window) for window in abrupt), default=0.0)
    degrees = noise.count / 2.5
    strength = degrees * log(1 + most / degrees) - threshold(n)
    slope = None
    if strength < 0:
        before = [other for other, told in kept if told < raised and other < raised + 1]
        then = look(x[: raised + 1], raised, before, places, list(x[: raised + 1]))
        at_first = then and Moment(x, x, then, places)
        if at_first and at_first.enough(place, raised + 1, begin) and at_first.lasts(place, min(end, t), begin):
            return 0.0, moment, None
        for until in (raised + 1, min(end, t)):
            start = max(begin, until - 256)
            seen = x[start:until]
            if slope is None and climbs(seen) and moved(seen, [median(x[place : min(end, t)])]):
                strength, slope = 0.0, start + len(seen) // 4
    return strength, moment, slope


def _all_placed(x, kept, judged) -> list[Point]:
    placed: list[Point] = []
    for number in range(len(kept)):
        begin = placed[-1].place if placed else 0
        placed.append(_placed(x, kept, number, judged[number], begin))
    return placed


def _placed(x, kept, number, judged, begin) -> Point:
    strength, moment, slope = judged
    places = moment.places
    _, end = _neighbours(x, kept, number)
    noise = moment.noise
    at, raised = kept[number]
    span = max(begin + 1, at - 10), min(end - 1, at + 10, raised)
    place = best_split(moment.y, (begin, min(end, len(moment.y))), span, 64, places)
    assert place is not None
    m, k = min(place - begin, 64), min(end - place, 64)
    new, old = median(x[place : place + k]), median(x[place - m : place])
    drawn = [clamp(value, min(new, old) - noise.clip, max(new, old) + noise.clip) for value in x]
    nearer_old = [(value - new) ** 2 - (value - old) ** 2 for value in drawn]
    variance = noise.variance(min(m, k))
    likely = [place]
    for i in range(place - m + 1, place + k):
        apart = sum(nearer_old[i:place]) if i < place else -sum(nearer_old[place:i])
        if i in places and apart / variance <= 6:
            likely.append(i)
    if slope is not None:
        likely += [i for i in range(max(slope, begin + 1), place) if i in places]
    size = median([after - before for after in x[place : place + k] for before in x[place - m : place]])
    half = NORMAL_975 * sqrt(noise.variance(m) / m + noise.variance(k) / k)
    p = min(1, 0.05 * exp(-strength / 2))
    return Point(place, min(likely), max(likely), size, size - half, size + half, p)
