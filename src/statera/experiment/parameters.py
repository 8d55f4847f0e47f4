"""Parameters of commands on the command line: ``-L NAME VALUES`` and ``-P NAME MIN MAX`` with ``-D STEP``."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

# A number of values that is larger is a mistake in a range.
_MOST: Final = 10_000
_NAME: Final = re.compile(r"[^\W\d][\w-]*")

Levels = tuple[tuple[str, str], ...]


def combinations(
    lists: Iterable[tuple[str, str]], scans: Iterable[tuple[str, str, str]], steps: Iterable[str]
) -> list[Levels]:
    """Return every combination of the parameters' values; one empty combination where there is no parameter.

    Args:
        lists: name and values with commas between them.
        scans: name, first and last value.
        steps: the step of each scan; none: 1.

    Raises:
        Stop: a name, a number or the number of values cannot be used.

    """
    steps, scans = list(steps), list(scans)
    if len(steps) > len(scans):
        raise Stop("bad-option", "-D is the step of -P: give as many -D as -P, or none")
    steps += ["1"] * (len(scans) - len(steps))
    named = [(name, _range(name, low, high, step)) for (name, low, high), step in zip(scans, steps, strict=True)]
    named += [(name, split(name, text)) for name, text in lists]
    _check([name for name, _ in named])
    found = [tuple(zip((name for name, _ in named), values, strict=True)) for values in _product(named)]
    return list(dict.fromkeys(found))


def _product(named: list[tuple[str, list[str]]]) -> Iterable[tuple[str, ...]]:
    count = 1
    for _, values in named:
        count *= len(values)
    if count > _MOST:
        raise Stop("bad-option", f"the parameters have {count:,} combinations, and at most {_MOST:,} can be run")
    return product(*(values for _, values in named))


def _check(names: list[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise Stop("bad-option", f"parameter {name!r}: a name begins with a letter and has letters, digits, _ or -")
        if names.count(name) > 1:
            raise Stop("bad-option", f"parameter {name} is given twice; give all its values in one -L {name} A,B")
        if name in {"out", "round", "build"}:
            raise Stop("bad-option", f"parameter {name}: {{{name}}} is replaced by statera itself; use another name")


def split(name: str, text: str) -> list[str]:
    r"""Split at commas; ``\,`` is a comma within a value."""
    values = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]
    if not all(values):
        raise Stop("bad-option", f"-L {name} {text!r}: a value is empty; write them with commas between, as in 1,2,4")
    return values


def _range(name: str, first: str, last: str, step: str) -> list[str]:
    try:
        low, high, by = Decimal(first), Decimal(last), Decimal(step)
        finite = all(each.is_finite() for each in (low, high, by))
    except InvalidOperation:
        finite = False
    if not finite or by <= 0 or low > high:
        raise Stop(
            "bad-option",
            f"-P {name} {first} {last} -D {step}: write two numbers, the smaller first, and a step above 0",
        )
    count = int((high - low) / by) + 1 if (high - low) / by < _MOST else _MOST + 1
    if count > _MOST:
        raise Stop(
            "bad-option", f"-P {name} {first} {last} -D {step}: gives more than {_MOST:,} values; use a larger -D"
        )
    return [f"{low + by * number:f}" for number in range(count)]
