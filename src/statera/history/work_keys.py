"""Which keys of results make values series of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.comparison.pairing.keys import MACHINE_KEYS, WORK_KEYS
from statera.reading.formats import keys_that

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.splitting import Wanted
    from statera.reading.observations import Observations

BRANCH: Final = "branch"
# What says when and where something was measured, and never what.
CIRCUMSTANCES: Final = keys_that(lambda key: key.role in {"commit", "date", "run", "outcome"})


def work_keys(
    observations: Observations, places: Sequence[Sequence[int]], own: str | None, wanted: Wanted
) -> frozenset[str]:
    """Return the keys whose values are series of their own.

    These are what the formats call work, the parameters of the benchmarks, and the keys that vary at one commit on one
    machine, such as the environment. Of several keys that vary together, such as the name of an environment and the
    version of its interpreter, the first is enough: versions change in the course of a history.

    Args:
        observations: what was read.
        places: for each commit and machine the numbers of its configurations.
        own: the key that names variants.
        wanted: what the caller says.

    """
    contexts = observations.contexts
    parameters = set(observations.native.parameters)
    every = dict.fromkeys(key for place in places for number in place for key in contexts[number].keys)
    open_keys = [key for key in every if not _is_circumstance(key) and key not in wanted.pool]
    taken = [key for key in open_keys if key in parameters or key in WORK_KEYS or key in wanted.within]
    if wanted.variant is not None:
        taken = [key for key in taken if key != own]
    comparable = _comparable(observations, places)
    for key in sorted((key for key in open_keys if key not in taken), key=lambda key: key != own):
        if any(_varies(key, taken, [contexts[number].keys for number in alike]) for alike in comparable):
            taken.append(key)
    return frozenset(taken)


def _is_circumstance(key: str) -> bool:
    return key in CIRCUMSTANCES or key in MACHINE_KEYS or key == BRANCH


def _comparable(observations: Observations, places: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    """Return the configurations that have values of the same benchmark at the same commit and machine."""
    place_of = {number: place for place, numbers in enumerate(places) for number in numbers}
    found: set[tuple[int, ...]] = set()
    for together in observations.native.contexts_of_one_benchmark():
        of_places: dict[int, list[int]] = {}
        for number in together:
            if number in place_of:
                of_places.setdefault(place_of[number], []).append(number)
        found.update(tuple(numbers) for numbers in of_places.values() if len(numbers) > 1)
    return found


def _varies(key: str, taken: Iterable[str], alike: Iterable[dict[str, str]]) -> bool:
    """Return whether a key has several values at the same levels of other keys."""
    value_at: dict[tuple[str, ...], str] = {}
    for keys in alike:
        level = tuple(keys.get(each, "") for each in taken)
        if value_at.setdefault(level, keys.get(key, "")) != keys.get(key, ""):
            return True
    return False
