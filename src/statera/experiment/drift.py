"""The course of the values over an experiment: how much they rose or fell, as a note, and a slow first run.

A first run that took much longer than the others had a cold cache, which warm-ups or ``prepare`` would mend.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.comparison.verdicts import Note
from statera.experiment.schedule import duration_in_words
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.comparison.results.inspection import Inspection
    from statera.experiment.plan import Order, Plan
    from statera.reading.store.journal import Record

_FEW: Final = 3
_SPARED: Final = "Rounds alternate the builds, so the drift is not a difference between them."
_CONFUSED: Final = "The builds ran one after the other, so the drift looks like a difference. Run them in random order."


def notes(inspection: Inspection, order: Order) -> list[Note]:
    """Name the rows whose values drifted over the rounds, the largest change first.

    The p-values of the rank correlations with time are corrected for the number of rows (Bonferroni).
    """
    native = inspection.native
    limit = inspection.policy.alpha / max(len(native), 1)
    drifting = [
        (native.row_dict(row), metric)
        for _, metric, rows in native.sections()
        for row in rows
        if (p := native.row_dict(row)["drift_p"]) is not None and p < limit
    ]
    if not drifting:
        return []
    drifting.sort(key=lambda each: -abs(each[0]["drift_change"]))
    return [
        Note(
            "drifted",
            f"Values drifted over the rounds: {listed((_row(inspection, *each) for each in drifting), _FEW)}. "
            + (_CONFUSED if order == "sequential" else _SPARED),
        )
    ]


def _row(inspection: Inspection, fields: dict[str, Any], metric: int) -> str:
    names = ", ".join(_native.printable(fields[name]) for name in ("benchmark", "variant", "metric"))
    change = fields["drift_change"]
    if fields["scale"] == "ratio":
        return f"{names} {_native.percent(change)}"
    return f"{names} {_native.amount(inspection.observations.native, metric, change, change)}"


_LEAST: Final = 5
# As many deviations from the median as are far beyond what noise does, and a part of it that matters.
_FAR: Final = 15.0
_MUCH: Final = 1.2
# Below it a tenth of a second says too little.
_BRIEF: Final = 0.0995


def slow_first_run(plan: Plan, records: Iterable[Record]) -> list[str]:
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
