"""How much may be read: every limit with its default."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Final


_UNITS: Final = {
    "": 1, "B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip

_SIZES: Final = frozenset({"bytes", "line"})
_MOST_OF_ANYTHING = 2**60
_DIGITS: Final = 19


def parse_size(text: str) -> int | None:
    """Return the bytes of a size such as ``1GiB``, ``1.5 GB`` or ``4G``; None if the text is not a size."""
    import re  # noqa: PLC0415 - only where a limit is given

    found = re.fullmatch(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([A-Za-z]*)", text.strip())
    unit = _UNITS.get(found[2].upper()) if found else None
    if found is None or unit is None:
        return None
    return int(float(found[1]) * unit) if "." in found[1] else int(found[1]) * unit


class Limits(NamedTuple):
    """How much may be read. Results of a harness stay far below; input that does not would exhaust a small machine.

    The defaults suit two cores and 7 GB: a value takes about fifty bytes, a configuration a few hundred.

    Attributes:
        files: files and folders that the arguments lead to.
        bytes: decompressed bytes of all files together.
        expansion: how many times its size a compressed file may grow to, beyond 32 MiB. Text compresses to a tenth,
            rarely to a fiftieth; only files made to exhaust a machine compress to a thousandth.
        line: bytes of a line or of a row of a table; a longer one is left out.
        values: values of all files together, and parts of one JSON document.
        keys: distinct configuration keys.
        contexts: distinct configurations.
        inherited: keys that configurations inherit from lines above, summed over all configurations: in Go's format a
            line changes one key and the others stay, so that a short file can hold very many.
        metrics: distinct metrics.
        pairs: pairs of variants to compare: a thousand variants have half a million.
        groups: combinations of levels that are compared separately: each has tables of its own.
    """

    files: int = 100_000
    bytes: int = 2 * 2**30
    expansion: int = 100
    line: int = 2**20
    values: int = 50_000_000
    keys: int = 1_000
    contexts: int = 200_000
    inherited: int = 1_000_000
    metrics: int = 10_000
    pairs: int = 5_000
    groups: int = 10_000


def limited(base: Limits, name: str, value: object, where: str, code: str) -> Limits:
    """Change one limit; an unknown name or an invalid value raises Stop with this code."""
    if name not in Limits._fields:
        raise Stop(code, f"{where}: there is no limit {name!r}; the limits are {', '.join(Limits._fields)}")
    number = parse_size(value) if isinstance(value, str) and name in _SIZES else value
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= _DIGITS:
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _MOST_OF_ANYTHING:
        wanted = "a size such as 512MiB or 2GiB" if name in _SIZES else "a whole number of 1 or more"
        raise Stop(code, f"{where}: {name} takes {wanted}, not {value!r}")
    return Limits(**{**base._asdict(), name: number})


def checked_limits(limits: Limits) -> Limits:
    """Return the limits if all values are valid; otherwise raise Stop, which names the invalid one."""
    for name, value in limits._asdict().items():
        limited(limits, name, value, "limits", "bad-option")
    return limits


def parse_limits(words: list[str], base: Limits) -> Limits:
    """Apply ``NAME=VALUE`` words to limits."""
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Stop("bad-option", f"--limit {word}: write NAME=VALUE, for instance bytes=4GiB")
        base = limited(base, name, value, "--limit", "bad-option")
    return base
