"""The variants of an experiment file: every combination of the levels of its factors, or the combinations it names."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from statera.experiment.plan import Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.experiment.document import Document
    from statera.experiment.placeholders import Value

Levels = dict[str, "Value"]
"""The level of each factor, as it stands for its placeholder."""

_MOST: Final = 1000


def variants_of(document: Document) -> list[tuple[Variant, Levels]]:
    """Return the variants, the baseline first.

    Raises:
        Stop: two are the same, one lacks a factor, or there are too many.

    """
    combinations = _listed(document) if "variant" in document.content else _combined(document)
    single = len(combinations[0]) == 1
    found = [(Variant(_name(levels, single=single), _pairs(levels)), levels) for levels in combinations]
    names = [variant.name for variant, _ in found]
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        # Levels such as "1 b=2" can make two names one.
        document.refuse(
            ("variant",) if "variant" in document.content else ("factors",),
            f"two variants are named {repeated!r}; write levels without a space and an equals sign",
        )
    return found


def _combined(document: Document) -> list[Levels]:
    factors = document.content.get("factors", {})
    number = 1
    for name, levels in factors.items():
        texts = [_text(_value(level)) for level in levels]
        repeated = next((each for each in texts if texts.count(each) > 1), None)
        if repeated is not None:
            document.refuse(("factors", name), f"{name} has the level {repeated!r} twice; write it once")
        number *= len(levels)
    if number > _MOST:
        document.refuse(
            ("factors",),
            f"the factors have {number:,} combinations, and {_MOST:,} are allowed; leave "
            "levels out, or name combinations with [[variant]]",
        )
    return [dict(zip(factors, map(_value, each), strict=True)) for each in product(*factors.values())]


def _listed(document: Document) -> list[Levels]:
    found: list[Levels] = []
    tables: list[dict[str, Any]] = document.content["variant"]
    for number, table in enumerate(tables):
        levels = {name: _value(table[name]) for name in tables[0] if name in table}
        odd = sorted(set(table) ^ set(tables[0]))
        if odd:
            document.refuse(("variant", number), f"every [[variant]] has the same factors, but {odd[0]} is not in all")
        if not levels:
            document.refuse(("variant", number), 'this [[variant]] states no factor, such as rev = "main"')
        if _pairs(levels) in map(_pairs, found):
            document.refuse(("variant", number), "this [[variant]] is there twice; leave one out")
        found.append(levels)
    return found


def _value(level: object) -> Value:
    return tuple(level) if isinstance(level, list) else str(level)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else " ".join(value)


def _pairs(levels: Levels) -> tuple[tuple[str, str], ...]:
    return tuple((name, _text(value)) for name, value in levels.items())


def _name(levels: Levels, *, single: bool) -> str:
    """Name a variant by its levels; by the level alone if there is one factor, and the level is not empty."""
    pairs: Sequence[tuple[str, str]] = _pairs(levels)
    if single and pairs[0][1].strip():
        return pairs[0][1]
    return " ".join(f"{name}={level}" for name, level in pairs) or "baseline"
