"""Take what all benchmarks share out of their values."""

from __future__ import annotations

from statera import _native
from statera.comparison.pairing.request import Shared
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.pairing.request import Arrangement
    from statera.reading.observations import Observations


def own_part(observations: Observations, arrangement: Arrangement) -> tuple[Observations, Arrangement]:
    """Return the values of what each benchmark did by itself, and the arrangement that states what was taken out.

    Raises:
        Stop: no metric has enough benchmarks.

    """
    native, shared = _native.own_part(observations.native, arrangement.assignment)
    if not shared:
        raise Stop(
            "bad-option",
            "--apart: no time or rate has ten benchmarks with as many values in each build, all above zero, so that "
            "nothing tells what they share; leave it out",
        )
    return observations.with_native(native), arrangement._replace(shared=tuple(Shared(*each) for each in shared))
