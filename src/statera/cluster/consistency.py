"""Checks of a run's values against its description and its clocks. Nothing is corrected: values stay as logged.

The clock of a host is ahead of the median clock of its run by what ``offsets.py`` finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.logs.events import instant
from statera.support.errors import Problem
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from statera.cluster.chain import Chain
    from statera.cluster.engine import DuckDB
    from statera.cluster.run import Run, RunEvents, Timing
    from statera.cluster.statistics import Measured

_MOST_NAMED: Final = 6


class Clock(NamedTuple):
    """The offset of a host's clock from the median clock of its run, in s; positive if it is ahead."""

    host: str
    offset: float
    # the interval that the least delays allow.
    low: float
    high: float
    pairs: int  # the hosts that noticed its blocks and whose blocks it noticed

    @property
    def is_off(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def document(found: Iterable[Clock]) -> dict[str, dict[str, Any]]:
    """Return the clocks as summary.json holds them, by host."""
    return {one.host: {"offset": one.offset, "low": one.low, "high": one.high, "pairs": one.pairs} for one in found}


def of_summary(summary: Mapping[str, Any]) -> list[Clock]:
    """Return the clocks of a run's summary; an older one has none."""
    stated = summary.get("clocks", {})
    return [Clock(host, one["offset"], one["low"], one["high"], one["pairs"]) for host, one in stated.items()]


def told(found: Iterable[Clock]) -> str | None:
    """Name the clocks that are off by more than delays explain, the worst first; None if there are none."""
    off = sorted((one for one in found if one.is_off), key=lambda one: -abs(one.offset))
    if not off:
        return None
    return f"the clocks of hosts differ: {listed(map(_told, off), _MOST_NAMED)}"


def _told(clock: Clock) -> str:
    size = abs(clock.offset)
    amount = f"{size * 1e3:.3g} ms" if size < 1 else f"{size:.4g} s"
    way = "ahead" if clock.offset > 0 else "behind"
    return f"{clock.host} is {amount} {way} [{clock.low * 1e3:+.0f}, {clock.high * 1e3:+.0f} ms]"


_SECOND = 10**9
# Legacy logs truncate times to 10 ms: a smaller difference is not a contradiction.
_RESOLUTION = 10_000_000
# Lines of one file are roughly in the order of their times.
_DISORDER = 2 * _SECOND
_DRIFT = 1e-3
_HOUR = 3600 * _SECOND
_DAY = 24 * _HOUR
_FEW_DAYS = 2


def doubts(engine: DuckDB, run: Run, chain: Chain, measured: Measured, found: Sequence[Clock]) -> list[Problem]:
    """Find contradictions to a correct description and to ``found``, clocks that agree; return them as warnings."""
    start = _start(engine, run.timing, measured)
    differ = told(found) or _early_headers(engine)
    doubtful = (None if start else _early_loops(engine), differ, _backwards(engine))
    source = str(run.path)
    problems = [Problem("no-chain", source, 0, what, "") for what in (_chain(chain),) if what]
    problems += [Problem("system-start", source, 0, what, "") for what in (start,) if what]
    return problems + [Problem("clocks", source, 0, what, "") for what in doubtful if what]


def far_times(events: RunEvents, slots: Sequence[int | None], measured: Measured) -> list[Problem]:
    """Find hosts with a line from long before or after the slots of the run, which run time and line rates include.

    Long means more than the duration of all slots, and at least an hour. The forge loops show when slots began, even
    if systemStart is wrong.
    """
    known = [slot for slot in slots if slot is not None]
    if not known:
        return []
    timing = events.run.timing
    late = round((measured.metrics["cdfStarted"]["median"] or 0) * _SECOND)
    begin, end = (timing.system_start + late + slot * timing.slot_length for slot in (min(known), max(known) + 1))
    far = max(end - begin, _HOUR)
    found = []
    for host in events.hosts:
        first, last = host.counts.first, host.counts.last
        if not host.live or first is None or last is None:
            continue
        for at, beyond, where in ((first, begin - first, "before the first"), (last, last - end, "after the last")):
            if beyond > far:
                what = (
                    f"a line of {host.host} is from {instant(at)} UTC, {_long(beyond)} {where} slot; run time and line "
                    "rates include it, the metrics do not"
                )
                found.append(Problem("far-times", str(events.run.path), 0, what, ""))
    return found


def _long(time: int) -> str:
    days = time / _DAY
    return f"{days:,.0f} days" if days > _FEW_DAYS else f"{time / _HOUR:.3g} hours"


def _chain(chain: Chain) -> str | None:
    if chain.blocks:
        return None
    forged = "no block was forged" if chain.dropped is None else "only the last block of the run is known"
    return f"{forged}: no metric of blocks has a value"


def _start(engine: DuckDB, timing: Timing, measured: Measured) -> str | None:
    """Compare the forge loops with the beginnings of their slots: hosts begin a loop within its slot."""
    late, length = measured.metrics["cdfStarted"]["median"], timing.slot_length / _SECOND
    if late is None or abs(late) <= length:
        return None
    begun = f"half of the forge loops begin more than {abs(late):.6g} s {'after' if late > 0 else 'before'} their slot"
    [(first, last)] = engine.rows("SELECT min(slot), max(slot) FROM host_slots WHERE started IS NOT NULL")
    ends = dict(
        engine.rows(
            "SELECT slot, avg(started) FROM host_slots WHERE started IS NOT NULL AND slot IN (?, ?) GROUP BY slot",
            [first, last],
        )
    )
    drift = (ends[last] - ends[first]) / (last - first) if last > first else 0.0
    if abs(drift) > _DRIFT * length:
        return f"{begun}, increasingly so: slots are {length + drift:.4g} s long, not slotLength {length:.4g} s"
    likely = instant(timing.system_start + round(late) * _SECOND)[:-10]
    return f"{begun}: systemStart should be about {likely} UTC, if the clocks of the hosts are right"


def _early_loops(engine: DuckDB) -> str | None:
    count, most, name = _most(engine, "host_slots", "-v.started", _RESOLUTION / _SECOND)
    return name and (
        f"{count} forge loops begin before their slot, by up to {most:.6g} s, most on {name}: its clock was set back"
    )


def _early_headers(engine: DuckDB) -> str | None:
    """Count headers that come before their blocks. The clock of either host may be wrong."""
    [(count, most)] = engine.rows(
        "SELECT count(*), max(f.forged_at - o.noticed_at) FROM chain AS c "
        "JOIN host_blocks AS f ON f.block = c.block AND f.host = c.forger "
        "JOIN host_blocks AS o ON o.block = c.block AND o.host <> c.forger WHERE f.forged_at - o.noticed_at > ?",
        [_RESOLUTION],
    )
    if not count:
        return None
    return (
        f"{count} times a host noticed a block before it was forged, by up to {most / _SECOND:.6g} s: the clocks of "
        "hosts differ, and too few blocks went there and back to say which"
    )


def _backwards(engine: DuckDB) -> str | None:
    count, most, name = _most(engine, "resources", "v.back", _DISORDER)
    return name and (
        f"{count} Resources lines have an earlier time than the line above, by up to {most / _SECOND:.6g} s, most on "
        f"{name}: its clock was set back, which shows as restarts, or lines are out of order, which does no harm"
    )


def _most(engine: DuckDB, table: str, value: str, beyond: float) -> tuple[int, float, str | None]:
    """Return how many values of a table exceed a limit, the largest, and the host with most; None if there are none."""
    found = engine.rows(
        f"SELECT h.name, count(*), max({value}) FROM {table} AS v JOIN host AS h ON h.host = v.host "
        f"WHERE {value} > ? GROUP BY h.name ORDER BY count(*) DESC, h.name",
        [beyond],
    )
    most = max((largest for _, _, largest in found), default=0.0)
    return sum(count for _, count, _ in found), most, found[0][0] if found else None
