"""Waiting for what another thread or process does: for the event, never for an amount of time."""

import time

# Nothing takes so long: what waits longer waits for ever.
FOREVER = 300


def until(holds, *, what=lambda: "", pause=0.02):
    """Wait until something holds, and give what it gave; `what` says what is there instead if it never does."""
    end = time.monotonic() + FOREVER
    while not (found := holds()):
        assert time.monotonic() < end, what()
        time.sleep(pause)
    return found
