"""Wrong tokens make the next attempt of an address wait, each twice as long as the one before."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Final

from statera.server.asking import network_of

if TYPE_CHECKING:
    from collections.abc import Callable

# So many are free; people paste the wrong thing.
_FREE: Final = 5
_LONGEST: Final = 300.0
# An address that was quiet for so long begins anew, in seconds.
_FORGOTTEN: Final = 3600.0
_ADDRESSES: Final = 10_000


class Attempts:
    """The wrong tokens of each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any."""
        self._clock = clock
        self._of: dict[str, tuple[int, float]] = {}
        self._lock = Lock()

    def wait(self, address: str) -> float:
        """Return for how many seconds an address has to wait."""
        with self._lock:
            count, last = self._of.get(network_of(address), (0, 0.0))
        pause = min(2.0 ** (count - _FREE), _LONGEST) if count >= _FREE else 0.0
        return max(last + pause - self._clock(), 0.0)

    def failed(self, address: str) -> None:
        """Count a wrong token."""
        key, at = network_of(address), self._clock()
        with self._lock:
            count, last = self._of.pop(key, (0, at))
            self._of[key] = (count + 1 if at - last < _FORGOTTEN else 1, at)
            while len(self._of) > _ADDRESSES:
                del self._of[next(iter(self._of))]
