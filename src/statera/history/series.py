"""A series: the values of one benchmark and metric at the same work, job after job."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.support.settings.policy import Better


class _Fields(NamedTuple):
    benchmark: str
    metric: str
    unit: str  # the base unit of the values
    quantity: str  # the dimension, as of ``statera.reading.observations.Metric``
    better: Better | None  # the direction; None if unknown
    traits: str | None  # what does not follow from the unit, in words; None if nothing
    factors: str  # keys and values that make it a series of its own, as a JSON object


class Series(_Fields):
    """What identifies a series, and how its values are judged."""

    @cached_property
    def id(self) -> str:
        """Return what names it in pages, states and paths: 16 hexadecimal digits of a hash of what identifies it."""
        key = json.dumps([self.benchmark, self.metric, self.unit, self.factors], ensure_ascii=True)
        return hashlib.sha256(key.encode()).hexdigest()[:16]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return every name that its benchmark had, the present one first."""
        return (self.benchmark,)

    def under(self, benchmark: str) -> Series:
        """Return the same series of another benchmark."""
        return self._replace(benchmark=benchmark)

    def called(self, benchmark: str, former: Sequence[str], id_: str) -> Series:
        """Return the series under another name of its benchmark; its id stays what it was under its first name."""
        made = self.under(benchmark)
        vars(made).update(id=id_, names=(benchmark, *former))
        return made

    @property
    def levels(self) -> dict[str, str]:
        """Return its factors."""
        levels: dict[str, str] = json.loads(self.factors)
        return levels

    @property
    def is_primary(self) -> bool:
        """Return whether its metric is compared without being asked for."""
        return "secondary" not in (self.traits or "").split()

    @property
    def counts_failures(self) -> bool:
        """Return whether its metric says how much failed, or succeeded."""
        return "validity" in (self.traits or "").split()


def names_of(series: Sequence[Series]) -> list[str]:
    """Return how outputs name series: benchmark, and the factors that not all of them share."""
    levels = [each.levels for each in series]
    shared = set(levels[0].items()).intersection(*(each.items() for each in levels)) if levels else set()
    names = []
    for each, own in zip(series, levels, strict=True):
        factors = ", ".join(f"{key}={value}" for key, value in own.items() if (key, value) not in shared)
        names.append(f"{each.benchmark} [{factors}]" if factors else each.benchmark)
    return names
