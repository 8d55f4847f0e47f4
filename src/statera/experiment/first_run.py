"""A first run that took much longer than the others: a cache was cold, which warm-ups or ``prepare`` would mend."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

from statera.experiment.schedule import duration_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.experiment.plan import Plan
    from statera.reading.store.journal import Record

_LEAST: Final = 5
# As many deviations from the median as are far beyond what noise does, and a part of it that matters.
_FAR: Final = 15.0
_MUCH: Final = 1.2
# Below it a tenth of a second says too little.
_BRIEF: Final = 0.0995


def said(plan: Plan, records: Iterable[Record]) -> list[str]:
    """Say which benchmarks and variants have a slow first run, with both times, and what helps."""
    times: dict[tuple[str, str], list[float]] = {}
    for each in records:
        if each["kind"] == "invocation" and each["round"]:
            times.setdefault((each["benchmark"], each["variant"]), []).append(each["time"])
    slow = [(names, found) for names, found in times.items() if _is_slow(found)]
    if not slow:
        return []
    lines = [
        f"{', '.join(names)}: the first run took {_time(found[0])}, the others {_usual(found[1:])}"
        for names, found in slow
    ]
    number = plan.warmup + 3
    lines[-1] += f". -w {number} fills caches before the first round, and -p can empty them before every run"
    return lines


def _is_slow(times: list[float]) -> bool:
    if len(times) < _LEAST:
        return False
    centre = median(times)
    spread = median(abs(each - centre) for each in times)
    return times[0] > max(centre + _FAR * spread, _MUCH * centre) and times[0] == max(times)


def _usual(times: list[float]) -> str:
    return _time(median(times))


def _time(seconds: float) -> str:
    return f"{1e3 * seconds:.2g} ms" if seconds < _BRIEF else duration_in_words(seconds)
