"""Filters: conditions that a block or slot must fulfil to enter the metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.run import is_number
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BLOCK: Final = {
    "BUnitaryChainDelta": bool, "BSizeGEq": float, "BSizeLEq": float, "BFullnessGEq": float, "BFullnessLEq": float,
    "BMinimumAdoptions": float, "BNonNegatives": None,
}  # fmt: skip
_SLOT: Final = {
    "SlotGEq": float, "SlotLEq": float, "EpochGEq": float, "EpochLEq": float, "EpSlotGEq": float, "EpSlotLEq": float,
    "EpochSafeIntGEq": float, "EpochSafeIntLEq": float, "SlotHasLeaders": bool,
}  # fmt: skip
# The value of a condition: a number, yes or no, or nothing.
_TAKES: Final = {**_BLOCK, **_SLOT}
_NAMED: Final = {
    "unitary": "BUnitaryChainDelta true",
    "epoch3+": "EpochGEq 2",
    "epoch4+": "EpochGEq 3",
    "epoch5+": "EpochGEq 4",
    "size-full": "BFullnessGEq 0.9",
    "size-moderate": "BFullnessGEq 0.08, BFullnessLEq 0.112",
    "size-moderate-2": "BFullnessGEq 0.076, BFullnessLEq 0.105",
    "size-small": "BFullnessGEq 0.03, BFullnessLEq 0.1",
    "adopt-10": "BMinimumAdoptions 10",
    "fromslot-20k": "SlotGEq 20000",
    "no-ebnd": "EpSlotGEq 200",
    "nonnegative": "BNonNegatives",
}
# The facts that the description of a run must state for a condition.
_NEEDS: Final = {
    "BFullnessGEq": ("maxBlockBodySize",),
    "BFullnessLEq": ("maxBlockBodySize",),
    "EpochSafeIntGEq": ("securityParam", "activeSlotsCoeff"),
    "EpochSafeIntLEq": ("securityParam", "activeSlotsCoeff"),
}


class Condition(NamedTuple):
    """One condition."""

    kind: str  # ``CBlock`` (blocks only) or ``CSlot`` (blocks and slots)
    tag: str  # the property
    value: float  # the value that it is compared with; 1 and 0 for yes and no, and 1 if the condition has no value

    def __str__(self) -> str:
        """Write the compact form, as ``--filter`` accepts it."""
        takes = _TAKES[self.tag]
        if takes is None:
            return self.tag
        return f"{self.tag} {str(bool(self.value)).lower() if takes is bool else f'{self.value:.15g}'}"


DEFAULT: Final = (Condition("CBlock", "BUnitaryChainDelta", 1.0),)
NAMES: Final = tuple(_NAMED)


def parse(elements: Iterable[Any]) -> tuple[Condition, ...]:
    """Read a list of filters: conditions as objects, names, compact forms, or JSON text of any of them.

    Raises ``Stop`` if a filter cannot be read.
    """
    return tuple(condition for element in elements for condition in _read(element))


def chosen(options: Iterable[str] | None, described: list[Any] | None) -> tuple[Condition, ...]:
    """Return the filters of the command line, else of the run's description, else the default."""
    if options is not None:
        return parse(options)
    return parse(described) if described is not None else DEFAULT


def check(conditions: Iterable[Condition], facts: Mapping[str, Any], run: object) -> None:
    """Raise Stop if the description of a run lacks a fact that a condition needs."""
    for condition in conditions:
        for fact in _NEEDS.get(condition.tag, ()):
            value: Any = facts.get(fact)
            if not is_number(value) or value <= 0:
                raise Stop("bad-filter", f"filter {condition} needs {fact}, which the description of {run} lacks")


def _read(element: object) -> tuple[Condition, ...]:
    if isinstance(element, str):
        return _of_text(element.strip())
    if isinstance(element, list):
        return parse(element)
    if isinstance(element, dict):
        return (_of_object(element),)
    raise Stop("bad-filter", f"{element!r} is not a filter: neither a name nor a condition")


def _of_text(text: str) -> tuple[Condition, ...]:
    if text in _NAMED:
        return parse(part.strip() for part in _NAMED[text].split(","))
    if text.startswith(("{", "[")):
        try:
            return _read(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise Stop("bad-filter", f"filter {text}: not JSON: {error}") from None
    if text == "none":
        return ()
    tag, *rest = text.split() or [""]
    if tag not in _TAKES or len(rest) > 1:
        known = ", ".join([*_NAMED, *_TAKES])
        raise Stop("bad-filter", f"there is no filter {text!r}; the filters are none, {known}")
    return (_condition(tag, _value_of(rest[0]) if rest else None, text),)


def _value_of(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _of_object(element: Mapping[str, Any]) -> Condition:
    text = json.dumps(element)
    kind, inner = element.get("tag"), element.get("contents")
    if kind not in {"CBlock", "CSlot"} or not isinstance(inner, dict):
        raise Stop(
            "bad-filter", f"filter {text}: not of the form {{tag: CBlock or CSlot, contents: {{tag, contents}}}}"
        )
    tag = inner.get("tag")
    if tag not in (_BLOCK if kind == "CBlock" else _SLOT):
        raise Stop("bad-filter", f"filter {text}: {kind} has no condition {tag!r}")
    return _condition(str(tag), inner.get("contents"), text)


def _condition(tag: str, value: object, text: str) -> Condition:
    """Check the value of a condition; a missing yes or no means yes."""
    takes = _TAKES[tag]
    kind = "CBlock" if tag in _BLOCK else "CSlot"
    if takes is None:
        return Condition(kind, tag, 1.0)
    if takes is bool and (value is None or isinstance(value, bool)):
        return Condition(kind, tag, 0.0 if value is False else 1.0)
    if takes is float and is_number(value):
        return Condition(kind, tag, float(str(value)))
    wanted = "true or false" if takes is bool else "a number"
    raise Stop("bad-filter", f"filter {text}: {tag} takes {wanted}")
