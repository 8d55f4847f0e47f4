"""What the metrics of a benchmark say together: whether it does more work, or takes longer for the same work.

The rules are few, because counters seldom prove a cause:

- Only changes that were found or excluded count; an undecided counter says nothing.
- Instructions up in proportion to time: more work. Instructions the same, or fewer: the same work takes longer.
- The same work takes more cycles, if cycles rose; if they did not, it waits, or the clock is slower.
- Misses, faults, allocations and bytes that rose are named; they are not a conclusion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import TABLE
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# Verdicts that say that a metric changed, or that it did not.
_KNOWN: Final = tuple(each.code for each in TABLE if each.part == "typical" and each.is_settled)
_INSTRUCTIONS: Final = ("instructions", "instructions (callgrind)", "ir", "cpuinstructions")
_CYCLES: Final = ("cycles", "cpu-cycles", "cpucycles")
_MISSES: Final = ("miss", "fault", "switch", "stall", "migration")
_ALLOCATIONS: Final = ("alloc",)
# The part of the change of time (as a logarithm) that instructions explain: up to the first they do not explain it,
# between the second and the third they explain it. Between the first and the second there is no reading.
_LITTLE, _MOST_OF_IT, _TOO_MUCH = 0.25, 0.6, 1.7
# A smaller change of time has no cause that counters show.
_LEAST: Final = math.log(1.01)
_SHOWN: Final = 3
# So many metrics that rose are named.
_NAMED: Final = 3


class Known(NamedTuple):
    """A metric of the benchmark: its change as written, and its fields."""

    text: str
    quantity: str
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        """The name without the suffixes of perf, which say in which mode an event was counted."""
        name: str = self.fields["metric"].lower()
        return name.partition(":")[0]

    @property
    def rise(self) -> float | None:
        """The change as a logarithm, 0 if it was excluded; None if it is not known or no ratio."""
        if self.fields["verdict"] == "equivalent":
            return 0.0
        change = self.fields["change"]
        known = self.fields["verdict"] in _KNOWN and self.fields["scale"] == "ratio" and change is not None
        return math.log1p(change) if known and -1 < change < math.inf else None

    @property
    def risen(self) -> bool:
        """Whether it rose."""
        return self.fields["verdict"] in _KNOWN[:3] and (self.fields["change"] or 0.0) > 0

    def is_any(self, names: Sequence[str]) -> bool:
        """Whether it has one of these names."""
        return self.name in names

    def has(self, parts: Sequence[str]) -> bool:
        """Whether its name contains one of these parts."""
        return any(part in self.name for part in parts)


def reading(time: Known, others: Sequence[Known]) -> str:
    """Read the metrics of a benchmark whose time rose, in a sentence; empty if they say nothing.

    Args:
        time: the metric in which the benchmark is slower.
        others: its other metrics.

    """
    if time.quantity != "time" or time.rise is None or time.rise < _LEAST:
        return ""
    told = [each for each in others if each.fields["verdict"] in _KNOWN and _counts(each)]
    if not told:
        return ""
    works = _work(time.rise, told)
    risen = [each for each in told if each.risen and (each.has(_MISSES) or _memory(each))]
    if not works and not risen:
        return ""
    why = [each for names in (_INSTRUCTIONS, _CYCLES) for each in told if each.is_any(names)]
    more, rest = risen[:_NAMED], risen[_NAMED:]
    rest += [each for each in told if each not in risen and each.has(_MISSES)]
    # Counters without a conclusion are listed with the others.
    rest = rest if works else [*why, *rest]
    parts = [f"{works} ({_listed(why)})"] if works else []
    parts += [f"more {conjoined([f'{_name(each)} ({each.text})' for each in more])}"] if more else []
    parts += [_listed(rest[:_SHOWN])] if rest else []
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def _name(each: Known) -> str:
    return _native.printable(each.fields["metric"])


def _listed(counters: Iterable[Known]) -> str:
    return ", ".join(f"{_name(each)} {each.text}" for each in counters)


def counters(metrics: Iterable[str]) -> list[str]:
    """Return the metrics that are counters of the reading, those first that explain most."""
    classes: tuple[Callable[[str], bool], ...] = (
        lambda name: name in (*_INSTRUCTIONS, *_CYCLES),
        lambda name: "miss" in name,
        lambda name: any(part in name for part in _MISSES),
    )
    bare = {metric: metric.lower().partition(":")[0] for metric in metrics}
    found = dict.fromkeys(metric for fits in classes for metric, name in bare.items() if fits(name))
    return list(found)


def _counts(each: Known) -> bool:
    return each.is_any((*_INSTRUCTIONS, *_CYCLES)) or each.has(_MISSES) or _memory(each)


def _memory(each: Known) -> bool:
    return each.quantity == "bytes" or each.has(_ALLOCATIONS)


def _work(time: float, told: Iterable[Known]) -> str:
    instructions = next((each.rise for each in told if each.is_any(_INSTRUCTIONS)), None)
    cycles = next((each.rise for each in told if each.is_any(_CYCLES)), None)
    if instructions is None:
        return ""
    part = instructions / time
    if _MOST_OF_IT <= part <= _TOO_MUCH:
        return "more work"
    if part > _LITTLE:
        return ""
    work = "the same work" if abs(part) <= _LITTLE else "less work"
    if cycles is None:
        return f"more time for {work}"
    return f"more cycles for {work}" if cycles > _LITTLE * time else f"waiting or a slower clock, for {work}"
