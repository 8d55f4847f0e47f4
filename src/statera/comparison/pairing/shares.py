"""The share of alpha of each configuration: an experiment that looks at its results several times states it."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

    from statera.reading.observations import Context, Observations

SHARE: Final = "alpha_share"
"""The configuration key that holds the share. It is not a circumstance of the measurement: it splits nothing."""


def shares_of(observations: Observations, contexts: list[Context]) -> list[float]:
    """Return the share of alpha of each configuration, 1 where none is stated; empty if no configuration states one.

    Raises:
        Stop: a share is not a number above 0 and at most 1.

    """
    if not any(SHARE in context.keys for context in contexts):
        return []
    return [_share(observations, context) for context in contexts]


def _share(observations: Observations, context: Context) -> float:
    text = context.keys.get(SHARE, "")
    if not text:
        return 1.0
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise Stop(
            "bad-share",
            f"{observations.sources[context.source].name}: {SHARE} is {text!r}: it must be the share of alpha that "
            "a look at the results spent, a number above 0 and at most 1; correct it, or remove the key if the results "
            "were looked at once",
        )
    return share
