"""The clocks of hosts: by how much each is ahead of the median clock of its run (``offsets.py``), in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


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
